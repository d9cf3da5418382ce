/** Which way a quadratic form without a linear term goes, and how large Krylov spaces are: by the seconds that each would take. */

import type { QuadraticForm } from "@expen/core";
import type { Engine } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { type Machine, machineOf } from "./machine.js";
import type { Inverse } from "./shifted-inverse.js";

export interface Sizes {
  /** columns of a block */
  readonly b: number;
  /** columns of the basis at most */
  readonly most: number;
  /** columns of a panel of the basis */
  readonly panel: number;
  /** Ritz vectors that a restart keeps at an end beside the wanted ones */
  guard(wanted: number): number;
}

/** `inverse`: Krylov spaces of (B − σI)⁻¹; `direct`: a dense factorization; `general`: a linear term, or no room for a Krylov space */
export type Way = "krylov" | "inverse" | "direct" | "general";

export interface Plan {
  readonly sizes: Sizes;
  /** Ritz pairs are computed before a space is full. */
  readonly solvesEarly: boolean;
  /** Seconds for products of B with so many columns, orthogonalization and restarts included */
  products(columns: number): number;
  /** The same for solves with the factors of B − σI */
  solves(inverse: Pick<Inverse, "entries">, columns: number): number;
  way(inverse?: Inverse): Way;
  /** The way that takes less than so many seconds, if there is one */
  wayBelow(seconds: number, inverse?: Inverse): "direct" | "inverse" | undefined;
  /**
   * Columns of the space that is tried before a dense factorization, 0 for none: spectra that fall fast take a part of the products that
   * are usual.
   */
  probeColumns(): number;
  /** Whether so many columns are likely to take less than a dense factorization */
  promising(columns: number): boolean;
}

/** Blocks of b columns take (b/2)^GROWTH times as many columns in all: 1.5, 2.1, 2.9 times for 8, 16, 32 (GOE, n = 2000, p = 50). */
const GROWTH = 0.4;
/** Columns in blocks of b that do what so many do in blocks of two */
const inBlocks = (columns: number, b: number): number => columns * (b / 2) ** GROWTH;
/** Columns in blocks of two that a spectrum takes which is neither easy nor hard (GOE, n = 2000); for inverses, all of which are alike */
const usualProducts = (p: number): number => 7 * p + 230;
const usualSolves = (p: number): number => 3 * p + 60;
/** Of the room beside the wanted vectors this part is kept at a restart. */
const KEPT = 0.4;
/** No n×n matrix is made beyond this n. */
const LARGEST = 4000;
/** Below this n every way takes milliseconds, and the general method shows its steps. */
const LEAST = 256;
/** Seconds that the search for a sparse factorization takes: at all, and for each number of the matrix */
const [ANALYSIS, ANALYSED] = [0.0167, 6.67e-7];
/** Sparse matrices are mostly those of grids and graphs, whose lower end takes more than is usual: so much more may the inverse cost. */
const HARDER = 2;
/** That search must take at most this part of a usual run; a run in Krylov spaces finds out more. */
const KNOWN = 0.2;
/** Before a dense factorization a space of this part of its cost is tried, of so many blocks at least. */
const PROBE = 0.06;
const PROBE_BLOCKS = 4;
/** What is left then must cost at most this part of it: it may take half as long again, and values that lie together take rounds more. */
const PROMISE = 0.7;

