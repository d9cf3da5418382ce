import type { Objective, Result } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Small, Tall } from "@expen/linalg";
import { checkData, checkDataShape, checkSizes, digits, type MatrixLike, matrixOf } from "@expen/linalg";
import { svd } from "@expen/linalg/dense";
import { tallOf } from "@expen/linalg/engine";
import { closedForm } from "@expen/solvers";
import { type Application, type ApplicationOptions, bestOf, isAborted, optionsOf, plainOf } from "./application.js";
import { overflow, squareSum } from "./columns.js";
import { type Description, describe, percent } from "./description.js";
import { fromLeft, leastSquares, procrustesMinimum } from "./least-squares.js";
import { answerOf } from "./model/model.js";
import { bothComponents } from "./rotation-component.js";
import { type RowBlocks, rowBlocks, scratchBlocks } from "./row-blocks.js";

/** Options of `procrustes`: those of the run */
export type ProcrustesOptions = ApplicationOptions;

/** The matrix with orthonormal columns that `procrustes` finds, with its residual */
export interface ProcrustesAnswer extends Application {
  /** n×p with orthonormal columns */
  X: HostMatrix;
  /** ‖AX − B‖ */
  residual: number;
  /** ‖AX − B‖/‖B‖ */
  relativeResidual: number;
}

/**
 * min ‖AX − B‖ over X with orthonormal columns; A is m×n, B is m×p. For p = n the minimiser is UVᵀ, AᵀB = UΣVᵀ (Schönemann
 * 1966), with a proof; with the option `solver` that solver runs instead, in both components of the orthogonal group. For p < n (the
 * unbalanced problem) no closed form is known.
 */
export async function procrustes(
  ofA: MatrixLike,
  ofB: MatrixLike,
  options: ProcrustesOptions = {},
): Promise<ProcrustesAnswer> {
  const o = optionsOf("procrustes", options, {});
  const [A, B] = [matrixOf("procrustes", "A", ofA), matrixOf("procrustes", "B", ofB)];
  return withEngine(o.engine, async (E) => {
    const closed = A.cols === B.cols && !o.solver && !isAborted(o) ? await bySingularVectors(E, A, B, o) : undefined;
    const { run, squares } = closed ?? { run: await bySolver(E, A, B, o), squares: squareSum(B) };
    const residual = Math.sqrt(Math.max(0, 2 * run.fval));
    const size = Math.sqrt(squares);
    return answerOf({ X: run.X, residual, relativeResidual: size > 0 ? residual / size : 0, run });
  });
}

/** A run, and ‖B‖² */
interface WithSquares {
  run: Result;
  squares: number;
}

/** ‖AX − B‖²/(‖A‖² + ‖B‖²) below which cancellation would cost three digits: the residual is then computed from AX − B. */
const CANCELS = 1e-3;

/**
 * For orthogonal X, ½‖AX − B‖² = ½‖A‖² + ½‖B‖² + ⟨M, X⟩, M = −AᵀB = UΣVᵀ: linear, hence convex, and its multiplier at X = −UVᵀ is
 * −VΣVᵀ ⪯ 0, which is a proof. The value is computed from the right-hand side, or from the left-hand side if the residual is small.
 */
async function bySingularVectors(
  E: Engine,
  A: Matrix,
  B: Matrix,
  o: ProcrustesOptions,
): Promise<WithSquares | undefined> {
  const [m, n] = [A.rows, A.cols];
  checkSizes("procrustes", n, n);
  checkDataShape("procrustes", "A", A, m, n);
  checkDataShape("procrustes", "B", B, m, n);
  const blocks = rowBlocks(E, [A, B]);
  const [M, Q] = [E.small(n, n), E.small(n, n)];
  let [squares, ofB] = [0, 0];
  blocks(([a, b]) => {
    E.tmul(M, a!, b!, -1, 1);
    const square = E.dot(b!, b!);
    squares += E.dot(a!, a!) + square;
    ofB += square;
  });
  // a square is infinite where an entry is, or where it overflows
  if (!Number.isFinite(squares)) {
    for (const [letter, D] of Object.entries({ A, B })) checkData("procrustes", letter, D, m, n);
    throw overflow("procrustes", "A or B");
  }
  const { U, s, V } = svd(E, M);
  E.mulT(Q, U, V, -1);
  const gradient = E.read(M);
  const fg = (G: Tall, X: Tall): number => {
    E.write(G, gradient);
    const value = 0.5 * squares + E.dot(G, X);
    return value > CANCELS * squares ? value : residualSquares(E, blocks, Q, E.read(X)) / 2;
  };
  const f: Objective = { n, p: n, f: (X) => fg(E.tall(n, n), X), fg, hvp: (H) => E.fill(H, 0), convex: true };
  const optimum = 0.5 * squares - s.reduce((sum, v) => sum + v, 0);
  const spectrum = { values: s.map((v) => -v), vectors: V };
  const closed = { X: tallOf(E, plainOf(E, Q)), formula: "UVᵀ of AᵀB = UΣVᵀ (singular values)", spectrum };
  const run = await closedForm(E, f, closed, { ...o, optimum });
  return run && { run, squares: ofB };
}

/** ‖AX − B‖² */
function residualSquares(E: Engine, blocks: RowBlocks, X: Small, numbers: Float64Array): number {
  let sum = 0;
  E.write(X, numbers);
  blocks(([a, b]) => {
    const R = scratchBlocks(E, b!.rows, [b!.cols])[0]!;
    E.copy(R, b!);
    E.mul(R, a!, X, 1, -1);
    sum += E.dot(R, R);
  });
  return sum;
}

/** A run; for p = n one in each component of the orthogonal group, with known minimum */
function bySolver(E: Engine, A: Matrix, B: Matrix, o: ProcrustesOptions): Promise<Result> {
  const [n, p] = [A.cols, B.cols];
  checkSizes("procrustes", n, p);
  checkData("procrustes", "A", A, A.rows, n);
  checkData("procrustes", "B", B, A.rows, p);
  const f = leastSquares(E, n, p, B, fromLeft(E, A, p));
  if (p < n) return bestOf(E, f, [undefined], o);
  return bestOf(E, f, bothComponents(E, n, o.seed ?? 1), { ...o, optimum: procrustesMinimum(A, B, "left") });
}

export const description: Description = describe({
  name: "procrustes",
  summary: "X with orthonormal columns that minimises ‖AX − B‖",
  files: [
    { name: "A", help: "m×n" },
    { name: "B", help: "m×p" },
  ],
  options: [],
  example: "A.csv B.csv --out X.csv",
  parts: ["X"],
  solve: ([A, B]: [Matrix, Matrix], o: ProcrustesOptions) => procrustes(A, B, o),
  report: ({ X, residual, relativeResidual }) => ({
    saved: { name: "X", matrix: X },
    lines: [["residual ‖AX − B‖", `${digits(residual)}, ${percent(relativeResidual)} of ‖B‖`]],
    numbers: { residual, relativeResidual },
  }),
});
