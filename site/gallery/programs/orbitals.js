// Six electrons in a double well repel each other. The energy of their density is minimised directly, without self-consistent iterations.
import { constantTridiagonal, minimize, stiefel } from "expen";
import { add, formula, hadamard, mul, norm2, rowSums, scale, square, sum, t, trace } from "expen/tape";
import { lines } from "../plot.js";
import { columnsOf } from "../rows.js";

const [n, p, repulsion] = [200, 6, 12];
const h = 12 / (n + 1);
const x = Array.from({ length: n }, (_, i) => -6 + h * (i + 1));
const well = x.map((v) => 0.02 * (v * v - 9) ** 2);
const kinetic = constantTridiagonal(n, -0.5 / h ** 2, 1 / h ** 2, -0.5 / h ** 2);
const V = { rows: n, cols: 1, data: Float64Array.from(well) };
const energy = formula((X) => {
  const density = rowSums(square(X));
  const parts = [trace(mul(t(X), kinetic, X)), sum(hadamard(V, density)), scale(repulsion / 2, norm2(density))];
  return parts.reduce((a, b) => add(a, b));
});
const { X, fval, certificate, iterations } = await minimize(energy, { on: stiefel(n, p) });

const density = x.map((_, i) => columnsOf(X).reduce((total, column) => total + column[i] ** 2, 0) / h);
export const text = `energy ${fval.toFixed(6)} after ${iterations} iterations; certificate: ${certificate.level}`;
export const answer = { fval, electrons: density.reduce((a, b) => a + b) * h, level: certificate.level };
export const picture = lines([well.map((v) => Math.min(v, 3)), density], {
  title: "Six electrons in a double well",
  names: ["potential", "density"],
  at: x,
  x: "place",
});
