/** Manifolds of several components: where the wrong one is entered the run finds the other, and its notes say what was searched. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { add, type Expr, formula, entrywise as hadamard, mul, norm2, scale, square, sub, sum, t } from "@expen/tape";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
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
import { stiefel } from "../../src/manifolds/stiefel.js";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const normal = (rows: number, cols: number, seed: number): Matrix => ({
  rows,
  cols,
  data: Float64Array.from({ length: rows * cols }, random(seed, "components").normal),
});
const B = { rows: 2, cols: 2, data: Float64Array.of(2, 1, 1, 3) };
const noteOf = ({ notes }: { notes: string[] }): string | undefined =>
  notes.find((note) => note.startsWith("feasible points fall into"));

const engines: Record<string, () => Engine> = {
  js: jsEngine,
  opaque: () => opaque(jsEngine()),
  split: () => split(jsEngine()),
};

describe.each(Object.keys(engines))("reflections on %s", (name) => {
  test.each<[string, Manifold<View>, number]>([
    ["O(3)", stiefel(3, 3), 1],
    ["more rows than columns", stiefel(4, 3), 0],
    ["rotations", specialOrthogonal(3), 0],
    ["unitary matrices", complexStiefel(3, 3), 0],
    ["the circle of complex numbers", complexStiefel(1, 1), 0],
    ["subspaces", grassmann(3, 3), 0],
    ["1 and −1", sphere(1), 1],
    ["a sphere", sphere(2), 0],
    ["signs", oblique(1, 4), 4],
    ["unit columns", oblique(3, 3), 0],
    ["XᵀBX = I", generalizedStiefel(B, 2), 1],
    ["no constraint", euclidean(2, 2), 0],
    ["a product", product({ U: stiefel(2, 2), x: sphere(3), W: product({ V: stiefel(3, 3), s: oblique(1, 2) }) }), 4],
  ])("%s: each leads to a feasible point and changes the sign of one number", (_title, manifold, count) => {
    const { E, on } = manifold.bind(engines[name]!());
    expect(on.traits.reflections?.length ?? 0).toBe(count);
    const { n, p } = on.shape;
    const [x, y, Z, G] = [on.point(), on.point(), E.tall(n, p), E.tall(n, p)];
    const [K, S, X, Y] = [E.small(p, p), E.small(p, p), x.X, y.X];
    on.random(x, random(1, "reflections"));
    const expectFeasible = (): void => {
      on.update(y);
      expect(on.dissolver.K(K, y)).toBeLessThan(1e-13);
    };
    E.write(G, random(2, "reflections").normal);
    on.dissolver.S(S, x, G);
    for (const { reflect } of on.traits.reflections ?? []) {
      reflect(Y, X);
      expectFeasible();
      // the same one undoes it
      reflect(Z, Y);
      E.combine(Z, 1, Z, -1, X);
      expect(Math.sqrt(E.dot(Z, Z))).toBeLessThan(1e-13);
      // no way back leads from one to the other: the two are 2 apart in the norm of one column at least
      reflect(Y, X, S);
      expectFeasible();
      E.combine(Z, 1, Y, -1, X);
      expect(Math.sqrt(E.dot(Z, Z))).toBeGreaterThan(0.5);
    }
  });
});

test("along an eigenvector of λmax(S) a linear f falls by 2λmax(S), as much as by any reflection", () => {
  const { E, on } = stiefel(4, 4).bind(jsEngine());
  const [x, Y, L, S] = [on.point(), E.tall(4, 4), E.tall(4, 4, normal(4, 4, 3).data), E.small(4, 4)];
  on.random(x, random(1, "linear"));
  on.dissolver.S(S, x, L);
  on.traits.reflections![0]!.reflect(Y, x.X, S);
  expect(E.dot(L, Y) - E.dot(L, x.X)).toBeCloseTo(-2 * on.dissolver.eigenvalues(S).at(-1)!, 12);
});

/** AQ for a random orthogonal Q */
function planted(A: Matrix, seed: number): Matrix {
  const { E, on } = stiefel(A.cols, A.cols).bind(jsEngine());
  const [q, AQ] = [on.point(), E.tall(A.rows, A.cols)];
  on.random(q, random(seed, "orthogonal"));
  E.mul(AQ, E.tall(A.rows, A.cols, A.data), E.small(A.cols, A.cols, q.X.data));
  return { rows: A.rows, cols: A.cols, data: AQ.data };
}

/** ½‖AX − B‖² with the least value 0 */
const procrustes = (n: number, seed: number): ((X: Expr) => Expr) => {
  const A = normal(2 * n, n, seed);
  const AQ = planted(A, seed + 1);
  return (X) => scale(0.5, norm2(sub(mul(A, X), AQ)));
};

