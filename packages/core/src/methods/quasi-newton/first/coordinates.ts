import type { Engine, Operator, Small } from "@expen/linalg";
import { invertTriangular } from "@expen/linalg/dense";
import type { FirstMatrix } from "./first-matrix.js";

/** Largest n whose n×n factor and its inverse are formed: 2/3·n³ flops and 16n² bytes */
const LARGEST = 2000;
/** n/p up to which that costs less than the steps it saves */
const ROWS_PER_COLUMN = 400;
/** Pairs that decide between the coordinates */
const DECIDING = 6;
/** Condition of B from which its coordinates pay for two products with n×n matrices a step, and two more where the metric is fitted */
const CONDITION = 30;

interface Factors {
  /** R of B = RᵀR */
  readonly R: Operator;
  readonly inverse: Operator;
}

/**
 * The first matrix for XᵀBX = I that follows from one, H, for XᵀX = I. With B = RᵀR and Z = RX the constraint is ZᵀZ = I; steps are RD,
 * gradients R⁻ᵀG, and the multiplier is the same: H₀ = R⁻¹·H·R⁻ᵀ. Where the Hessian of f is like B, its condition no longer counts; where
 * it has nothing to do with B, as for A and B drawn by themselves, it is multiplied with its own. The first pairs decide: a Hessian is
 * nearer to a multiple of I where the angle between s and y is smaller, and as ⟨s, y⟩ is the same in both coordinates, where ‖s‖·‖y‖ is.
 *
 * H itself is returned where B is not a dense matrix of moderate size; it stays in use where B is near a multiple of I.
 */
export function inCoordinatesOf(R: Small, E: Engine, n: number, p: number, H: FirstMatrix): FirstMatrix {
  if (!factorPays(E, n, p)) return H;
  const [W, Z] = [E.tall(n, p), E.tall(n, p)];
  // a run that begins at its end needs none
  let factors: Factors | undefined | null = null;
  const makeOnce = (): Factors | undefined => (factors === null ? (factors = factorsOf(E, n, R)) : factors);
  /** pairs seen, and Σ log of ‖s‖·‖y‖ over ‖Rs‖·‖R⁻ᵀy‖ */
  let [pairs, gain] = [0, 0];
  const inside = (): boolean => gain > 0;
  return {
    get scaled() {
      return H.scaled;
    },
    apply(R, X, Q) {
      if (!inside()) return H.apply(R, X, Q);
      makeOnce()!.inverse.applyT(Z, Q);
      H.apply(W, X, Z);
      makeOnce()!.inverse.apply(R, W);
    },
    learn(X, pair) {
      const known = pair && (pairs < DECIDING || inside()) && makeOnce();
      if (!known) return H.learn(X, pair);
      known.R.apply(W, pair.D);
      known.inverse.applyT(Z, pair.y);
      const inner = { ...pair, D: W, y: Z, dd: E.dot(W, W) };
      const before = inside();
      if (pairs++ < DECIDING) gain += Math.log((pair.dd * E.dot(pair.y, pair.y)) / (inner.dd * E.dot(Z, Z)));
      if (inside() !== before) H.forget();
      H.learn(X, inside() ? inner : pair);
    },
    forget: () => H.forget(),
  };
}

/** Whether an n×n factor and its inverse cost little beside the steps of a run with p columns */
export const factorPays = (E: Engine, n: number, p: number): boolean =>
  n <= LARGEST && ROWS_PER_COLUMN * p >= n && !E.ranks;

/** R and R⁻¹ as operators */
export function factorOperators(E: Engine, n: number, R: Small): Factors {
  const inverse = E.small(n, n);
  invertTriangular(E, inverse, R);
  const operator = (M: Small): Operator => E.operator({ rows: n, cols: n, data: E.read(M) });
  return { R: operator(R), inverse: operator(inverse) };
}

/** Nothing where the diagonal of R shows no condition worth it: (max R_ii/min R_ii)² ≤ cond(B) */
function factorsOf(E: Engine, n: number, R: Small): Factors | undefined {
  const numbers = E.read(R);
  const diagonal = Array.from({ length: n }, (_, i) => numbers[i * n + i]!);
  if ((Math.max(...diagonal) / Math.min(...diagonal)) ** 2 < CONDITION) return undefined;
  return factorOperators(E, n, R);
}
