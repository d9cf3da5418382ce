/** What the dissolver costs: the flops of the paper's Table 1 with B = I, and products with B. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { productEngine } from "@expen/linalg/algebras";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import type { Constraint } from "../../src/contracts/constraint.js";
import type { Objective } from "../../src/contracts/objective.js";
import { expen } from "../../src/expen/penalty.js";
import { generalizedStiefelConstraint } from "../../src/manifolds/generalized-stiefel.js";
import { productConstraint } from "../../src/manifolds/product.js";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";

const [n, p] = [40, 5];

/** f = ½‖X‖², which multiplies nothing */
const free = (E: Engine, { n, p }: { n: number; p: number }): Objective => ({
  n,
  p,
  f: (X) => E.dot(X, X) / 2,
  fg(G, X) {
    E.copy(G, X);
    return E.dot(X, X) / 2;
  },
  linearize: () => (H, D) => E.copy(H, D),
});

function flopsOf(E: Engine, run: () => void): number {
  const before = E.counters.flops;
  run();
  return E.counters.flops - before;
}

/** K, A and their like: gram np² (or 2np², where the engine does not use symmetry), others 2np² */
test("with B = I value and gradient of h take 4 tall products and K, and a Hessian-vector product eight", () => {
  const E = jsEngine();
  const h = expen(E, free(E, { n, p }), 2, stiefelConstraint(E, n, p));
  const [X, D, G] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  E.write(X, random(1, "X").normal);
  E.write(D, random(1, "D").normal);
  const K = E.small(p, p);
  const gram = flopsOf(E, () => E.gram(K, X));
  const product = flopsOf(E, () => E.tmul(K, X, G));
  expect(product).toBe(2 * n * p * p);
  expect(flopsOf(E, () => h.fg(G, X))).toBe(4 * product + gram);
  const hessian = h.linearize!(X);
  expect(flopsOf(E, () => hessian(G, D))).toBe(9 * product);
});

describe("with B ≠ I", () => {
  const E = jsEngine();
  let products = 0;
  const weights = E.tall(
    n,
    1,
    Float64Array.from({ length: n }, (_, i) => 1 + i / n),
  );
  const on = generalizedStiefelConstraint(E, n, p, (Y, X) => {
    products++;
    E.scaleRows(Y, weights, X);
  });
  const P = productEngine(E, [
    { E, n, p },
    { E, n, p },
  ]);
  const pair = productConstraint(P, [stiefelConstraint(E, n, p), on]);
  const counted = (run: () => void): number => {
    products = 0;
    run();
    return products;
  };
  const cases: [string, Engine, Constraint][] = [
    ["alone", E, on],
    ["in a product", P, pair],
  ];

  test.each(cases)("%s: one product for a trial point of h, its value and its gradient", (_title, E, on) => {
    const h = expen(E, free(E, on.shape), 2, on);
    const [X, D, G] = ["X", "D", "G"].map((name) => written(E, on, name)) as [Tall, Tall, Tall];
    expect(counted(() => h.fg(G, X))).toBe(1);
    expect(counted(() => h.f(X))).toBe(1);
    let hessian!: (H: Tall, D: Tall) => void;
    expect(counted(() => (hessian = h.linearize!(X)))).toBe(1);
    // of the direction
    expect(counted(() => hessian(G, D))).toBe(1);
  });

  test.each(cases)("%s: one product for a trial point on the manifold, its gradient and ‖K‖", (_title, E, on) => {
    const [x, y, D, G] = [on.point(), on.point(), written(E, on, "D"), written(E, on, "G")];
    on.random(x, random(1, "x"));
    const Z = E.tall(on.shape.n, on.shape.p);
    E.combine(Z, 1, x.X, 1e-3, D);
    const K = E.small(on.shape.p, on.shape.p);
    const trial = (): void => {
      on.restore(y, Z, 1e-8);
      on.dissolver.tangent(G, y);
      expect(on.dissolver.K(K, y)).toBeLessThan(1e-13);
    };
    expect(counted(trial)).toBe(1);
  });

  function written(E: Engine, { shape }: Constraint, name: string): Tall {
    const A = E.tall(shape.n, shape.p);
    E.write(A, random(1, name).normal);
    return A;
  }
});
