/** Choice of the method for a quadratic form without a linear term, and of the size of Krylov spaces, by their estimated seconds. */

import type { QuadraticForm } from "@expen/core";
import type { Engine } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { LARGEST_DENSE } from "./direct-eigenvectors.js";
import { type Machine, machineOf } from "./machine.js";
import type { Inverse } from "./shifted-inverse.js";

export interface Sizes {
  /** columns of a block */
  readonly b: number;
  /** most columns of the basis */
  readonly most: number;
  /** columns of a panel of the basis */
  readonly panel: number;
  /** number of Ritz vectors that a restart keeps at an end of the spectrum in addition to the wanted ones */
  guard(least: number): number;
}

/** `inverse`: Krylov spaces of (B − σI)⁻¹; `direct`: a dense factorization; `general`: a linear term, or no room for a Krylov space */
export type Way = "krylov" | "inverse" | "direct" | "general";

export interface Plan {
  readonly sizes: Sizes;
  /** Ritz pairs are computed before a space is full. */
  readonly solvesEarly: boolean;
  /** Seconds for products of B with `columns` columns, orthogonalization and restarts included */
  products(columns: number): number;
  /** The same for solves with the factors of B − σI */
  solves(inverse: Pick<Inverse, "entries">, columns: number): number;
  /** The same for a polynomial of B */
  filtered(degree: number, columns: number): number;
  /** Whether `columns` more columns are so many that a polynomial of B should be tried */
  isSlow(columns: number): boolean;
  /** Whether a polynomial of this degree is likely to end a run in less than these seconds */
  filterPays(degree: number, seconds: number): boolean;
  way(inverse?: Inverse): Way;
  /** The cheapest way that takes less than `seconds`, if any */
  wayBelow(seconds: number, inverse?: Inverse): "direct" | "inverse" | undefined;
  /**
   * Columns of the space that is tried before a dense factorization, 0 for none: rapidly decaying spectra take far fewer products than
   * usual.
   */
  probeColumns(): number;
  /** Whether `columns` columns are likely to cost less than a dense factorization */
  isPromising(columns: number): boolean;
}

/** Blocks of b columns need (b/2)^GROWTH times the columns of blocks of two: 1.5, 2.1, 2.9 for b = 8, 16, 32 (GOE, n = 2000, p = 50). */
const GROWTH = 0.4;
/** Columns in blocks of b that converge as far as `columns` in blocks of two */
const inBlocks = (columns: number, b: number): number => columns * (b / 2) ** GROWTH;
/** Columns in blocks of two for a spectrum of medium difficulty (GOE, n = 2000), and for the inverse of any matrix */
const usualProducts = (p: number): number => 7 * p + 230;
const usualSolves = (p: number): number => 3 * p + 60;
/** Part of the basis beyond the wanted vectors that a restart keeps */
const GUARD_SHARE = 0.4;
/** Least n for which a method is chosen here; below, every method takes milliseconds, and the general one shows its steps. */
const LEAST_N = 256;
/** Seconds of the symbolic analysis of a sparse matrix: fixed, and for each stored entry */
const [ANALYSIS, ANALYSIS_ENTRY] = [0.0167, 6.67e-7];
/** Cost of a usual run over which an inverse still pays: most sparse matrices are Laplacians, whose lower end converges slowly. */
const HARDER = 2;
/** Columns over the usual ones from which a polynomial of B is tried: spectra that need fewer are well served by B itself. */
const SLOW = 10;
/** Largest cost of the symbolic analysis over a usual run; otherwise the rate of convergence decides later. */
const ANALYSIS_SHARE = 0.2;
/** Cost of the space tried before a dense factorization, as a part of it */
const PROBE = 0.06;
/** Least number of blocks of that space */
const PROBE_BLOCKS = 4;
/** Largest estimated remaining cost over a dense factorization: estimates may be exceeded by half, and close values need further rounds. */
const PROMISE = 0.7;

