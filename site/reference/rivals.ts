/** Examples of the reference for `expen/rivals`; site/build/examples.ts says how they are written. */

import { randomStart } from "expen";
import { jsEngine } from "expen/engines";
import { cg, euclideanGeometry, trialRay } from "expen/methods";
import { expen } from "expen/penalty";
import { brockett } from "expen/problems";
import {
  adaptive,
  armijo,
  barzilaiBorwein,
  daiZhang,
  l1,
  l21,
  nonmonotone,
  nonsmoothStationarity,
  normOf,
  sparsityPattern,
} from "expen/rivals";

// l1, l21, normOf
{
  console.log(
    [l1(1), l21(2), normOf({ kind: "l1", weight: 3 })].map(({ kind, weight }) => `${weight}·${kind}`).join(" "),
  ); // 1·l1 2·l21 3·l1
}

// sparsityPattern
{
  const { zeros } = sparsityPattern({ rows: 2, cols: 2, data: Float64Array.from([1, 0, 1e-12, 2]) });
  console.log(zeros); // 2
}

// armijo, nonmonotone, daiZhang, adaptive, barzilaiBorwein
{
  const E = jsEngine();
  const { objective: f, optimum } = brockett(E, { n: 6, p: 2 });
  const h = expen(E, f, 50);
  const ray = () => trialRay(E, h, euclideanGeometry(E), randomStart(E, 6, 2, 1));
  const methods = [
    barzilaiBorwein(E, { search: nonmonotone() }),
    barzilaiBorwein(E, { search: daiZhang() }),
    barzilaiBorwein(E, { search: adaptive() }),
    cg(E, { search: armijo() }),
  ];
  const reached = methods.map((method) => {
    for (const { k, gnorm, f: value } of method(ray()))
      if (gnorm < 1e-5 || k > 3000) return Math.abs(value - optimum!) < 1e-6;
    return false;
  });
  console.log(reached.join(" ")); // true true true true
}

// nonsmoothStationarity
{
  // far from a minimum of f + 0.1·Σ|X_ij|
  const E = jsEngine();
  const { objective: f } = brockett(E, { n: 6, p: 2 });
  const X = randomStart(E, 6, 2, 1);
  console.log(nonsmoothStationarity(E, f, X, { kind: "l1", weight: 0.1 }) > 0.01); // true
}
