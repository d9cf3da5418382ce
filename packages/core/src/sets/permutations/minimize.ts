/** Permutation matrices: orthogonal and nonnegative square matrices. docs/constraints/permutations.md */

import { digits, random } from "@expen/linalg";
import type { Objective } from "../../contracts/objective.js";
import type { Result } from "../../contracts/result.js";
import { readPoint } from "../../run/given-start.js";
import { isCut, limitsOf } from "../nonnegative/limits.js";
import { isLinear } from "../nonnegative/linear.js";
import { runInDriver, type Setup } from "../setup.js";
import { permutationCertificate, type Tried } from "./certificate.js";
import { kick } from "./kicks.js";
import { labelsOf, matrixOf } from "./labels.js";
import { evaluationsOf, isAgreed, learnQuadratic, type QuadraticModel } from "./quadratic.js";
import { relaxation, toVertex } from "./relaxation.js";
import { type Assigned, swapRows } from "./swaps.js";
import { tabuSearch } from "./tabu.js";

/** Evaluations for exchanges by default: at least so many, or n² */
const EXCHANGES = 200;

export interface PermutationMethod {
  /** one start */
  run(setup: Setup): Promise<Result>;
  /** the best of several starts after kicks, where f is not quadratic */
  improve(setup: Setup, best: Result, kicks: number): Result;
}

/** The method for all starts of a run, which learn one model of a quadratic f */
export function permutationMethod(f: Objective, exchanges: "auto" | number | false): PermutationMethod {
  /** false: f is not quadratic, or too large */
  let model: QuadraticModel | false | undefined;

  async function run(setup: Setup): Promise<Result> {
    const { E, on, F, work, o } = setup;
    const { n } = on.shape;
    if (E.ranks) throw new RangeError("permutations: rows lie on several processes; give an engine of one process.");
    const L = relaxation(E, F);
    const { evaluations } = work;
    const relaxed = await runInDriver({ ...setup, L }, (objective, X0) =>
      toVertex(E, L, X0, { on, evaluations, objective }),
    );
    const Y = E.read(readPoint(setup.place.bound, relaxed.X, "the answer"));
    const evaluate = evaluator(setup);
    const isOver = limitsOf(o, work);
    const rounded = labelsOf(
      Y.map((x) => x * x),
      n,
    );
    let at = evaluate(rounded);
    let tried: Tried = { tried: 0, all: 0 };
    if (!isCut(relaxed) && exchanges !== false && !isOver()) {
      const before = at.f;
      ({ at, ...tried } = exchanged(setup, at, budgetOf(exchanges, n)));
      if (at.f < before) relaxed.notes.push(`exchanges of rows lowered f from ${digits(before, 9)}`);
    }
    const certificate = permutationCertificate(at, f.convex === true || isLinear(E, f), tried);
    const reason = isCut(relaxed)
      ? relaxed.reason
      : { kind: "gradient" as const, converged: true, text: certificate.text };
    relaxed.run.method = "permutations";
    return Object.assign(relaxed, {
      X: { rows: n, cols: n, data: matrixOf(at.labels) },
      fval: at.f,
      reason,
      status: reason.converged ? "converged" : reason.kind,
      stationarity: 0,
      feasibility: 0,
      certificate,
      multipliers: [new Float64Array(n * n)],
      violation: 0,
      complementarity: 0,
      penalty: L.rho,
      support: at.labels,
    });
  }

  /** A permutation that exchanges of two rows do not lower: by the model of a quadratic f, or one evaluation each */
  function exchanged(setup: Setup, at: Assigned, budget: number): Tried & { at: Assigned } {
    const n = at.labels.length;
    const evaluate = evaluator(setup);
    if (model === undefined && evaluationsOf(n) <= budget) model = learnQuadratic(n, evaluatorAt(setup), at) ?? false;
    const all = (n * (n - 1)) / 2;
    if (model) {
      const labels = tabuSearch(model, at.labels, random(setup.o.seed ?? 1, "exchanges"));
      const end = evaluate(labels);
      if (isAgreed(n, model.at(labels), end)) return { at: end.f < at.f ? end : at, tried: all, all };
      // f is quadratic where it was learned, and not here
      model = false;
    }
    return swapRows(at, evaluate, budget, limitsOf(setup.o, setup.work));
  }

  function improve(setup: Setup, best: Result, kicks: number): Result {
    const { E, on, o, work } = setup;
    const { n } = on.shape;
    const isDone = best.certificate.level === "global" || !best.reason.converged;
    if (exchanges === false || model || isDone) return best;
    const end = kick({ labels: best.support!, f: best.fval }, evaluator(setup), {
      kicks,
      budget: budgetOf(exchanges, n),
      seed: o.seed ?? 1,
      isOver: limitsOf(o, work),
    });
    if (!end) return best;
    const { at } = end;
    const certificate = permutationCertificate(at, f.convex === true || isLinear(E, f), end);
    best.notes.push(
      `exchanges of four rows of the best start, with swaps after them, lowered f from ${digits(best.fval, 9)}`,
    );
    return Object.assign(best, {
      X: { rows: n, cols: n, data: matrixOf(at.labels) },
      fval: at.f,
      support: at.labels,
      certificate,
      reason: { ...best.reason, text: certificate.text },
    });
  }

  return { run, improve };
}

/** f and ∇f at a permutation */
function evaluator(setup: Setup): (labels: Int32Array) => Assigned {
  const evaluate = evaluatorAt(setup);
  return (labels) => ({ labels, ...evaluate(matrixOf(labels)) });
}

function evaluatorAt({ E, F, on }: Setup): (W: Float64Array) => { f: number; G: Float64Array } {
  const { n } = on.shape;
  const [Z, G] = [E.tall(n, n), E.tall(n, n)];
  return (W) => {
    E.write(Z, W);
    return { f: F.fg(G, Z), G: E.read(G) };
  };
}

const budgetOf = (exchanges: "auto" | number, n: number): number =>
  exchanges === "auto" ? Math.max(EXCHANGES, n * n) : exchanges;