export function planOf(E: Engine, n: number, p: number, form: QuadraticForm): Plan {
  const { flops = 2 * n * n, matrix } = form;
  const machine = machineOf(E);
  const sizes = sizesOf(machine, n, p, flops);
  const { b, most } = sizes;

  const products = (columns: number): number => seconds(machine, n, p, sizes, machine.operator(n, b, flops), columns);
  const solves = ({ entries }: Pick<Inverse, "entries">, columns: number): number =>
    seconds(machine, n, p, sizes, machine.solve(n, b, entries), columns);

  const filtered = (degree: number, columns: number): number =>
    products(columns) + (columns / b) * (degree - 1) * machine.operator(n, b, flops);

  /** A factorization, and a usual number of solves */
  const inverseSeconds = (size: Pick<Inverse, "entries" | "flops">): number =>
    machine.factorization(size) + solves(size, inBlocks(usualSolves(p), b));
  /** Seconds to determine the size of a factorization */
  const analysisSeconds = ({ unanalysed }: Inverse): number =>
    unanalysed ? ANALYSIS + ANALYSIS_ENTRY * unanalysed : 0;
  /** A lower bound of the seconds of the inverse, before that size is known */
  const leastInverseSeconds = (inverse: Inverse): number =>
    analysisSeconds(inverse) +
    inverseSeconds(inverse.unanalysed ? { entries: inverse.leastEntries, flops: 0 } : inverse);

  /** A dense factorization, and products with the identity if the matrix is not declared */
  function directSeconds(): number {
    if (n > LARGEST_DENSE) return Number.POSITIVE_INFINITY;
    const isAtHand = matrix && !("main" in matrix);
    return machine.eigenvectors(n, p) + (isAtHand ? 0 : machine.operator(n, n, flops));
  }

  function wayBelow(limit: number, inverse?: Inverse): "direct" | "inverse" | undefined {
    const direct = directSeconds();
    const isPossible = inverse && leastInverseSeconds(inverse) < Math.min(direct, limit);
    const inverted = isPossible ? inverseSeconds(inverse) : Number.POSITIVE_INFINITY;
    if (Math.min(direct, inverted) >= limit) return undefined;
    return direct < inverted ? "direct" : "inverse";
  }

  return {
    sizes,
    solvesEarly: machine.solvesEarly,
    products,
    solves,
    filtered,
    isSlow: (columns) => columns > SLOW * inBlocks(usualProducts(p), b),
    filterPays: (degree, seconds) => HARDER * filtered(degree, inBlocks(usualSolves(p), b)) < seconds,
    way(inverse) {
      if (form.L || n < LEAST_N) return "general";
      const direct = directSeconds();
      if (2 * most > n) return Number.isFinite(direct) ? "direct" : "general";
      const krylov = products(inBlocks(usualProducts(p), b));
      if (direct < krylov) return wayBelow(krylov, inverse) ?? "direct";
      if (!inverse || analysisSeconds(inverse) > ANALYSIS_SHARE * krylov) return "krylov";
      return inverseSeconds(inverse) < HARDER * krylov ? "inverse" : "krylov";
    },
    wayBelow,
    probeColumns() {
      const block = blockSeconds(machine, n, sizes, machine.operator(n, b, flops));
      const blocks = Math.floor((PROBE * directSeconds()) / block);
      return 2 * most > n || blocks < PROBE_BLOCKS ? 0 : Math.min(b * blocks, most - b);
    },
    isPromising: (columns) => products(columns) < PROMISE * directSeconds(),
  };
}

/** The sizes that minimise the seconds of a usual run */
function sizesOf(machine: Machine, n: number, p: number, flops: number): Sizes {
  const choices = machine.blocks.map((block) => sizesFor(machine, n, p, flops, block));
  const cost = (s: Sizes): number =>
    seconds(machine, n, p, s, machine.operator(n, s.b, flops), inBlocks(usualProducts(p), s.b));
  const fitting = choices.filter(({ most }) => 2 * most <= n);
  return fitting.reduce((best, s) => (cost(s) < cost(best) ? s : best), fitting[0] ?? choices[0]!);
}

function sizesFor(machine: Machine, n: number, p: number, flops: number, block: number): Sizes {
  // p is nearly a multiple of b, so that a restart keeps whole blocks
  const b = Math.min(n, block > 2 && p > block ? Math.floor(p / Math.round(p / block)) : block);
  const columns = Math.min(machine.room(n, p, b, flops), n);
  const { widest, step } = machine.panel(n, b);
  // panels of equal width, the last one nearly full
  const count = Math.ceil(columns / widest);
  const panel = step * Math.ceil(columns / (step * count));
  const most = b * Math.floor(Math.min(panel * count, n) / b);
  return { b, most, panel, guard: (count) => Math.floor((GUARD_SHARE * (most - p) * count) / p) };
}

/** Seconds for a block: its product, `product`, and two passes of Gram–Schmidt over the basis */
function blockSeconds(machine: Machine, n: number, { b, most, panel }: Sizes, product: number): number {
  const filled = machine.filled * most;
  const passes = 2 * machine.product(2 * n * filled * b, n * filled);
  return product + passes + machine.calls(b, Math.ceil(filled / panel));
}

/** Seconds for `columns` columns: their blocks, and restarts, each with the eigenpairs of T, the kept Ritz vectors, and X */
function seconds(machine: Machine, n: number, p: number, sizes: Sizes, product: number, columns: number): number {
  const { b, most } = sizes;
  const keptColumns = p + sizes.guard(p);
  const restart = machine.eigenpairs(most) + machine.product(2 * n * most * (keptColumns + p), n * most);
  return (columns / b) * blockSeconds(machine, n, sizes, product) + (columns / (most - keptColumns)) * restart;
}

/** The method of the beginning of a run */
export const wayOf = (E: Engine, n: number, p: number, form: QuadraticForm, inverse?: Inverse): Way =>
  planOf(E, n, p, form).way(inverse);

/** Memory of a run in Krylov spaces: the basis and the scratch of restarts; blocks; X, G and the matrices of the run; T of several sizes */
export function krylovParts(E: Engine, n: number, p: number, form: QuadraticForm): Part[] {
  const { b, most, panel, guard } = planOf(E, n, p, form).sizes;
  const columns = (least: number): number => panel * Math.ceil(least / panel);
  return [
    { count: columns(most) + columns(p + guard(p) + 2 * b) + 12 * b, rows: n, cols: 1 },
    { count: 6, rows: n, cols: p, plain: 1 },
    { count: 12, rows: most, cols: most, plain: 3 },
  ];
}
