/** Eigenproblems with a preconditioner: correct reports on every kind of engine, few products, and restarts. */

import type { Precondition, Solver, State } from "@expen/core";
import { quadraticObjective, randomStart, stiefel } from "@expen/core";
import type { Engine, Sparse, Tall } from "@expen/linalg";
import { random, unitSymmetric } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { eigh, orthonormalizer } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { half, measuredAt, type Quadratic } from "@expen/testing/solvers/krylov";
import { describe, expect, test } from "vitest";
import { projection } from "../src/krylov/projection.js";
import { davidsonExpen } from "../src/subspace/davidson.js";
import { panels } from "../src/subspace/panels.js";
import { previousVectors } from "../src/subspace/previous-vectors.js";
import { subspaceExpen } from "../src/subspace/subspace.js";

const engines: [string, () => Engine][] = [
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];

/** tridiag(−1, 2, −1) */
function path(n: number): Sparse {
  const [i, j, v]: [number[], number[], number[]] = [[], [], []];
  for (let row = 0; row < n; row++) {
    for (const col of [row - 1, row, row + 1].filter((at) => at >= 0 && at < n)) {
      i.push(row);
      j.push(col);
      v.push(col === row ? 2 : -1);
    }
  }
  return sparseFromTriplets(n, n, i, j, v);
}

/** B = T + Diag(v), T the Laplacian of a path and v positive, and P = (T + ν)⁻¹, ν the mean of v: a good P, not an exact one */
function potential(
  E: Engine,
  p: number,
): { f: Quadratic; precondition: Precondition; values: number[]; products(): number } {
  const n = 300;
  const A = path(n);
  const { normal } = random(5, "potential");
  const v = Float64Array.from({ length: n }, () => 1e-3 * Math.abs(normal()));
  const mean = v.reduce((sum, one) => sum + one, 0) / n;
  const [laplacian, diagonal] = [E.operator(A), E.tall(n, 1, v)];
  let products = 0;
  const apply = (Y: Tall, X: Tall): void => {
    products += X.cols;
    E.scaleRows(Y, diagonal, X);
    laplacian.apply(Y, X, 1, 1);
  };
  const dense = (add: (i: number) => number) => {
    const data = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let k = A.pointers[i]!; k < A.pointers[i + 1]!; k++) data[i * n + A.indices[k]!] = A.values[k]!;
      data[i * (n + 1)]! += add(i);
    }
    return data;
  };
  const js = jsEngine();
  const { values, vectors } = eigh(
    js,
    js.small(
      n,
      n,
      dense(() => mean),
    ),
  );
  const u = js.read(vectors);
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) inverse[i * n + j]! += (u[i * n + k]! * u[j * n + k]!) / values[k]!;
    }
  }
  const P = E.operator({ rows: n, cols: n, data: inverse });
  return {
    f: quadraticObjective(E, n, p, { apply, flops: 8 * n }) as Quadratic,
    precondition: (Z, _X, G) => P.apply(Z, G),
    values: [
      ...eigh(
        js,
        js.small(
          n,
          n,
          dense((i) => v[i]!),
        ),
      ).values,
    ],
    products: () => products,
  };
}

/** The last state, when the gradient norm is below the tolerance, or the run ends */
function until(steps: Solver, tolerance: number): State {
  for (let state: State | undefined; ; ) {
    const next = steps.next();
    if (next.done) return state!;
    state = next.value;
    if (state.gnorm <= tolerance || state.k > 500) return state;
  }
}

const tolerance = 1e-6;

describe.each(engines)("on %s", (_name, open) => {
  test("the lowest eigenvectors; gradient, value and orthogonality are as reported, after many restarts", () => {
    const E = open();
    const p = 6;
    const { f, precondition, values } = potential(E, p);
    const {
      X,
      f: value,
      gnorm,
      k,
    } = until(davidsonExpen(E, f, randomStart(E, f.n, p, 1), { precondition, tolerance }), tolerance);
    expect(gnorm).toBeLessThanOrEqual(tolerance);
    expect(k).toBeGreaterThan(5);
    expect(Math.abs(value - half(values.slice(0, p)))).toBeLessThanOrEqual(1e-9);
    const { residual, feasibility } = measuredAt(E, f, X);
    expect(residual).toBeLessThanOrEqual(1.01 * tolerance);
    expect(feasibility).toBeLessThanOrEqual(1e-12);
  });
});

