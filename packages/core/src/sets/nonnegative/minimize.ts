/** X ≥ 0 and XᵀX = I: a slow homotopy, labels, the problem on the labels, exchanges, a certificate. docs/constraints/nonnegative.md */

import type { Tall } from "@expen/linalg";
import type { Certificate } from "../../contracts/certificate.js";
import type { Reason, State } from "../../contracts/method.js";
import type { Objective } from "../../contracts/objective.js";
import type { Result } from "../../contracts/result.js";
import { readPoint } from "../../run/given-start.js";
import { type AugmentedRules, augmentedLagrangian } from "../augmented-lagrangian.js";
import { runInDriver, type Setup } from "../setup.js";
import { certificateOf, isProof } from "./certificate.js";
import { exchange, raiseRows, type Vertex } from "./exchange.js";
import { isSame, labelsOf, offLabels, onLabels, type Size } from "./labels.js";
import { isCut, limitsOf } from "./limits.js";
import { globalProof } from "./proof.js";
import { type Labelled, solveOnSupport } from "./support.js";

/** Every X with stationary columns on their labels is a KKT point, so labels must come slowly: ρ begins small and doubles. */
const HOMOTOPY: AugmentedRules = {
  penalty: 0.01,
  growth: 2,
  enough: 0.5,
  first: 0.05,
  relative: 0.05,
  steps: 200,
  runs: 60,
  residual: "norm",
  mayFail: false,
};
/** Runs after which unchanged labels are taken, once ‖X off the labels‖_F ≤ OFF·√p */
const [REPEATS, OFF] = [3, 0.1];
/** ‖V‖ in √(np) from which X itself is nonnegative */
const FEASIBLE = 1e-6;
/** The gradient on the support, in the tolerance of the run: next to nothing is left for the certificate to forgive */
const SUPPORT_TOLERANCE = 0.01;
/** Times that zero rows with a negative derivative become positive */
const RAISES = 5;
/** Evaluations of exchanges, in n */
const EXCHANGES = 2;

export async function minimizeNonnegative(
  setup: Setup,
  f: Objective,
  exchanges: "auto" | number | false,
): Promise<Result> {
  const { E, on, L, blocks, F, unit, tolerance, floor, work, o } = setup;
  const size = on.shape;
  const { n, p } = size;
  if (E.ranks) throw new RangeError("nonnegative: rows lie on several processes; X ≥ 0 with XᵀX = I runs on one.");
  const settle = labelWatch(E.read, size);
  const relaxed = await runInDriver(setup, (objective, X0) =>
    augmentedLagrangian(E, L, X0, {
      on,
      blocks,
      tolerance,
      constraintTolerance: FEASIBLE,
      unit,
      rules: HOMOTOPY,
      evaluations: work.evaluations,
      objective,
      enough: settle,
    }),
  );
  const Y = E.read(readPoint(setup.place.bound, relaxed.X, "the answer"));
  let labels = labelsOf(Y, size);
  let X = onLabels(Y, labels, size);
  const [Z, G] = [E.tall(n, p), E.tall(n, p)];
  const evaluate = (numbers: Float64Array): Vertex => {
    E.write(Z, numbers);
    return { X: numbers, f: F.fg(G, Z), G: E.read(G) };
  };
  const isOver = limitsOf(o, work);
  let moves = 0;
  let tried: { tried: number; all: number } | undefined;
  let at: Vertex | undefined;
  if (!isCut(relaxed)) {
    let budget = exchanges === "auto" ? EXCHANGES * n : exchanges === false ? 0 : exchanges;
    const solve = async (start: Labelled): Promise<Labelled> =>
      setup.driver.drain(
        until(solveOnSupport(setup, size, start, Math.max(SUPPORT_TOLERANCE * tolerance, floor)), isOver, start),
      );
    ({ X, labels } = await solve({ X, labels }));
    at = evaluate(X);
    const isGlobal = (): boolean => isProof(globalProof(at!.X, at!.G, size, 0), f, setup);
    while (budget > 0 && !isOver() && !isGlobal()) {
      const before = work.evaluations.f;
      const end = exchange(at, size, evaluate, budget);
      budget -= work.evaluations.f - before;
      tried = end;
      if (end.moves === 0) break;
      moves += end.moves;
      ({ X, labels } = await solve({ X: end.at.X, labels: labelsOf(end.at.X, size) }));
      at = evaluate(X);
    }
    for (let round = 0; round < RAISES && !isOver(); round++) {
      const raised = raiseRows(at, labels, size, tolerance);
      if (!raised) break;
      const end = await solve(raised);
      const next = evaluate(end.X);
      if (!(next.f <= at.f)) break;
      ({ X, labels } = end);
      at = next;
    }
  }
  at ??= evaluate(X);
  const result = certificateOf({ setup, f, size, at, labels, tried });
  const { certificate, stationarity, feasibility, multipliers } = result;
  const reason = isCut(relaxed) ? relaxed.reason : reasonOf(certificate, isOver());
  relaxed.notes.push(...notesOf(labels, moves, tried, exchanges));
  relaxed.run.method = "nonnegative-orthonormal";
  return Object.assign(relaxed, {
    X: { ...relaxed.X, data: at.X },
    fval: at.f,
    reason,
    status: reason.converged ? "converged" : reason.kind,
    stationarity,
    feasibility,
    certificate,
    multipliers,
    violation: 0,
    complementarity: 0,
    penalty: L.rho,
    support: labels,
  });
}

/** Ends the homotopy where the labels have settled. */
function labelWatch(read: (X: Tall) => Float64Array, size: Size): (X: Tall, r: { norm: number }) => Reason | undefined {
  let before: Int32Array | undefined;
  let repeats = 0;
  return (X, { norm }) => {
    const Y = read(X);
    const labels = labelsOf(Y, size);
    repeats = before && isSame(before, labels) ? repeats + 1 : 0;
    before = labels;
    const isSettled = repeats >= REPEATS && offLabels(Y, labels, size.p) <= OFF * Math.sqrt(size.p);
    if (!isSettled && norm > FEASIBLE * Math.sqrt(size.n * size.p)) return undefined;
    return { kind: "value", converged: true, text: "the labels of the rows have settled" };
  };
}

/** The steps until `isOver`, then `otherwise` */
function* until<T>(steps: Generator<State, T, void>, isOver: () => boolean, otherwise: T): Generator<State, T, void> {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
    yield next.value;
    if (isOver()) return otherwise;
  }
}

function reasonOf({ level, text }: Certificate, isOver: boolean): Reason {
  if (level !== "none") return { kind: "gradient", converged: true, text };
  if (isOver) return { kind: "evaluations", converged: false, text: `a limit ended the run: ${text}` };
  return { kind: "search-failed", converged: false, text };
}

function notesOf(
  labels: Int32Array,
  moves: number,
  last: { tried: number; all: number } | undefined,
  exchanges: "auto" | number | false,
): string[] {
  const zeros = labels.reduce((count, j) => count + (j < 0 ? 1 : 0), 0);
  const notes: string[] = [];
  if (zeros > 0) notes.push(`rows of X that are zero: ${zeros}`);
  if (moves > 0) notes.push(`moves of a row to another column that lowered f: ${moves}`);
  if (exchanges !== false && last && last.tried > 0) {
    notes.push(`f was evaluated at ${last.tried} of ${last.all} moves of single rows, and none lowers it`);
  }
  return notes;
}
