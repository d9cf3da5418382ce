/**
 * Which way a quadratic form without a linear term goes, and how large Krylov spaces are. On a host costs are in operations of a product
 * with a dense matrix on two columns; what another one costs beside it was measured on one core. Where an engine declares its speeds,
 * costs are in seconds (krylov-device-plan.ts).
 */
import type { Part } from "../memory/need.js";
import type { Engine, QuadraticForm } from "../types.js";
import { deviceDirect, deviceRun, deviceSizes, productsOf } from "./krylov-device-plan.js";

export interface Sizes {
  /** columns of a block */
  readonly b: number;
  /** columns of the basis at most */
  readonly most: number;
  /** columns of a panel of the basis, a multiple of b */
  readonly panel: number;
  /** Ritz values are looked at before a space is full. */
  readonly early: boolean;
  /** Ritz vectors that a restart keeps at an end beside the wanted ones */
  guard(wanted: number): number;
}

/** Columns of a panel on a host: enough for products at full speed, few enough that an unfilled panel costs little */
const PANEL = 48;

/**
 * Two columns a block: of an eigenvalue that stands twice one column would see one vector. More columns use the caches
 * better but take more products (1.1 times as many for two, 1.6 times for four). Of the room beside the wanted vectors
 * four tenths are kept at a restart.
 */
export function krylovSizes(E: Engine, n: number, p: number, form: QuadraticForm): Sizes {
  const usual = Math.min(2, n);
  const wished = Math.max(Math.min(2.5 * p + 40, 9 * p + 8), p + 4 * usual);
  const plan = E.speeds && deviceSizes(E.speeds, n, p, formFlops(n, form), usualProducts(p));
  const { b, wanted, panel } = plan ?? { b: usual, wanted: wished, panel: PANEL };
  const most = b * Math.floor(Math.min(wanted, n) / b);
  return {
    b,
    most,
    panel: Math.min(b * Math.ceil(panel / b), most),
    early: !plan,
    guard: (wanted) => Math.floor((0.4 * (most - p) * wanted) / p),
  };
}

/** Sparse products are slower by this than dense ones, operation by operation; orthogonalization is faster */
const SPARSE = 25;
const ORTHOGONALIZATION = 0.5;
/** All eigenvectors of an n×n matrix: so many n³ with LAPACK, or without */
const LAPACK = 0.6;
const PLAIN = 10;
/** No n×n matrix is made beyond this n. */
const LARGEST = 4000;
/** Below this n every way takes milliseconds, and the general method shows its steps. */
const LEAST = 256;

export type Way = "krylov" | "direct" | "general";

const formFlops = (n: number, { flops = 2 * n * n }: QuadraticForm): number => flops;

/** What a product with one column costs, orthogonalization included */
export function productCost(E: Engine, n: number, p: number, form: QuadraticForm): number {
  const [flops, sizes] = [formFlops(n, form), krylovSizes(E, n, p, form)];
  if (E.speeds) return deviceRun(E.speeds, n, p, flops, sizes, 1);
  return (flops < n * n ? SPARSE * flops : flops) + ORTHOGONALIZATION * 4 * n * sizes.most;
}

/** What all eigenvectors cost by a dense factorization, with the matrix made of products where it is not at hand */
export function directCost(E: Engine, n: number, form: QuadraticForm): number {
  if (n > LARGEST) return Number.POSITIVE_INFINITY;
  if (E.speeds) return deviceDirect(E.speeds, n);
  const [{ matrix }, flops] = [form, formFlops(n, form)];
  const dense = matrix && !("main" in matrix);
  return (E.factor.library ? LAPACK : PLAIN) * n ** 3 + (dense ? 0 : n * (flops < n * n ? SPARSE * flops : flops));
}

/** How many products, in blocks of two columns, a spectrum that is neither easy nor hard takes: GOE, n = 2000 */
const usualProducts = (p: number): number => 7 * p + 230;

/** The way to eigenvectors; `general`: a linear term, or no room for a Krylov space. */
export function wayOf(E: Engine, n: number, p: number, form: QuadraticForm): Way {
  if (form.L || n < LEAST) return "general";
  const sizes = krylovSizes(E, n, p, form);
  const krylov = E.speeds
    ? deviceRun(E.speeds, n, p, formFlops(n, form), sizes, productsOf(usualProducts(p), sizes.b))
    : usualProducts(p) * productCost(E, n, p, form);
  const direct = directCost(E, n, form);
  if (2 * sizes.most <= n) return direct < krylov ? "direct" : "krylov";
  return Number.isFinite(direct) ? "direct" : "general";
}

/** What a run in Krylov spaces holds: the basis and what restarts need; blocks; X, BX, G and the matrices of the run; T of several sizes */
export function krylovParts(E: Engine, n: number, p: number, form: QuadraticForm): Part[] {
  const { b, most, panel, guard } = krylovSizes(E, n, p, form);
  const columns = (wanted: number): number => panel * Math.ceil(wanted / panel);
  return [
    { count: columns(most) + columns(p + guard(p) + 2 * b) + 10 * b, rows: n, cols: 1 },
    { count: 7, rows: n, cols: p, plain: 1 },
    { count: 12, rows: most, cols: most, plain: 3 },
  ];
}
