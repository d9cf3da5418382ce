/** The identities of c(X) = 0 on every engine, and agreement with the manifolds that equations describe too. */

import { blasEngine } from "@expen/engines/blas";
import { wasmEngine } from "@expen/engines/wasm";
import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { formula, identity, inner, mul, sub, t } from "@expen/tape";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { slope } from "@expen/testing/functions";
import { beforeAll, describe, expect, test } from "vitest";
import type { Domain } from "../../src/contracts/manifold.js";
import { stiefel as stiefelManifold } from "../../src/manifolds/stiefel.js";
import { ownManifold } from "../../src/own/own-manifold.js";
import { ellipsoid, hyperbolicParaboloid, type OwnProblem, parsevalFrame, symplectic } from "./problems.js";

const { absent } = await blasHere({});
const ENGINES: [string, () => Engine | Promise<Engine>][] = [
  ["js", jsEngine],
  ["wasm", () => wasmEngine()],
  ...(absent ? [] : [["blas", () => blasEngine()] as [string, () => Promise<Engine>]]),
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];
const PROBLEMS: [OwnProblem, number][] = [
  [ellipsoid(12, 1), 1],
  [hyperbolicParaboloid(6, 1), 1],
  [symplectic(8, 4, 1), 6],
];

describe.each(ENGINES)("own manifold contract on %s", (_, engine) => {
  describe.each(PROBLEMS.map(([problem, rank]) => [problem.name, problem, rank] as const))("%s", (_, problem, rank) => {
    const { rows: n, cols: p, c } = problem;
    let base: Engine;
    let domain: Domain;
    beforeAll(async () => {
      base = await engine();
      domain = ownManifold({ rows: n, cols: p, c }).bind(base);
    });
    const norm = (A: Tall): number => Math.sqrt(base.dot(A, A));
    const drawn = (seed: number): Tall => {
      const A = base.tall(n, p);
      base.write(A, random(seed, "drawn").normal);
      return A;
    };
    function feasible(seed: number): Tall {
      const y = domain.on.point();
      domain.on.random(y, random(seed, "point"));
      return y.X;
    }
    function violation(X: Tall): number {
      return domain.on.dissolver.K(domain.E.small(p, p), { X, BX: X });
    }
    function tangent(Z: Tall, X: Tall): Tall {
      const D = base.tall(n, p);
      base.copy(D, Z);
      domain.on.dissolver.tangent(D, { X, BX: X });
      return D;
    }
    const sum = (a: number, A: Tall, b: number, B: Tall): Tall => {
      const C = base.tall(n, p);
      base.combine(C, a, A, b, B);
      return C;
    };

    test("a random point is feasible, the same for the same seed, another for another; the dimension is np − rank J", () => {
      const [X, same, other] = [feasible(1), feasible(1), feasible(2)];
      for (const Y of [X, other]) expect(violation(Y)).toBeLessThanOrEqual(1e-12 * Math.max(1, norm(Y)));
      expect(norm(sum(1, X, -1, same))).toBe(0);
      expect(norm(sum(1, X, -1, other))).toBeGreaterThan(0.1);
      expect(domain.on.dimension).toBe(n * p - rank);
    });

    test("P is an orthogonal projection, and c does not change to first order along tangent vectors", () => {
      const [X, Z, W] = [feasible(3), drawn(4), drawn(5)];
      const [PZ, PW] = [tangent(Z, X), tangent(W, X)];
      const size = norm(Z) * norm(W);
      expect(Math.abs(base.dot(PZ, W) - base.dot(Z, PW))).toBeLessThan(1e-12 * size);
      expect(norm(sum(1, tangent(PZ, X), -1, PZ))).toBeLessThan(1e-12 * norm(Z));
      expect(slope((s) => violation(sum(1, X, s, PZ)), 1e-2)).toBeCloseTo(2, 1);
      expect(slope((s) => violation(sum(1, X, s, Z)), 1e-3)).toBeCloseTo(1, 1);
    });

    test("a retracted point is feasible, differs from X + tD by a normal vector at X, and is of second order", () => {
      const X = feasible(6);
      const D = tangent(drawn(7), X);
      base.combine(D, 0.1 / norm(D), D, 0, D);
      const { retract } = domain.on.traits.equations!;
      const to = (s: number): Tall => {
        const Y = sum(1, X, s, D);
        expect(retract(Y, X)).toBe(true);
        return Y;
      };
      const Y = to(0.3);
      expect(violation(Y)).toBeLessThan(1e-12 * Math.max(1, norm(Y)));
      const moved = sum(1, Y, -1, sum(1, X, 0.3, D));
      expect(norm(tangent(moved, X))).toBeLessThan(1e-11 * norm(X));
      expect(slope((s) => norm(sum(1, to(s), -1, sum(1, X, s, D))), 0.1)).toBeCloseTo(2, 1);
    });

    test("f(R(tD)) = f + t⟨g, D⟩ + ½t²⟨D, Hess f[D]⟩ + O(t³) at any feasible point", () => {
      const [X, A] = [feasible(8), drawn(9)];
      const D = tangent(drawn(10), X);
      base.combine(D, 0.1 / norm(D), D, 0, D);
      // ½‖X − A‖², with the identity as second derivative
      const f = (Y: Tall): number => 0.5 * norm(sum(1, Y, -1, A)) ** 2;
      const G = sum(1, X, -1, A);
      const S = domain.E.small(p, p);
      const x = { X, BX: X };
      domain.on.dissolver.S(S, x, G);
      const H = sum(1, D, 0, D);
      domain.on.dissolver.hessian(H, { X: D, BX: D }, x, S);
      const [value, first, second] = [f(X), base.dot(G, D), base.dot(D, H)];
      const error = (s: number): number => {
        const Y = sum(1, X, s, D);
        domain.on.traits.equations!.retract(Y, X);
        return Math.abs(f(Y) - value - s * first - 0.5 * s * s * second);
      };
      expect(slope(error, 0.4)).toBeGreaterThan(2.7);
      // Hess f is symmetric
      const W = tangent(drawn(11), X);
      const HW = sum(1, W, 0, W);
      domain.on.dissolver.hessian(HW, { X: W, BX: W }, x, S);
      expect(Math.abs(base.dot(W, H) - base.dot(HW, D))).toBeLessThan(1e-7 * (norm(W) * norm(H) + norm(HW) * norm(D)));
    });
  });
});

