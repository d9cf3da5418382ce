/** XᵀBX = I where B is an action: the frame of pairs (X, BX), B⁻¹ by conjugate gradients. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import type { Part } from "@expen/linalg/memory";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { afterEach, describe, expect, test, vi } from "vitest";
import { generalizedStiefel } from "../../src/manifolds/named.js";
import { memoryInPairs, partsInPairs } from "../../src/methods/quasi-newton/frame-metric.js";
import { usualMemory } from "../../src/methods/quasi-newton/memory.js";
import { minimize } from "../../src/minimize.js";

afterEach(() => vi.unstubAllEnvs());

// beyond the size at which B is formed, 128p
const [n, p] = [400, 3];
const OPTIONS = { relTol: 1e-7, check: false, certificate: "stationary" } as const;

/** A reflected diagonal H·Diag(1 … condition)·H with H = I − 2vvᵀ, and its inverse */
function metric(E: Engine, condition: number) {
  const v = E.tall(n, 1);
  E.write(v, random(1, "v").normal);
  E.combine(v, 1 / Math.sqrt(E.dot(v, v)), v, 0, v);
  const numbers = E.read(v);
  const power = (sign: number) => Float64Array.from({ length: n }, (_, i) => condition ** ((sign * i) / (n - 1)));
  const map = (d: Float64Array) => (Y: Tall, X: Tall) => {
    products.count++;
    const [x, cols] = [Float64Array.from(E.read(X)), X.cols];
    const reflect = () => {
      for (let j = 0; j < cols; j++) {
        let s = 0;
        for (let i = 0; i < n; i++) s += numbers[i]! * x[i * cols + j]!;
        for (let i = 0; i < n; i++) x[i * cols + j]! -= 2 * s * numbers[i]!;
      }
    };
    reflect();
    for (let i = 0; i < n; i++) for (let j = 0; j < cols; j++) x[i * cols + j]! *= d[i]!;
    reflect();
    E.write(Y, x);
  };
  const products = { count: 0 };
  return { rows: n, apply: map(power(1)), solve: map(power(-1)), products };
}

/** The same B as a matrix, whose factor is known */
function asMatrix(condition: number) {
  const E = jsEngine();
  const [I, B] = [E.tall(n, n), E.tall(n, n)];
  for (let i = 0; i < n; i++) I.data[i * (n + 1)] = 1;
  metric(E, condition).apply(B, I);
  const S = E.small(n, n, B.data);
  E.symmetrize(S);
  return { rows: n, cols: n, data: E.read(S) };
}

/** ½⟨X, DX⟩ + ¼·3Σ‖row of X‖⁴, D = Diag(i) in random order of the entries */
function quartic(E: Engine) {
  const D = E.tall(n, 1);
  E.write(D, random(2, "D").normal);
  const [r, dX] = [E.tall(n, 1), E.tall(n, p)];
  return {
    fg(G: Tall, X: Tall): number {
      E.scaleRows(dX, D, X, 1);
      E.rowDots(r, X, X);
      E.scaleRows(G, r, X, 3);
      const value = 0.5 * E.dot(dX, X) + 0.25 * E.dot(G, X);
      E.combine(G, 1, G, 1, dX);
      return value;
    },
  };
}

const ENGINES: [string, () => Engine][] = [
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];

