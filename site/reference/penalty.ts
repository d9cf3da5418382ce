/** Examples of the reference for `expen/penalty`; site/build/examples.ts says how they are written. */
import { randomStart } from "expen";
import { jsEngine } from "expen/engines";
import { cg, euclideanGeometry, trialRay } from "expen/methods";
import { algorithm1, expen, fixedBeta, flatten, shiftedExpen, stagedExpen } from "expen/penalty";
import { brockett } from "expen/problems";

// expen, fixedBeta, shiftedExpen
{
  // on XᵀX = I the penalty h is f, whatever β is
  const E = jsEngine();
  const { objective: f } = brockett(E, { n: 6, p: 2 });
  const X = randomStart(E, 6, 2, 1);
  const beta = fixedBeta(E, f, X, "paper");
  const values = [expen(E, f, beta), expen(E, f, 10), shiftedExpen(E, f, beta)].map((h) => h.f(X));
  console.log(values.every((h) => Math.abs(h - f.f(X)) < 1e-12)); // true
}

// algorithm1
{
  // the paper's Algorithm 1 on h, which knows of no constraint
  const E = jsEngine();
  const { objective: f, optimum } = brockett(E, { n: 6, p: 2 });
  const X = randomStart(E, 6, 2, 1);
  const h = expen(E, f, fixedBeta(E, f, X, "paper"));
  let value = Number.NaN;
  for (const state of algorithm1(E)(trialRay(E, h, euclideanGeometry(E), X))) {
    value = state.f;
    if (state.gnorm < 1e-7 || state.k > 5000) break;
  }
  console.log(Math.abs(value - optimum!) < 1e-6); // true
}

// flatten
{
  // h for optimizers that take arrays of numbers
  const E = jsEngine();
  const { objective: f } = brockett(E, { n: 6, p: 2 });
  const flat = flatten(E, expen(E, f, 50));
  console.log(
    flat.size,
    flat.grad(new Float64Array(12)).every((v) => v === 0),
  ); // 12 true
}

// stagedExpen
{
  // h with a multiplier that follows the run
  const E = jsEngine();
  const { objective: f, optimum } = brockett(E, { n: 6, p: 2 });
  const solver = stagedExpen(E, f, () => cg(E))(randomStart(E, 6, 2, 1));
  let value = Number.NaN;
  for (const state of solver) {
    value = state.f;
    if (state.gnorm < 1e-7 || state.k > 5000) break;
  }
  console.log(Math.abs(value - optimum!) < 1e-6); // true
}