export function planOf(E: Engine, n: number, p: number, form: QuadraticForm): Plan {
  const { flops = 2 * n * n, matrix } = form;
  const machine = machineOf(E);
  const sizes = sizesOf(machine, n, p, flops);
  const { b, most } = sizes;

  const products = (columns: number): number => seconds(machine, n, p, sizes, machine.operator(n, b, flops), columns);
  const solves = ({ entries }: Pick<Inverse, "entries">, columns: number): number =>
    seconds(machine, n, p, sizes, machine.solve(n, b, entries), columns);

  /** A factorization, and as many solves as are usual */
  const inverseSeconds = (size: Pick<Inverse, "entries" | "flops">): number =>
    machine.factorization(size) + solves(size, inBlocks(usualSolves(p), b));
  /** Seconds to find out the size of a factorization */
  const analysisSeconds = ({ unanalysed }: Inverse): number => (unanalysed ? ANALYSIS + ANALYSED * unanalysed : 0);
  /** What the way of the inverse takes at least, before that size is known */
  const leastInverseSeconds = (inverse: Inverse): number =>
    analysisSeconds(inverse) +
    inverseSeconds(inverse.unanalysed ? { entries: inverse.leastEntries, flops: 0 } : inverse);

  /** A dense factorization, and the matrix by products where it is not at hand */
  function directSeconds(): number {
    if (n > LARGEST) return Number.POSITIVE_INFINITY;
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
    way(inverse) {
      if (form.L || n < LEAST) return "general";
      const direct = directSeconds();
      if (2 * most > n) return Number.isFinite(direct) ? "direct" : "general";
      const krylov = products(inBlocks(usualProducts(p), b));
      if (direct < krylov) return wayBelow(krylov, inverse) ?? "direct";
      if (!inverse || analysisSeconds(inverse) > KNOWN * krylov) return "krylov";
      return inverseSeconds(inverse) < HARDER * krylov ? "inverse" : "krylov";
    },
    wayBelow,
    probeColumns() {
      const block = blockSeconds(machine, n, sizes, machine.operator(n, b, flops));
      const blocks = Math.floor((PROBE * directSeconds()) / block);
      return 2 * most > n || blocks < PROBE_BLOCKS ? 0 : Math.min(b * blocks, most - b);
    },
    promising: (columns) => products(columns) < PROMISE * directSeconds(),
  };
}

/** The sizes with which a usual run takes least */
function sizesOf(machine: Machine, n: number, p: number, flops: number): Sizes {
  const choices = machine.blocks.map((block) => sizesFor(machine, n, p, flops, block));
  const cost = (s: Sizes): number =>
    seconds(machine, n, p, s, machine.operator(n, s.b, flops), inBlocks(usualProducts(p), s.b));
  const fitting = choices.filter(({ most }) => 2 * most <= n);
  return fitting.reduce((best, s) => (cost(s) < cost(best) ? s : best), fitting[0] ?? choices[0]!);
}

function sizesFor(machine: Machine, n: number, p: number, flops: number, block: number): Sizes {
  // whole blocks of wanted vectors, so that a restart keeps nearly all of them
  const b = Math.min(n, block > 2 && p > block ? Math.floor(p / Math.round(p / block)) : block);
  const columns = Math.min(machine.room(n, p, b, flops), n);
  const { widest, step } = machine.panel(n, b);
  // panels of one width, and little left over in the last; all are filled, where that many rows are there
  const count = Math.ceil(columns / widest);
  const panel = step * Math.ceil(columns / (step * count));
  const most = b * Math.floor(Math.min(panel * count, n) / b);
  return { b, most, panel, guard: (wanted) => Math.floor((KEPT * (most - p) * wanted) / p) };
}

/** Seconds for a block: its product, which takes `product`, and two passes over the basis to orthogonalize it */
function blockSeconds(machine: Machine, n: number, { b, most, panel }: Sizes, product: number): number {
  const filled = machine.filled * most;
  const passes = 2 * machine.product(2 * n * filled * b, n * filled);
  return product + passes + machine.calls(b, Math.ceil(filled / panel));
}

/** Seconds for so many columns: their blocks, and restarts, each with eigenpairs of T, the Ritz vectors that it keeps, and X */
function seconds(machine: Machine, n: number, p: number, sizes: Sizes, product: number, columns: number): number {
  const { b, most } = sizes;
  const kept = p + sizes.guard(p);
  const restart = machine.eigenpairs(most) + machine.product(2 * n * most * (kept + p), n * most);
  return (columns / b) * blockSeconds(machine, n, sizes, product) + (columns / (most - kept)) * restart;
}

/** The way to eigenvectors, from the start */
export const wayOf = (E: Engine, n: number, p: number, form: QuadraticForm, inverse?: Inverse): Way =>
  planOf(E, n, p, form).way(inverse);

/** What a run in Krylov spaces holds: the basis and what restarts need; blocks; X, G and the matrices of the run; T of several sizes */
export function krylovParts(E: Engine, n: number, p: number, form: QuadraticForm): Part[] {
  const { b, most, panel, guard } = planOf(E, n, p, form).sizes;
  const columns = (wanted: number): number => panel * Math.ceil(wanted / panel);
  return [
    { count: columns(most) + columns(p + guard(p) + 2 * b) + 10 * b, rows: n, cols: 1 },
    { count: 6, rows: n, cols: p, plain: 1 },
    { count: 12, rows: most, cols: most, plain: 3 },
  ];
}
