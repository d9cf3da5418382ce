import type { Result } from "../contracts/result.js";
import { readPoint } from "../run/given-start.js";
import { augmentedLagrangian } from "./augmented-lagrangian.js";
import { residuals } from "./block.js";
import { kktCertificate } from "./kkt.js";
import { runInDriver, type Setup } from "./setup.js";

/** f subject to any constraints by the augmented Lagrangian; the result in terms of f */
export async function minimizeGeneral(setup: Setup, constraintTolerance: number): Promise<Result> {
  const { E, on, L, blocks, unit, tolerance, work, place, o } = setup;
  const result = await runInDriver(setup, (objective, X0) =>
    augmentedLagrangian(E, L, X0, {
      on,
      blocks,
      tolerance,
      constraintTolerance,
      unit,
      evaluations: work.evaluations,
      objective,
    }),
  );
  const X = readPoint(place.bound, result.X, "the answer");
  L.f(X);
  const r = residuals(blocks, L.rho);
  const before = work.evaluations.f;
  const { certificate, ...known } = kktCertificate({ E, on, L, blocks, X, r, unit }, result.certificate, {
    constraintTolerance,
    secondOrder: o.certificate !== "stationary" && result.reason.converged,
    isThorough: o.certificate === "second-order",
    budget: o.certificateBudget,
    used: () => work.evaluations.f - before,
    usual: before,
    seed: o.seed ?? 1,
  });
  result.run.method = "augmented-lagrangian";
  const { violation, complementarity } = r;
  return Object.assign(result, { ...known, certificate, violation, complementarity });
}
