/** Matrices of fixed rank by their factors, and probabilities by squares: planted answers, first-order conditions, wrong input. */
import { type Matrix, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { add, type Expr, formula, hadamard, inner, mul, norm2, rowSums, rows, scale, sub, t } from "@expen/tape";
import { expect, test } from "vitest";
import { checkDerivatives } from "../../src/check/derivatives.js";
import { fixedRank, ofProducts } from "../../src/manifolds/fixed-rank.js";
import { euclidean, product, sphere } from "../../src/manifolds/named.js";
import { simplex } from "../../src/manifolds/simplex.js";
import { nearestPoint } from "../../src/run/nearest-point.js";

const E = jsEngine();
const normals = (rows: number, cols: number, stream: string): Matrix => {
  const { normal } = random(9, stream);
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, normal) };
};
const times = (A: Matrix, B: Matrix): Matrix => {
  const C = E.small(A.rows, B.cols);
  E.mul(C, E.small(A.rows, A.cols, A.data), E.small(B.rows, B.cols, B.data));
  return { rows: A.rows, cols: B.cols, data: E.read(C) };
};
const entriesOf = ({ U, S, V }: { U: Matrix; S: Matrix; V: Matrix }): Matrix => {
  const Vt = { rows: V.cols, cols: V.rows, data: Float64Array.from({ length: V.data.length }, (_, k) => V.data[(k % V.rows) * V.cols + Math.floor(k / V.rows)]!) }; // biome-ignore format: the transpose
  return times(times(U, S), Vt);
};

const [m, n, r] = [30, 20, 2];
const planted = times(normals(m, r, "left"), normals(r, n, "right"));
const uniform = random(2, "seen").uniform;
const seen = [...planted.data.keys()].filter(() => uniform() < 0.5);
const [is, js] = [seen.map((k) => Math.floor(k / n)), seen.map((k) => k % n)];
const values = { rows: seen.length, cols: 1, data: Float64Array.from(seen, (k) => planted.data[k]!) };

test("completion by a formula of the factors: half of the entries tell the others", async () => {
  const misfit = formula(({ U, S, V }) => {
    const entries = rowSums(hadamard(rows(mul(U!, S!), is), rows(V!, js)));
    return scale(0.5, norm2(sub(entries, values)));
  });
  const { X, reason } = await minimize(misfit, { on: fixedRank(m, n, r), tol: 1e-8 });
  expect(reason.converged).toBe(true);
  const completed = entriesOf(X);
  expect(Math.max(...completed.data.map((x, k) => Math.abs(x - planted.data[k]!)))).toBeLessThan(1e-6);
});

test("completion by products with the sparse gradient, for which no m×n matrix is formed", async () => {
  const residuals = new Float64Array(seen.length);
  const scatter = (Y: Matrix, B: Matrix, from: number[], to: number[]): void => {
    Y.data.fill(0);
    for (const [k, e] of residuals.entries())
      for (let c = 0; c < r; c++) Y.data[to[k]! * r + c]! += e * B.data[from[k]! * r + c]!;
  };
  const f = ofProducts(({ U, S, V }) => {
    const US = times(U, S);
    for (const k of residuals.keys()) {
      residuals[k] = -values.data[k]!;
      for (let c = 0; c < r; c++) residuals[k]! += US.data[is[k]! * r + c]! * V.data[js[k]! * r + c]!;
    }
    return {
      f: 0.5 * residuals.reduce((s, e) => s + e * e, 0),
      W: { apply: (Y, V) => scatter(Y, V, js, is), applyT: (Z, U) => scatter(Z, U, is, js) },
    };
  });
  const check = checkDerivatives(E, f(E), { on: fixedRank(m, n, r) });
  expect(check).toMatchObject({ passed: true });
  const { X } = await minimize(f, { on: fixedRank(m, n, r), engine: jsEngine(), tol: 1e-8 });
  expect(Math.max(...entriesOf(X).data.map((x, k) => Math.abs(x - planted.data[k]!)))).toBeLessThan(1e-6);
});

test("regression of reduced rank: ½‖Y − AX‖² is that of the best rank of the projected data", async () => {
  const [A, Y] = [normals(40, 8, "A"), normals(40, 6, "Y")];
  const rank = 2;
  const f = formula(({ U, S, V }) => scale(0.5, norm2(sub(mul(A, U!, S!, t(V!)), Y))));
  const { fval, certificate } = await minimize(f, { on: fixedRank(8, 6, rank), certificate: "second-order" });
  // QᵀY for A = QR
  const [R, G, Q, P] = [E.small(8, 8), E.small(8, 8), E.small(40, 8, A.data), E.small(8, 6)];
  E.gram(G, Q);
  E.factor.cholesky(R, G);
  E.factor.divide(Q, R);
  E.tmul(P, Q, E.small(40, 6, Y.data));
  const s = new Float64Array(6);
  E.factor.svd(E.small(8, 6), s, E.small(6, 6), P);
  const wanted = 0.5 * (Y.data.reduce((sum, y) => sum + y * y, 0) - s[0]! ** 2 - s[1]! ** 2);
  expect(fval).toBeCloseTo(wanted, 8);
  expect(certificate.level).toBe("second-order");
});

