// A product of your own: unit atoms D and free codes C together, so that C·Dᵀ is near the samples Y and C has few entries.
import { euclidean, minimize, oblique, product, random } from "expen";
import { add, formula, mul, scale, smoothAbs, square, sub, sum, t } from "expen/tape";

// 300 samples in 6 dimensions, each a multiple of one of 8 unit atoms: more atoms than dimensions
const [n, atoms, m] = [6, 8, 300];
const r = random(5, "example");
const planted = Array.from({ length: atoms }, () => {
  const d = Array.from({ length: n }, () => r.normal());
  return d.map((v) => v / Math.hypot(...d));
});
const samples = Array.from({ length: m }, () => {
  const [atom, x] = [planted[r.integer(atoms)]!, r.normal()];
  return atom.map((v) => (x + Math.sign(x)) * v);
});
const Y = { rows: m, cols: n, data: Float64Array.from(samples.flat()) };

// min ½‖CDᵀ − Y‖² + w·Σ√(c² + ε²)  [Olshausen, Field 1996]
const [weight, epsilon] = [0.05, 1e-2];
const { X, certificate, status } = await minimize(
  formula(({ D, C }) => {
    const misfit = scale(0.5, sum(square(sub(mul(C, t(D)), Y))));
    return add(misfit, scale(weight, sum(smoothAbs(C, epsilon))));
  }),
  { on: product({ D: oblique(n, atoms), C: euclidean(m, atoms) }), tol: 1e-4 },
);
const column = (j: number) => Array.from({ length: n }, (_, i) => X.D.data[i * atoms + j]!);
const computed = Array.from({ length: atoms }, (_, j) => column(j));
const cosine = (a: number[], b: number[]) => Math.abs(a.reduce((s, v, i) => s + v * b[i]!, 0));
const best = planted.map((d) => Math.max(...computed.map((e) => cosine(d, e))));
console.log(`${status}, certificate: ${certificate.level}`);
console.log(`cosine of each planted atom with the nearest computed one: ${best.map((c) => c.toFixed(3)).join(" ")}`);
