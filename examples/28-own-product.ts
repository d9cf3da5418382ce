// A product of your own: unit directions and free numbers together. A sum of two ridge functions is learnt from values.
import { euclidean, minimize, oblique, openEngine, product, random } from "expen";

// y = a₁·tanh(⟨x, d₁⟩) + a₂·tanh(⟨x, d₂⟩) + c with unknown directions d, weights a and constant c
const [n, m, E] = [5, 200, await openEngine("auto")];
const r = random(3, "example");
const [d1, d2] = [[3 / 5, 4 / 5, 0, 0, 0], [0, 0, 5 / 13, -12 / 13, 0]]; // biome-ignore format: in a row
const points = Array.from({ length: m }, () => Array.from({ length: n }, () => r.normal()));
const along = (x: number[], d: ArrayLike<number>) => x.reduce((s, v, i) => s + v * d[i]!, 0);
const y = points.map((x) => 2 * Math.tanh(along(x, d1!)) - Math.tanh(along(x, d2!)) + 0.5);

const { X, fval, certificate } = await minimize(
  {
    fg(G, { D, s }) {
      const [d, [a1, a2, c]] = [E.read(D), E.read(s) as unknown as [number, number, number]];
      const [gD, gs] = [new Float64Array(2 * n), new Float64Array(3)];
      let f = 0;
      for (const [i, x] of points.entries()) {
        const t = [0, 1].map((j) => Math.tanh(x.reduce((sum, v, k) => sum + v * d[2 * k + j]!, 0)));
        const error = (a1 * t[0]! + a2 * t[1]! + c - y[i]!) / m;
        f += (error ** 2 * m) / 2;
        [error * t[0]!, error * t[1]!, error].forEach((g, j) => void (gs[j]! += g));
        for (let k = 0; k < 2 * n; k++) gD[k]! += error * [a1, a2][k % 2]! * (1 - t[k % 2]! ** 2) * x[k >> 1]!;
      }
      E.write(G.D, gD);
      E.write(G.s, gs);
      return f;
    },
  },
  { on: product({ D: oblique(n, 2), s: euclidean(3) }), engine: E, tol: 1e-9 },
);
console.log(`f = ${fval.toExponential(0)}: ${certificate.level}`);
console.log(`weights and constant ${Array.from(X.s.data, (v) => Math.abs(v).toFixed(4)).join(", ")}`);
E.dispose();
