/** Eigenproblems by Krylov spaces: the known minimum, on every kind of engine; nothing missed of multiple eigenvalues. */
import { describe, expect, test } from "vitest";
import { sparseFromTriplets } from "../../src/arrays/sparse.js";
import { constantTridiagonal } from "../../src/arrays/tridiagonal.js";
import { jsEngine } from "../../src/engines/js.js";
import { quadraticObjective } from "../../src/objective/quadratic-objective.js";
import { unitSymmetric } from "../../src/problems/instances.js";
import { random } from "../../src/random.js";
import { randomStart } from "../../src/run/start.js";
import { krylovExpen } from "../../src/solvers/krylov/krylov-expen.js";
import { columnsLeft, distance } from "../../src/solvers/krylov/looks.js";
import { krylovSizes, wayOf } from "../../src/solvers/krylov/plan.js";
import { crowded } from "../../src/solvers/krylov/settled.js";
import type { Engine, Matrix, Objective, QuadraticForm, Sparse, State, Tall, Tridiagonal } from "../../src/types.js";
import { drain } from "../contracts/solver.js";
import { opaque } from "../engines/opaque.js";
import { split } from "../engines/split.js";

/** The Laplacian of a k×k×k grid: eigenvalues that stand three and six times */
function grid(k: number): { A: Sparse; values: number[] } {
  const [i, j, v]: [number[], number[], number[]] = [[], [], []];
  const add = (row: number, col: number, value: number): void => {
    i.push(row);
    j.push(col);
    v.push(value);
  };
  const steps = [1, k, k * k];
  for (let row = 0; row < k ** 3; row++) {
    add(row, row, 6);
    for (const step of steps) {
      const at = Math.floor(row / step) % k;
      if (at > 0) add(row, row - step, -1);
      if (at < k - 1) add(row, row + step, -1);
    }
  }
  const one = Array.from({ length: k }, (_, a) => 2 - 2 * Math.cos((Math.PI * (a + 1)) / (k + 1)));
  const values = one.flatMap((a) => one.flatMap((b) => one.map((c) => a + b + c))).sort((a, b) => a - b);
  return { A: sparseFromTriplets(k ** 3, k ** 3, i, j, v), values };
}

/** In `.ci/run` all spectra, in `npm test` a few */
const LONG = process.env.EXPEN_LONG;

const { A: laplacian, values } = grid(9);
const n = laplacian.rows;
const half = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / 2;

function objectiveOf(E: Engine, p: number, A: Matrix | Sparse, C?: Matrix): Objective & { quadratic: QuadraticForm } {
  const { apply, flops } = E.operator(A);
  const form = { apply: (Y: Tall, X: Tall) => apply(Y, X), flops, ...(C && { C: E.small(p, p, C.data) }) };
  return quadraticObjective(E, A.rows, p, form) as Objective & { quadratic: QuadraticForm };
}

/** The last state, when the gradient norm is below the tolerance */
function run(E: Engine, f: Objective & { quadratic: QuadraticForm }, tolerance: number): State {
  const steps = krylovExpen(E, f, randomStart(E, f.n, f.p, 1), { tolerance });
  for (;;) {
    const next = steps.next();
    if (next.done) throw new Error(next.value.text);
    if (next.value.gnorm <= tolerance || next.value.k > 300) return next.value;
  }
}

/** Calls take long beside all else, as on a device */
const SLOW_CALLS = { flops: 1e10, bytes: 1e11, call: 1e-4 };

