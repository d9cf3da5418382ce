/** Powers of manifolds: the same as so many runs side by side, linear in their number, with sentences for what they are not. */
import { random } from "@expen/linalg";
import { blockEngine } from "@expen/linalg/algebras";
import { unstack } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { add, formula, inner, scale, square } from "@expen/tape";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { complexStiefel, euclidean, oblique, specialOrthogonal, sphere } from "../../src/manifolds/named.js";
import { power } from "../../src/manifolds/powers.js";
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
  expect(() => power(oblique(3, 2) as never, 4)).toThrow(
    /^power: oblique\(3, 2\) has no powers here; stiefel, sphere, .* and euclidean have\. Use a product\.$/,
  );
  expect(() => power(complexStiefel(3, 2) as never, 4)).toThrow(/complex-stiefel\(3, 2\) has no powers here/);
  expect(() => power(stiefel(3, 2), 0)).toThrow(/^power: k is 0; it must be a whole number, 1 or more\.$/);
  expect(() => power("stiefel" as never, 2)).toThrow(/^power: the manifold is 'stiefel'; it must say where X lives/);
  expect(() => unstack({ rows: 7, cols: 1, data: new Float64Array(7) }, 2)).toThrow(
    /^unstack: X has 7 rows, which are not 2 matrices of one size\.$/,
  );
  expect(power(euclidean(3, 2), 4).text).toBe("euclidean(12, 2)");
});
