/** What runs and problems hold, in matrices. Solvers and problems say it of themselves; test/memory compares it with what they ask for. */
import type { Matrix, Sparse } from "../contracts/matrix.js";

/** So many matrices of a shape */
export interface Part {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  /** of them in plain numbers, outside of the engine; 0 if absent */
  readonly plain?: number;
  /** of them made for the certificate, when the matrices of the solver are dead; 0 if absent */
  readonly after?: number;
}

/** Of a run with its start and its measuring: n×p and p×p matrices, and beside them pairs of n×p ones if the option `memory` is absent */
export interface Held {
  readonly tall: number;
  readonly square: number;
  readonly pairs?: number;
  /** p×p matrices with each pair */
  readonly squaresPerPair?: number;
}

/** the answer as plain numbers */
const ANSWER = 1;
/** of Lanczos' recurrence, for a certificate of second order */
const LANCZOS = 3;

export interface RunShape {
  memory?: number;
  certificate?: "stationary" | "second-order";
}

/** The parts of a run by a solver that holds so much */
export function runParts(n: number, p: number, holds: Held, o: RunShape = {}): Part[] {
  const { tall, square, pairs, squaresPerPair = 0 } = holds;
  const kept = pairs === undefined ? 0 : (o.memory ?? pairs);
  const lanczos = o.certificate === "stationary" ? 0 : LANCZOS;
  return [
    { count: tall + 2 * kept + lanczos + ANSWER, rows: n, cols: p, plain: ANSWER, after: lanczos },
    { count: square + squaresPerPair * kept, rows: p, cols: p },
  ];
}

/** Data in plain numbers and in the engine; of what was given the first copy is there already, and a sparse matrix is not copied. */
export function dataPart(given: Matrix | Sparse | undefined, rows: number, cols: number, copies = 2): Part {
  if (!given) return { count: copies, rows, cols, plain: copies - 1 };
  return "pointers" in given ? { count: 0, rows, cols } : { count: copies - 1, rows, cols, plain: copies - 2 };
}
