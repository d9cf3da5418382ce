/**
 * Which way a quadratic form without a linear term goes, and how large Krylov spaces are. On a host costs are in operations of a product
 * of a dense matrix in the cache with two columns (3·10¹⁰ a second); what others cost beside it was measured on one core. Where an
 * engine declares its speeds, costs are in seconds (krylov/device-plan.ts).
 */
import type { Part } from "../../memory/need.js";
import type { Engine, QuadraticForm } from "../../types.js";
import { deviceDirect, deviceRun, deviceSizes, productsOf } from "./device-plan.js";
import { FEW } from "./direct-eigenvectors.js";
import type { Inverse } from "./shifted-inverse.js";

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

/** Columns of a panel on a host: enough for products at full speed, few enough that an unfilled one costs little; numbers at least */
const PANEL = 48;
const PANEL_NUMBERS = 1e5;
/** Numbers of a cache line: rows of a panel that begin on one are read and written up to twice as fast. */
const LINE = 8;

/**
 * Two columns a block: of an eigenvalue that stands twice one column would see one vector. More columns use the caches
 * better but take more products (1.1 times as many for two, 1.6 times for four). Of the room beside the wanted vectors
 * four tenths are kept at a restart.
 */
export function krylovSizes(E: Engine, n: number, p: number, form: QuadraticForm): Sizes {
  const usual = Math.min(2, n);
  const wide = 2.5 * p + 40;
  // where a column costs more to orthogonalize than to multiply, smaller spaces cost few products more
  const room = formFlops(n, form) < 4 * n * wide ? 2.2 * p + 20 : wide;
  const wished = Math.max(Math.min(room, 9 * p + 8), p + 4 * usual);
  const plan = E.speeds && deviceSizes(E.speeds, n, p, formFlops(n, form), usualProducts(p));
  if (plan) {
    const { b, wanted, panel } = plan;
    const most = b * Math.floor(Math.min(wanted, n) / b);
    return { b, panel: panelsOf(most, panel, b).panel, most, early: false, guard: guardOf(most, p) };
  }
  const { panel, count } = panelsOf(Math.min(wished, n), Math.max(PANEL, PANEL_NUMBERS / n), LINE);
  // panels are full, where that many rows are there
  const most = usual * Math.floor(Math.min(panel * count, n) / usual);
  return { b: usual, panel, most, early: true, guard: guardOf(most, p) };
}

/** Panels for so many columns, all of one width, a multiple of `step`, and little left over in the last */
function panelsOf(columns: number, widest: number, step: number): { panel: number; count: number } {
  const count = Math.ceil(columns / widest);
  return { panel: step * Math.ceil(columns / (step * count)), count };
}

const guardOf = (most: number, p: number) => (wanted: number) => Math.floor((0.4 * (most - p) * wanted) / p);

/** What an operation takes beside one of a dense product in the cache: outside of it, without a library, in sparse products, in solves */
const UNCACHED = 3.3;
const LOOPS = 8;
const SPARSE = 8;
const SOLVE = 24;
/** A matrix with fewer numbers than the first is in the cache, one with more than the second is not. */
const CACHED = [2 ** 19, 1.5 * 2 ** 20] as const;
/** What a column of a block costs however small it is (some 8 calls of the engine), and Ritz vectors of a space of m columns beside m³ */
const COLUMN = 1.5e6;
const RITZ = 13;
/**
 * Eigenvectors of an n×n matrix with LAPACK: so many n³, and for each of a few n² on the way back and n of the tridiagonal form; so many
 * n³ for all with LAPACK, or without
 */
const LAPACK_FEW = 1.6;
const [LAPACK_EACH, LAPACK_TRIDIAGONAL] = [3, 7000];
const LAPACK = 2.5;
const PLAIN = 30;
/** No n×n matrix is made beyond this n. */
const LARGEST = 4000;
/** Below this n every way takes milliseconds, and the general method shows its steps. */
const LEAST = 256;

