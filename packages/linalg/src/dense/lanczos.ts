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
  /** the largest ‖A·q‖ before projection: what rounding is relative to */
  raw: number;
  /** the steps were used up, or the Krylov space of the start is invariant */
  end: "steps" | "invariant";
}

interface LanczosOptions {
  steps?: number;
  seed?: number;
  /** a residual of this much of |value| is the end, if there is no `enough` */
  tolerance?: number;
  /** looked at after every fifth step */
  enough?: (lowest: Lowest) => boolean;
  /** the dimension of the range of `project`, if it is above n·p */
  range?: number;
}

/** Numbers of the basis that are kept, so that a Ritz vector costs no products. */
const KEPT = 2 ** 22;
/** A remainder of this much of ‖A·q‖ is rounding. */
const NOTHING = 1e-10;

/**
 * The smallest eigenvalue of a symmetric operator on n×p matrices (restricted to the range of `project`) by the Lanczos recurrence
 *
 *     β_{j+1}·q_{j+1} = A·q_j − α_j·q_j − β_j·q_{j−1}
 *
 * from a seeded random start, uniform on the sphere of the range. Lost orthogonality repeats Ritz values and does not falsify the
 * extreme ones (Greenbaum, Linear Algebra Appl. 113, 1989): q is not orthogonalised again. `vector` assembles the Ritz vector, from the
 * basis where it is small enough to be kept, otherwise by running the recurrence a second time.
 */
export function lanczos(
  E: Engine,
  n: number,
  p: number,
  apply: (Y: Tall, X: Tall) => void,
  project: (Z: Tall) => void,
  { steps = 60, tolerance = 1e-3, seed = 1, range = 0, enough }: LanczosOptions = {},
): { lowest: Lowest; vector(V: Tall): void } {
  const basis: Tall[] | undefined = steps * n * p <= KEPT ? [] : undefined;
  let [q, before, w] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const [alpha, beta]: [number[], number[]] = [[], []];
  /** ⟨w, w⟩ and ⟨q, w⟩; −α and −β */
  const [products, parts] = [new Float64Array(2), new Float64Array(2)];
  let raw = 0;
  let coefficients: Float64Array = new Float64Array(0);
  let lowest: Lowest = { value: 0, highest: 0, residual: 0, scale: 0, raw: 0, steps: 0, end: "steps" };
  const converged = enough ?? (({ residual, value }) => residual <= tolerance * Math.abs(value));

  recur((j) => {
    const k = j + 1;
    if (basis) {
      const kept = E.tall(n, p);
      E.copy(kept, q);
      basis.push(kept);
    }
    const invariant = beta[k]! <= NOTHING * raw || k >= Math.max(n * p, range);
    const last = invariant || k >= steps;
    if (!last && k % 5 !== 0) return true;
    const [d, e] = [Float64Array.from(alpha), Float64Array.from(beta.slice(1))];
    const [value, highest] = [tridiagonalEigenvalue(d, e, k, 0), tridiagonalEigenvalue(d, e, k, k - 1)];
    coefficients = tridiagonalEigenvector(d, e, k, value);
    const residual = e[k - 1]! * Math.abs(coefficients[k - 1]!);
    const scale = Math.max(Math.abs(value), Math.abs(highest));
    lowest = { value, highest, residual, scale, raw, steps: k, end: invariant ? "invariant" : "steps" };
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

  /** Runs the recurrence; `visit` sees q_j, and ends it by returning false. */
  function recur(visit: (j: number) => boolean): void {
    // nothing but rounding is left where the range of `project` is {0}
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

  /** Z ← a random unit matrix of the range; false where there is none */
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
   * Projects w, last of all, and returns its length. Where little is left, what rounding added off the range goes in a second round: the
   * next q is as near to the range as w is, by its own length.
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