describe("equations of a manifold that has a name", () => {
  const E = jsEngine();
  const [n, p] = [9, 3];
  const own = ownManifold({ rows: n, cols: p, c: formula((X) => sub(mul(t(X), X), identity(p))) }).bind(E);
  const stiefel = stiefelManifold(n, p).bind(E);
  const x = stiefel.on.point();
  stiefel.on.random(x, random(1, "point"));
  const G = E.tall(n, p);
  E.write(G, random(2, "G").normal);

  test("XᵀX = I: p² equations of which p(p + 1)/2 count, tangent vectors and Hessian as on stiefel(n, p)", () => {
    expect(own.on.dimension).toBe(stiefel.on.dimension);
    const [R, Q] = [E.tall(n, p), E.tall(n, p)];
    for (const Z of [R, Q]) E.copy(Z, G);
    own.on.dissolver.tangent(R, x);
    stiefel.on.dissolver.tangent(Q, x);
    E.combine(Q, 1, Q, -1, R);
    expect(Math.sqrt(E.dot(Q, Q))).toBeLessThan(100 * EPS * Math.sqrt(E.dot(G, G)));

    const [H, F] = [E.tall(n, p), E.tall(n, p)];
    const [S, T] = [own.E.small(p, p), E.small(p, p)];
    own.on.dissolver.S(S, x, G);
    stiefel.on.dissolver.S(T, x, G);
    own.on.dissolver.hessian(H, { X: R, BX: R }, x, S);
    stiefel.on.dissolver.hessian(F, { X: R, BX: R }, x, T);
    E.combine(F, 1, F, -1, H);
    expect(Math.sqrt(E.dot(F, F))).toBeLessThan(1e-8 * Math.sqrt(E.dot(H, H)));
  });

  test("a step on xᵀAx = 1 that no normal of X leads back from is refused, with a point that is not finite", () => {
    const { on } = ownManifold({ rows: 2, cols: 1, c: formula((y) => sub(inner(y, y), 1)) }).bind(E);
    const [X, Y] = [E.tall(2, 1, [1, 0]), E.tall(2, 1, [1, 1.5])];
    expect(on.traits.equations!.retract(Y, X)).toBe(false);
    expect(Array.from(E.read(Y))).toEqual([Number.NaN, Number.NaN]);
  });
});

test("27 equations of which one follows from the others have rank 26, at every feasible point", () => {
  const E = jsEngine();
  const { rows, cols, c } = parsevalFrame(12, 5, 1);
  const { on } = ownManifold({ rows, cols, c }).bind(E);
  expect(on.dimension).toBe(60 - 26);
  const y = on.point();
  for (let seed = 1; seed <= 5; seed++) {
    on.random(y, random(seed, "frames"));
    expect(on.traits.equations!.rankAt(y.X)).toBe(26);
  }
});
