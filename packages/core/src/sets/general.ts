import { digits } from "@expen/linalg";
import type { Reason } from "../contracts/method.js";
import type { Result } from "../contracts/result.js";
import { readPoint } from "../run/given-start.js";
import { augmentedLagrangian } from "./augmented-lagrangian.js";
import { type Residuals, residuals } from "./block.js";
import { searchFeasible } from "./infeasible.js";
import { kktCertificate } from "./kkt.js";
import { belowSaddle } from "./saddle.js";
import { runInDriver, type Setup } from "./setup.js";

/** Saddles of the Lagrangian that a run leaves at most */
const MAX_SADDLES = 5;

/** f subject to any constraints by the augmented Lagrangian, below the saddles that the certificate shows; the result in terms of f */
export async function minimizeGeneral(setup: Setup, constraintTolerance: number): Promise<Result> {
  const { E, on, L, blocks, unit, tolerance, work, place, o, notes } = setup;
  const seed = o.seed ?? 1;
  let { X } = setup;
  if (on.dimension === 0) X = searchFeasible(E, on, blocks, X, { constraintTolerance, seed }).X;
  let before: Result | undefined;
  for (let saddles = 0; ; saddles++) {
    const options = { on, blocks, tolerance, constraintTolerance, unit, evaluations: work.evaluations };
    const next = saddles > 0 ? { penalty: L.rho } : {};
    const result = joined(
      before,
      await runInDriver({ ...setup, X, o: { ...o, ...iterationsLeft(o.maxIterations, before) } }, (objective, X0) =>
        augmentedLagrangian(E, L, X0, { ...options, ...next, objective }),
      ),
    );
    X = readPoint(place.bound, result.X, "the answer");
    L.f(X);
    const usual = work.evaluations.f;
    const {
      certificate,
      escape: direction,
      residuals: r,
      ...known
    } = kktCertificate({ E, on, L, blocks, X, r: residuals(blocks, L.rho), unit }, result.certificate, {
      constraintTolerance,
      secondOrder: o.certificate !== "stationary" && result.reason.converged,
      isThorough: o.certificate === "second-order",
      budget: o.certificateBudget,
      used: () => work.evaluations.f - usual,
      usual,
      seed,
    });
    const { fval } = known;
    const lower =
      direction && saddles < MAX_SADDLES ? belowSaddle(setup, X, direction, { fval, constraintTolerance }) : undefined;
    if (lower) {
      notes.push(`left a saddle at f = ${digits(fval, 9)} along a direction of negative curvature`);
      o.events?.saddle?.({ fval, curvature: certificate.curvature!.lowest, iterations: result.iterations });
      before = result;
      X = lower;
      continue;
    }
    result.run.method = "augmented-lagrangian";
    const { violation, complementarity } = r;
    const reason = reasonOf(result.reason, r, constraintTolerance);
    const status = reason === result.reason ? result.status : reason.kind;
    return Object.assign(result, { ...known, certificate, violation, complementarity, reason, status });
  }
}

/** A run that ended otherwise than by the constraints did not converge where they are violated. */
function reasonOf(reason: Reason, { violation }: Residuals, constraintTolerance: number): Reason {
  if (!reason.converged || violation <= constraintTolerance) return reason;
  const text = `${reason.text}, but the violation is ${digits(violation)}, above constraintTolerance ${digits(constraintTolerance)}`;
  return { kind: "infeasible", converged: false, text };
}

const iterationsLeft = (most: number | undefined, before: Result | undefined): { maxIterations?: number } =>
  most !== undefined && before ? { maxIterations: Math.max(0, most - before.iterations) } : {};

/** A run with the one before it, whose end was a saddle */
function joined(before: Result | undefined, result: Result): Result {
  if (!before) return result;
  const history = result.history && [
    ...(before.history ?? []),
    ...result.history.map((row) => ({ ...row, k: row.k + before.iterations })),
  ];
  const iterations = before.iterations + result.iterations;
  return Object.assign(result, { iterations, ...(history && { history }) });
}
