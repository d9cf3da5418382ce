/**
 * Which way a quadratic form without a linear term goes, and how large Krylov spaces are. Costs are in operations of a product with a dense
 * matrix on two columns; what another one costs beside it was measured on one core.
 */
import type { Engine, QuadraticForm } from "../types.js";
import { FEW } from "./direct-eigenvectors.js";
import type { Inverse } from "./shifted-inverse.js";

export interface Sizes {
  /** columns of a block */
  readonly b: number;
  /** columns of the basis at most */
  readonly most: number;
  /** Ritz vectors that a restart keeps at an end beside the wanted ones */
  guard(wanted: number): number;
}

/**
 * Two columns a block: of an eigenvalue that stands twice one column would see one vector. More columns use the caches
 * better but take more products (1.1 times as many for two, 1.6 times for four). Of the room beside the wanted vectors
 * four tenths are kept at a restart.
 */
export function krylovSizes(n: number, p: number): Sizes {
  const b = Math.min(2, n);
  const wished = Math.max(Math.min(2.5 * p + 40, 9 * p + 8), p + 4 * b);
  const most = b * Math.floor(Math.min(wished, n) / b);
  return { b, most, guard: (wanted) => Math.floor((0.4 * (most - p) * wanted) / p) };
}

/** Sparse products and solves are slower by this than dense products, operation by operation; orthogonalization is faster */
const SPARSE = 12;
const SOLVE = 5;
const ORTHOGONALIZATION = 0.5;
/** Eigenvectors of an n×n matrix: so many n³ for a few or for all with LAPACK, or without */
const LAPACK_FEW = 0.4;
const LAPACK = 0.6;
const PLAIN = 10;
/** No n×n matrix is made beyond this n. */
const LARGEST = 4000;
/** Below this n every way takes milliseconds, and the general method shows its steps. */
const LEAST = 256;

/** A sparse factorization: for each number that it stores, and for each operation */
const STORED = 1200;
const FRONTS = 1;

export type Way = "krylov" | "inverse" | "direct" | "general";

/** What one product costs, orthogonalization included */
export function productCost(n: number, p: number, { flops = 2 * n * n }: QuadraticForm): number {
  const product = flops < n * n ? SPARSE * flops : flops;
  return product + orthogonalization(n, p);
}

const orthogonalization = (n: number, p: number): number => ORTHOGONALIZATION * 4 * n * krylovSizes(n, p).most;

/** The same for a solve with the factors of B − σI */
export const solveCost = (n: number, p: number, { entries }: Inverse): number =>
  SOLVE * 4 * entries + orthogonalization(n, p);

/** A factorization, and as many solves as are usual: spectra of inverses are all alike */
const inverseCost = (n: number, p: number, inverse: Inverse): number =>
  STORED * inverse.entries + FRONTS * inverse.flops + (3 * p + 60) * solveCost(n, p, inverse);

/** What eigenvectors cost by a dense factorization, with the matrix made of products where it is not at hand */
function directCost(E: Engine, n: number, p: number, form: QuadraticForm): number {
  if (n > LARGEST) return Number.POSITIVE_INFINITY;
  const { matrix, flops = 2 * n * n } = form;
  const dense = matrix && "data" in matrix;
  const { library, lowest } = E.factor;
  const cube = lowest && p <= FEW * n ? LAPACK_FEW : library ? LAPACK : PLAIN;
  return cube * n ** 3 + (dense ? 0 : n * (flops < n * n ? SPARSE * flops : flops));
}

/** How many products a spectrum that is neither easy nor hard takes: GOE, n = 2000 */
const usualProducts = (p: number): number => 7 * p + 230;

/**
 * Sparse matrices are mostly those of grids and graphs, whose lower end takes several times as many: so much more may
 * the inverse cost.
 */
const HARDER = 4;

const inverseCostOrNone = (n: number, p: number, inverse: Inverse | undefined): number =>
  inverse ? inverseCost(n, p, inverse) : Number.POSITIVE_INFINITY;

/** The way to eigenvectors; `general`: a linear term, or no room for a Krylov space. */
export function wayOf(E: Engine, n: number, p: number, form: QuadraticForm, inverse?: Inverse): Way {
  if (form.L || n < LEAST) return "general";
  const room = 2 * krylovSizes(n, p).most <= n;
  if (!room) return Number.isFinite(directCost(E, n, p, form)) ? "direct" : "general";
  const krylov = usualProducts(p) * productCost(n, p, form);
  if (wayBelow(krylov, E, n, p, form, inverse) === "direct") return "direct";
  return inverseCostOrNone(n, p, inverse) < HARDER * krylov ? "inverse" : "krylov";
}

/** Spaces of which the rate of convergence is taken */
const SPACES = 6;

/** Spaces from the last of the gradient norms to the target, at the rate of the last ones; 0 while they are too few to say */
export function spacesLeft(norms: readonly number[], target: number): number {
  const now = norms.at(-1)!;
  const before = norms.at(-1 - SPACES);
  if (before === undefined) return 0;
  const rate = Math.log(before / now) / SPACES;
  return rate > 0 ? Math.log(now / target) / rate : Number.POSITIVE_INFINITY;
}

/** The way that costs less than this, if there is one */
export function wayBelow(
  cost: number,
  E: Engine,
  n: number,
  p: number,
  form: QuadraticForm,
  inverse?: Inverse,
): Way | undefined {
  const [direct, inverted] = [directCost(E, n, p, form), inverseCostOrNone(n, p, inverse)];
  if (Math.min(direct, inverted) >= cost) return undefined;
  return direct < inverted ? "direct" : "inverse";
}
