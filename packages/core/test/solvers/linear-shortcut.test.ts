import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solveOn } from "@expen/solvers";
import { add, formula, entrywise as hadamard, scale, square, sum } from "@expen/tape";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import type { Objective } from "../../src/contracts/objective.js";
import {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  oblique,
  product,
  specialOrthogonal,
  sphere,
} from "../../src/manifolds/named.js";
import { plainPoint } from "../../src/manifolds/point.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { objective, objectiveOn } from "../../src/objective/objective.js";

const engines: Record<string, () => Engine> = {
  js: jsEngine,
  opaque: () => opaque(jsEngine()),
  split: () => split(jsEngine()),
};
/** where ‖X‖ is the same for all */
const bounded: Record<string, Manifold<View>> = {
  stiefel: stiefel(20, 4),
  unitary: complexStiefel(6, 6),
  "complex columns": complexStiefel(12, 3),
  oblique: oblique(5, 9),
  rotations: specialOrthogonal(5),
  product: product({ U: stiefel(15, 3), Z: complexStiefel(8, 2), s: oblique(4, 3) }),
};

/** ½c‖X‖² + ⟨L, X⟩ + ½·bent·⟨L, X⟩² + 7, on points of the algebra */
function drawn(E: Engine, n: number, p: number, c: number, bent = 0): { f: Objective; L: Float64Array } {
  const L = E.tall(n, p);
  E.write(L, random(5, "linear").normal);
  const fg: Objective["fg"] = (G, X) => {
    E.combine(G, c, X, 1, L);
    const xx = E.dot(X, X);
    const lx = E.dot(L, X);
    E.combine(G, 1, G, bent * lx, L);
    return 0.5 * c * xx + lx + 0.5 * bent * lx * lx + 7;
  };
  return { f: objective(E, { fg }, n, p), L: E.read(L) };
}

async function run(manifold: Manifold<View>, E: Engine, c: number, bent = 0) {
  const bound = manifold.bind(E);
  const { f, L } = drawn(bound.E, bound.on.shape.n, bound.on.shape.p, c, bent);
  const result = drained(await solveOn({ on: manifold, bound }, f, { tol: 1e-10, seed: 3 }));
  return { result, bound, L };
}

function drained<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}

describe.each(Object.keys(engines))("f = ½c‖X‖² + ⟨L, X⟩ + a on %s", (engine) => {
  test.each(Object.keys(bounded))("%s: ends at the nearest point to −L after its first step", async (name) => {
    for (const c of [0, 3, -2]) {
      const { result, bound, L } = await run(bounded[name]!, engines[engine]!(), c);
      expect(result.status, `c = ${c}`).toBe("converged");
      // the start, the trial points of one search and the end, and what is asked for at the end
      expect(result.evaluations.grad).toBeLessThanOrEqual(7);
      expect(result.iterations).toBe(2);
      // ⟨L, X⟩ = −Σ of the singular values of L, part by part: f at the projection of −L
      const { E, on } = bound;
      const [x, { X: Z }] = [on.point(), on.point()];
      E.write(
        Z,
        L.map((v) => -v),
      );
      on.project(x, Z);
      const least = 7 + 0.5 * c * E.dot(x.X, x.X) - E.dot(x.X, Z);
      expect(result.fval).toBeCloseTo(least, 9);
    }
  });

  test("an f that is nearly of this kind is not taken for one", async () => {
    const { result } = await run(bounded.stiefel!, engines[engine]!(), 1, 1e-3);
    expect(result.status).toBe("converged");
    expect(result.iterations).toBeGreaterThan(3);
  });
});

test("where points are of different lengths the nearest one means nothing", async () => {
  const B = { rows: 6, cols: 6, data: Float64Array.from({ length: 36 }, (_, k) => (k % 7 === 0 ? 1 + k : 0)) };
  const { result } = await run(generalizedStiefel(B, 2), jsEngine(), 0);
  expect(result.status).toBe("converged");
  expect(result.stationarity).toBeLessThan(1e-9);
  const { result: free } = await run(euclidean(4, 2), jsEngine(), 2);
  expect(free.status).toBe("converged");
});

describe.each(Object.keys(engines))("a formula of this kind on %s", (engine) => {
  const real = {
    stiefel: stiefel(20, 4),
    square: stiefel(4, 4),
    oblique: oblique(5, 9),
    rotations: specialOrthogonal(5),
    sphere: sphere(7),
  };

  test.each(Object.keys(real) as (keyof typeof real)[])(
    "%s: ends at the nearest point to −L without a search",
    async (name) => {
      const manifold = real[name];
      const { n, p } = manifold;
      const L = { rows: n, cols: p, data: Float64Array.from({ length: n * p }, random(5, "formula").normal) };
      for (const c of [0, 3]) {
        const E = engines[engine]!();
        const bound = manifold.bind(E);
        const user = formula((X) => add(scale(c / 2, sum(square(X))), sum(hadamard(L, X))));
        const f = objectiveOn(bound, user);
        for (const seed of [1, 2, 3, 4, 5]) {
          const result = drained(await solveOn({ on: manifold, bound }, f, { tol: 1e-10, seed }));
          expect(result.status).toBe("converged");
          expect(result.iterations).toBe(1);
          // the start, by its gradient or its product with B too, the end, and what is asked for at the end
          expect(result.evaluations.grad).toBeLessThanOrEqual(4);
          const [{ X }, Z] = [bound.on.point(), bound.E.tall(n, p)];
          bound.E.write(
            Z,
            L.data.map((v) => -v),
          );
          bound.on.project(plainPoint(X), Z);
          expect(result.fval).toBeCloseTo(0.5 * c * bound.E.dot(X, X) - bound.E.dot(X, Z), 9);
        }
      }
    },
  );

  test("the nearest point to an L of rank one is found too", async () => {
    const E = engines[engine]!();
    const bound = stiefel(3, 3).bind(E);
    const first = { rows: 3, cols: 3, data: Float64Array.from({ length: 9 }, (_, k) => (k === 0 ? -1 : 0)) };
    const f = objectiveOn(
      bound,
      formula((X) => sum(hadamard(first, X))),
    );
    for (const seed of [1, 2, 3]) {
      const result = drained(await solveOn({ on: stiefel(3, 3), bound }, f, { seed }));
      expect(result.fval).toBeCloseTo(-1, 9);
    }
  });
});