/** A sparse factorization: for each number that it stores, and for each operation */
const STORED = 2800;
const FRONTS = 1.6;
/** To find out what it takes: at all, and for each number of the matrix */
const ANALYSIS = 5e8;
const ANALYSED = 2e4;
type Size = Pick<Inverse, "entries" | "flops">;

export type Way = "krylov" | "inverse" | "direct" | "general";

const formFlops = (n: number, { flops = 2 * n * n }: QuadraticForm): number => flops;

/** What products with so many columns cost, orthogonalization included; `host`: what one costs there beside `flops` */
function krylovCost(
  E: Engine,
  n: number,
  p: number,
  form: QuadraticForm,
  flops: number,
  host: number,
  columns: number,
) {
  const sizes = krylovSizes(E, n, p, form);
  if (E.speeds) return deviceRun(E.speeds, n, p, flops, sizes, columns);
  const { most } = sizes;
  const kept = p + sizes.guard(p);
  const restart = dense(E, RITZ * most ** 3, most * most) + dense(E, 2 * n * most * (kept + p), n * most);
  return columns * (host + orthogonalCost(E, n, most) + restart / (most - kept));
}

/** To make a column orthogonal to the others of a space */
const orthogonalCost = (E: Engine, n: number, most: number): number => dense(E, 4 * n * most, n * most) + COLUMN;

/** Operations of products that go over so many numbers */
const dense = (E: Engine, operations: number, numbers: number): number =>
  (E.factor.library ? 1 : LOOPS) * (1 + (UNCACHED - 1) * uncached(numbers)) * operations;

/** The part of so many numbers that comes from outside of the cache, about */
const uncached = (numbers: number): number => Math.min(1, Math.max(0, (numbers - CACHED[0]) / (CACHED[1] - CACHED[0])));

/** A product with B and one column, on a host; of a symmetric matrix half is read */
const productCost = (E: Engine, n: number, flops: number): number =>
  flops < n * n ? SPARSE * flops : dense(E, flops, flops / 4);

/** What so many columns in blocks of two are in blocks of this run */
const inBlocks = (E: Engine, n: number, p: number, form: QuadraticForm, columns: number): number =>
  productsOf(columns, krylovSizes(E, n, p, form).b);

/** Products with B */
export function productsCost(E: Engine, n: number, p: number, form: QuadraticForm, count: number): number {
  const flops = formFlops(n, form);
  return krylovCost(E, n, p, form, flops, productCost(E, n, flops), count);
}

/** The same for solves with the factors of B − σI */
export function solvesCost(
  E: Engine,
  n: number,
  p: number,
  form: QuadraticForm,
  { entries }: Pick<Size, "entries">,
  count: number,
) {
  return krylovCost(E, n, p, form, 4 * entries, SOLVE * 4 * entries, count);
}

/** A factorization, and as many solves as are usual: spectra of inverses are all alike */
function inverseCost(E: Engine, n: number, p: number, form: QuadraticForm, inverse: Size): number {
  const factors = E.speeds ? 0 : STORED * inverse.entries + FRONTS * inverse.flops;
  return factors + solvesCost(E, n, p, form, inverse, inBlocks(E, n, p, form, 3 * p + 60));
}

/** The same at least, before its size is known */
function leastInverseCost(E: Engine, n: number, p: number, form: QuadraticForm, inverse: Inverse): number {
  const presumed = inverse.unknown ? { entries: inverse.presumed, flops: 0 } : inverse;
  return analysisCost(inverse) + inverseCost(E, n, p, form, presumed);
}

/** What it takes to know the size of that factorization */
const analysisCost = ({ unknown }: Inverse): number => (unknown ? ANALYSIS + ANALYSED * unknown : 0);

/** What eigenvectors cost by a dense factorization, with the matrix made of products where it is not at hand */
function directCost(E: Engine, n: number, p: number, form: QuadraticForm): number {
  if (n > LARGEST) return Number.POSITIVE_INFINITY;
  if (E.speeds) return deviceDirect(E.speeds, n);
  const [{ matrix }, flops] = [form, formFlops(n, form)];
  const made = matrix && !("main" in matrix);
  const { library, lowest } = E.factor;
  const few = lowest && p <= FEW * n;
  const cost = few
    ? LAPACK_FEW * n ** 3 + (LAPACK_EACH * n + LAPACK_TRIDIAGONAL) * n * p
    : (library ? LAPACK : PLAIN) * n ** 3;
  return cost + (made ? 0 : n * productCost(E, n, flops));
}

