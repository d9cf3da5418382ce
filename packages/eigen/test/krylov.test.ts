/** Eigenproblems by Krylov spaces: the known minimum, on every kind of engine, also for multiple eigenvalues. */

import type { State } from "@expen/core";
import { quadraticObjective } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { drain } from "@expen/testing/contracts/solver";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { grid, half, measuredAt, objectiveOf, type Quadratic, run } from "@expen/testing/solvers/krylov";
import { describe, expect, test } from "vitest";
import { krylovExpen } from "../src/krylov/krylov.js";
import { planOf, wayOf } from "../src/krylov/plan.js";

/** All spectra in `.ci/run`, a few in `npm test` */
const LONG = process.env.EXPEN_LONG;

const { A: laplacian, values } = grid(9);
const n = laplacian.rows;

/** Calls have a large latency, as on a device */
const SLOW_CALLS = { capacity: 1e11, speeds: { flops: 1e10, bytes: 1e11, call: 1e-4 } };

describe.each([
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
  ["a device", () => ({ ...jsEngine(), device: SLOW_CALLS })],
] as [string, () => Engine][])("on %s", (_name, open) => {
  test("the lowest eigenvectors of a Laplacian with multiple eigenvalues; gradient and orthogonality are as reported", () => {
    const E = open();
    const p = 8;
    const f = objectiveOf(E, p, laplacian);
    const tolerance = 1e-6;
    const { X, f: value, gnorm } = run(E, f, tolerance);
    expect(gnorm).toBeLessThanOrEqual(tolerance);
    // second order in the residual, the gap to the next eigenvalue being 0.1
    expect(Math.abs(value - half(values.slice(0, p)))).toBeLessThanOrEqual(1e-9);
    const { residual, feasibility } = measuredAt(E, f, X);
    expect(residual).toBeLessThanOrEqual(1.01 * tolerance);
    expect(feasibility).toBeLessThanOrEqual(1e-12);
  });
});

test("an engine with expensive calls takes wide blocks: fewer products, each with more columns", () => {
  const [host, device] = [undefined, SLOW_CALLS].map((device) => {
    const E = { ...jsEngine(), ...(device && { device }) };
    const p = 13;
    const { apply, flops } = E.operator(laplacian);
    const widths: number[] = [];
    const count = (Y: Tall, X: Tall): void => {
      widths.push(X.cols);
      apply(Y, X);
    };
    const f = quadraticObjective(E, n, p, { apply: count, flops }) as Quadratic;
    const { f: value } = run(E, f, 1e-6);
    expect(Math.abs(value - half(values.slice(0, p)))).toBeLessThanOrEqual(1e-9);
    return { calls: widths.length, width: Math.max(...widths.slice(1)) };
  }) as [{ calls: number; width: number }, { calls: number; width: number }];
  expect(host.width).toBe(2);
  expect(device.width).toBeGreaterThanOrEqual(8);
  expect(device.calls).toBeLessThan(0.4 * host.calls);
  const H200 = { ...jsEngine(), device: { capacity: 1e11, speeds: { flops: 3.3e13, bytes: 4e12, call: 1e-5 } } };
  const form = { apply: () => {}, flops: 2 * 16_000 ** 2 };
  expect(planOf(H200, 16_000, 50, form).sizes.b).toBeGreaterThanOrEqual(16);
  expect(wayOf(H200, 16_000, 50, form)).toBe("krylov");
  expect(wayOf(H200, 1500, 50, { ...form, flops: 2 * 1500 ** 2 })).toBe("direct");
});

test("with C: eigenvectors at both ends of the spectrum, paired with the eigenvalues of C", () => {
  const E = jsEngine();
  const p = 5;
  const gamma = [-2, -1, 0.5, 1, 3];
  const data = new Float64Array(p * p);
  for (const [j, value] of gamma.entries()) data[j * (p + 1)] = value;
  const { f: value } = run(E, objectiveOf(E, p, laplacian, { rows: p, cols: p, data }), 1e-6);
  const top = values.toReversed();
  const expected = (3 * values[0]! + values[1]! + 0.5 * values[2]! - 2 * top[0]! - top[1]!) / 2;
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9);
});

test("fewer products with B than the subspaces of three blocks take evaluations times columns", () => {
  const E = jsEngine();
  const p = 8;
  const { apply, flops } = E.operator(laplacian);
  let products = 0;
  const count = (Y: Tall, X: Tall): void => {
    products += X.cols;
    apply(Y, X);
  };
  const f = quadraticObjective(E, n, p, { apply: count, flops });
  run(E, f as Quadratic, 1e-6);
  expect(products).toBeLessThanOrEqual(500);
});

test("the default method for a form without a linear term; the reason names a dense factorization if one was used", async () => {
  const E = jsEngine();
  const p = 4;
  const f = objectiveOf(E, p, laplacian);
  const result = await drain(E, f, {});
  expect(result.status).toBe("converged");
  expect(Math.abs(result.fval - half(values.slice(0, p)))).toBeLessThanOrEqual(1e-9);

  // eigenvalues 10⁻⁶ … 1, evenly spaced in the logarithm, in a random basis of reflections
  const size = 260;
  const u = Float64Array.from({ length: size }, random(1, "reflection").normal);
  const scale = 2 / u.reduce((sum, v) => sum + v * v, 0);
  const spectrum = Float64Array.from({ length: size }, (_, k) => 10 ** (-6 + (6 * k) / (size - 1)));
  const B = new Float64Array(size * size);
  const uDu = u.reduce((sum, v, k) => sum + v * v * spectrum[k]!, 0);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const outer = -scale * u[i]! * u[j]! * (spectrum[i]! + spectrum[j]!) + scale * scale * uDu * u[i]! * u[j]!;
      B[i * size + j] = outer + (i === j ? spectrum[i]! : 0);
    }
  }
  const hard = objectiveOf(E, p, { rows: size, cols: size, data: B });
  const { flops } = E.counters;
  const direct = await drain(E, hard, { tol: 1e-12 });
  // a proof may take as long as the run
  expect(E.counters.flops - flops).toBeGreaterThan((4 / 3) * size ** 3);
  expect(direct.reason.text).toMatch(/dense factorization \(n = 260\)/);
  expect(Math.abs(direct.fval - half([...spectrum.slice(0, p)]))).toBeLessThanOrEqual(1e-13);
});

