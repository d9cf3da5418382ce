import { minimize, nonnegative, random, sphere } from "expen";
import { formula, mul, neg, t } from "expen/tape";

// nonnegative PCA of a spike with noise
const { normal } = random(2, "spike");
const spike = Array.from({ length: 60 }, (_, i) => (i % 10 === 0 ? 1 / Math.sqrt(6) : 0));
const N = spike.map(() => spike.map(() => normal() / 60));
const Z = spike.map((a, i) => spike.map((b, j) => a * b + (N[i]![j]! + N[j]![i]!) / 2));
const { status, X } = await minimize(
  formula((x) => neg(mul(t(x), Z, x))),
  { on: sphere(60), subjectTo: [nonnegative()] },
);
console.log(status, X.data.every((x) => x > -1e-6), X.data.reduce((s, x, i) => s + x * spike[i]!, 0) > 0.95); // biome-ignore format: short
