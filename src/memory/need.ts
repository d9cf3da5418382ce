/** What runs and problems hold, in matrices: the one place where it is counted. test/memory compares it with what they ask for. */
import type { Sparse } from "../arrays/sparse.js";
import { dictionaryDefaults } from "../problems/dictionary.js";
import { jointdiagDefaults } from "../problems/jointdiag.js";
import { pcaDefaults } from "../problems/pca.js";
import { sparsePcaDefaults } from "../problems/sparse-pca.js";
import type { SolverName } from "../solvers/catalog.js";
import type { Matrix } from "../types.js";

/** So many matrices of a shape */
export interface Part {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  /** of them in plain numbers, outside of the engine; 0 if absent */
  readonly plain?: number;
}

/** Of a run with its start and its measuring: n×p and p×p matrices, and beside them pairs of n×p ones if the option `memory` is absent */
interface Held {
  readonly tall: number;
  readonly square: number;
  readonly pairs?: number;
}

const HELD: Record<SolverName, Held> = {
  expen: { tall: 10, square: 24, pairs: 3 },
  "expen-frame": { tall: 11, square: 46, pairs: 3 },
  "expen-cg": { tall: 15, square: 30 },
  "expen-lbfgs": { tall: 15, square: 30, pairs: 4 },
  "expen-newton": { tall: 19, square: 30 },
  plam: { tall: 12, square: 27 },
  pcal: { tall: 12, square: 28 },
  pencf: { tall: 12, square: 27 },
  pencs: { tall: 26, square: 40 },
  slpg: { tall: 12, square: 20 },
  landing: { tall: 12, square: 20 },
  mcm: { tall: 11, square: 27 },
  "wen-yin": { tall: 14, square: 30 },
  "jiang-dai": { tall: 14, square: 30 },
  rcg: { tall: 14, square: 27 },
  rlbfgs: { tall: 13, square: 27, pairs: 4 },
  rtr: { tall: 17, square: 21 },
  trivialization: { tall: 17, square: 21, pairs: 4 },
};

/** the answer as plain numbers */
const ANSWER = 1;
/** of Lanczos' recurrence, for a certificate of second order */
const LANCZOS = 3;

export interface RunShape {
  solver?: SolverName;
  memory?: number;
  certificate?: "stationary" | "second-order";
}

export function runParts(n: number, p: number, o: RunShape = {}): Part[] {
  const { tall, square, pairs } = HELD[o.solver ?? "expen"];
  const kept = pairs === undefined ? 0 : 2 * (o.memory ?? pairs);
  const lanczos = o.certificate === "stationary" ? 0 : LANCZOS;
  return [
    { count: tall + kept + lanczos + ANSWER, rows: n, cols: p, plain: ANSWER },
    { count: square, rows: p, cols: p },
  ];
}

type Data = Matrix | Sparse | undefined;

/** The options of a problem, as its factory takes them */
export interface ProblemShape {
  n: number;
  p: number;
  m?: number;
  count?: number;
  covariance?: boolean;
  A?: Data | readonly Matrix[];
  B?: Data;
  Y?: Data;
  side?: string;
}

/** A matrix in plain numbers and in the engine; of one that was given the first copy is there already, and a sparse one is not copied. */
function data(given: unknown, rows: number, cols: number, copies = 2): Part {
  if (!given) return { count: copies, rows, cols, plain: copies - 1 };
  return "pointers" in (given as object)
    ? { count: 0, rows, cols }
    : { count: copies - 1, rows, cols, plain: copies - 2 };
}

/** A of principal components, raw, centred (and scaled) and in the engine, and AᵀA where that is the cheaper form */
function samples({ n, p, A, ...o }: ProblemShape, m: number, copies: number): Part[] {
  const rows = (A as Data)?.rows ?? m;
  return [
    data(A, rows, n, copies),
    { count: (o.covariance ?? n <= 2 * rows) ? 1 : 0, rows: n, cols: n },
    { count: 1, rows, cols: p },
  ];
}

/** What the built-in problems hold beside a run, by their names */
export const PROBLEM_PARTS = {
  noeig: ({ n }) => [{ count: 10, rows: n, cols: 1 }],
  brockett: ({ n, p, B }) => [data(B, n, n), { count: 2, rows: n, cols: p }],
  pca: (o) => samples(o, o.m ?? pcaDefaults.m(o.n), 3),
  quadratic: ({ n, p, A }) => [data(A, n, n), { count: 4, rows: n, cols: p }],
  procrustes({ n, p, A, side }) {
    const size = side === "right" ? p : n;
    return [data(A, (A as Data)?.rows ?? size, size), { count: 5, rows: n, cols: p }];
  },
  nearest: ({ n, p, A }) => [data(A, n, p), { count: 2, rows: n, cols: p }],
  jointdiag({ n, p, A, count = jointdiagDefaults.count }) {
    const given = A as readonly Matrix[] | undefined;
    const matrices = given?.length ?? count;
    return [
      given
        ? { count: matrices, rows: n, cols: n }
        : { count: 2 * matrices + 3, rows: n, cols: n, plain: matrices + 3 },
      { count: matrices + 2, rows: n, cols: p },
    ];
  },
  dictionary({ n, p, Y, m = dictionaryDefaults.m(n) }) {
    const rows = Y?.rows ?? m;
    return [data(Y, rows, n), { count: Y ? 0 : 2, rows: n, cols: n, plain: Y ? 0 : 2 }, { count: 4, rows, cols: p }];
  },
  "sparse-pca": (o) => samples(o, o.m ?? sparsePcaDefaults.m, 4),
} satisfies Record<string, (o: ProblemShape) => Part[]>;