test("multiplicity far above the block size: rounds of random vectors follow while f decreases", () => {
  const [E, size, p] = [jsEngine(), 1000, 20];
  // eigenvalue −1 of multiplicity 30, and a spectrum that converges at once
  const spectrum = Float64Array.from({ length: size }, (_, k) => (k % 13 === 0 && k < 390 ? -1 : 1 + k / size));
  const places = spectrum.map((_, k) => k);
  const f = objectiveOf(E, p, sparseFromTriplets(size, size, places, places, spectrum));
  const { f: value, gnorm } = run(E, f, 1e-6);
  expect(gnorm).toBeLessThanOrEqual(1e-6);
  expect(Math.abs(value + p / 2)).toBeLessThanOrEqual(1e-9);
});

test("no eigenvector is missed for multiplicities up to seven and clusters, at loose and tight tolerances", () => {
  const E = jsEngine();
  const [size, p] = [600, 12];
  const spectra: ((i: number) => number)[] = [
    ...(LONG ? [1, 2, 3, 7] : [7]).map((times) => (i: number) => Math.floor(i / times) / size),
    ...(LONG ? [1e-2, 1e-4, 1e-6] : [1e-4]).map(
      (width) => (i: number) => Math.floor(i / 4) / size + ((i % 4) * width) / size,
    ),
  ];
  for (const [at, spectrum] of spectra.entries()) {
    for (const tolerance of [1e-2, 1e-6]) {
      const r = random(at + 1, "reflection");
      const q = Float64Array.from({ length: size }, () => r.normal());
      const length = Math.hypot(...q);
      const apply = (Y: Tall, X: Tall): void => reflectedDiagonal(E, Y, X, q, length, spectrum);
      const f = quadraticObjective(E, size, p, { apply }) as Quadratic;
      const lowest = half(Array.from({ length: p }, (_, i) => spectrum(i)));
      // f is above by ‖gradient‖² divided by gaps, each at least that of the last wanted value and the next one, or by less than a gap
      expect(run(E, f, tolerance).f - lowest, `spectrum ${at}, ${tolerance}`).toBeLessThan(
        tolerance ** 2 * size + 1e-12,
      );
    }
  }
});

test("no state within the tolerance is shown before random vectors add nothing: multiplicities seven and ten", () => {
  const E = jsEngine();
  const problems = (LONG ? [600, 1000] : [600]).flatMap((size) =>
    (LONG ? [6, 12, 20] : [12]).map((p) => ({ size, p })),
  );
  for (const { size, p } of problems) {
    for (const times of [7, 10]) {
      const spectrum = Float64Array.from({ length: size }, (_, i) => Math.floor(i / times) / size);
      const lowest = half([...spectrum.subarray(0, p)]);
      const places = spectrum.map((_, k) => k);
      // the second tolerance is more than half of the distance of eigenvalues
      for (const [seed, tolerance] of [
        [1, 1e-4],
        [2, 1e-4],
        [1, 1e-3],
      ] as const) {
        const f = objectiveOf(E, p, sparseFromTriplets(size, size, places, places, spectrum));
        const { f: value } = run(E, f, tolerance, seed);
        expect(value - lowest, `n = ${size}, p = ${p}, ${times} times, seed ${seed}`).toBeLessThan(
          tolerance ** 2 * size,
        );
      }
    }
  }
});

/** Y ← HDH·X, H = I − 2qqᵀ/‖q‖², D = Diag(spectrum) */
function reflectedDiagonal(
  E: Engine,
  Y: Tall,
  X: Tall,
  q: Float64Array,
  length: number,
  spectrum: (i: number) => number,
): void {
  const x = E.read(X).slice();
  const reflect = (): void => {
    for (let j = 0; j < X.cols; j++) {
      let sum = 0;
      for (let i = 0; i < X.rows; i++) sum += q[i]! * x[i * X.cols + j]!;
      for (let i = 0; i < X.rows; i++) x[i * X.cols + j]! -= (2 * sum * q[i]!) / length ** 2;
    }
  };
  reflect();
  for (let i = 0; i < x.length; i++) x[i]! *= spectrum(Math.floor(i / X.cols));
  reflect();
  E.write(Y, x);
}

test("a run leaves a start of eigenvectors that are not the lowest", () => {
  const E = jsEngine();
  const [size, p] = [300, 2];
  const main = Float64Array.from({ length: size }, (_, i) => i);
  const f = objectiveOf(E, p, sparseFromTriplets(size, size, [...main], [...main], [...main]));
  const X0 = E.tall(size, p);
  E.write(
    X0,
    Float64Array.from({ length: size * p }, (_, at) => Number(at === 5 * p || at === 9 * p + 1)),
  );
  const steps = krylovExpen(E, f, X0, { tolerance: 1e-8 });
  let state = steps.next().value as State;
  expect(state.gnorm).toBeLessThan(1e-12);
  for (; state.k === 0 || state.gnorm > 1e-8; state = steps.next().value as State);
  expect(state.f).toBeCloseTo(0.5, 10);
});