test("a quadratic over the simplex: ∂f/∂x_i ≥ λ, with equality where x_i > 0", async () => {
  for (const seed of [1, 2, 3]) {
    const B = normals(8, 8, `B ${seed}`);
    const c = normals(8, 1, `c ${seed}`);
    const f = formula((x) => add(scale(0.5, norm2(mul(B, x))), scale(3, inner(c, x))));
    const { X, certificate, reason } = await minimize(f, { on: simplex(8), seed });
    expect([reason.converged, certificate.level]).toEqual([true, "second-order"]);
    const x = X.data;
    expect(Math.min(...x)).toBeGreaterThanOrEqual(0);
    expect(x.reduce((s, v) => s + v, 0)).toBeCloseTo(1, 14);
    const Bx = times(B, X);
    const gradient = Array.from(
      x,
      (_, i) => 3 * c.data[i]! + Bx.data.reduce((s, v, k) => s + v * B.data[8 * k + i]!, 0),
    );
    const lambda = gradient.reduce((s, g, i) => s + g * x[i]!, 0);
    for (const [i, g] of gradient.entries()) {
      if (x[i]! > 1e-6) expect(Math.abs(g - lambda)).toBeLessThan(1e-3);
      else expect(g).toBeGreaterThan(lambda - 1e-3);
    }
    // zeros are zeros
    expect(x.filter((v) => v < 1e-9).length).toBeGreaterThan(0);
  }
});

test("a corner where the gradient by squares vanishes is left", async () => {
  const c = { rows: 4, cols: 1, data: Float64Array.of(0.1, 0.2, 0.3, 0.4) };
  const f = formula((x) => scale(0.5, norm2(sub(x, c))));
  const corner = { rows: 4, cols: 1, data: Float64Array.of(1, 0, 0, 0) };
  const { X, certificate } = await minimize(f, { on: simplex(4), start: corner });
  for (const [i, x] of X.data.entries()) expect(x).toBeCloseTo(c.data[i]!, 4);
  expect(certificate.level).toBe("second-order");
});

test("derivatives by squares are those of f, and columns are probabilities by themselves", async () => {
  const A = normals(5, 3, "A of squares");
  const f = formula((X) => add(inner(A, X), norm2(mul(t(X), X))));
  const check = checkDerivatives(E, f, { on: simplex(5, 3) });
  expect(check).toMatchObject({ passed: true, hasHessian: true });
  const { X } = await minimize(f, { on: simplex(5, 3) });
  for (let j = 0; j < 3; j++)
    expect(Array.from({ length: 5 }, (_, i) => X.data[3 * i + j]!).reduce((s, x) => s + x, 0)).toBeCloseTo(1, 14);
});

test("squares in a product: f sees probabilities, and its derivatives are right, in products of products too", async () => {
  const [A, c] = [normals(4, 3, "A of product"), normals(4, 1, "c of product")];
  const f = formula(({ W, u }: { W: { x: Expr; y: Expr }; u: Expr }) =>
    add(inner(c, W.x), norm2(sub(mul(A, W.y), W.x)), scale(0.5, norm2(sub(mul(A, W.y), u))), norm2(u)),
  );
  const on = product({ W: product({ x: simplex(4), y: sphere(3) }), u: euclidean(4) });
  expect(checkDerivatives(E, f as never, { on: on as never })).toMatchObject({ passed: true, hasHessian: true });
  const half = { rows: 4, cols: 1, data: Float64Array.of(0.5, 0.5, 0, 0) };
  const e1 = { rows: 3, cols: 1, data: Float64Array.of(1, 0, 0) };
  const { X, reason } = await minimize(f as never, {
    on: on as never,
    start: { W: { x: half, y: e1 }, u: c } as never,
  });
  const { W } = X as unknown as { W: { x: Matrix } };
  expect(reason.converged).toBe(true);
  expect(W.x.data.reduce((s, x) => s + x, 0)).toBeCloseTo(1, 14);
  expect(Math.min(...W.x.data)).toBeGreaterThanOrEqual(0);
});

test("mistakes are one sentence each", async () => {
  const f = formula((x) => norm2(x));
  const corner = { rows: 3, cols: 1, data: Float64Array.of(1, -0.5, 0.5) };
  await expect(minimize(f, { on: simplex(3), start: corner })).rejects.toThrow(
    /^simplex: entry \(1, 0\) of the start is -0\.500; it must be 0 or more\.$/,
  );
  await expect(minimize(f, { on: simplex(3), precondition: () => {} })).rejects.toThrow(
    /^precondition: on simplex a run/,
  );
  expect(() => nearestPoint(simplex(3), corner)).toThrow(/^nearestPoint: simplex\(3\) has no nearest points here/);
  expect(() => fixedRank(4, 3, 5)).toThrow(/^fixedRank: r = 5 is above 3, the largest rank of a 4×3 matrix\.$/);
  expect(() => ofProducts(3 as never)).toThrow(/^ofProducts: give a function of/);
});
