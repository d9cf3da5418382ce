/** Seconds for the operations of a Krylov run, on a host or on a device that declares its speeds; only their ratios matter. */
import type { Engine, Speeds } from "@expen/linalg";
import { PARTIAL_EIGENSOLVE_SHARE } from "@expen/linalg/dense";
import { PANEL_COLUMNS } from "../subspace/panels.js";
import type { Inverse } from "./shifted-inverse.js";

export interface Machine {
  /** block sizes to choose from */
  readonly blocks: readonly number[];
  /** The projected eigenproblem is cheap enough to be solved before a space is full. */
  readonly solvesEarly: boolean;
  /** mean number of columns in use, as a part of the largest basis */
  readonly filled: number;
  /** largest number of columns of a panel of n rows, and its divisor for blocks of b columns */
  panel(n: number, b: number): { readonly widest: number; readonly step: number };
  /** columns of a basis for p wanted vectors of n rows, in blocks of b; B takes `flops` a column */
  room(n: number, p: number, b: number, flops: number): number;
  /** a product of dense matrices: `flops` operations on `numbers` entries */
  product(flops: number, numbers: number): number;
  /** B, `flops` a column, times b columns of n rows */
  operator(n: number, b: number, flops: number): number;
  /** b solves with triangular factors of n rows and `entries` nonzeros */
  solve(n: number, b: number, entries: number): number;
  /** calls of the engine for a block of b columns in a basis of `panels` panels */
  calls(b: number, panels: number): number;
  /** all eigenpairs of T, m×m */
  eigenpairs(m: number): number;
  /** the p lowest eigenvectors of a dense n×n matrix */
  eigenvectors(n: number, p: number): number;
  /** a sparse factorization */
  factorization(size: Pick<Inverse, "entries" | "flops">): number;
}

/** Usual columns of a basis for p wanted vectors */
const usualRoom = (p: number): number => 2.5 * p + 40;

/** flops/s of an in-cache dense product with two columns on one core (npm run bench:kernels) */
const FLOPS = 3e10;
/** Cost of a flop relative to that one: out of cache, without BLAS, in sparse products, in triangular solves (npm run bench:kernels) */
const [UNCACHED, LOOPS, SPARSE, SOLVE] = [3.3, 8, 8, 24];
/** Entries up to which a matrix is in cache, and from which it is in memory */
const CACHED = [2 ** 19, 1.5 * 2 ** 20] as const;
/** Seconds of overhead per column: some 8 calls of the engine */
const COLUMN = 5e-5;
/** Flops over m³ of all eigenpairs of a symmetric m×m matrix */
const EIGENPAIRS = 13;
/**
 * Flops over n³ for all eigenvectors of an n×n matrix with LAPACK and without it, and for the reduction to tridiagonal form before a few
 * of them (npm run bench:kernels)
 */
const [LAPACK, PLAIN, REDUCTION] = [2.5, 30, 1.6];
/** For each of those few: flops over n² of the back-transformation, and seconds per row of the tridiagonal matrix */
const [BACK, TRIDIAGONAL] = [3, 2.33e-7];
/** Of a sparse factorization: seconds per stored entry, and cost of its flops relative to FLOPS */
const [STORED, FRONTS] = [9.33e-8, 1.6];
/** Least entries of a panel: for small n it may have more than PANEL_COLUMNS columns. */
const PANEL_NUMBERS = 1e5;
/** Doubles in a cache line of 64 bytes: panels whose rows begin on one are read and written up to twice as fast. */
const LINE = 8;

/** Estimated part of `numbers` entries that is read from memory */
const uncached = (numbers: number): number => Math.min(1, Math.max(0, (numbers - CACHED[0]) / (CACHED[1] - CACHED[0])));

/**
 * One core, blocks of two columns: for an eigenvalue of multiplicity two, one column would find one eigenvector. More columns use the
 * cache better but take more products: 1.1 times as many for two, 1.6 times for four.
 */
function host({ factor: { library, lowest } }: Engine): Machine {
  const product = (flops: number, numbers: number): number =>
    ((library ? 1 : LOOPS) * (1 + (UNCACHED - 1) * uncached(numbers)) * flops) / FLOPS;
  return {
    blocks: [2],
    solvesEarly: true,
    filled: 1,
    panel: (n) => ({ widest: Math.max(PANEL_COLUMNS, PANEL_NUMBERS / n), step: LINE }),
    room(n, p, b, flops) {
      const usual = usualRoom(p);
      // if a column costs more to orthogonalize than to multiply, smaller spaces are cheaper, at a few more products
      const room = flops < 4 * n * usual ? 2.2 * p + 20 : usual;
      return Math.max(Math.min(room, 9 * p + 8), p + 4 * b);
    },
    product,
    // half of a symmetric dense matrix is read
    operator: (n, b, flops) => b * (flops < n * n ? (SPARSE * flops) / FLOPS : product(flops, flops / 4)),
    solve: (_n, b, entries) => (b * SOLVE * 4 * entries) / FLOPS,
    calls: (b) => b * COLUMN,
    eigenpairs: (m) => product(EIGENPAIRS * m ** 3, m * m),
    eigenvectors(n, p) {
      if (lowest && p <= PARTIAL_EIGENSOLVE_SHARE * n)
        return (REDUCTION * n ** 3 + BACK * n * n * p) / FLOPS + TRIDIAGONAL * n * p;
      return ((library ? LAPACK : PLAIN) * n ** 3) / FLOPS;
    },
    factorization: ({ entries, flops }) => STORED * entries + (FRONTS * flops) / FLOPS,
  };
}

/** Calls of the engine per block and per panel of it (counted), and per column of a dense eigenproblem (assumed) */
const [BLOCK_CALLS, PANEL_CALLS, COLUMN_CALLS] = [40, 3, 2.5];
/** Blocks of a basis in addition to the wanted vectors */
const ROOM = 20;

/**
 * Every call has a latency, and a product is bound by memory traffic or by arithmetic. A block of 32 columns takes hardly longer than one
 * of two, as both read the operator and the basis once and make the same calls; it takes more products, but far fewer blocks.
 */
function device({ flops: speed, bytes, call }: Speeds): Machine {
  const product = (flops: number, numbers: number): number => Math.max((8 * numbers) / bytes, flops / speed);
  // two operations for each number of the operator
  const operator = (n: number, b: number, flops: number): number => product(flops * b, flops / 2 + 3 * n * b);
  return {
    blocks: [2, 4, 8, 16, 32],
    solvesEarly: false,
    filled: 0.75,
    // wider if a panel of PANEL_COLUMNS columns is read in less time than a call takes
    panel: (n, b) => ({ widest: Math.max(PANEL_COLUMNS, (call * bytes) / (8 * n)), step: b }),
    room: (_n, p, b) => Math.max(usualRoom(p), p + ROOM * b),
    product,
    operator,
    solve: (n, b, entries) => operator(n, b, 4 * entries),
    calls: (_b, panels) => (BLOCK_CALLS + PANEL_CALLS * panels) * call,
    eigenpairs: (m) => COLUMN_CALLS * m * call,
    eigenvectors: (n) => COLUMN_CALLS * n * call + (12 * n ** 3) / speed,
    // only tridiagonal matrices are factorized on a device
    factorization: () => 0,
  };
}

export const machineOf = (E: Engine): Machine => (E.device?.speeds ? device(E.device.speeds) : host(E));