test("fewer products than the method of three blocks with the same P", () => {
  const E = jsEngine();
  const p = 8;
  const count = (solve: (one: ReturnType<typeof potential>) => void): number => {
    const one = potential(E, p);
    solve(one);
    return one.products();
  };
  const start = randomStart(E, 300, p, 1);
  const davidson = count(({ f, ...o }) => until(davidsonExpen(E, f, start, { ...o, tolerance }), tolerance));
  const three = count(({ f, precondition }) => until(subspaceExpen(E, f, start, { precondition }), tolerance));
  expect(davidson).toBeLessThan(0.7 * three);
});

test("any nonsingular P converges, and the run ends at the rounding floor", () => {
  const E = jsEngine();
  const [n, p] = [60, 3];
  const { uniform } = random(2, "P");
  const diagonal = (numbers: (i: number) => number) =>
    E.tall(
      n,
      1,
      Float64Array.from({ length: n }, (_, i) => numbers(i)),
    );
  const B = diagonal((i) => i + 1);
  const signs = diagonal(() => (uniform() < 0.3 ? -1 : 1) * (0.5 + uniform()));
  const f = quadraticObjective(E, n, p, { apply: (Y, X) => E.scaleRows(Y, B, X), flops: n }) as Quadratic;
  const precondition: Precondition = (Z, _X, G) => E.scaleRows(Z, signs, G);
  const steps = davidsonExpen(E, f, randomStart(E, n, p, 1), { precondition, tolerance: 1e-9 });
  let value = Number.NaN;
  for (let k = 0; k < 1000; k++) {
    const next = steps.next();
    if (next.done) {
      expect(next.value.kind).toBe("rounding");
      expect(Math.abs(value - half([1, 2, 3]))).toBeLessThanOrEqual(1e-12);
      return;
    }
    value = next.value.f;
  }
  expect.unreachable("no end");
});

test("an operator whose products are not finite is reported, at the start and later", () => {
  const E = jsEngine();
  const [n, p] = [60, 3];
  for (const good of [0, 4]) {
    let calls = 0;
    const apply = (Y: Tall, X: Tall): void => {
      E.combine(Y, calls < good ? 1 + calls : Number.NaN, X, 0, X);
      calls++;
    };
    const f = quadraticObjective(E, n, p, { apply, flops: n }) as Quadratic;
    const precondition: Precondition = (Z) => E.write(Z, random(1, "Z").normal);
    const steps = davidsonExpen(E, f, randomStart(E, n, p, 1), { precondition, tolerance: 1e-9 });
    let states = 0;
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done) {
        expect(next.value).toMatchObject({ kind: "not-finite", converged: false });
        break;
      }
      states++;
    }
    expect(states).toBe(Math.max(1, good));
  }
});

test("the default uses a preconditioner in subspaces, with and without a linear term, and reports one that is not finite", async () => {
  const E = jsEngine();
  const p = 4;
  const { f, precondition, values, products } = potential(E, p);
  const given = { on: stiefel(f.n, p), engine: E, certificate: "stationary", check: false } as const;
  const helped = await minimize(f, { ...given, precondition });
  expect(helped.status).toBe("converged");
  expect(helped.fval).toBeCloseTo(half(values.slice(0, p)), 9);
  expect(products()).toBeLessThan(200);
  const broken = minimize(f, { ...given, precondition: (Z) => E.fill(Z as Tall, Number.NaN) });
  await expect(broken).rejects.toThrow("precondition gives numbers that are not finite");
  // with a linear term the minimum is that of the default without P
  const L = E.tall(
    f.n,
    p,
    Float64Array.from({ length: f.n * p }, (_, k) => 0.02 * Math.cos(k)),
  );
  const linear = quadraticObjective(E, f.n, p, { ...f.quadratic, L });
  const tight = { ...given, tol: 1e-8 };
  const [plain, spaces] = [await minimize(linear, tight), await minimize(linear, { ...tight, precondition })];
  expect(spaces.status).toBe("converged");
  expect(spaces.fval).toBeCloseTo(plain.fval, 9);
});

