/** The contract of objectives: derivatives by Taylor's theorem, symmetry, no side effects, declared forms and optima that hold. */

import type { Problem } from "@expen/experiments/problems";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { fillNormal, random, randomOrthonormal } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { type Opaque, opaque } from "../engines/opaque.js";
import { split } from "../engines/split.js";

const everywhere = { js: jsEngine, opaque: () => opaque(jsEngine()), split: () => split(jsEngine()) };

export interface ObjectiveContractOptions {
  /** a feasible point where the optimum is attained */
  minimiser?: (problem: Problem) => Matrix;
  /** by name; left out: a host engine, and those that show what would fail on a device or on ranks */
  engines?: Record<string, () => Engine>;
}

export function objectiveContract(
  title: string,
  make: (E: Engine) => Problem,
  { minimiser, engines = everywhere }: ObjectiveContractOptions = {},
): void {
  describe.each(Object.entries(engines))(`objective contract: ${title}, on %s`, (name, engine) => {
    const E = engine();
    const problem = make(E);
    const { n, p, objective } = problem;
    const matrix = (fill = Number.NaN): Tall => {
      const M = E.tall(n, p);
      E.fill(M, fill);
      return M;
    };
    const orthonormal = (seed: number): Tall => E.tall(n, p, randomOrthonormal(n, p, random(seed, "point")).data);
    const direction = (seed: number): Tall => {
      const D = matrix(0);
      fillNormal(D, random(seed, "direction"), E);
      E.combine(D, 1 / Math.sqrt(E.dot(D, D)), D, 0, D);
      return D;
    };
    const moved = (X: Tall, t: number, D: Tall): Tall => {
      const Y = matrix();
      E.combine(Y, 1, X, t, D);
      return Y;
    };
    /** three points on the manifold, three off it */
    const points = [1, 2, 3].flatMap((seed) => {
      const X = orthonormal(seed);
      return [X, moved(X, 0.7, direction(seed + 50))];
    });
    const gradient = (X: Tall): Tall => {
      const G = matrix();
      objective.fg(G, X);
      return G;
    };
    const hessian = (X: Tall, D: Tall): Tall => {
      const H = matrix();
      objective.hvp!(H, X, D);
      return H;
    };
    const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
    /** the rounding of one evaluation: sums of n·p terms of the size of f and of ‖X‖‖∇f‖ */
    const rounding = (X: Tall): number => EPS * (1 + Math.abs(objective.f(X)) + norm(X) * norm(gradient(X)));

    /** log₂ of the decrease of |r(t)| + |r(−t)|, where neighbouring orders cancel, from t to t/2 at the smallest t above rounding */
    function slope(X: Tall, remainder: (t: number) => number): number {
      const floor = 2000 * rounding(X);
      let [previous, found] = [Number.NaN, Number.NaN];
      for (let k = 2; k <= 14; k++) {
        const r = Math.abs(remainder(2 ** -k)) + Math.abs(remainder(-(2 ** -k)));
        if (r < floor) break;
        found = Math.log2(previous / r);
        previous = r;
      }
      return found;
    }

    test("sizes", () => {
      expect([objective.n, objective.p]).toEqual([n, p]);
      expect(problem.title).toMatch(/f\(X\) =/);
      expect(objective.hvp).toBeDefined();
    });

    test("|f(X+tD) − f(X) − t⟨∇f, D⟩| falls like t²", () => {
      points.forEach((X, i) => {
        const D = direction(i);
        const [f0, G] = [objective.f(X), gradient(X)];
        const s = slope(X, (t) => objective.f(moved(X, t, D)) - f0 - t * E.dot(G, D));
        // a remainder that is all rounding: f is affine along D
        if (Number.isNaN(s)) expect(Math.abs(E.dot(D, hessian(X, D)))).toBeLessThan(1e-6);
        else expect(Math.abs(s - 2), `slope ${s} at point ${i}`).toBeLessThan(0.1);
      });
    });

    if (objective.quadratic) {
      test("quadratic: Taylor's formula of second order is exact", () => {
        points.forEach((X, i) => {
          const D = direction(i);
          const H = hessian(X, D);
          const Y = moved(X, 1, D);
          const tolerance = 50 * n * p * (rounding(X) + rounding(Y));
          const remainder = objective.f(Y) - objective.f(X) - E.dot(gradient(X), D) - 0.5 * E.dot(D, H);
          expect(Math.abs(remainder)).toBeLessThanOrEqual(tolerance);
          const R = moved(moved(gradient(Y), -1, gradient(X)), -1, H);
          expect(norm(R)).toBeLessThanOrEqual(tolerance);
        });
      });

      test("quadratic: the declared form gives f and ∇f", () => {
        const { apply, C, L, constant = 0 } = objective.quadratic!;
        points.forEach((X) => {
          const [BX, G] = [matrix(), matrix()];
          apply(BX, X);
          if (C) E.mul(G, BX, C);
          else E.copy(G, BX);
          const f = 0.5 * E.dot(X, G) + (L ? E.dot(L, X) : 0) + constant;
          const tolerance = 50 * n * p * (rounding(X) + EPS * Math.abs(constant));
          expect(Math.abs(f - objective.f(X))).toBeLessThanOrEqual(tolerance);
          if (L) E.combine(G, 1, L, 1, G);
          expect(norm(moved(G, -1, gradient(X)))).toBeLessThanOrEqual(tolerance);
        });
      });

      test("quadratic: the form takes any number of columns", () => {
        const [X, Y] = [E.tall(n, p + 2), E.tall(n, p + 2)];
        fillNormal(X, random(1, "wide"), E);
        E.fill(Y, Number.NaN);
        objective.quadratic!.apply(Y, X);
        const column = (A: Float64Array, j: number): Float64Array => A.filter((_, k) => k % (p + 2) === j);
        const [x, y] = [E.read(X), E.read(Y)];
        for (let j = 0; j < p + 2; j++) {
          const [one, Bone] = [E.tall(n, 1, column(x, j)), E.tall(n, 1)];
          objective.quadratic!.apply(Bone, one);
          const difference = E.read(Bone).map((v, i) => Math.abs(v - column(y, j)[i]!));
          expect(Math.max(...difference)).toBeLessThanOrEqual(1e-13 * (1 + norm(Y)));
        }
      });
    } else {
      test("|f(X+tD) − f(X) − t⟨∇f, D⟩ − ½t²⟨D, ∇²f[D]⟩| falls like t³", () => {
        points.forEach((X, i) => {
          const D = direction(i);
          const [f0, G, H] = [objective.f(X), gradient(X), hessian(X, D)];
          const [gD, hD] = [E.dot(G, D), E.dot(H, D)];
          const s = slope(X, (t) => objective.f(moved(X, t, D)) - f0 - t * gD - 0.5 * t * t * hD);
          expect(Math.abs(s - 3), `slope ${s} at point ${i}`).toBeLessThan(0.1);
        });
      });
    }

    test("⟨∇²f[D], E⟩ = ⟨D, ∇²f[E]⟩", () => {
      points.forEach((X, i) => {
        const [D1, D2] = [direction(i), direction(i + 30)];
        const [H1, H2] = [hessian(X, D1), hessian(X, D2)];
        const tolerance = 50 * n * p * EPS * (norm(H1) + norm(H2));
        expect(Math.abs(E.dot(H1, D2) - E.dot(D1, H2))).toBeLessThanOrEqual(tolerance);
      });
    });

    test.runIf(objective.linearize)(
      "linearize is hvp at a fixed point, also when f is taken elsewhere in between",
      () => {
        points.forEach((X, i) => {
          const second = objective.linearize!(X);
          for (const D of [direction(i), direction(i + 9)]) {
            objective.fg(matrix(), points[0]!);
            const H = matrix();
            second(H, D);
            const K = hessian(X, D);
            expect(norm(moved(H, -1, K))).toBeLessThanOrEqual(10 * n * p * EPS * norm(K));
          }
        });
      },
    );

    test("f is the value of fg, the same input gives the same bits, inputs stay as they are, no matrix is made, no tall one read", () => {
      for (const X of points) {
        const [D, G, G2, H, H2] = [direction(7), matrix(), matrix(), matrix(), matrix()];
        const [x, d] = [E.read(X), E.read(D)];
        const before = E.counters.matrices;
        const crossed = (E as Partial<Opaque>).crossings?.tall;
        const value = objective.f(X);
        expect(objective.fg(G, X)).toBe(value);
        objective.hvp!(H, X, D);
        objective.linearize?.(X)(H2, D);
        expect(objective.fg(G2, X)).toBe(value);
        objective.hvp!(H2, X, D);
        expect(E.counters.matrices).toBe(before);
        expect((E as Partial<Opaque>).crossings?.tall).toBe(crossed);
        expect(E.read(G2)).toEqual(E.read(G));
        expect(E.read(H2)).toEqual(E.read(H));
        expect(E.read(X)).toEqual(x);
        expect(E.read(D)).toEqual(d);
        expect([...E.read(G), ...E.read(H)].every(Number.isFinite)).toBe(true);
      }
    });

    test.runIf(objective.convex)("a declared convexity shows no counterexample", () => {
      points.forEach((X, i) => {
        const D = direction(i);
        expect(E.dot(D, hessian(X, D))).toBeGreaterThanOrEqual(-n * p * EPS * norm(hessian(X, D)));
      });
    });

    if (problem.optimum !== undefined) {
      const count = name === "js" ? 200 : 20;
      test(`the optimum is not above f at ${count} feasible points`, () => {
        for (let seed = 100; seed < 100 + count; seed++) {
          const X = orthonormal(seed);
          expect(objective.f(X)).toBeGreaterThanOrEqual(problem.optimum! - n * p * rounding(X));
        }
      });
    }
    if (minimiser) {
      test("the optimum is attained, at a stationary feasible point", () => {
        const X = E.tall(n, p, minimiser(problem).data);
        const S = E.small(p, p);
        E.gram(S, X);
        E.addDiagonal(S, -1);
        expect(norm(S)).toBeLessThanOrEqual(1e-12);
        const scale = 1 + Math.abs(problem.optimum!);
        expect(Math.abs(objective.f(X) - problem.optimum!)).toBeLessThanOrEqual(1e-12 * scale);
        const G = gradient(X);
        E.tmul(S, X, G);
        E.symmetrize(S);
        E.mul(G, X, S, -1, 1);
        expect(norm(G)).toBeLessThanOrEqual(1e-11 * (1 + norm(gradient(X))));
      });
    }
  });
}