describe.each([
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
  ["a device", () => ({ ...jsEngine(), speeds: SLOW_CALLS })],
] as [string, () => Engine][])("on %s", (_name, open) => {
  test("the lowest eigenvectors of a Laplacian with multiple eigenvalues; gradient and orthogonality are what is said", () => {
    const E = open();
    const p = 8;
    const f = objectiveOf(E, p, laplacian);
    const tolerance = 1e-6;
    const { X, f: value, gnorm } = run(E, f, tolerance);
    expect(gnorm).toBeLessThanOrEqual(tolerance);
    // second order in the residual, the gap to the next eigenvalue being 0.1
    expect(Math.abs(value - half(values.slice(0, p)))).toBeLessThanOrEqual(1e-9);
    const [G, S, K] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
    f.fg(G, X);
    E.tmul(S, X, G);
    E.mul(G, X, S, -1, 1);
    expect(Math.sqrt(E.dot(G, G))).toBeLessThanOrEqual(1.01 * tolerance);
    E.gram(K, X);
    E.addDiagonal(K, -1);
    expect(Math.sqrt(E.dot(K, K))).toBeLessThanOrEqual(1e-12);
  });
});

test("an engine whose calls are dear takes wide blocks: fewer products, each with more columns", () => {
  const [host, device] = [undefined, SLOW_CALLS].map((speeds) => {
    const E = { ...jsEngine(), ...(speeds && { speeds }) };
    const p = 13;
    const { apply, flops } = E.operator(laplacian);
    const widths: number[] = [];
    const count = (Y: Tall, X: Tall): void => {
      widths.push(X.cols);
      apply(Y, X);
    };
    const f = quadraticObjective(E, n, p, { apply: count, flops }) as Objective & { quadratic: QuadraticForm };
    const { f: value } = run(E, f, 1e-6);
    expect(Math.abs(value - half(values.slice(0, p)))).toBeLessThanOrEqual(1e-9);
    return { calls: widths.length, width: Math.max(...widths.slice(1)) };
  }) as [{ calls: number; width: number }, { calls: number; width: number }];
  expect(host.width).toBe(2);
  expect(device.width).toBeGreaterThanOrEqual(8);
  expect(device.calls).toBeLessThan(0.4 * host.calls);
  const H200 = { ...jsEngine(), speeds: { flops: 3.3e13, bytes: 4e12, call: 1e-5 } };
  const form = { apply: () => {}, flops: 2 * 16_000 ** 2 };
  expect(krylovSizes(H200, 16_000, 50, form).b).toBeGreaterThanOrEqual(16);
  expect(wayOf(H200, 16_000, 50, form)).toBe("krylov");
  expect(wayOf(H200, 1500, 50, { ...form, flops: 2 * 1500 ** 2 })).toBe("direct");
});

test("with C: both ends of the spectrum, paired with its eigenvalues", () => {
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
  run(E, f as Objective & { quadratic: QuadraticForm }, 1e-6);
  expect(products).toBeLessThanOrEqual(500);
});

test("the default takes it for a form without a linear term, and says when a dense factorization was shorter", () => {
  const E = jsEngine();
  const p = 4;
  const f = objectiveOf(E, p, laplacian);
  const result = drain(E, f, {});
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
  const direct = drain(E, hard, { tol: 1e-12 });
  expect(direct.reason.text).toMatch(/dense factorization \(n = 260\)/);
  expect(Math.abs(direct.fval - half([...spectrum.slice(0, p)]))).toBeLessThanOrEqual(1e-13);
});

test("an eigenvalue that stands far more often than a block has columns: random vectors are tried again while f falls", () => {
  const [E, size, p] = [jsEngine(), 1000, 20];
  // 30 vectors of −1 beside a spectrum that is found at once
  const spectrum = Float64Array.from({ length: size }, (_, k) => (k % 13 === 0 && k < 390 ? -1 : 1 + k / size));
  const places = spectrum.map((_, k) => k);
  const f = objectiveOf(E, p, sparseFromTriplets(size, size, places, places, spectrum));
  const { f: value, gnorm } = run(E, f, 1e-6);
  expect(gnorm).toBeLessThanOrEqual(1e-6);
  expect(Math.abs(value + p / 2)).toBeLessThanOrEqual(1e-9);
});