/** How many products, in blocks of two columns, a spectrum that is neither easy nor hard takes: GOE, n = 2000 */
const usualProducts = (p: number): number => 7 * p + 230;

/**
 * Sparse matrices are mostly those of grids and graphs, whose lower end takes more: so much more may the inverse cost.
 */
const HARDER = 2;
/** What is known beforehand must be this part of what is usual; a run in Krylov spaces finds out more. */
const KNOWN = 0.2;
/** The way to eigenvectors; `general`: a linear term, or no room for a Krylov space. */
export function wayOf(E: Engine, n: number, p: number, form: QuadraticForm, inverse?: Inverse): Way {
  if (form.L || n < LEAST) return "general";
  const direct = directCost(E, n, p, form);
  if (2 * krylovSizes(E, n, p, form).most > n) return Number.isFinite(direct) ? "direct" : "general";
  const krylov = productsCost(E, n, p, form, inBlocks(E, n, p, form, usualProducts(p)));
  if (direct < krylov) return wayBelow(krylov, E, n, p, form, inverse) ?? "direct";
  if (!inverse || analysisCost(inverse) > KNOWN * krylov) return "krylov";
  return inverseCost(E, n, p, form, inverse) < HARDER * krylov ? "inverse" : "krylov";
}

/** Before a dense factorization a space of this part of its cost is tried, of so many blocks at least. */
const PROBE = 0.06;
const PROBE_BLOCKS = 4;
/** What is left then must cost at most this part of it: it may take half as long again, and values that stand together rounds more. */
const PROMISE = 0.7;

/** Columns of the space that is tried before a dense factorization: spectra that fall fast take a part of what is usual; 0 for none */
export function probeColumns(E: Engine, n: number, p: number, form: QuadraticForm): number {
  const { b, most } = krylovSizes(E, n, p, form);
  const blocks = Math.floor(
    (PROBE * directCost(E, n, p, form)) / (b * (productCost(E, n, formFlops(n, form)) + orthogonalCost(E, n, most))),
  );
  return 2 * most > n || blocks < PROBE_BLOCKS ? 0 : Math.min(b * blocks, most - b);
}

/** Whether so many columns are likely to take less than a dense factorization */
export const promising = (E: Engine, n: number, p: number, form: QuadraticForm, left: number): boolean =>
  productsCost(E, n, p, form, left) < PROMISE * directCost(E, n, p, form);

/** On the way another one may cost so many times what the run has taken: the rate of few spaces may deceive. */
export const PATIENCE = 6;

/** The way that costs less than this, if there is one */
export function wayBelow(
  cost: number,
  E: Engine,
  n: number,
  p: number,
  form: QuadraticForm,
  inverse?: Inverse,
): Way | undefined {
  const direct = directCost(E, n, p, form);
  const possible = inverse && leastInverseCost(E, n, p, form, inverse) < Math.min(direct, cost);
  const inverted = possible ? inverseCost(E, n, p, form, inverse) : Number.POSITIVE_INFINITY;
  if (Math.min(direct, inverted) >= cost) return undefined;
  return direct < inverted ? "direct" : "inverse";
}

/** What a run in Krylov spaces holds: the basis and what restarts need; blocks; X, G and the matrices of the run; T of several sizes */
export function krylovParts(E: Engine, n: number, p: number, form: QuadraticForm): Part[] {
  const { b, most, panel, guard } = krylovSizes(E, n, p, form);
  const columns = (wanted: number): number => panel * Math.ceil(wanted / panel);
  return [
    { count: columns(most) + columns(p + guard(p) + 2 * b) + 10 * b, rows: n, cols: 1 },
    { count: 6, rows: n, cols: p, plain: 1 },
    { count: 12, rows: most, cols: most, plain: 3 },
  ];
}
