import { tridiagonalEigenvalue, tridiagonalEigenvector } from "../arrays/tridiagonal-eigenpairs.js";
import type { Engine } from "../contracts/engine.js";
import type { Tall } from "../contracts/matrix.js";
import { random } from "../random.js";

export interface Lowest {
  /** the smallest Ritz value: an upper bound of the smallest eigenvalue */
  value: number;
  /** the largest Ritz value: a lower bound of the largest eigenvalue */
  highest: number;
  /** an eigenvalue lies within this distance of `value` */
  residual: number;
  /** the largest |Ritz value|: the scale of the operator */
  scale: number;
  steps: number;
  /** the largest ‖A·q‖ before projection: the scale of rounding errors */
  raw: number;
  /** α_1 … α_k and β_1 … β_k of the recurrence */
  alpha: Float64Array;
  beta: Float64Array;
  /** ‖K − Kᵀ‖ of the computed matrix K of the operator, as far as it is known */
  asymmetry: number;
  /** "invariant": the Krylov space of the start is, up to its residual; "whole": the matrix of the operator is known */
  end: "steps" | "invariant" | "whole";
}

interface LanczosOptions {
  steps?: number;
  seed?: number;
  /** default criterion: the residual is at most this fraction of |value| */
  tolerance?: number;
  /** the criterion in place of `tolerance` */
  enough?: (lowest: Lowest) => boolean;
  /** steps between two looks at the criterion; 5 if left out */
  every?: number;
  /** the dimension of the range of `project`, if it is above n·p */
  range?: number;
}

/** Entries of the basis up to which it is stored (32 MiB), so that a Ritz vector costs no products */
const MOST_STORED = 2 ** 22;
/** β relative to ‖A·q‖ up to which it is roundoff */
const ROUNDOFF = 1e-10;

/**
 * The smallest eigenvalue of a symmetric operator on n×p matrices (restricted to the range of `project`) by the Lanczos recurrence
 *
 *     β_{j+1}·q_{j+1} = A·q_j − α_j·q_j − β_j·q_{j−1}
 *
 * from a seeded random start, uniform on the sphere of the range. Lost orthogonality repeats Ritz values and does not falsify the
 * extreme ones (Greenbaum, Linear Algebra Appl. 113, 1989), so q is not reorthogonalized. `vector` assembles the Ritz vector from the
 * basis if that is small enough to be stored, otherwise by running the recurrence a second time.
 */
export function lanczos(
  E: Engine,
  n: number,
  p: number,
  apply: (Y: Tall, X: Tall) => void,
  project: (Z: Tall) => void,
  { steps = 60, tolerance = 1e-3, seed = 1, range = 0, enough, every = 5 }: LanczosOptions = {},
): { lowest: Lowest; vector(V: Tall): void } {
  const basis: Tall[] | undefined = steps * n * p <= MOST_STORED ? [] : undefined;
  let [q, before, w] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const [alpha, beta]: [number[], number[]] = [[], []];
  /** ⟨w, w⟩ and ⟨q, w⟩; −α and −β */
  const [products, parts] = [new Float64Array(2), new Float64Array(2)];
  let raw = 0;
  let coefficients: Float64Array = new Float64Array(0);
  let lowest: Lowest = {
    value: 0,
    highest: 0,
    residual: 0,
    scale: 0,
    raw: 0,
    steps: 0,
    alpha: coefficients,
    beta: coefficients,
    asymmetry: 0,
    end: "steps",
  };
  const converged = enough ?? (({ residual, value }) => residual <= tolerance * Math.abs(value));

  recur((j) => {
    const k = j + 1;
    if (basis) {
      const copy = E.tall(n, p);
      E.copy(copy, q);
      basis.push(copy);
    }
    const invariant = beta[k]! <= ROUNDOFF * raw || k >= Math.max(n * p, range);
    const last = invariant || k >= steps;
    if (!last && k % every !== 0) return true;
    const [d, e] = [Float64Array.from(alpha), Float64Array.from(beta.slice(1))];
    const [value, highest] = [tridiagonalEigenvalue(d, e, k, 0), tridiagonalEigenvalue(d, e, k, k - 1)];
    coefficients = tridiagonalEigenvector(d, e, k, value);
    const residual = e[k - 1]! * Math.abs(coefficients[k - 1]!);
    const scale = Math.max(Math.abs(value), Math.abs(highest));
    const end = invariant ? "invariant" : "steps";
    const asymmetry = invariant ? residual : 0;
    lowest = { value, highest, residual, scale, raw, steps: k, alpha: d, beta: e, asymmetry, end };
    return !(last || converged(lowest));
  });
  return { lowest, vector };

  function vector(V: Tall): void {
    E.fill(V, 0);
    if (basis) E.combination(V, coefficients, basis, lowest.steps);
    else
      recur((j) => {
        E.combine(V, coefficients[j]!, q, 1, V);
        return j + 1 < lowest.steps;
      });
  }

  /** Runs the recurrence; `visit` is called with q_j in `q`, and ends it by returning false. */
  function recur(visit: (j: number) => boolean): void {
    // a range {0} of `project` leaves roundoff only
    if (!begin(q)) return;
    E.fill(before, 0);
    for (let j = 0; ; j++) {
      apply(w, q);
      E.dots(products, [w, q], 2, w);
      raw = Math.max(raw, Math.sqrt(products[0]!));
      alpha[j] ??= products[1]!;
      parts[0] = -alpha[j]!;
      parts[1] = -(beta[j] ?? 0);
      E.combination(w, parts, [q, before], j > 0 ? 2 : 1, 1);
      const length = remainder();
      beta[j + 1] ??= length;
      if (!visit(j)) return;
      [before, q, w] = [q, w, before];
      E.combine(q, 1 / beta[j + 1]!, q, 0, q);
    }
  }

  /** Z ← a random unit matrix of the range; false if the range is {0} */
  function begin(Z: Tall): boolean {
    E.write(Z, random(seed, "lanczos").normal);
    const length = Math.sqrt(E.dot(Z, Z));
    project(Z);
    const norm = Math.sqrt(E.dot(Z, Z));
    if (norm <= 1e-13 * length) return false;
    E.combine(Z, 1 / norm, Z, 0, Z);
    return true;
  }

  /**
   * Projects w and returns its length. If w is short, a second projection removes roundoff outside of the range, since the next q is
   * w/‖w‖, whose distance to the range is relative to that length.
   */
  function remainder(): number {
    project(w);
    const length = Math.sqrt(E.dot(w, w));
    if (length > 1e-2 * raw) return length;
    project(w);
    const inside = Math.sqrt(E.dot(w, w));
    return inside < 0.5 * length ? 0 : inside;
  }
}
