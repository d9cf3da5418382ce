/**
 * Eigenvectors with the eigenvalues nearest to a σ on either side. With RᵀR = B the symmetric
 *
 *     C = R(A − σB)⁻¹Rᵀ
 *
 * has the eigenvalues ν = 1/(λ − σ), those nearest to σ at its two ends, and x = (A − σB)⁻¹Rᵀy belongs to its eigenvector y (Ericsson and
 * Ruhe, Math. Comp. 35, 1980; Parlett, The Symmetric Eigenvalue Problem, 15.6). The pivots of A − σB say how many eigenvalues there are
 * on each side.
 */
import { quadraticObjective, type Result, stiefel } from "@expen/core";
import type { Tall } from "@expen/linalg";
import { ProblemError } from "@expen/linalg";
import { eigh, lanczos } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { type Factors, type Root, rootOf, solver } from "@expen/linalg/ldlt";
import type { Pencil } from "./pencil.js";
import { type RitzPairs, ritzPairs } from "./ritz.js";
import { type RunOptions, solveForm } from "./run-options.js";
import { type ShiftedPencil, shiftedPencil } from "./shifted-pencil.js";

/** Lanczos steps that estimate ‖C‖ */
const STEPS = 20;
/** ‖C‖ times the scale of the eigenvalues from which σ counts as an eigenvalue */
const AT_EIGENVALUE = 1e9;
/** Distance from it of the σ that is taken then, over that scale */
const DISTANCE = 1e-6;
/** Residual of the first run over ‖C‖; later ones ask for as much less as the residuals of A are above the tolerance */
const FIRST_TOLERANCE = 1e-9;
/** Runs at most, each with a smaller residual */
const RUNS = 3;

export interface ShiftInvertOptions extends Omit<RunOptions, "tol"> {
  /** largest residual ‖Ax − θBx‖ of one of the p nearest */
  readonly residual: number;
}

/** C of a factorization, with the solutions of (A − σB)x = Rᵀy */
interface Inverse {
  readonly sigma: number;
  /** number of eigenvalues below σ */
  readonly below: number;
  readonly norm: number;
  apply(Y: Tall, X: Tall): void;
  solution(y: Tall): Tall;
}

/** The Ritz pairs of the p nearest eigenvalues on each side of σ, as far as there are as many */
export async function nearestPairs(
  name: string,
  pencil: Pencil,
  shifted: ShiftedPencil,
  sigma: number,
  p: number,
  { residual, ...o }: ShiftInvertOptions,
): Promise<{ pairs: RitzPairs; run: Result; sigma: number; solves: number }> {
  const { E, n } = pencil;
  const counts = { solves: 0 };
  const inverse = inverseNear(name, pencil, shifted, sigma, counts);
  const [low, high] = [Math.min(p, inverse.below), Math.min(p, n - inverse.below)];
  const q = low + high;
  const sides = Float64Array.from({ length: q * q }, (_, k) =>
    k % (q + 1) > 0 ? 0 : Math.floor(k / q) < low ? 1 : -1,
  );
  const flops = 4 * shifted.entries;
  // one side alone needs no C of the form
  const form =
    low > 0 && high > 0
      ? { apply: inverse.apply, C: E.small(q, q, sides) }
      : {
          apply(Y: Tall, X: Tall) {
            inverse.apply(Y, X);
            if (low === 0) E.combine(Y, -1, Y, 0, Y);
          },
        };
  const f = quadraticObjective(E, n, q, { ...form, flops, symmetric: true });
  let tol = FIRST_TOLERANCE * inverse.norm;
  for (let runs = 1, start = o.start; ; runs++) {
    const run = await solveForm(E, f, stiefel(n, q), { ...o, tol, start });
    const pairs = ritzPairs(pencil, eigenvectors(pencil, inverse, tallOf(E, run.X)));
    const nearest = Array.from(pairs.theta, (theta, j) => ({
      distance: Math.abs(theta - sigma),
      r: pairs.residual[j]!,
    }))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, p);
    const worst = Math.max(...nearest.map(({ r }) => r));
    const answer = { pairs, run, sigma: inverse.sigma, solves: counts.solves };
    if (!(worst > residual) || runs === RUNS || run.status !== "converged") return answer;
    tol *= Math.max(0.1 * (residual / worst), Number.EPSILON);
    start = run.X;
  }
}

