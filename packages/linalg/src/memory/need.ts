/** Memory of runs and problems, counted in matrices. Solvers and problems declare it; test/memory compares it with their allocations. */
import type { Matrix, Sparse } from "../contracts/matrix.js";

/** Matrices of one shape */
export interface Part {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  /** how many of them lie in JavaScript memory, outside of the engine; 0 if absent */
  readonly plain?: number;
  /** how many of them the certificate allocates, when the matrices of the solver are garbage; 0 if absent */
  readonly after?: number;
}

export const bytesOf = ({ count, rows, cols }: Part): number => (count === 0 ? 0 : 8 * count * rows * cols);
export const bytesNeeded = (parts: readonly Part[]): number => parts.reduce((total, part) => total + bytesOf(part), 0);

/** Matrices of a run with its start and measurements: n×p and p×p ones, and pairs of n×p ones if the option `memory` is absent */
export interface Held {
  readonly tall: number;
  readonly square: number;
  /** a number, or one for matrices of n·p numbers together */
  readonly pairs?: number | ((numbers: number) => number);
  /** p×p matrices with each pair */
  readonly squaresPerPair?: number;
}

/** n×p matrices: the answer in JavaScript memory */
const ANSWER = 1;
/** n×p matrices of the Lanczos recurrence, for a second-order certificate */
const LANCZOS = 3;

export interface RunShape {
  memory?: number;
  /** of all matrices of a point; left out: n·p */
  numbers?: number;
  certificate?: "brief" | "second-order" | "stationary";
}

/** The parts of a run, from the declaration of its solver */
export function runParts(n: number, p: number, holds: Held, o: RunShape = {}): Part[] {
  const { tall, square, pairs, squaresPerPair = 0 } = holds;
  const usual = typeof pairs === "function" ? pairs(o.numbers ?? n * p) : pairs;
  const pairCount = usual === undefined ? 0 : (o.memory ?? usual);
  const lanczos = o.certificate === "stationary" ? 0 : LANCZOS;
  return [
    { count: tall + 2 * pairCount + lanczos + ANSWER, rows: n, cols: p, plain: ANSWER, after: lanczos },
    { count: square + squaresPerPair * pairCount, rows: p, cols: p },
  ];
}

/** The same for points of several matrices or complex ones: each matrix of a complex point is two. */
export function runPartsOn(
  shapes: readonly { readonly n: number; readonly p: number; readonly complex: boolean }[],
  holds: Held,
  o: RunShape = {},
): Part[] {
  const numbers = shapes.reduce((sum, { n, p }) => sum + n * p, 0);
  return shapes.flatMap(({ n, p, complex }) =>
    runParts(n, p, holds, { numbers, ...o }).map(({ count, plain = 0, after = 0, ...part }) => {
      const times = complex ? 2 : 1;
      return { ...part, count: times * count, plain: times * plain, after: times * after };
    }),
  );
}

/** Data in JavaScript memory and in the engine. The first copy of a given matrix exists already; a sparse one is not copied. */
export function dataPart(data: Matrix | Sparse | undefined, rows: number, cols: number, copies = 2): Part {
  if (!data) return { count: copies, rows, cols, plain: copies - 1 };
  return "pointers" in data ? { count: 0, rows, cols } : { count: copies - 1, rows, cols, plain: copies - 2 };
}