describe("Procrustes problems, n = p", () => {
  const [one, other] = [procrustes(3, 1), procrustes(4, 2)];
  const on = product({ U: stiefel(3, 3), V: stiefel(4, 4) });
  const options = { engine: jsEngine(), tol: 1e-8 };
  type Pair = { readonly U: Expr; readonly V: Expr };

  test.each(SEEDS)("a product of two, seed %i: the planted answer from every start", async (seed) => {
    const result = await minimize(
      formula(({ U, V }: Pair) => add(one(U), other(V))),
      { on, seed, ...options },
    );
    expect(result.status).toBe("converged");
    expect(result.fval).toBeLessThan(1e-12);
    expect(noteOf(result)).toMatch(
      /^feasible points fall into 4 parts by the sign of det U and det V; .* searched from/,
    );
  });

  test("one matrix, without a form, on every solver's way: seeds end in the same component", async () => {
    for (const solver of ["auto", "rcg", "expen-lbfgs"] as const) {
      for (const seed of SEEDS) {
        const user = formula((X: Expr) => add(one(X), scale(1e-3, sum(square(square(X))))));
        const result = await minimize(user, { on: stiefel(3, 3), solver, seed, ...options });
        expect(result.status, `${solver}, seed ${seed}`).toBe("converged");
        expect(result.fval).toBeLessThan(1e-2);
      }
    }
  });

  test("the other component is left to the user where stationarity alone is asked for, or the run was cut short", async () => {
    const user = formula(({ U, V }: Pair) => add(one(U), other(V)));
    for (const less of [{ certificate: "stationary" }, { maxIterations: 1 }] as const) {
      const result = await minimize(user, { on, ...options, ...less });
      expect(noteOf(result)).toMatch(
        /4 parts by the sign of det U and det V; only that of the answer was searched: start/,
      );
    }
  });
});

describe("what is counted and said", () => {
  const [J, K, last] = [
    [0, 1, -1, 0],
    [0, 1, 0, 0],
    [0, 0, 0, 1],
  ].map((data) => ({ rows: 2, cols: 2, data: Float64Array.from(data) })) as [Matrix, Matrix, Matrix];
  /** XᵀJX = det X·J for 2×2 matrices: −det X */
  const minusDet = (X: Expr): Expr => sum(hadamard(last, mul(t(X), mul(J, X, K))));
  const wells = (X: Expr): Expr => add(scale(-2, minusDet(X)), sum(square(square(X))));

  test("f that a negated column does not change takes two values more", async () => {
    let calls = 0;
    const user = {
      f(X: Tall) {
        calls++;
        return X.data.reduce((sum, x) => sum + x ** 4, 0);
      },
      grad: (G: Tall, X: Tall) => G.data.set(X.data.map((x) => 4 * x ** 3)),
    };
    const result = await minimize(user, { on: stiefel(3, 3), engine: jsEngine() });
    expect(noteOf(result)).toBe(
      "feasible points fall into 2 parts by the sign of det X; f stays the same where a negated column changes that of det X",
    );
    expect(result.evaluations.f + result.certificate.evaluations.f).toBe(calls);
  });

  test("a lower f in the other component is taken, from both", async () => {
    const values = new Set<string>();
    const said: string[] = [];
    for (const seed of SEEDS) {
      const result = await minimize(formula(wells), { on: stiefel(2, 2), engine: jsEngine(), seed, tol: 1e-9 });
      values.add(result.fval.toFixed(9));
      said.push(noteOf(result)!);
    }
    expect(values.size).toBe(1);
    expect(
      said.filter((note) => /another one was searched from the answer reflected, and f fell from /.test(note)),
    ).not.toEqual([]);
    expect(said.filter((note) => /another one was searched .* and no lower f was found$/.test(note))).not.toEqual([]);
  });

  test("of signs the best single change is taken until none is left", async () => {
    const L = { rows: 1, cols: 5, data: Float64Array.of(1, -2, 3, -4, 5) };
    const result = await minimize(
      {
        f: (X) => Math.tanh(inner(L, X)),
        grad: (G, X) => G.data.set(L.data.map((l) => l / Math.cosh(inner(L, X)) ** 2)),
      },
      { on: oblique(1, 5), engine: jsEngine(), check: false },
    );
    expect([...result.X.data]).toEqual([-1, 1, -1, 1, -1]);
    expect(noteOf(result)).toMatch(
      /fall into 32 parts by the sign of column 1 of X, column 2 of X, column 3 of X and 2 more; /,
    );
  });
  const inner = (A: Matrix, B: Matrix): number => A.data.reduce((s, a, k) => s + a * B.data[k]!, 0);
});
