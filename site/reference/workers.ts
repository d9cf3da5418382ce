/** Examples of the reference for `expen/workers`; site/build/examples.ts says how they are written. */
import { Worker } from "node:worker_threads";
import { minimizeOnWorkers } from "expen/workers";

// minimizeOnWorkers, serveItems
{
  // rotations-worker.js: serveItems(formula((R, { P, Q }) => norm2(sub(mul(R, P), Q))), { on: specialOrthogonal(2) });
  const open = () => new Worker(new URL("./rotations-worker.js", import.meta.url));
  const P = [[1, 0, 2], [0, 1, 1]]; // biome-ignore format: a matrix
  const turned = (angle: number) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return P[0]!.map((x, j) => [c * x - s * P[1]![j]!, s * x + c * P[1]![j]!]);
  };
  const data = [0.1, 1, 3].map((angle) => ({ P, Q: [0, 1].map((i) => turned(angle).map((point) => point[i]!)) }));
  const { results, converged } = await minimizeOnWorkers(open, { data, workers: 1 });
  console.log(converged, results.map(({ X }) => Math.acos(X.data[0]!).toFixed(4)).join(" ")); // 3 0.1000 1.0000 3.0000
}
