/** Seconds that the operations of a Krylov run take, on a host or on a device that declares its speeds; their ratios alone decide. */
import type { Engine, Speeds } from "@expen/linalg";
import { FEW } from "./direct-eigenvectors.js";
import type { Inverse } from "./shifted-inverse.js";

export interface Machine {
  /** block sizes to choose from */
  readonly blocks: readonly number[];
  /** The projected eigenproblem costs little enough to be solved before a space is full. */
  readonly solvesEarly: boolean;
  /** columns that are full on average, as a part of the room of a basis */
  readonly filled: number;
  /** columns of a panel of n rows at most, and their common divisor for blocks of b columns */
  panel(n: number, b: number): { readonly widest: number; readonly step: number };
  /** columns of a basis for p wanted vectors of n rows, in blocks of b, where B takes `flops` a column */
  room(n: number, p: number, b: number, flops: number): number;
  /** a product of dense matrices with so many operations on so many numbers */
  product(flops: number, numbers: number): number;
  /** B, `flops` a column, times b columns of n rows */
  operator(n: number, b: number, flops: number): number;
  /** b solves with triangular factors of so many entries, n rows */
  solve(n: number, b: number, entries: number): number;
  /** calls of the engine for a block of b columns in a basis of so many panels */
  calls(b: number, panels: number): number;
  /** all eigenpairs of T, m×m */
  eigenpairs(m: number): number;
  /** p eigenvectors of a dense n×n matrix, at its lower end */
  eigenvectors(n: number, p: number): number;
  /** a sparse factorization */
  factorization(size: Pick<Inverse, "entries" | "flops">): number;
}

/** Columns of a basis where nothing else bounds them */
const usualRoom = (p: number): number => 2.5 * p + 40;
/** Columns of a panel: enough for products at full speed, few enough that an unfilled one costs little */
const PANEL = 48;

/** Operations a second of a dense product with two columns in the cache; all on one core: npm run bench:kernels */
const FLOPS = 3e10;
/** Cost of an operation beside one of those: out of the cache, without BLAS, in sparse products, in triangular solves */
const [UNCACHED, LOOPS, SPARSE, SOLVE] = [3.3, 8, 8, 24];
/** A matrix with fewer numbers than the first is in the cache, one with more than the second is not. */
const CACHED = [2 ** 19, 1.5 * 2 ** 20] as const;
/** Seconds that a column takes however short it is: some 8 calls of the engine */
const COLUMN = 5e-5;
/** m³ operations of the eigenpairs of T, m×m */
const EIGENPAIRS = 13;
/**
 * n³ operations of eigenvectors of an n×n matrix: all with LAPACK, or without; the tridiagonal form before a few of them. Each of these
 * takes so many n² on the way back, and so many seconds for a row of the tridiagonal form.
 */
const [LAPACK, PLAIN, REDUCTION] = [2.5, 30, 1.6];
const [BACK, TRIDIAGONAL] = [3, 2.33e-7];
/** Seconds for each number that a sparse factorization stores, and operations for each that it counts */
const [STORED, FRONTS] = [9.33e-8, 1.6];
/** Numbers of a panel at least */
const PANEL_NUMBERS = 1e5;
/** Numbers of a cache line: rows of a panel that begin on one are read and written up to twice as fast. */
const LINE = 8;

/** The part of so many numbers that comes from outside of the cache, about */
const uncached = (numbers: number): number => Math.min(1, Math.max(0, (numbers - CACHED[0]) / (CACHED[1] - CACHED[0])));

/**
 * One core. Two columns a block: of an eigenvalue of multiplicity two one column would find one vector. More columns use the cache better
 * but take more products: 1.1 times as many for two, 1.6 times for four.
 */
function host({ factor: { library, lowest } }: Engine): Machine {
  const product = (flops: number, numbers: number): number =>
    ((library ? 1 : LOOPS) * (1 + (UNCACHED - 1) * uncached(numbers)) * flops) / FLOPS;
  return {
    blocks: [2],
    solvesEarly: true,
    filled: 1,
    panel: (n) => ({ widest: Math.max(PANEL, PANEL_NUMBERS / n), step: LINE }),
    room(n, p, b, flops) {
      const usual = usualRoom(p);
      // where a column costs more to orthogonalize than to multiply, smaller spaces cost few products more
      const room = flops < 4 * n * usual ? 2.2 * p + 20 : usual;
      return Math.max(Math.min(room, 9 * p + 8), p + 4 * b);
    },
    product,
    // of a symmetric dense matrix half is read
    operator: (n, b, flops) => b * (flops < n * n ? (SPARSE * flops) / FLOPS : product(flops, flops / 4)),
    solve: (_n, b, entries) => (b * SOLVE * 4 * entries) / FLOPS,
    calls: (b) => b * COLUMN,
    eigenpairs: (m) => product(EIGENPAIRS * m ** 3, m * m),
    eigenvectors(n, p) {
      if (lowest && p <= FEW * n) return (REDUCTION * n ** 3 + BACK * n * n * p) / FLOPS + TRIDIAGONAL * n * p;
      return ((library ? LAPACK : PLAIN) * n ** 3) / FLOPS;
    },
    factorization: ({ entries, flops }) => STORED * entries + (FRONTS * flops) / FLOPS,
  };
}

/** Calls of a block, and of each of its panels, counted; for a column of an eigenproblem of LAPACK's kind, presumed */
const [BLOCK_CALLS, PANEL_CALLS, COLUMN_CALLS] = [40, 3, 2.5];
/** Blocks beside the wanted vectors that a basis has room for */
const ROOM = 20;

/**
 * Every call costs something, and a product is bound by the numbers that it reads or by its operations. A block of 32 columns takes hardly
 * longer than one of two, as both read the operator and the basis once and wait as often; it takes more products, but far fewer blocks.
 */
function device({ flops: speed, bytes, call }: Speeds): Machine {
  const product = (flops: number, numbers: number): number => Math.max((8 * numbers) / bytes, flops / speed);
  // two operations for each number of the operator
  const operator = (n: number, b: number, flops: number): number => product(flops * b, flops / 2 + 3 * n * b);
  return {
    blocks: [2, 4, 8, 16, 32],
    solvesEarly: false,
    filled: 0.75,
    // more where a panel would be read in less time than a call takes
    panel: (n, b) => ({ widest: Math.max(PANEL, (call * bytes) / (8 * n)), step: b }),
    room: (_n, p, b) => Math.max(usualRoom(p), p + ROOM * b),
    product,
    operator,
    solve: (n, b, entries) => operator(n, b, 4 * entries),
    calls: (_b, panels) => (BLOCK_CALLS + PANEL_CALLS * panels) * call,
    eigenpairs: (m) => COLUMN_CALLS * m * call,
    eigenvectors: (n) => COLUMN_CALLS * n * call + (12 * n ** 3) / speed,
    // tridiagonal matrices alone are factorized there
    factorization: () => 0,
  };
}

export const machineOf = (E: Engine): Machine => (E.device?.speeds ? device(E.device.speeds) : host(E));
