/** Powers of manifolds: the same as so many runs side by side, linear in their number, with sentences for what they are not. */
import { random } from "@expen/linalg";
import { blockEngine } from "@expen/linalg/algebras";
import { unstack } from "@expen/linalg/arrays";
import { svd } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { add, type Expr, formula, inner, mul, scale, square } from "@expen/tape";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import { circle } from "../../src/manifolds/complex.js";
import {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  oblique,
  product,
  specialOrthogonal,
  sphere,
} from "../../src/manifolds/named.js";
import { power } from "../../src/manifolds/powers.js";
import { simplex } from "../../src/manifolds/simplex.js";
import { stiefel } from "../../src/manifolds/stiefel.js";

const normals = (rows: number, cols: number, stream: string) => {
  const { normal } = random(5, stream);
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, normal) };
};

describe.each([
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)("on %s", (_name, engine) => {
  test("k runs side by side: Σ⟨A_i, X_i⟩ over rotations is Kabsch's answer for each", async () => {
    const k = 20;
    const A = normals(3 * k, 3, "clouds");
    const f = formula((X) => scale(-1, inner(A, X)));
    const all = await minimize(f, { on: power(specialOrthogonal(3), k), engine: engine() });
    const each = await Promise.all(
      unstack(A, k).map((B) =>
        minimize(
          formula((X) => scale(-1, inner(B, X))),
          { on: specialOrthogonal(3) },
        ),
      ),
    );
    expect(all.reason.converged).toBe(true);
    expect(all.fval).toBeCloseTo(
      each.reduce((s, { fval }) => s + fval, 0),
      8,
    );
    for (const [i, X] of unstack(all.X, k).entries())
      for (const [l, x] of X.data.entries()) expect(Math.abs(x - each[i]!.X.data[l]!)).toBeLessThan(1e-6);
    // f is linear: two evaluations and the check of the gradient find it
    expect(all.evaluations.f).toBeLessThanOrEqual(8);
  });

  test("a smooth f of unit vectors beside each other", async () => {
    const k = 6;
    const [A, W] = [normals(4 * k, 1, "A"), normals(4 * k, 1, "W")];
    const f = formula((X) => add(inner(A, X), scale(0.3, inner(W, square(square(X))))));
    const run = await minimize(f, { on: power(sphere(4), k), engine: engine() });
    expect([run.reason.converged, run.certificate.level]).toEqual([true, "second-order"]);
    for (const x of unstack(run.X, k)) expect(Math.hypot(...x.data)).toBeCloseTo(1, 14);
    expect(run.run.on ?? "").toBe("power(sphere(4), 6)");
  });
});

test.each([
  ["unitary matrices", 3, 3],
  ["frames", 5, 2],
])("complex %s beside each other: Re Σ⟨A_i, X_i⟩ is the sum of all singular values", async (_name, n, p) => {
  const k = 7;
  const A = { re: normals(k * n, p, "re"), im: normals(k * n, p, "im") };
  const on = power(complexStiefel(n, p), k);
  const f = formula((X: { re: Expr; im: Expr }) => scale(-1, add(inner(A.re, X.re), inner(A.im, X.im))));
  const { X, fval, certificate } = await minimize(f, { on, tol: 1e-9, certificate: "second-order" });
  const [re, im] = [unstack(A.re, k), unstack(A.im, k)];
  let optimum = 0;
  for (let i = 0; i < k; i++) {
    // [Re, −Im; Im, Re] has each of them twice
    const E = jsEngine();
    const whole = E.small(2 * n, 2 * p);
    const [a, b] = [re[i]!.data, im[i]!.data];
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < p; c++) {
        const [x, y] = [a[r * p + c]!, b[r * p + c]!];
        const at = r * 2 * p + c;
        whole.data[at] = whole.data[at + n * 2 * p + p] = x;
        whole.data[at + p] = -y;
        whole.data[at + n * 2 * p] = y;
      }
    }
    optimum -= svd(E, whole).s.reduce((sum, x) => sum + x / 2, 0);
  }
  expect(fval).toBeCloseTo(optimum, 8);
  expect(certificate.level).toBe("second-order");
  expect([X.re.rows, X.im.cols]).toEqual([k * n, p]);
});

test.each(["sum", "neighbours"])("complex subspaces beside each other, f a %s of the points", async (kind) => {
  const [k, n] = [5, 6];
  const on = power(grassmann(n, 2, { field: "complex" }), k);
  const N = k * n;
  const data = new Float64Array(N * N);
  const { normal } = random(8, "hermitian");
  for (let i = 0; i < N; i++) {
    for (let j = 0; j <= i; j++) {
      const isOwn = Math.floor(i / n) === Math.floor(j / n);
      const value = i === j ? 3 + normal() : isOwn ? normal() : kind === "sum" ? 0 : 0.01 * normal();
      data[i * N + j] = data[j * N + i] = value;
    }
  }
  const A = { rows: N, cols: N, data };
  const f = formula((X: { re: Expr; im: Expr }) => {
    const own = (M: Expr): Expr => inner(M, mul(A, M));
    return kind === "sum" ? add(own(X.re), own(X.im)) : add(square(own(X.re)), own(X.im));
  });
  const run = (await minimize(f, { on: on as never, check: "full" } as never)) as {
    reason: { converged: boolean };
    run: { method: string };
  };
  expect([run.reason.converged, run.run.method]).toEqual([true, kind === "sum" ? "blocks" : "frame"]);
});

