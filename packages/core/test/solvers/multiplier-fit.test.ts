import { random } from "@expen/linalg";
import { expect, test } from "vitest";
import { multiplierFit, multiplierModel } from "../../src/methods/quasi-newton/first/multiplier.js";

const r = random(3, "multiplier");
const p = 5;
const w = Float64Array.from({ length: p }, (_, j) => j - 1);
const numbers = (): Float64Array => Float64Array.from({ length: p }, r.normal);
const sum = (of: (j: number) => number): number => w.reduce((total, _, j) => total + of(j), 0);

/** Sums of the pair s, y = (σ − τw)∘s: one row, in the eigenbasis of S = Diag(w) */
function pairOf(sigma: number, tau: number): [ss: number, sS: number, SS: number, sy: number, Sy: number, yy: number] {
  const s = numbers();
  const y = s.map((v, j) => (sigma - tau * w[j]!) * v);
  return [
    sum((j) => s[j]! ** 2),
    sum((j) => s[j]! ** 2 * w[j]!),
    sum((j) => (s[j]! * w[j]!) ** 2),
    sum((j) => s[j]! * y[j]!),
    sum((j) => s[j]! * w[j]! * y[j]!),
    sum((j) => y[j]! ** 2),
  ];
}

test.each([
  [1, 1],
  [0.6, 0.6],
  [1.7, 1],
  [0.2, 0],
  [-1, 0],
])("pairs y = σs − τsS with τ = %f are fitted by τ = %f", (planted, tau) => {
  const fit = multiplierFit();
  let found = Number.NaN;
  for (let k = 0; k < 3; k++) found = fit.add(...pairOf(9, planted));
  expect(found).toBeCloseTo(tau, 10);
});

test("σ is raised until the model is definite, with a margin of the deviation, and no further than a hundred of it", () => {
  const fit = multiplierFit();
  fit.add(...pairOf(9, 1));
  const above = (least: number) => (sigma: number) => sigma > least;
  expect(fit.raised(9, 2, above(3))).toBeCloseTo(9, 14);
  const raised = fit.raised(1, 2, above(3))!;
  expect(raised).toBeGreaterThan(3);
  expect(raised).toBeLessThan(7);
  expect(fit.raised(1, 2, () => false)).toBeUndefined();
  expect(fit.raised(1, 0, () => false)).toBeUndefined();
});

test("in the eigenbasis the model of exact pairs is their curvature, and it does not change with f + c/2·‖X‖²", () => {
  const model = (shift: number): Float64Array => {
    const fitted = multiplierModel(p);
    const own = random(4, "pairs");
    const d = new Float64Array(p);
    for (let k = 0; k < 3; k++) {
      const s = Float64Array.from({ length: p }, own.normal);
      const y = s.map((v, j) => (6 - w[j]!) * v);
      const [a, b, e] = [s.map((v) => v * v), y.map((v) => v * v), s.map((v, j) => v * y[j]!)];
      fitted.fit(d, a, b, e, w.map((v) => v + shift), sum((j) => b[j]!)); // biome-ignore format: one thought
    }
    return d;
  };
  const plain = model(0);
  for (let j = 0; j < p; j++) expect(plain[j]).toBeCloseTo(6 - w[j]!, 10);
  const shifted = model(20);
  for (let j = 0; j < p; j++) expect(shifted[j]).toBeCloseTo(plain[j]!, 10);
});
