/** The contract of constraints: identities between K, A, their derivatives, the tangent part and the ways back. */

import type { Constraint } from "@expen/core";
import { normalStep, tangentProjector } from "@expen/core";
import { shiftedExpen } from "@expen/core/expen";
import type { Engine, Tall } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { slope } from "../functions.js";
import { noeig } from "../operators.js";
import { type ConstraintTools, constraintTools, linearAndQuartic } from "./constraint-tools.js";

const SHAPES = [[1, 1], [5, 1], [6, 6], [9, 4], [40, 7]] as const; // biome-ignore format: shapes in a row

/** A constraint with the engine of its algebra, where that is another one */
type Made = Constraint | { E: Engine; on: Constraint };

export interface ConstraintTraits {
  shapes?: readonly (readonly [number, number])[];
  /** there is no constraint: nothing leads back to it, and nothing is normal */
  flat?: boolean;
  /** the ways back are nearest in this norm, not in that of ℝⁿˣᵖ, and 𝒥 is not its own adjoint */
  metric?: boolean;
  /** a part of X is free: there the multiplier is 0, whatever XᵀG is */
  partlyFlat?: boolean;
}

export function constraintContract(
  title: string,
  engine: () => Engine | Promise<Engine>,
  make: (E: Engine, n: number, p: number) => Made,
  { shapes = SHAPES, flat = false, metric = false, partlyFlat = flat }: ConstraintTraits = {},
): void {
  describe.each(shapes)(`constraint contract: ${title}, %i×%i`, (rows, cols) => {
    let [n, p] = [rows, cols] as [number, number];
    let E: Engine;
    let on: Constraint;
    let tools: ConstraintTools;
    beforeAll(async () => {
      E = await engine();
      const made = make(E, rows, cols);
      if ("on" in made) ({ E, on } = made);
      else on = made;
      ({ n, p } = on.shape);
      tools = constraintTools(E, on);
    });
    const f = () => (on.traits.orthonormal ? noeig(E, n, p) : linearAndQuartic(E, n, p));

    test("a random point is feasible, the same for the same seed, and another for another", () => {
      const { X, feasible, distance, violation } = tools;
      expect(violation(X)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
      expect(distance(feasible(1), X)).toBe(0);
      if (n > 1) expect(distance(feasible(5), X)).toBeGreaterThan(0.1);
    });

    test("X and BX are one matrix where B = I, and B is symmetric and positive definite where it is not", () => {
      const { at, tall } = tools;
      const [x, y] = [at(tall(31)), at(tall(32))];
      expect(x.BX === x.X).toBe(!metric);
      expect(on.traits.metric !== undefined).toBe(metric);
      expect(E.dot(x.X, y.BX) / E.dot(y.X, x.BX)).toBeCloseTo(1, 12);
      expect(E.dot(x.X, x.BX)).toBeGreaterThan(0);
    });

    test("‖K‖ is what `K` and `A` return", () => {
      const { Z, at, small, norm } = tools;
      const K = small();
      const size = on.dissolver.K(K, at(Z));
      if (!flat) expect(size).toBeGreaterThan(1e-3);
      expect(norm(K)).toBeCloseTo(size, 14);
      E.fill(K, 0);
      expect(on.dissolver.A(E.tall(n, p), at(Z), K)).toBe(size);
      expect(norm(K)).toBeCloseTo(size, 14);
    });

    test("A leaves feasible points where they are, and K(A(X)) = (¼K − ¾I)K²", () => {
      const { X, Z, K, small, sum, norm, distance, dissolved, violation, near } = tools;
      expect(distance(dissolved(X), X)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
      const k = K(Z);
      const [square, factor, expected] = [small(), sum(0.25, k, 0, k), small()];
      E.mul(square, k, k);
      E.addDiagonal(factor, -0.75);
      E.mul(expected, square, factor);
      expect(distance(K(dissolved(Z)), expected)).toBeLessThanOrEqual(50 * EPS * (1 + norm(k)) ** 3 * p);
      if (!flat) expect(slope((t) => violation(dissolved(near(t, 3))), 1e-3)).toBeCloseTo(2, 1);
    });

    test("K(X + D) = K + 2V + DᵀBD, V of `jacobian`", (context) => {
      if (partlyFlat) return context.skip("DᵀBD is K(D) + I where there is a constraint");
      const { Z, tall, sum, norm, distance, K, jacobian } = tools;
      const D = tall(4);
      const expected = sum(1, K(Z), 2, jacobian(D, Z).V);
      E.combine(expected, 1, expected, 1, K(D));
      E.addDiagonal(expected, 1);
      expect(distance(K(sum(1, Z, 1, D)), expected)).toBeLessThanOrEqual(20 * EPS * (norm(Z) + norm(D)) ** 2 * n);
    });

    test("Taylor slopes of K and A: `jacobian` has their derivatives, Prop. 2.7 the second-order term of A", (context) => {
      if (flat) return context.skip("there is no constraint");
      const { Z, K, tall, norm, sum, dissolved, jacobian } = tools;
      const D = tall(4);
      const { J, V } = jacobian(D, Z);
      const [k, Y] = [K(Z), dissolved(Z)];
      const at = (t: number): Tall => sum(1, Z, t, D);
      expect(slope((t) => norm(sum(1, K(at(t)), -1, sum(1, k, 2 * t, V))))).toBeCloseTo(2, 1);
      const rest = (t: number): Tall => sum(1, dissolved(at(t)), -1, sum(1, Y, t, J));
      expect(slope((t) => norm(rest(t)))).toBeCloseTo(2, 1);
      if (partlyFlat) return;
      // D·V + ½X·DᵀBD
      const [second, square] = [E.tall(n, p), K(D)];
      E.addDiagonal(square, 1);
      E.mul(second, D, V);
      E.mul(second, Z, square, 0.5, 1);
      expect(slope((t) => norm(sum(1, rest(t), t * t, second)), 1e-2)).toBeCloseTo(3, 1);
    });

    test("⟨𝒥(D), G⟩ = ⟨D, 𝒥ᵀ(G)⟩, and `normal` is the adjoint of ½K'", () => {
      const { Z, at, tall, symmetric, norm, sum, multiplier, jacobian, adjoint, normalVector } = tools;
      const [D, G, C] = [tall(5), tall(6), symmetric(7)];
      const { J, V } = jacobian(D, Z);
      const S = multiplier(Z, G);
      const H = adjoint(G, Z, sum(-1, S, 0, S));
      const scale = norm(D) * (norm(G) + norm(C)) * (1 + norm(Z)) ** 3;
      expect(Math.abs(E.dot(J, G) - E.dot(D, H))).toBeLessThanOrEqual(20 * EPS * scale);
      expect(Math.abs(E.dot(normalVector(Z, C), D) - E.dot(C, V))).toBeLessThanOrEqual(20 * EPS * scale);
      // it adds to what is there
      on.dissolver.normal(H, at(Z), C, -2);
      const expected = E.dot(G, J) - 2 * E.dot(C, V);
      expect(Math.abs(E.dot(H, D) - expected)).toBeLessThanOrEqual(50 * EPS * scale);
    });

    test("Taylor slope of `adjoint`: `adjointAlong` is its derivative along D", (context) => {
      if (flat) return context.skip("there is no constraint: the adjoint of the identity is linear");
      const { Z, K, at, tall, symmetric, norm, sum, jacobian, adjoint } = tools;
      const [D, G, dG, C, dC] = [tall(25), tall(26), tall(27), symmetric(28), symmetric(29)];
      const H = E.tall(n, p);
      const along = { D: at(D), V: jacobian(D, Z).V, dG, dC };
      on.dissolver.adjointAlong(H, G, at(Z), K(Z), C, along);
      const start = adjoint(G, Z, C);
      const moved = (t: number): Tall => adjoint(sum(1, G, t, dG), sum(1, Z, t, D), sum(1, C, t, dC));
      expect(slope((t) => norm(sum(1, moved(t), -1, sum(1, start, t, H))))).toBeCloseTo(2, 1);
    });

    test("the multiplier is the symmetric part of XᵀG, which is left in M", () => {
      const { Z, at, tall, symmetric, small, norm, sum, distance, multiplier } = tools;
      const [G, S, M, C] = [tall(8), small(), small(), symmetric(9)];
      on.dissolver.S(S, at(Z), G, M);
      expect(distance(S, multiplier(Z, G))).toBe(0);
      const half = sum(1, M, 0, M);
      E.symmetrize(half);
      expect(distance(half, S)).toBe(0);
      if (partlyFlat) return;
      // ⟨XᵀG, C⟩ = ⟨G, XC⟩
      const XC = E.tall(n, p);
      E.mul(XC, Z, C);
      const scale = norm(G) * norm(XC);
      expect(Math.abs(E.dot(M, C) - E.dot(G, XC))).toBeLessThanOrEqual(20 * EPS * scale);
    });

    test("the penalty β/4·‖K‖² and the gradient and Hessian of ExPen have Taylor slopes 2, 2 and 3", () => {
      const { X, Z, K, symmetric, norm, sum, violation, jacobian, normalVector, near } = tools;
      const D = sum(1, near(1, 10), -1, X);
      const { V } = jacobian(D, Z);
      const [k, kk] = [K(Z), violation(Z) ** 2];
      const at = (t: number): Tall => sum(1, Z, t, D);
      // ¼‖K‖² has the gradient BX·K
      const rate = E.dot(normalVector(Z, k), D);
      expect(Math.abs(rate - E.dot(k, V))).toBeLessThanOrEqual(20 * EPS * norm(k) * norm(D) * norm(Z));
      if (!flat) expect(slope((t) => Math.abs((violation(at(t)) ** 2 - kk) / 4 - t * rate))).toBeCloseTo(2, 1);

      const h = shiftedExpen(E, f(), 3.7, on);
      E.copy(h.M, symmetric(11));
      const [G, H] = [E.tall(n, p), E.tall(n, p)];
      const value = h.fg(G, Z);
      h.hvp!(H, Z, D);
      const [first, second] = [E.dot(G, D), E.dot(H, D)];
      expect(slope((t) => Math.abs(h.f(at(t)) - value - t * first), 1e-3)).toBeCloseTo(2, 1);
      expect(slope((t) => Math.abs(h.f(at(t)) - value - t * first - (t * t * second) / 2), 1e-3)).toBeCloseTo(3, 1);
    });

    test("the tangent part is idempotent, it is tangent, and nothing of a normal vector; its adjoint makes directions", () => {
      const { X, at, tall, symmetric, small, norm, sum, distance } = tools;
      const { multiplier, jacobian, normalVector, tangent, direction } = tools;
      const [A, B, C] = [tall(12), tall(13), symmetric(14)];
      const [PA, PB] = [tangent(X, A), tangent(X, B)];
      const scale = 20 * EPS * norm(A) * Math.sqrt(p);
      expect(distance(tangent(X, PA), PA)).toBeLessThanOrEqual(scale);
      const J = direction(X, A);
      expect(distance(direction(X, J), J)).toBeLessThanOrEqual(scale);
      expect(Math.abs(E.dot(PA, B) - E.dot(A, direction(X, B)))).toBeLessThanOrEqual(scale * norm(B));
      if (!metric) expect(Math.abs(E.dot(PA, B) - E.dot(A, PB))).toBeLessThanOrEqual(scale * norm(B));
      expect(norm(jacobian(J, X).V)).toBeLessThanOrEqual(scale);
      expect(norm(tangent(X, normalVector(X, C)))).toBeLessThanOrEqual(20 * EPS * norm(C) * Math.sqrt(p));
      const S = small();
      const kept = sum(1, A, 0, A);
      on.dissolver.tangent(kept, at(X), S);
      expect(distance(S, multiplier(X, A))).toBe(0);
      expect(distance(kept, PA)).toBe(0);
    });

    test("the projection to the directions that count is idempotent, self-adjoint, and to gradients", () => {
      const { X, at, tall, norm, sum, distance, tangent } = tools;
      const [A, B] = [tall(12), tall(13)];
      const project = tangentProjector(E, on, at(X));
      const projected = (A: Tall): Tall => {
        const Q = sum(1, A, 0, A);
        project(Q);
        return Q;
      };
      const [QA, QB] = [projected(A), projected(B)];
      const scale = 20 * EPS * norm(A) * Math.sqrt(p);
      expect(distance(projected(QA), QA)).toBeLessThanOrEqual(scale);
      expect(distance(tangent(X, QA), QA)).toBeLessThanOrEqual(scale);
      expect(Math.abs(E.dot(QA, B) - E.dot(A, QB))).toBeLessThanOrEqual(scale * norm(B));
    });

    test("the Hessian is symmetric and is the derivative of the gradient along `restore`", (context) => {
      const { X, at, tall, norm, sum, distance, multiplier, tangent, direction, wayBack } = tools;
      if (on.dimension === 0) return context.skip("there are no directions");
      const F = f();
      const gradient = (X: Tall): Tall => {
        const G = E.tall(n, p);
        F.fg(G, X);
        return G;
      };
      const G = gradient(X);
      const S = multiplier(X, G);
      const hessian = (D: Tall): Tall => {
        const H = E.tall(n, p);
        const J = direction(X, D);
        F.hvp!(H, X, J);
        on.dissolver.hessian(H, at(J), at(X), S);
        return H;
      };
      const [C, D] = [tangent(X, tall(15)), tangent(X, tall(16))];
      const [HC, HD] = [hessian(C), hessian(D)];
      const scale = (norm(G) + norm(HC) + norm(HD)) * (norm(C) + norm(D));
      expect(Math.abs(E.dot(HC, D) - E.dot(C, HD))).toBeLessThanOrEqual(100 * EPS * scale);
      const restored = (Z: Tall): Tall => wayBack(on.restore, Z);
      const t = 1e-5;
      const [up, down] = [t, -t].map((t) => {
        const Y = restored(sum(1, X, t, D));
        return tangent(Y, gradient(Y));
      });
      const difference = tangent(X, sum(0.5 / t, up!, -0.5 / t, down!));
      if (!metric) expect(distance(difference, HD)).toBeLessThanOrEqual(1e-7 * scale);
      // along a tangent J the curve bends in the normal space alone, whatever the metric: ⟨J, H[J]⟩ is the second derivative of f
      const J = direction(X, D);
      const along = (t: number): number => F.f(restored(sum(1, X, t, J)));
      const e = 1e-4;
      const second = (along(e) - 2 * along(0) + along(-e)) / (e * e);
      expect(Math.abs(second - E.dot(J, hessian(J)))).toBeLessThanOrEqual(1e-5 * scale * (1 + norm(J)) ** 2);
    });

    test("`restore`, normal steps and `project` lead to feasible points, from near and from far", () => {
      const { X, at, tall, norm, sum, distance, tangent, near, violation, wayBack } = tools;
      const approach = normalStep(E, p, on.dissolver);
      // what Riemannian methods ask for: to rounding, also where one step of A leaves more
      for (const t of [1e-3, 1e-6]) {
        const Y = wayBack((y, Z) => on.restore(y, Z, 1e-8), near(t, 17));
        expect(violation(Y)).toBeLessThanOrEqual(20 * EPS * Math.sqrt(p));
      }
      for (const start of [near(1e-3, 17), near(0.5, 18), tall(19), sum(5, tall(20), 0, X)]) {
        expect(violation(wayBack(on.restore, start))).toBeLessThanOrEqual(1e-10);
        const W = wayBack(on.project, start);
        expect(violation(W)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
        // nearest: what was removed is normal, and no other feasible point is nearer
        const removed = sum(1, start, -1, W);
        if (!metric) {
          expect(norm(tangent(W, removed))).toBeLessThanOrEqual(1e-11 * norm(start));
          expect(norm(removed)).toBeLessThanOrEqual(distance(start, X) * (1 + 10 * EPS) + 10 * EPS);
        }
        let last = start;
        for (let k = 0; k < 60 && violation(last) > 1e-12; k++) {
          const next = E.tall(n, p);
          expect(approach(next, at(last))).toBe(violation(last));
          last = next;
        }
        expect(violation(last)).toBeLessThanOrEqual(1e-12);
      }
      if (flat) return;
      const [still, Y] = [near(0.05, 21), E.tall(n, p)];
      expect(approach(Y, at(still), 1)).toBe(violation(still));
      expect(distance(Y, still)).toBe(0);
      expect(distance(wayBack(on.project, X), X)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
    });

    test("nothing depends on the basis: ‖K(XQ)‖ = ‖K(X)‖, A(XQ) = A(X)Q, P_XQ(ZQ) = P_X(Z)Q, likewise `project`", (context) => {
      const { X, Z, tall, turn, norm, distance, dissolved, tangent, near, violation, wayBack } = tools;
      if (flat) return context.skip("there is no constraint");
      const Q = turn(22);
      const turned = (A: Tall): Tall => {
        const AQ = E.tall(n, p);
        E.mul(AQ, A, Q);
        return AQ;
      };
      const projected = (A: Tall): Tall => wayBack(on.project, A);
      const scale = 50 * EPS * p * (1 + norm(Z)) ** 3;
      expect(Math.abs(violation(turned(Z)) - violation(Z))).toBeLessThanOrEqual(scale);
      expect(distance(dissolved(turned(Z)), turned(dissolved(Z)))).toBeLessThanOrEqual(scale);
      const A = tall(23);
      expect(distance(tangent(turned(X), turned(A)), turned(tangent(X, A)))).toBeLessThanOrEqual(scale * norm(A));
      const W = near(0.3, 24);
      expect(distance(projected(turned(W)), turned(projected(W)))).toBeLessThanOrEqual(100 * scale);
    });
  });
}