describe("in Krylov spaces of an inverse", () => {
  /** with the matrix of B, so that it may be factorized */
  function declared(E: Engine, p: number, matrix: Sparse | Tridiagonal, A: Matrix | Sparse | Tridiagonal = matrix) {
    const { apply, flops, rows } = E.operator(A);
    const form = { apply: (Y: Tall, X: Tall) => apply(Y, X), flops, matrix };
    return quadraticObjective(E, rows, p, form) as Objective & { quadratic: QuadraticForm };
  }
  const { A: large, values: all } = grid(15);

  test.each([
    ["js", jsEngine],
    ["opaque", () => opaque(jsEngine())],
  ] as [string, () => Engine][])("of a sparse B: few solves, nothing missed, what is said is so: %s", (_name, open) => {
    const E = open();
    const [p, tolerance] = [18, 1e-7];
    const f = declared(E, p, large);
    const { X, f: value, gnorm, notes } = run(E, f, tolerance);
    expect(gnorm).toBeLessThanOrEqual(tolerance);
    expect(Math.abs(value - half(all.slice(0, p)))).toBeLessThanOrEqual(1e-11);
    expect(notes!.sigma).toBeLessThan(all[0]!);
    expect(notes!.solves).toBeLessThanOrEqual(11 * p);
    const [G, S, K] = [E.tall(f.n, p), E.small(p, p), E.small(p, p)];
    f.fg(G, X);
    E.tmul(S, X, G);
    E.mul(G, X, S, -1, 1);
    expect(Math.abs(Math.sqrt(E.dot(G, G)) - gnorm)).toBeLessThanOrEqual(1e-12);
    E.gram(K, X);
    E.addDiagonal(K, -1);
    expect(Math.sqrt(E.dot(K, K))).toBeLessThanOrEqual(1e-12);
  });

  test("of a tridiagonal B, in linear time; proved to be the minimum", () => {
    const E = jsEngine();
    const [size, p] = [3000, 6];
    const result = drain(E, declared(E, p, constantTridiagonal(size, -1, 2, -1)), { tol: 1e-8 });
    const lambda = Array.from({ length: p }, (_, k) => 4 * Math.sin(((k + 1) * Math.PI) / (2 * size + 2)) ** 2);
    expect(Math.abs(result.fval - half(lambda))).toBeLessThanOrEqual(1e-10);
    expect(result.notes.join()).toMatch(/Krylov spaces of \(B − σI\)⁻¹/);
    expect(result.certificate.level).toBe("global");
  });

  test("of the largest eigenvalues, for which no bound is near: a shift is found below", () => {
    const E = jsEngine();
    const minus = { ...large, values: large.values.map((v) => -v) };
    const { f: value, notes } = run(E, declared(E, 18, minus), 1e-6);
    expect(Math.abs(value + half(all.slice(-18)))).toBeLessThanOrEqual(1e-9);
    expect(notes!.solves).toBeGreaterThan(0);
  });

  test("a matrix that is not that of `apply` is found out, and B itself is taken", () => {
    const E = jsEngine();
    const other = { ...laplacian, values: laplacian.values.map((v, k) => (v > 0 ? v + (k % 3) : v)) };
    const { f: value, gnorm } = run(E, declared(E, 3, other, laplacian), 1e-6);
    expect(gnorm).toBeLessThanOrEqual(1e-6);
    expect(Math.abs(value - half(values.slice(0, 3)))).toBeLessThanOrEqual(1e-9);
  });
});

test("together: b values within δ of each other, the first of them wanted", () => {
  const ritz = (...theta: number[]) => ({ theta: Float64Array.from(theta) }) as never;
  const low = { low: 2, high: 0 } as never;
  const both = { low: 1, high: 1 } as never;
  const delta = 1e-5; // 10^(6/2)·ρ for b = 2
  expect(crowded(ritz(0, 1, 2, 2), low, 2, 1e-8)).toBe(false);
  expect(crowded(ritz(0, 1, 1 + 0.9 * delta, 2), low, 2, 1e-8)).toBe(true);
  expect(crowded(ritz(0, 1, 1 + 1.1 * delta, 2), low, 2, 1e-8)).toBe(false);
  expect(crowded(ritz(0, 0, 0.5, 1), low, 3, 1e-8)).toBe(false);
  expect(crowded(ritz(0, 0, 0, 1), low, 3, 1e-8)).toBe(true);
  expect(crowded(ritz(0, 1, 2, 2), both, 2, 1e-8)).toBe(true);
  expect(crowded(ritz(0, 1, 2, 3), both, 2, 1e-8)).toBe(false);
});

