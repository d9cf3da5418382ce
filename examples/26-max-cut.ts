// The largest cut of Petersen's graph: a bound from a relaxation, proved by an eigenvalue, and a cut.
import * as apps from "expen/apps";

const n = 10;
const W = { rows: n, cols: n, data: new Float64Array(n * n) };
const edge = (i: number, j: number) => {
  W.data[i * n + j] = W.data[j * n + i] = 1;
};
for (let i = 0; i < 5; i++) {
  edge(i, (i + 1) % 5); // a ring
  edge(5 + i, 5 + ((i + 2) % 5)); // a star
  edge(i, 5 + i); // and the spokes between them
}

const { bound, cut, sides, run } = await apps.maxCut(W);
console.log(`no cut has more than ${bound.toFixed(4)} edges, so none has more than ${Math.floor(bound)}`);
console.log(`this cut has ${cut} edges, sides of the nodes: ${sides.join("")}`);
console.log(`${run.status} on ${run.run.on}`);