describe.each(ENGINES)("on %s", (_, make) => {
  const E = make();
  const f = quartic(E);
  const start = generalizedStiefel(asMatrix(100), p).bind(E);
  const x = start.on.point();
  start.on.random(x, random(3, "start"));

  test("evaluations are those of a B with a factor, and the point is feasible to rounding", async () => {
    const options = { ...OPTIONS, start: x.X, engine: E };
    const known = await minimize(f, { ...options, on: generalizedStiefel(asMatrix(100), p) });
    const { products, solve: _solve, ...action } = metric(E, 100);
    const own = await minimize(f, { ...options, on: generalizedStiefel(action, p) });
    expect(own.status).toBe("converged");
    expect(Math.abs(own.fval - known.fval)).toBeLessThan(1e-10 * Math.abs(known.fval));
    expect(own.feasibility).toBeLessThan(1e-12);
    // a thousand steps in other coordinates: roundoff alone changes their number by a quarter
    expect(own.evaluations.grad).toBeLessThan(1.5 * known.evaluations.grad);
    // √κ/2·ln(2/0.01) = 26 steps of conjugate gradients at most, and the point's own product
    expect(products.count).toBeLessThan(30 * own.evaluations.grad + 100);
  });

  test("with `solve` the condition of B does not count", async () => {
    const options = { ...OPTIONS, engine: E, seed: 2 };
    const known = await minimize(f, { ...options, on: generalizedStiefel(asMatrix(1e6), p) });
    const { products, ...action } = metric(E, 1e6);
    const own = await minimize(f, { ...options, on: generalizedStiefel(action, p) });
    expect(own.status).toBe("converged");
    expect(own.fval).toBeLessThan(known.fval + 1e-3 * Math.abs(known.fval));
    expect(own.evaluations.grad).toBeLessThan(2 * known.evaluations.grad);
    // one step of conjugate gradients each
    expect(products.count).toBeLessThan(5 * own.evaluations.grad + 200);
  });
});

test("a run with its check, which knows the gradient at the start, begins in pairs and ends with a certificate", async () => {
  const E = jsEngine();
  const { apply } = metric(E, 10);
  const { run, status, certificate } = await minimize(quartic(E), {
    on: generalizedStiefel({ rows: n, apply }, p),
    engine: E,
    relTol: 1e-6,
  });
  expect(run.why).toMatch(/conjugate gradients/);
  expect(status).toBe("converged");
  expect(certificate.level).not.toBe("none");
});

test.each([undefined, 2, 7])("memory %s: a run in pairs makes as many matrices as it declares", async (memory) => {
  const base = jsEngine();
  const made = { count: 0 };
  const tall: Engine["tall"] = (rows, cols, numbers) => {
    if (rows === n && cols === p) made.count++;
    return base.tall(rows, cols, numbers);
  };
  const { apply } = metric(base, 10);
  const f = quartic(base);
  const on = generalizedStiefel({ rows: n, apply }, p);
  const options = { on, engine: { ...base, tall }, maxIterations: 30, ...(memory && { memory }) };
  await minimize(f, options);
  const [{ count }] = partsInPairs(n, p, memory) as [Part];
  expect(made.count).toBeLessThanOrEqual(count);
  expect(made.count).toBeGreaterThan(count - 10);
  // more than the default declares for matrices alone
  vi.stubEnv("EXPEN_MEMORY", String((0.99 * 8 * n * p * count) / 1e9));
  await expect(minimize(f, options)).rejects.toThrow(`${count} matrices of 9.60 kB`);
});

test("pairs of large points take no more memory than matrices do", () => {
  expect(memoryInPairs(2 ** 20, 4)).toBe(usualMemory(2 ** 23));
});

test("a B that takes many steps has no frame, unless `solve` shortens them", () => {
  const E = jsEngine();
  const { apply, solve } = metric(E, 1e6);
  const traits = (B: Parameters<typeof generalizedStiefel>[0]) => generalizedStiefel(B, p).bind(E).on.traits;
  expect(traits({ rows: n, apply }).metric!.pairs!()).toBeUndefined();
  expect(traits({ rows: n, apply, solve }).metric!.pairs!()).toBeDefined();
});

test("a `solve` that is not positive definite is refused", () => {
  const E = jsEngine();
  const { apply, solve } = metric(E, 10);
  const negative = (X: Tall, Y: Tall): void => {
    solve(X, Y);
    E.combine(X, -1, X, 0, X);
  };
  const { metric: own } = generalizedStiefel({ rows: n, apply, solve: negative }, p).bind(E).on.traits;
  expect(() => own!.pairs!()).toThrow(
    /^generalizedStiefel: solve\(X, Y\) is not positive definite: ⟨Y, X⟩ is -.* for X ← B⁻¹Y, and must be above 0\.$/,
  );
});