test("work and memory are linear in k, with as many calls of the engine for any k", () => {
  const cost = (k: number): { calls: number; flops: number; matrices: number } => {
    const base = jsEngine();
    let calls = 0;
    const combine: typeof base.combine = (...args) => {
      calls++;
      base.combine(...args);
    };
    const counted = { ...base, combine };
    const { E, on } = power(specialOrthogonal(3), k).bind(counted);
    const { n, p } = on.shape;
    const [x, y, Z, S] = [on.point(), on.point(), E.tall(n, p), E.small(p, p)];
    on.random(x, random(1, "x"));
    E.write(Z, random(2, "z").normal);
    const [before, made] = [base.counters.flops, base.counters.matrices];
    on.dissolver.tangent(Z, x, S);
    E.combine(Z, 0.1, Z, 1, x.X);
    on.restore(y, Z);
    return { calls, flops: base.counters.flops - before, matrices: base.counters.matrices - made };
  };
  const [few, many] = [cost(10), cost(1000)];
  expect(many.flops).toBe(100 * few.flops);
  expect([many.calls, many.matrices]).toEqual([few.calls, few.matrices]);
});

test("the algebra is that of each block by itself", () => {
  const [k, n, p] = [4, 5, 3];
  const E = jsEngine();
  const B = blockEngine(E, { k, n, p });
  const [X, S, Y, G] = [B.tall(n, k * p), B.small(k * p, k * p), B.tall(n, k * p), B.small(k * p, k * p)];
  for (const A of [X, S, Y]) B.write(A, random(3, `block ${A.rows}`).normal);
  const before = unstack(B.stacked(Y), k).map((y) => y.data.slice());
  B.mulT(Y, X, S, 2, 3);
  B.tmul(G, X, Y, 0.5);
  const w = new Float64Array(k * p);
  const V = B.small(k * p, k * p);
  const T = B.small(k * p, k * p);
  B.gram(T, X);
  B.factor.eigh(V, w, T);
  for (let i = 0; i < k; i++) {
    const block = (A: typeof X | typeof S, rows: number) => E.small(rows, p, unstack(B.stacked(A), k)[i]!.data);
    const [x, s, y, g] = [block(X, n), block(S, p), E.small(n, p, before[i]!), E.small(p, p)];
    E.mulT(y, x, s, 2, 3);
    E.tmul(g, x, y, 0.5);
    const distance = (a: ArrayLike<number>, b: Float64Array): number => Math.hypot(...b.map((v, l) => v - a[l]!));
    expect(distance(unstack(B.stacked(Y), k)[i]!.data, E.read(y))).toBeLessThan(1e-14 * 50);
    expect(distance(unstack(B.stacked(G), k)[i]!.data, E.read(g))).toBeLessThan(1e-13 * 50);
    const [v, gram, own] = [E.small(p, p), E.small(p, p), new Float64Array(p)];
    E.gram(gram, x);
    E.factor.eigh(v, own, gram);
    expect(distance(w.subarray(i * p, (i + 1) * p), own)).toBeLessThan(1e-13 * 50);
  }
});

test("what has no powers is told what to use, and unstack asks for whole matrices", () => {
  const refused: [Manifold<View>, RegExp][] = [
    [
      oblique(3, 2),
      /^power: oblique\(3, 2\) has no powers here; oblique\(3, 8\) has its columns side by side, power\(sphere\(3\), 8\)/,
    ],
    [circle(5), /^power: circle\(5\) has no powers here; circle\(20\) has as many phases\.$/],
    [simplex(3), /simplex\(3, 4\) has its columns side by side\.$/],
    [generalizedStiefel([[2, 0], [0, 1]] as never, 1), /with B = RᵀR it is power\(stiefel\(2, 1\), 4\) in the matrices RX_i\.$/], // biome-ignore format: one a line
    [product({ U: sphere(2) }), /; stiefel, sphere, .* euclidean and their complex relatives have\. Use a product\.$/],
  ];
  for (const [on, sentence] of refused) expect(() => power(on as never, 4)).toThrow(sentence);
  expect(() => power(stiefel(3, 2), 0)).toThrow(/^power: k is 0; it must be a whole number, 1 or more\.$/);
  expect(() => power("stiefel" as never, 2)).toThrow(/^power: the manifold is 'stiefel'; it must say where X lives/);
  expect(() => unstack({ rows: 7, cols: 1, data: new Float64Array(7) }, 2)).toThrow(
    /^unstack: X has 7 rows, which are not 2 matrices of one size\.$/,
  );
  expect(power(euclidean(3, 2), 4).text).toBe("euclidean(12, 2)");
  expect(power(euclidean(3, 2, { field: "complex" }), 4).text).toBe("complex-euclidean(12, 2)");
});
