import { withEngine } from "../engines/open.js";
import { tallOf } from "../engines/own-matrix.js";
import { svd } from "../linalg/svd.js";
import { checkData, checkSizes } from "../problems/problem.js";
import { procrustes as procrustesProblem } from "../problems/procrustes.js";
import type { Result } from "../result.js";
import { closedForm } from "../run/closed-form.js";
import type { Engine, Matrix, Objective } from "../types.js";
import { type Application, type ApplicationOptions, bestOf, plainOf, withoutEngine } from "./application.js";
import { squareSum } from "./columns.js";
import { bothComponents } from "./rotation-component.js";

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

/**
 * For orthogonal X is ½‖AX − B‖² = ½‖A‖² + ½‖B‖² − ⟨M, X⟩, M = AᵀB: linear, so convex, and its multiplier at UVᵀ is −VΣVᵀ ⪯ 0, which
 * is a proof. The value is that of the left side, which keeps the digits of a small residual.
 */
function bySingularVectors(E: Engine, A: Matrix, B: Matrix, o: ProcrustesOptions): Result | undefined {
  const [m, n] = [A.rows, A.cols];
  checkSizes("procrustes", n, n);
  checkData("procrustes", "A", A, m, n);
  checkData("procrustes", "B", B, m, n);
  const [a, b, R, L, G] = [E.operator(A), tallOf(E, B), E.tall(m, n), E.tall(n, n), E.tall(n, n)];
  a.applyT(L, b);
  const { U, s, V } = svd(E, E.small(n, n, E.read(L)));
  const X = E.small(n, n);
  E.mulT(X, U, V);
  const fg = (G: Matrix, at: Matrix): number => {
    E.combine(G, -1, L, 0, L);
    a.apply(R, at);
    E.combine(R, 1, R, -1, b);
    return 0.5 * E.dot(R, R);
  };
  const f: Objective = { n, p: n, f: (at) => fg(G, at), fg, hvp: (H) => E.fill(H, 0), convex: true };
  const optimum = 0.5 * (squareSum(A) + squareSum(B)) - s.reduce((sum, v) => sum + v, 0);
  return closedForm(E, f, plainOf(E, X), { ...withoutEngine(o), optimum }, "UVᵀ of AᵀB = UΣVᵀ (singular values)");
}

function bySolver(E: Engine, A: Matrix, B: Matrix, o: ProcrustesOptions): Promise<Result> {
  const [n, p] = [A.cols, B.cols];
  const problem = procrustesProblem(E, { n, p, A, B });
  const { optimum } = problem;
  const starts = n === p ? bothComponents(E, n, o.seed ?? 1) : [undefined];
  return bestOf(E, problem.objective, starts, { ...withoutEngine(o), ...(optimum !== undefined && { optimum }) });
}
