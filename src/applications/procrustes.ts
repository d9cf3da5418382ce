import { withEngine } from "../engines/open.js";
import { procrustes as procrustesProblem } from "../problems/procrustes.js";
import type { Matrix } from "../types.js";
import { type Application, type ApplicationOptions, bestOf, withoutEngine } from "./application.js";
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
 * min ‖AX − B‖ over X with orthonormal columns; A is m×n, B is m×p. For p = n there is a closed form, and the certificate compares with
 * it; the orthogonal group has two components, and both are searched. For p < n (unbalanced) there is none.
 */
export async function procrustes(A: Matrix, B: Matrix, o: ProcrustesOptions = {}): Promise<ProcrustesAnswer> {
  return withEngine(o.engine, async (E) => {
    const [n, p] = [A.cols, B.cols];
    const problem = procrustesProblem(E, { n, p, A, B });
    const { optimum } = problem;
    const starts = n === p ? bothComponents(E, n, o.seed ?? 1) : [undefined];
    const run = await bestOf(E, problem.objective, starts, {
      ...withoutEngine(o),
      ...(optimum !== undefined && { optimum }),
    });
    const residual = Math.sqrt(Math.max(0, 2 * run.fval));
    const size = Math.sqrt(squareSum(B));
    return { X: run.X, residual, relativeResidual: size > 0 ? residual / size : 0, run };
  });
}
