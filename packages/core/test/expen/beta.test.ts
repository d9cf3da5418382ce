import type { Small, Tall } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { js as E, linear, normal, normalSmall, rayleigh, wavy } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import type { Objective } from "../../src/contracts/objective.js";
import { fixedBeta, sampledBeta, stageBeta, theoryBeta } from "../../src/expen/beta.js";
import { expen } from "../../src/expen/penalty.js";
import { randomStart } from "../../src/run/start.js";
import { gradient as gradientOf, hessianMatrix } from "./parts.js";

const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
const scaled = (f: Objective, c: number): Objective => ({
  ...f,
  f: (X) => c * f.f(X),
  fg(G, X) {
    const value = f.fg(G, X);
    E.combine(G, c, G, 0, G);
    return c * value;
  },
});

describe("rules for β", () => {
  const L = normal(E, 12, 3, 1);
  const X0 = randomStart(E, 12, 3, 1);

  test("paper, section 4.2: a tenth of the gradient", () => {
    expect(fixedBeta(E, linear(E, L), X0, "paper")).toBeCloseTo(norm(L) / 10, 12);
  });

  test("a number is itself; others are refused in a sentence", () => {
    expect(fixedBeta(E, linear(E, L), X0, 7)).toBe(7);
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => fixedBeta(E, linear(E, L), X0, bad)).toThrow(/beta is .*positive number/);
    }
  });

  test("CDOpt's: seeded, grows with f, and is at least its floor in our scale", () => {
    const f = wavy(E, 12, 3);
    const one = sampledBeta(E, f, X0, 1);
    expect(sampledBeta(E, f, X0, 1)).toBe(one);
    expect(sampledBeta(E, f, X0, 2)).not.toBe(one);
    expect(sampledBeta(E, scaled(f, 10), X0, 1)).toBeCloseTo(10 * one, 8);
    const constant: Objective = { n: 12, p: 3, f: () => 5, fg: () => 5 };
    // 2 (their β is half of ours) · 1.2 · 2 · 1e-5
    expect(sampledBeta(E, constant, X0, 1)).toBeCloseTo(4.8e-5, 12);
  });

  test("theory, section 2.2: max{12·M1, 6·M2} from given constants, and estimates that reach them on a quadratic", () => {
    const A = normalSmall(E, 12, 12, 3);
    E.symmetrize(A);
    const f = rayleigh(E, A, 3);
    expect(theoryBeta(E, f, X0, { M1: 2, M2: 5 })).toBe(30);
    expect(theoryBeta(E, f, X0, { M1: 3, M2: 5 })).toBe(36);
    // ‖A(X)‖₂ ≤ 1 in the ball, so that M1 ≤ ‖A‖₂√p and M2 ≤ ‖A‖₂(9/4 + 3·(13/12)) (constants.ts)
    const { values } = eigh(E, A);
    const size = Math.max(-values[0]!, values[11]!);
    const gradient = theoryBeta(E, f, X0, { M2: 0 }) / 12;
    expect(gradient).toBeLessThanOrEqual(size * Math.sqrt(3));
    expect(gradient).toBeGreaterThanOrEqual(norm(gradientOf(f, X0)) * (1 - 1e-12));
    const lipschitz = theoryBeta(E, f, X0, { M1: 0 }) / 6;
    const ofG = eigh(E, hessianMatrix(expen(E, f, 0), X0)).values;
    expect(lipschitz).toBeLessThanOrEqual(5.5 * size);
    expect(lipschitz).toBeGreaterThan(0.7 * Math.max(-ofG[0]!, ofG[35]!));
  });

  test("of a stage: unchanged by M + cI, positive for p = 1", () => {
    const beta = stageBeta(3);
    const M = normalSmall(E, 3, 3, 5);
    E.symmetrize(M);
    const before = beta(M, 0.5, 0.2);
    E.addDiagonal(M, 1000);
    expect(beta(M, 0.5, 0.2)).toBeCloseTo(before, 9);
    expect(stageBeta(1)(E.small(1, 1), 0.5, 0)).toBeGreaterThan(0);
  });
});
