/** The contract of constraints: identities between K, A, their derivatives, the tangent part and the ways back. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Constraint } from "../../src/constraints/constraint.js";
import { shiftedExpen } from "../../src/expen/shift.js";
import { random } from "../../src/random.js";
import type { Engine, Tall } from "../../src/types.js";
import { slope } from "../functions.js";
import { noeig } from "../operators.js";
import { type ConstraintTools, constraintTools, linearAndQuartic } from "./constraint-tools.js";

const EPS = 2 ** -52;
const SHAPES = [[1, 1], [5, 1], [6, 6], [9, 4], [40, 7]] as const; // biome-ignore format: shapes in a row

/** A constraint with the engine of its algebra, where that is another one */
type Made = Constraint | { E: Engine; on: Constraint };

export interface ConstraintTraits {
  shapes?: readonly (readonly [number, number])[];
  /** there is no constraint: nothing leads back to it, and nothing is normal */
  flat?: boolean;
  /** the ways back are nearest in this norm, not in that of ℝⁿˣᵖ, and A'(X) is not its own adjoint */
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
      [n, p] = [on.n, on.p];
      tools = constraintTools(E, on);
    });
    const f = () => (on.orthonormal ? noeig(E, n, p) : linearAndQuartic(E, n, p));

    test("a random point is feasible, the same for the same seed, and another for another", () => {
      const { X, distance } = tools;
      expect(on.violation(X)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
      const [again, other] = [E.tall(n, p), E.tall(n, p)];
      on.random(again, random(1, "constraint"));
      on.random(other, random(5, "constraint"));
      expect(distance(again, X)).toBe(0);
      if (n > 1) expect(distance(other, X)).toBeGreaterThan(0.1);
    });

    test("‖K‖ is what `residual`, `violation` and `dissolve` say", () => {
      const { Z, small, norm } = tools;
      const K = small();
      const size = on.violation(Z);
      if (!flat) expect(size).toBeGreaterThan(1e-3);
      expect(on.residual(K, Z)).toBe(size);
      expect(norm(K)).toBeCloseTo(size, 14);
      E.fill(K, 0);
      expect(on.dissolve(E.tall(n, p), Z, K)).toBe(size);
      expect(norm(K)).toBeCloseTo(size, 14);
    });

    test("A leaves feasible points where they are and squares ‖K‖ near them", () => {
      const { X, distance, dissolved, near } = tools;
      expect(distance(dissolved(X), X)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
      if (flat) return;
      expect(slope((t) => on.violation(near(t, 3)))).toBeCloseTo(1, 1);
      expect(slope((t) => on.violation(dissolved(near(t, 3))), 1e-3)).toBeCloseTo(2, 1);
    });

    test("`push` is the derivative of ½K and of A, off the manifold too", (context) => {
      if (flat) return context.skip("there is no constraint");
      const { Z, tall, norm, sum, dissolved, residual, pushed } = tools;
      const D = tall(4);
      const { J, V } = pushed(D, Z);
      const [K, Y] = [residual(Z), dissolved(Z)];
      const at = (t: number): Tall => sum(1, Z, t, D);
      expect(slope((t) => norm(sum(1, residual(at(t)), -1, sum(1, K, 2 * t, V))))).toBeCloseTo(2, 1);
      expect(slope((t) => norm(sum(1, dissolved(at(t)), -1, sum(1, Y, t, J))))).toBeCloseTo(2, 1);
    });

    test("`pullback` with −S is the adjoint of A', and `normal` of ½K'", () => {
      const { Z, tall, symmetric, norm, sum, residual, multiplier, pushed, normalVector } = tools;
      const [D, G, C] = [tall(5), tall(6), symmetric(7)];
      const { J, V } = pushed(D, Z);
      const H = E.tall(n, p);
      const S = multiplier(Z, G);
      on.pullback(H, G, Z, residual(Z), sum(-1, S, 0, S));
      const scale = norm(D) * (norm(G) + norm(C)) * (1 + norm(Z)) ** 3;
      expect(Math.abs(E.dot(H, D) - E.dot(G, J))).toBeLessThanOrEqual(20 * EPS * scale);
      expect(Math.abs(E.dot(normalVector(Z, C), D) - E.dot(C, V))).toBeLessThanOrEqual(20 * EPS * scale);
      // it adds to what is there
      on.normal(H, Z, C, -2);
      const expected = E.dot(G, J) - 2 * E.dot(C, V);
      expect(Math.abs(E.dot(H, D) - expected)).toBeLessThanOrEqual(50 * EPS * scale);
    });

    test("the multiplier is the symmetric part of XᵀG, which is left in M", () => {
      const { Z, tall, symmetric, small, norm, sum, distance, multiplier } = tools;
      const [G, S, M, C] = [tall(8), small(), small(), symmetric(9)];
      on.multiplier(S, Z, G, M);
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
      const { X, Z, symmetric, norm, sum, residual, pushed, normalVector, near } = tools;
      const D = sum(1, near(1, 10), -1, X);
      const { V } = pushed(D, Z);
      const [K, kk] = [residual(Z), on.violation(Z) ** 2];
      const at = (t: number): Tall => sum(1, Z, t, D);
      // ¼‖K‖² has the gradient BX·K
      const rate = E.dot(normalVector(Z, K), D);
      expect(Math.abs(rate - E.dot(K, V))).toBeLessThanOrEqual(20 * EPS * norm(K) * norm(D) * norm(Z));
      if (!flat) expect(slope((t) => Math.abs((on.violation(at(t)) ** 2 - kk) / 4 - t * rate))).toBeCloseTo(2, 1);

      const h = shiftedExpen(E, f(), 3.7, on);
      E.copy(h.M, symmetric(11));
      const [G, H] = [E.tall(n, p), E.tall(n, p)];
      const value = h.fg(G, Z);
      h.hvp!(H, Z, D);
      const [first, second] = [E.dot(G, D), E.dot(H, D)];
      expect(slope((t) => Math.abs(h.f(at(t)) - value - t * first), 1e-3)).toBeCloseTo(2, 1);
      expect(slope((t) => Math.abs(h.f(at(t)) - value - t * first - (t * t * second) / 2), 1e-3)).toBeCloseTo(3, 1);
    });

    test("the tangent part is idempotent and self-adjoint; it is tangent, and nothing of a normal vector", () => {
      const { X, tall, symmetric, small, norm, sum, distance, multiplier, pushed, normalVector, tangent } = tools;
      const [A, B, C] = [tall(12), tall(13), symmetric(14)];
      const [PA, PB] = [tangent(X, A), tangent(X, B)];
      const scale = 20 * EPS * norm(A) * Math.sqrt(p);
      expect(distance(tangent(X, PA), PA)).toBeLessThanOrEqual(scale);
      // with a metric the adjoint of P makes directions, and these are tangent
      const directions = (A: Tall): Tall => {
        const J = sum(1, A, 0, A);
        if (on.direction) on.direction(J, X, A);
        else on.tangent(J, X);
        return J;
      };
      expect(Math.abs(E.dot(PA, B) - E.dot(A, directions(B)))).toBeLessThanOrEqual(scale * norm(B));
      if (!metric) expect(Math.abs(E.dot(PA, B) - E.dot(A, PB))).toBeLessThanOrEqual(scale * norm(B));
      expect(norm(pushed(directions(A), X).V)).toBeLessThanOrEqual(scale);
      expect(norm(tangent(X, normalVector(X, C)))).toBeLessThanOrEqual(20 * EPS * norm(C) * Math.sqrt(p));
      const project = on.orthogonal?.(X);
      if (project) {
        const [QA, QB] = [A, B].map((A) => {
          const Z = sum(1, A, 0, A);
          project(Z);
          return Z;
        }) as [Tall, Tall];
        const [inside, again] = [tangent(X, QA), sum(1, QA, 0, QA)];
        project(again);
        expect(distance(again, QA)).toBeLessThanOrEqual(scale);
        expect(distance(inside, QA)).toBeLessThanOrEqual(scale);
        expect(Math.abs(E.dot(QA, B) - E.dot(A, QB))).toBeLessThanOrEqual(scale * norm(B));
      }
      const S = small();
      const kept = sum(1, A, 0, A);
      on.tangent(kept, X, S);
      expect(distance(S, multiplier(X, A))).toBe(0);
      expect(distance(kept, PA)).toBe(0);
    });

    test("the Hessian is symmetric and is the derivative of the gradient along `restore`", (context) => {
      const { X, tall, norm, sum, distance, multiplier, tangent } = tools;
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
        const J = E.tall(n, p);
        if (on.direction) on.direction(J, X, D);
        else E.copy(J, D);
        F.hvp!(H, X, J);
        on.hessian(H, J, X, S);
        return H;
      };
      const [C, D] = [tangent(X, tall(15)), tangent(X, tall(16))];
      const [HC, HD] = [hessian(C), hessian(D)];
      const scale = (norm(G) + norm(HC) + norm(HD)) * (norm(C) + norm(D));
      expect(Math.abs(E.dot(HC, D) - E.dot(C, HD))).toBeLessThanOrEqual(100 * EPS * scale);
      const t = 1e-5;
      const restore = on.restorer();
      const [up, down] = [t, -t].map((t) => {
        const Y = E.tall(n, p);
        restore(Y, sum(1, X, t, D));
        return tangent(Y, gradient(Y));
      });
      const difference = tangent(X, sum(0.5 / t, up!, -0.5 / t, down!));
      if (!metric) expect(distance(difference, HD)).toBeLessThanOrEqual(1e-7 * scale);
      // along a tangent J the curve bends in the normal space alone, whatever the metric: ⟨J, H[J]⟩ is the second derivative of f
      const J = sum(1, D, 0, D);
      on.direction?.(J, X, D);
      const along = (t: number): number => {
        const Y = E.tall(n, p);
        restore(Y, sum(1, X, t, J));
        return F.f(Y);
      };
      const e = 1e-4;
      const second = (along(e) - 2 * along(0) + along(-e)) / (e * e);
      expect(Math.abs(second - E.dot(J, hessian(J)))).toBeLessThanOrEqual(1e-5 * scale * (1 + norm(J)) ** 2);
    });
    test("`restore`, `approach` and `project` lead to feasible points, from near and from far", () => {
      const { X, tall, norm, sum, distance, tangent, near } = tools;
      const [restore, approach, project] = [on.restorer(), on.approacher(), on.projector()];
      // what Riemannian methods ask for: to rounding, also where one step of A leaves more
      for (const t of [1e-3, 1e-6]) {
        const Z = E.tall(n, p);
        on.restorer(1e-8)(Z, near(t, 17));
        expect(on.violation(Z)).toBeLessThanOrEqual(20 * EPS * Math.sqrt(p));
      }
      const [Y, W] = [E.tall(n, p), E.tall(n, p)];
      for (const start of [near(1e-3, 17), near(0.5, 18), tall(19), sum(5, tall(20), 0, X)]) {
        restore(Y, start);
        expect(on.violation(Y)).toBeLessThanOrEqual(1e-10);
        project(W, start);
        expect(on.violation(W)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
        // nearest: what was removed is normal, and no other feasible point is nearer
        const removed = sum(1, start, -1, W);
        if (!metric) {
          expect(norm(tangent(W, removed))).toBeLessThanOrEqual(1e-11 * norm(start));
          expect(norm(removed)).toBeLessThanOrEqual(distance(start, X) * (1 + 10 * EPS) + 10 * EPS);
        }
        let last = start;
        for (let k = 0; k < 60 && on.violation(last) > 1e-12; k++) {
          const next = E.tall(n, p);
          expect(approach(next, last)).toBe(on.violation(last));
          last = next;
        }
        expect(on.violation(last)).toBeLessThanOrEqual(1e-12);
      }
      if (flat) return;
      const still = near(0.05, 21);
      expect(approach(Y, still, 1)).toBe(on.violation(still));
      expect(distance(Y, still)).toBe(0);
      project(Y, X);
      expect(distance(Y, X)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
    });

    test("nothing depends on the basis: ‖K(XQ)‖ = ‖K(X)‖, A(XQ) = A(X)Q, P_XQ(ZQ) = P_X(Z)Q, likewise `project`", (context) => {
      const { X, Z, tall, turn, norm, distance, dissolved, tangent, near } = tools;
      if (flat) return context.skip("there is no constraint");
      const [Q, project] = [turn(22), on.projector()];
      const turned = (A: Tall): Tall => {
        const AQ = E.tall(n, p);
        E.mul(AQ, A, Q);
        return AQ;
      };
      const projected = (A: Tall): Tall => {
        const Y = E.tall(n, p);
        project(Y, A);
        return Y;
      };
      const scale = 50 * EPS * p * (1 + norm(Z)) ** 3;
      expect(Math.abs(on.violation(turned(Z)) - on.violation(Z))).toBeLessThanOrEqual(scale);
      expect(distance(dissolved(turned(Z)), turned(dissolved(Z)))).toBeLessThanOrEqual(scale);
      const A = tall(23);
      expect(distance(tangent(turned(X), turned(A)), turned(tangent(X, A)))).toBeLessThanOrEqual(scale * norm(A));
      const W = near(0.3, 24);
      expect(distance(projected(turned(W)), turned(projected(W)))).toBeLessThanOrEqual(100 * scale);
    });
  });
}
