import type { Objective, Solver, SolverOptions } from "@expen/core";
import { regionOn, trialRay, trustRegion } from "@expen/core/methods";
import type { Engine, Tall } from "@expen/linalg";
import { geometryOf, type RiemannianOptions } from "./riemannian.js";

interface RtrOptions extends RiemannianOptions, Pick<SolverOptions, "precondition" | "watch" | "evaluations"> {
  hessian: "exact" | "differences";
}

/** The Riemannian trust region method [Absil, Baker, Gallivan, Found. Comput. Math. 7, 2007]; `trustRegion` names its departure. */
export function rtr(E: Engine, f: Objective, X0: Tall, o: RtrOptions): Solver {
  const geometry = geometryOf(E, f, o);
  const method = trustRegion(E, o.hessian === "differences" ? withoutHessian(f) : f, {
    ...regionOn(o.on),
    precondition: o.precondition,
    watch: o.watch,
  });
  return method(trialRay(E, f, geometry, X0, o.evaluations, true));
}

/** f without its second derivatives, which differences of gradients replace */
function withoutHessian({ hvp: _hvp, linearize: _linearize, ...f }: Objective): Objective {
  return f;
}