test("nothing is missed of eigenvalues that stand up to seven times or lie in clusters, at loose and tight tolerances", () => {
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
      const f = quadraticObjective(E, size, p, { apply }) as Objective & { quadratic: QuadraticForm };
      const lowest = half(Array.from({ length: p }, (_, i) => spectrum(i)));
      // f is above by ‖gradient‖² divided by gaps, each at least that of the last wanted value and the next one, or by less than a gap
      expect(run(E, f, tolerance).f - lowest, `spectrum ${at}, ${tolerance}`).toBeLessThan(
        tolerance ** 2 * size + 1e-12,
      );
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

test("a start among eigenvectors that are not the lowest is left", () => {
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

test("the way is decided in one place", () => {
  const E = jsEngine();
  const form = (flops: number, L?: Tall): QuadraticForm => ({ apply: () => {}, flops, ...(L && { L }) });
  expect(wayOf(E, 40_000, 20, form(400_000))).toBe("krylov");
  const inverse = { unknown: 0, entries: 1.3e6, flops: 9e7, bound: 0, at: () => undefined };
  expect(wayOf(E, 40_000, 20, form(400_000), inverse)).toBe("inverse");
  const blas = { ...E, factor: { ...E.factor, library: "LAPACK", lowest: () => false } };
  // its size is not asked for where that takes long beside a run
  const never = (): number => expect.unreachable();
  const unknown = Object.defineProperties({ ...inverse, unknown: 400_000 }, { entries: { get: never } });
  expect(wayOf(blas, 40_000, 5, form(400_000), unknown)).toBe("krylov");
  // a factorization with much fill
  expect(wayOf(E, 40_000, 20, form(400_000), { ...inverse, entries: 5e7, flops: 1e11 })).toBe("krylov");
  expect(wayOf(E, 40_000, 20, form(400_000, E.tall(1, 1)))).toBe("general");
  expect(wayOf(E, 100, 3, form(20_000))).toBe("general");
  expect(wayOf(E, 1000, 400, form(2e6))).toBe("direct");
  expect(wayOf(blas, 2000, 50, { ...form(8e6), matrix: unitSymmetricPlaceholder })).toBe("direct");
  expect(wayOf(blas, 2000, 10, { ...form(8e6), matrix: unitSymmetricPlaceholder })).toBe("krylov");
  expect(wayOf(blas, 1000, 10, { ...form(2e6), matrix: unitSymmetricPlaceholder })).toBe("krylov");
  expect(wayOf(blas, 500, 10, { ...form(5e5), matrix: unitSymmetricPlaceholder })).toBe("direct");
});
const unitSymmetricPlaceholder = unitSymmetric(3, random(1, "any"));

test("columns that are left: pairs converge one after the other, and copies that come late do not count as no progress", () => {
  const target = 1e-6;
  const one = Math.log(1e6);
  expect(distance(Float64Array.of(1, 1e-7, 1), target)).toBeCloseTo(2 * one, 10);
  // a first space of 20 columns, then ten for each
  const left = (...distances: number[]): number =>
    columnsLeft(distances.map((d, i) => ({ multiplied: i === 0 ? 0 : 10 * (i + 1), distance: d * one })));
  expect(left(4, 3)).toBeCloseTo(60, 10);
  expect(left(4, 3, 2)).toBeCloseTo(30, 10);
  expect(left(9, 5, 4, 4)).toBeCloseTo(80, 10);
  expect(left(9, 8, 7, 4, 1)).toBeCloseTo(20 / 6, 10);
  expect(left(20, 8, 2, 1, 1, 2)).toBeCloseTo((2 * 40) / 6, 10);
  expect(left(1, 1, 1)).toBe(Number.POSITIVE_INFINITY);
});
