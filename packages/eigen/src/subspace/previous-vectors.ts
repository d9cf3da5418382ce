/** Ritz vectors of the last two steps, as coefficients in the basis; Davidson's restarts keep the older ones too. */
import { columnsOf, inner, type Projection, type RitzPairs } from "../krylov/projection.js";

export interface PreviousVectors {
  /** Records the p lowest Ritz vectors of a new step; returns their coefficients, size×p */
  advance(ritz: RitzPairs): Float64Array;
  /** Distance of the last p vectors from the previous ones: (2Σ(1 − |⟨x_j, x'_j⟩|))^½ */
  distance(): number;
  /**
   * Coefficients, size×k, of an orthonormal basis of the span of the `kept` lowest Ritz vectors and the p lowest ones of the step before;
   * T becomes that of this basis.
   */
  restart(T: Projection, ritz: RitzPairs, count: number): { s: Float64Array; k: number };
}

/** Length after orthogonalization, from 1, below which a vector is taken as dependent on the others */
const DEPENDENT = 1e-6;

export function previousVectors(p: number): PreviousVectors {
  /** size×p; the previous ones have fewer rows, as their basis had fewer columns */
  let [now, before]: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  const lowest = Array.from({ length: p }, (_, j) => j);
  return {
    advance({ theta, s }) {
      before = now;
      now = columnsOf(s, theta.length, lowest);
      return now;
    },
    distance() {
      let sum = 0;
      for (let j = 0; j < p; j++) {
        let overlap = 0;
        for (let i = j; i < before.length; i += p) overlap += now[i]! * before[i]!;
        sum += 1 - Math.min(1, Math.abs(overlap));
      }
      return Math.sqrt(2 * sum);
    },
    restart(T, { theta, s }, count) {
      const size = theta.length;
      const basis = Array.from({ length: count }, (_, j) => columnsOf(s, size, [j]));
      for (let j = 0; j < p; j++) {
        const u = Float64Array.from({ length: size }, (_, i) => before[i * p + j] ?? 0);
        for (let pass = 0; pass < 2; pass++) for (const v of basis) orthogonalize(u, v);
        const length = Math.hypot(...u);
        if (length > DEPENDENT) basis.push(u.map((value) => value / length));
      }
      T.restart(theta.subarray(0, count), basis.slice(count));
      const k = basis.length;
      // the new basis begins with the lowest Ritz vectors
      now = new Float64Array(k * p);
      for (let j = 0; j < p; j++) now[j * (p + 1)] = 1;
      return { s: Float64Array.from({ length: size * k }, (_, at) => basis[at % k]![Math.floor(at / k)]!), k };
    },
  };
}

/** u ← u − v·⟨v, u⟩ for a v of length 1 */
function orthogonalize(u: Float64Array, v: Float64Array): void {
  const part = inner(v, u);
  for (let i = 0; i < u.length; i++) u[i]! -= part * v[i]!;
}
