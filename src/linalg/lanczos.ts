import { tridiagonalEigenvalue, tridiagonalEigenvector } from "../arrays/tridiagonal-eigenpairs.js";
import { random } from "../random.js";
import type { Engine, Matrix } from "../types.js";

export interface Lowest {
  /** the smallest Ritz value: an upper bound of the smallest eigenvalue */
  value: number;
  /** an eigenvalue lies within this distance of `value` */
  residual: number;
  /** the largest |Ritz value|: the scale of the operator */
  scale: number;
  steps: number;
}

/**
 * The smallest eigenvalue of a symmetric operator on n×p matrices (restricted to the range of `project`) by the Lanczos recurrence
 *
 *     β_{j+1}·q_{j+1} = A·q_j − α_j·q_j − β_j·q_{j−1}
 *
 * from a seeded random start. Three matrices are kept, not the whole basis: lost orthogonality repeats Ritz values and does not falsify
 * the smallest. `vector` runs the recurrence a second time to assemble the Ritz vector.
 */
export function lanczos(
  E: Engine,
  n: number,
  p: number,
  apply: (Y: Matrix, X: Matrix) => void,
  project: (Z: Matrix) => void,
  { steps = 60, tolerance = 1e-3, seed = 1 } = {},
): { lowest: Lowest; vector(V: Matrix): void } {
  let [q, before, w] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const [alpha, beta]: [number[], number[]] = [[], []];
  /** ‖A·q‖ before projection: what rounding is relative to */
  let raw = 0;
  let coefficients: Float64Array = new Float64Array(0);
  let lowest: Lowest = { value: 0, residual: 0, scale: 0, steps: 0 };

  /** Runs the recurrence; `visit` sees q_j and A·q_j orthogonalised, and ends it by returning false. */
  function recur(visit: (j: number) => boolean): void {
    E.write(q, random(seed, "lanczos").normal);
    const whole = Math.sqrt(E.dot(q, q));
    project(q);
    const norm = Math.sqrt(E.dot(q, q));
    // nothing but rounding is left where the range of `project` is {0}
    if (norm <= 1e-13 * whole) return;
    E.axpby(q, 0, before, 1 / norm);
    E.fill(before, 0);
    for (let j = 0; ; j++) {
      apply(w, q);
      raw = Math.max(raw, Math.sqrt(E.dot(w, w)));
      alpha[j] ??= E.dot(q, w);
      E.axpby(w, -alpha[j]!, q, 1);
      if (j > 0) E.axpby(w, -beta[j]!, before, 1);
      const length = remainder();
      beta[j + 1] ??= length;
      if (!visit(j)) return;
      [before, q, w] = [q, w, before];
      E.axpby(q, 0, before, 1 / beta[j + 1]!);
      // a small β magnifies what rounding has left outside of the range
      project(q);
    }
  }

  /** Projects w, last of all, and returns its length; where little is left, what rounding added off the range goes in a second round. */
  function remainder(): number {
    project(w);
    const length = Math.sqrt(E.dot(w, w));
    if (length > 1e-2 * raw) return length;
    project(w);
    const inside = Math.sqrt(E.dot(w, w));
    return inside < 0.5 * length ? 0 : inside;
  }

  recur((j) => {
    const k = j + 1;
    const last = k >= steps || k >= n * p || beta[k]! <= 1e-10 * raw;
    if (!last && k % 5 !== 0) return true;
    const [d, e] = [Float64Array.from(alpha), Float64Array.from(beta.slice(1))];
    const value = tridiagonalEigenvalue(d, e, k, 0);
    coefficients = tridiagonalEigenvector(d, e, k, value);
    const residual = beta[k]! * Math.abs(coefficients[k - 1]!);
    const scale = Math.max(Math.abs(value), Math.abs(tridiagonalEigenvalue(d, e, k, k - 1)), 1e-10 * raw);
    lowest = { value, residual, scale, steps: k };
    return !(last || residual <= tolerance * Math.abs(value));
  });

  return {
    lowest,
    vector(V) {
      E.fill(V, 0);
      recur((j) => {
        E.axpby(V, coefficients[j]!, q, 1);
        return j + 1 < lowest.steps;
      });
    },
  };
}
