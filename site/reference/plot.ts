/** Examples of the reference for `expen/plot`; site/build/examples.ts says how they are written. */
import { minimize, stiefel } from "expen";
import { plotConvergence } from "expen/plot";
import { formula, mul, t, trace } from "expen/tape";

// plotConvergence
{
  const A = [[2, 1, 0], [1, 2, 0], [0, 0, 5]]; // biome-ignore format: a matrix
  const f = formula((X) => trace(mul(t(X), A, X)));
  const runs = {
    rcg: await minimize(f, { on: stiefel(3, 2), solver: "rcg", history: true }),
    rtr: await minimize(f, { on: stiefel(3, 2), solver: "rtr", history: true }),
  };
  console.log(plotConvergence(runs).startsWith("<svg")); // true
}
