/** Examples of the reference for `expen/problems`; site/build/examples.ts says how they are written. */
import { minimize, random, stiefel } from "expen";
import { jsEngine } from "expen/engines";
import {
  brockett,
  centred,
  fillNormal,
  gaussian,
  noeig,
  pca,
  problems,
  randomOrthonormal,
  unitSymmetric,
} from "expen/problems";

// problems, brockett, noeig, pca
{
  const E = jsEngine();
  const { objective, optimum } = brockett(E, { n: 8, p: 2 });
  const { fval } = await minimize(objective, { on: stiefel(8, 2), engine: E });
  console.log(Math.abs(fval - optimum!) < 1e-6); // true
  const made = [noeig(E, { n: 8, p: 2 }), pca(E, { n: 8, p: 2 })];
  console.log(
    made.every(({ objective }) => typeof objective.fg === "function"),
    problems.has("brockett"),
  ); // true true
}

// gaussian, unitSymmetric, randomOrthonormal, centred, fillNormal
{
  const A = gaussian(5, 3, random(1));
  const sums = [0, 1, 2].map((j) => [0, 1, 2, 3, 4].reduce((sum, i) => sum + centred(A).data[3 * i + j]!, 0));
  console.log(sums.every((v) => Math.abs(v) < 1e-12)); // true
  const S = unitSymmetric(4, random(1));
  console.log(S.data[1] === S.data[4]); // true
  const Q = randomOrthonormal(4, 2, random(1));
  console.log(Q.data.reduce((sum, v) => sum + v * v, 0).toFixed(6)); // 2.000000
  const M = { rows: 2, cols: 2, data: new Float64Array(4) };
  fillNormal(M, random(1));
  console.log(M.data.every((v) => v !== 0)); // true
}
