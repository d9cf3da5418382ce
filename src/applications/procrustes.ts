import { withEngine } from "../engines/open.js";
import { svd } from "../linalg/svd.js";
import { checkData, checkSizes } from "../problems/problem.js";
import { procrustes as procrustesProblem } from "../problems/procrustes.js";
import type { Result } from "../result.js";
import { closedForm } from "../run/closed-form.js";
import type { Engine, Matrix, Objective, Tall } from "../types.js";
import { type Application, type ApplicationOptions, bestOf, plainOf, withoutEngine } from "./application.js";
import { squareSum } from "./columns.js";
import { bothComponents } from "./rotation-component.js";
import { rowBlocks } from "./row-blocks.js";

export type ProcrustesOptions = ApplicationOptions;

export interface ProcrustesAnswer extends Application {
  /** n×p with orthonormal columns */
  X: Matrix;
  /** ‖AX − B‖ */
  residual: number;
  /** ‖AX − B‖/‖B‖ */
  relativeResidual: number;
}

/**
 * min ‖AX − B‖ over X with orthonormal columns; A is m×n, B is m×p. For p = n the answer is UVᵀ of AᵀB = UΣVᵀ (Schönemann 1966), with
 * a proof; a solver that is named runs instead, in both components of the orthogonal group. For p < n (unbalanced) there is no formula.
 */
export async function procrustes(A: Matrix, B: Matrix, o: ProcrustesOptions = {}): Promise<ProcrustesAnswer> {
  return withEngine(o.engine, async (E) => {
    const run = (A.cols === B.cols && !o.solver && bySingularVectors(E, A, B, o)) || (await bySolver(E, A, B, o));
    const residual = Math.sqrt(Math.max(0, 2 * run.fval));
    const size = Math.sqrt(squareSum(B));
    return { X: run.X, residual, relativeResidual: size > 0 ? residual / size : 0, run };
  });
}

/** A residual below this part of ‖A‖² + ‖B‖² is the difference of numbers that are nearly equal: it is taken from AX − B. */
const CANCELS = 1e-3;

/**
 * For orthogonal X is ½‖AX − B‖² = ½‖A‖² + ½‖B‖² − ⟨M, X⟩, M = AᵀB: linear, so convex, and its multiplier at UVᵀ is −VΣVᵀ ⪯ 0, which
 * is a proof. The value is that of the right side, or of the left one where that keeps digits of a small residual.
 */
function bySingularVectors(E: Engine, A: Matrix, B: Matrix, o: ProcrustesOptions): Result | undefined {
  const [m, n] = [A.rows, A.cols];
  checkSizes("procrustes", n, n);
  checkData("procrustes", "A", A, m, n);
  checkData("procrustes", "B", B, m, n);
  const blocks = rowBlocks(E, [A, B]);
  const [M, X, at] = [E.small(n, n), E.small(n, n), E.small(n, n)];
  let squares = 0;
  blocks(([a, b]) => {
    E.tmul(M, a!, b!, 1, 1);
    squares += E.dot(a!, a!) + E.dot(b!, b!);
  });
  const { U, s, V } = svd(E, M);
  E.mulT(X, U, V);
  const minus = E.read(M).map((v) => -v);
  const fg = (G: Tall, point: Tall): number => {
    E.write(G, minus);
    const value = 0.5 * squares + E.dot(G, point);
    if (value > CANCELS * squares) return value;
    E.write(at, E.read(point));
    let sum = 0;
    blocks(([a, b]) => {
      E.mul(b!, a!, at, 1, -1);
      sum += E.dot(b!, b!);
    });
    return 0.5 * sum;
  };
  const G = E.tall(n, n);
  const f: Objective = { n, p: n, f: (point) => fg(G, point), fg, hvp: (H) => E.fill(H, 0), convex: true };
  const optimum = 0.5 * squares - s.reduce((sum, v) => sum + v, 0);
  return closedForm(E, f, plainOf(E, X), { ...withoutEngine(o), optimum }, "UVᵀ of AᵀB = UΣVᵀ (singular values)");
}

function bySolver(E: Engine, A: Matrix, B: Matrix, o: ProcrustesOptions): Promise<Result> {
  const [n, p] = [A.cols, B.cols];
  const problem = procrustesProblem(E, { n, p, A, B });
  const { optimum } = problem;
  const starts = n === p ? bothComponents(E, n, o.seed ?? 1) : [undefined];
  return bestOf(E, problem.objective, starts, { ...withoutEngine(o), ...(optimum !== undefined && { optimum }) });
}
