/** `minimize` with `subjectTo`: the augmented Lagrangian in the place of the solver, and the result in terms of f and its constraints */

import type { Engine, Tall } from "@expen/linalg";
import { described } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import { requireGradient } from "../check/before-run.js";
import type { Domain, View } from "../contracts/manifold.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import { pointOf } from "../manifolds/point.js";
import { DEFAULT_TOLERANCE } from "../methods/state.js";
import { noEvaluations } from "../objective/objective.js";
import { drain } from "../run/drain.js";
import type { StiefelOptions } from "../run/options.js";
import type { Parts } from "../run/parts.js";
import type { Spent } from "../run/run.js";
import { evaluatorOn } from "../run/run-evaluator.js";
import { iterate, type Place, type StartCheck } from "../run/solve.js";
import { solverEntry } from "../run/solver-entry.js";
import { randomPoint, readPoint, startOf } from "../run/start.js";
import { DEFAULT_SOLVER } from "../run/strategy.js";
import { augmentedLagrangian } from "./augmented-lagrangian.js";
import { residuals } from "./block.js";
import { blockOf } from "./blocks.js";
import { requireAdjoints } from "./check.js";
import { kktCertificate } from "./kkt.js";
import { type Lagrangian, lagrangian } from "./lagrangian.js";
import type { Subject } from "./subject.js";

export interface SubjectOptions extends StiefelOptions {
  subjectTo: readonly Subject[];
  constraintTolerance?: number | undefined;
}

/** max(g, |h|) and |min(−g, λ)| that a run is to reach, where the user sets none */
const CONSTRAINT_TOLERANCE = 1e-6;

/** Options of other solvers, which have no meaning beside constraints */
const OTHERS = ["nonsmooth", "precondition", "finish", "beta", "rule", "variant", "retraction"] as const;

export async function minimizeSubjectTo(
  parts: Parts,
  place: Place,
  f: Objective,
  { subjectTo, constraintTolerance = CONSTRAINT_TOLERANCE, ...o }: SubjectOptions,
  { check, work }: { check?: StartCheck; work: Spent },
): Promise<Result> {
  requireOptions(subjectTo, o);
  const bound = withoutQuotient(place.bound);
  const { E, on } = bound;
  const notes: string[] = [];
  const X = startOf(bound, o, notes);
  const F = evaluatorOn(bound, f, work.evaluations);
  const blocks = subjectTo.map((subject) => blockOf(bound, subject));
  if (check?.gradient) work.gradient = requireGradient(E, F, X, o.seed ?? 1, undefined, on);
  if (check) requireAdjoints(bound, blocks, X, o.seed ?? 1);
  const L = lagrangian(E, F, blocks);
  const unit = unitOf(bound, L, X, o.seed ?? 1);
  // X is written by the run
  F.forget();
  const tolerance = o.tol ?? DEFAULT_TOLERANCE * Math.min(1, unit);
  const entry = solverEntry({
    title: "augmented Lagrangian",
    holds: { tall: 10, square: 36, pairs: 3, squaresPerPair: 2 },
    options: {},
    feasible: () => true,
    load: async () => (E, objective, X0) => {
      const { evaluations } = work;
      return augmentedLagrangian(E, L, X0, {
        on,
        blocks,
        tolerance,
        constraintTolerance,
        unit,
        evaluations,
        objective,
      });
    },
  });
  const { open } = parts;
  const composition: Parts = { open, solvers: { ...parts.solvers, [DEFAULT_SOLVER]: entry } };
  // the evaluations of L are not those of f, which F counts
  const ofRun: Spent = { ...work, start: { X, notes }, evaluator: evaluatorOn(bound, L, noEvaluations()) };
  const options: StiefelOptions = { ...o, tol: tolerance, certificate: "stationary" };
  const result = await drain(iterate(composition, { ...place, bound }, L, options, ofRun));
  const answer = readPoint(bound, result.X, "the answer");
  L.f(answer);
  const r = residuals(blocks, L.rho);
  const before = { ...work.evaluations };
  const certificate = kktCertificate({ E, on, L, blocks, X: answer, r, unit }, result.certificate, {
    constraintTolerance,
    secondOrder: o.certificate !== "stationary" && result.reason.converged,
    budget: o.certificateBudget,
    used: () => work.evaluations.f - before.f,
    usual: before.f,
    seed: o.seed ?? 1,
  });
  const multipliers = certificate.multipliers;
  result.run.method = "augmented-lagrangian";
  result.run.why = `subjectTo: ${subjectTo.map(({ text }) => text).join(", ")}`;
  return Object.assign(result, {
    fval: certificate.fval,
    gap: o.optimum === undefined ? null : certificate.fval - o.optimum,
    evaluations: before,
    certificate: certificate.certificate,
    multipliers,
    violation: r.violation,
    complementarity: r.complementarity,
    penalty: certificate.penalty,
  });
}

function requireOptions(subjectTo: readonly Subject[], o: StiefelOptions): void {
  if (subjectTo.length === 0) throw new RangeError("subjectTo: it is empty; leave it out, or give constraints.");
  for (const [i, subject] of subjectTo.entries()) {
    if (typeof subject === "object" && subject !== null && "kind" in subject && "text" in subject) continue;
    throw new TypeError(
      `subjectTo: entry ${i} is ${described(subject)}; give atMost(g), equal(h), bounds(lower, upper) or nonnegative().`,
    );
  }
  if (o.solver !== undefined && o.solver !== DEFAULT_SOLVER) {
    throw new RangeError(
      `subjectTo: the solver is '${o.solver}'; constraints beside the manifold have a method of their own, leave it out.`,
    );
  }
  const other = OTHERS.find((name) => o[name] !== undefined);
  if (other) throw new RangeError(`subjectTo: ${other} has no meaning beside it; leave it out.`);
}

/** The constraints are not those of a class of points: the quotient's own manifold is taken. */
function withoutQuotient(bound: Domain<View>): Domain<View> {
  const { quotient } = bound.on.traits;
  return quotient ? { ...bound, on: quotient.without } : bound;
}

/** ‖grad f(X)‖, not below this part of ‖∇f(X)‖ */
const LEAST_GRADIENT = 1e-3;

/** The unit of ρ: the size of the gradient at the start, or at a random point where that is 0; 1 if f is constant */
function unitOf(bound: Domain<View>, L: Lagrangian, X: Tall, seed: number): number {
  const { E } = bound;
  const atStart = gradientSize(E, bound, L, X);
  if (atStart > 0) return atStart;
  const elsewhere = gradientSize(E, bound, L, randomPoint(bound, seed + 1));
  L.f(X);
  return elsewhere > 0 ? elsewhere : 1;
}

function gradientSize(E: Engine, { on }: Domain<View>, L: Lagrangian, X: Tall): number {
  L.f(X);
  const R = E.tall(on.shape.n, on.shape.p);
  E.copy(R, L.last.G);
  const whole = norm(E, R);
  on.dissolver.tangent(R, pointOf(E, on)(X));
  return Math.max(norm(E, R), LEAST_GRADIENT * whole);
}
