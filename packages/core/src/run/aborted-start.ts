import type { Solver } from "../contracts/method.js";
import { newState } from "../methods/state.js";
import type { Run } from "./run.js";

/** The start as the only state, for a signal that is aborted already: some solvers do all their work before the first state. */
export function* startOnly({ E, X: start, ruler, evaluations }: Run): Solver {
  const X = E.tall(start.rows, start.cols);
  E.copy(X, start);
  const { fval, stationarity, gradient } = ruler.measure(X);
  const state = newState({ X, f: fval, evaluations }, stationarity);
  yield { ...state, gnormMax: gradient };
  return { kind: "aborted", converged: false, text: "aborted before the first step" };
}
