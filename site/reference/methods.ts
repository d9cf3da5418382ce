/** Examples of the reference for `expen/methods`; site/build/examples.ts says how they are written. */

import { euclidean, randomStart, sphere } from "expen";
import { jsEngine } from "expen/engines";
import {
  cg,
  cgRules,
  checkRunOptions,
  drain,
  euclideanGeometry,
  hagerZhang,
  isText,
  lbfgs,
  measurer,
  minimizeOn,
  moreThuente,
  namesOf,
  objective,
  objectiveOn,
  quickCheck,
  readOption,
  requireSolverOn,
  retractions,
  scipySearch,
  solveOn,
  solverParts,
  solvers,
  solveStiefel,
  stiefelGeometry,
  trialRay,
  trustRegion,
  zoom,
} from "expen/methods";
import { expen } from "expen/penalty";
import { brockett } from "expen/problems";
import { entry, formula } from "expen/tape";

// cg, lbfgs, trustRegion, drain
{
  // methods without constraints, on the penalty of a problem
  const E = jsEngine();
  const { objective: f, optimum } = brockett(E, { n: 6, p: 2 });
  const h = expen(E, f, 50);
  const last = (method: ReturnType<typeof cg>) => {
    let value = Number.NaN;
    let k = 0;
    for (const state of method(trialRay(E, h, euclideanGeometry(E), randomStart(E, 6, 2, 1)))) {
      value = state.f;
      if (state.gnorm < 1e-8 || k++ > 2000) break;
    }
    return Math.abs(value - optimum!) < 1e-6;
  };
  console.log(last(cg(E)), last(lbfgs(E, 6, 2)), last(trustRegion(E, h))); // true true true
}

// solveStiefel
{
  const E = jsEngine();
  const { objective: f } = brockett(E, { n: 6, p: 2 });
  // a step at a time: each state before the next one is computed
  let steps = 0;
  for (const state of await solveStiefel(E, f, { solver: "rcg" })) steps = state.k;
  console.log(steps > 5); // true
  const result = await drain(await solveStiefel(E, f, {}));
  console.log(result.status); // converged
}

// hagerZhang, moreThuente, zoom, scipySearch
{
  const E = jsEngine();
  const { objective: f } = brockett(E, { n: 6, p: 2 });
  const h = expen(E, f, 50);
  const searches = [hagerZhang(), moreThuente(), zoom(), scipySearch()];
  const ray = () => trialRay(E, h, euclideanGeometry(E), randomStart(E, 6, 2, 1));
  const runs = searches.map((search) => {
    let k = 0;
    for (const { gnorm } of cg(E, { search })(ray())) if (gnorm < 1e-6 || ++k > 2000) break;
    return k < 2000;
  });
  console.log(runs.join(" ")); // true true true true
}

// measurer, quickCheck, objective
{
  const E = jsEngine();
  const f = objective(
    E,
    { f: ({ data }) => data[0]! ** 2, grad: (G, X) => void G.data.set([2 * X.data[0]!, 0]) },
    2,
    1,
  );
  const X = E.tall(2, 1, [0, 1]);
  console.log(measurer(E, f).feasibilityOf(X), quickCheck(E, f, X).passed); // 0 true
}

// trialRay, stiefelGeometry, euclideanGeometry, retractions
{
  // the same method on the manifold itself, with each retraction
  const E = jsEngine();
  const { objective: f, optimum } = brockett(E, { n: 6, p: 2 });
  const names = ["qr", "cholesky-qr", "polar"] as const;
  const runs = names.map((retraction) => {
    const ray = trialRay(E, f, stiefelGeometry(E, 6, 2, { retraction }), randomStart(E, 6, 2, 1));
    for (const { k, gnorm, f: value } of cg(E)(ray))
      if (gnorm < 1e-6 || k > 2000) return Math.abs(value - optimum!) < 1e-6;
    return false;
  });
  console.log(
    runs.join(" "),
    names.every((name) => name in retractions),
  ); // true true true true
}

// solvers, solverParts, cgRules, checkRunOptions, isText, namesOf, readOption
{
  console.log("rcg" in solvers, "pr+" in cgRules, solverParts(100, 5, { solver: "rcg" }).length > 0); // true true true
  try {
    checkRunOptions(solvers, { tolx: 1 } as never);
  } catch (error) {
    console.log((error as Error).message.includes("did you mean 'tol'")); // true
  }
  const choice = { kind: "choice", names: ["a", "b"], help: "one of two" } as const;
  console.log(isText(choice), namesOf(choice).join(" "), readOption("--option", choice, "b")); // true a b b
}

// minimizeOn, objectiveOn, requireSolverOn, solveOn
{
  // a run on any manifold, a step at a time
  const on = sphere(3);
  const bound = on.bind(jsEngine());
  const f = objectiveOn(
    bound,
    formula((x) => entry(x, 0, 0)),
  );
  const { fval } = await drain(await solveOn({ on, bound }, f));
  console.log(fval.toFixed(4)); // -1.0000
  const whole = await minimizeOn({ on, bound }, f, { certificate: "stationary" });
  console.log(whole.fval.toFixed(4)); // -1.0000
  try {
    requireSolverOn(solvers, { solver: "wen-yin" }, euclidean(3, 1).bind(jsEngine()).on);
  } catch (error) {
    console.log((error as Error).message.split(";")[0]); // solver 'wen-yin' has no meaning on euclidean
  }
}