test.each(engines)("panels: blocks of any width, across their edges: %s", (_name, open) => {
  const E = open();
  const [n, w] = [20, 4];
  const V = panels(E, n, w);
  const whole = E.tall(n, 9);
  E.write(whole, random(1, "columns").normal);
  const numbers = E.read(whole);
  const columns = (from: number, cols: number) =>
    E.tall(
      n,
      cols,
      Float64Array.from({ length: n * cols }, (_, k) => numbers[Math.floor(k / cols) * 9 + from + (k % cols)]!),
    );
  for (const [from, cols] of [[0, 3], [3, 1], [4, 5]] as const) V.append(columns(from, cols)); // biome-ignore format: short
  expect(V.size).toBe(9);
  const { normal } = random(2, "S");
  const s = Float64Array.from({ length: 9 * 6 }, normal);
  const [Y, Z, H] = [E.tall(n, 6), E.tall(n, 6), E.small(9, 6)];
  V.multiply(Y, s);
  E.mul(Z, whole, E.small(9, 6, s));
  const near = (A: Tall, B: Tall): void => {
    E.combine(B, 1, A, -1, B);
    expect(Math.sqrt(E.dot(B, B))).toBeLessThanOrEqual(1e-12);
  };
  near(Y, Z);
  const h = new Float64Array(54);
  V.contract(h, Y);
  E.tmul(H, whole, Y);
  expect(Math.hypot(...E.read(H).map((value, k) => value - h[k]!))).toBeLessThanOrEqual(1e-11);
  V.rotate(s, 6);
  expect(V.size).toBe(6);
  const I = Float64Array.from({ length: 36 }, (_, k) => Number(k % 7 === 0));
  V.multiply(Z, I);
  near(Y, Z);
});

test("a restart keeps the lowest vectors and those of the step before, and computes T of the new basis", () => {
  const E = jsEngine();
  const [n, p] = [40, 2];
  const B = unitSymmetric(n, random(1, "B"));
  const apply = E.operator(B).apply;
  const all = E.tall(n, 12);
  const drawn = E.tall(n, 12);
  E.write(drawn, random(3, "V").normal);
  orthonormalizer(E, n, 12)(all, drawn);
  const V = panels(E, n, 16);
  const T = projection(E, 16, 2);
  const previous = previousVectors(p);
  const numbers = E.read(all);
  const extend = (from: number, cols: number): void => {
    const Q = E.tall(
      n,
      cols,
      Float64Array.from({ length: n * cols }, (_, k) => numbers[Math.floor(k / cols) * 12 + from + (k % cols)]!),
    );
    const BQ = E.tall(n, cols);
    apply(BQ, Q);
    V.append(Q);
    const h = new Float64Array(V.size * cols);
    V.contract(h, BQ);
    T.extend(h, cols);
  };
  extend(0, 8);
  const X = E.tall(n, p);
  V.multiply(X, previous.advance(T.ritzPairs()));
  extend(8, 4);
  const pairs = T.ritzPairs();
  previous.advance(pairs);
  const { theta } = pairs;
  expect(previous.distance()).toBeGreaterThan(0);
  const { s, k } = previous.restart(T, pairs, 3);
  expect(k).toBe(3 + p);
  V.rotate(s, k);
  // the vectors before lie in the new space
  const off = E.tall(n, p);
  E.copy(off, X);
  V.projectOut(off);
  expect(Math.sqrt(E.dot(off, off))).toBeLessThanOrEqual(1e-12);
  // the values are those of the space, all of them, from VᵀBV
  const [W, BW, S] = [E.tall(n, k), E.tall(n, k), E.small(k, k)];
  V.multiply(
    W,
    Float64Array.from({ length: k * k }, (_, i) => Number(i % (k + 1) === 0)),
  );
  apply(BW, W);
  E.tmul(S, W, BW);
  const after = T.ritzPairs().theta;
  for (let j = 0; j < p; j++) expect(after[j]!).toBeCloseTo(theta[j]!, 12);
  const { values: dense } = eigh(E, S);
  for (let j = 0; j < k; j++) expect(dense[j]!).toBeCloseTo(after[j]!, 12);
});