/** The columns (A − σB)⁻¹Rᵀy/ν, of B-norm 1, for the Ritz pairs (ν, y) of C in the span of the columns of Y */
function eigenvectors({ E, n }: Pencil, inverse: Inverse, Y: Tall): Tall {
  const q = Y.cols;
  const [CY, S] = [E.tall(n, q), E.small(q, q)];
  inverse.apply(CY, Y);
  E.tmul(S, Y, CY);
  E.symmetrize(S);
  const { values, vectors } = eigh(E, S);
  E.mul(CY, Y, vectors);
  const X = inverse.solution(CY);
  const scales = E.small(
    q,
    q,
    Float64Array.from({ length: q * q }, (_, k) => (k % (q + 1) > 0 ? 0 : 1 / values[k % q]!)),
  );
  E.mul(Y, X, scales);
  return Y;
}

function inverseNear(
  name: string,
  pencil: Pencil,
  shifted: ShiftedPencil,
  place: number,
  counts: { solves: number },
): Inverse {
  const { E, n, B } = pencil;
  const root = B && rootOfMetric(name, pencil);
  const scale = shifted.norms[0] / shifted.norms[1] + Math.abs(place);
  for (const sigma of [place, place - DISTANCE * scale, place + 3 * DISTANCE * scale]) {
    const factors = shifted.factorize(sigma);
    if (!factors) continue;
    const { apply, solution } = products(pencil, factors, root, counts);
    const norm = lanczos(E, n, 1, apply, () => {}, { steps: STEPS }).lowest.scale;
    if (norm * scale < AT_EIGENVALUE) return { sigma, below: factors.negative, norm, apply, solution };
  }
  throw new ProblemError(`${name}: A − σB is singular for every σ near ${place}; take another sigma.`);
}

function rootOfMetric(name: string, { E, n, B }: Pencil): Root {
  const factors = shiftedPencil({ E, n, A: B! })?.factorize(0);
  if (!factors || factors.negative > 0)
    throw new ProblemError(`${name}: B is singular or indefinite; it must be positive definite.`);
  return rootOf(factors);
}

function products(
  { E, n }: Pencil,
  factors: Factors,
  root: Root | undefined,
  counts: { solves: number },
): Pick<Inverse, "apply" | "solution"> {
  const solve = solver(E, factors);
  let x = new Float64Array(0);
  /** x ← (A − σB)⁻¹Rᵀ·X */
  const invert = (X: Tall): void => {
    if (x.length !== n * X.cols) x = new Float64Array(n * X.cols);
    E.read(X, x);
    root?.applyT(x, X.cols);
    solve(x, X.cols);
    counts.solves += X.cols;
  };
  return {
    apply(Y, X) {
      invert(X);
      root?.apply(x, X.cols);
      E.write(Y, x);
    },
    solution(X) {
      invert(X);
      return E.tall(n, X.cols, x);
    },
  };
}

/** Part of ‖A‖/‖B‖ at which the search for a σ below the spectrum begins, its growth, and the steps of bisection afterwards */
const [FIRST, GROWTH, HALVINGS] = [1e-5, 8, 5];
/** Least pivot of A over its largest for which 0 is such a σ */
const LEAST_PIVOT = 1e-12;

/** A σ below all eigenvalues, and not far below: 0 for a positive definite A */
export function shiftBelow({ factorize, norms: [a, b] }: ShiftedPencil): number | undefined {
  const isBelow = (sigma: number): boolean => factorize(sigma)?.negative === 0;
  const d = factorize(0)?.d;
  if (d && minimum(d) > LEAST_PIVOT * a) return 0;
  let far = FIRST * (a / b);
  // of a zero matrix there is no scale
  for (; !isBelow(-far); far *= GROWTH) if (!(far > 0 && far < Number.MAX_VALUE / GROWTH)) return undefined;
  let near = far === FIRST * (a / b) ? far : far / GROWTH;
  for (let step = 0; step < HALVINGS && near < far; step++) {
    const middle = Math.sqrt(near * far);
    if (isBelow(-middle)) far = middle;
    else near = middle;
  }
  return -far;
}

const minimum = (values: Float64Array): number =>
  values.reduce((least, v) => Math.min(least, v), Number.POSITIVE_INFINITY);
