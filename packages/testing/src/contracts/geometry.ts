/** The contract of geometries on the Stiefel manifold: identities of retraction, projection and Hessian. */

import type { Geometry } from "@expen/core";
import { plainPoint, randomStart } from "@expen/core";
import { noeig } from "@expen/experiments/paper";
import type { Engine, Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { jsEngine, tallOf } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";

const SHAPES = [[1, 1], [5, 1], [6, 6], [9, 4], [40, 7], [7, 5]] as const; // biome-ignore format: shapes in a row

export interface GeometryTraits {
  /** P_X(R_X(tD) − X − tD) = O(t³) */
  secondOrder?: boolean;
}

export function geometryContract(
  title: string,
  make: (E: Engine, n: number, p: number) => Geometry,
  { secondOrder = false }: GeometryTraits = {},
): void {
  describe.each(SHAPES)(`geometry contract: ${title}, %i×%i`, (n, p) => {
    const E = jsEngine();
    const geometry = make(E, n, p);
    const x = plainPoint(randomStart(E, n, p, 3));
    const { X } = x;
    const normal = (seed: number): Tall => {
      const Z = E.tall(n, p);
      fillNormal(Z, random(seed));
      return Z;
    };
    const norm = (Z: Tall | Small): number => Math.sqrt(E.dot(Z, Z));
    const tangent = (seed: number): Tall => {
      const D = normal(seed);
      geometry.project(D, x);
      const length = norm(D);
      if (length > 1e-12) E.combine(D, 1 / length, D, 0, D);
      else E.fill(D, 0);
      return D;
    };
    const feasibility = (Y: Tall): number => {
      const K = E.small(p, p);
      E.gram(K, Y);
      E.addDiagonal(K, -1);
      return norm(K);
    };
    const [y, Z] = [plainPoint(E.tall(n, p)), E.tall(n, p)];
    const Y = y.X;
    /** Z ← R_X(tD) − X − tD */
    const remainder = (t: number, D: Tall): void => {
      geometry.retract(y, x, t, D);
      E.combine(Z, 1, Y, -1, X);
      E.combine(Z, -t, D, 1, Z);
    };

    test("R_X(0) = X", () => {
      geometry.retract(y, x, 0, tangent(1));
      E.combine(Z, 1, Y, -1, X);
      expect(norm(Z)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
    });

    test("R_X(tD) is feasible to 10ε√p", () => {
      for (const t of [1e-8, 1e-3, 0.1, 1, 3]) {
        geometry.retract(y, x, t, tangent(2));
        expect(feasibility(Y)).toBeLessThanOrEqual(10 * EPS * Math.sqrt(p));
      }
    });

    test("R_X(tD) = X + tD + O(t²)", () => {
      const D = tangent(3);
      const error = (t: number): number => {
        remainder(t, D);
        return norm(Z);
      };
      // ‖D‖ = 1: the second derivative of every retraction here is bounded by 2
      for (const t of [1e-2, 1e-3, 1e-4]) expect(error(t)).toBeLessThanOrEqual(2 * t * t + 20 * EPS * Math.sqrt(p));
    });

    if (secondOrder) {
      test("the tangent part of R_X(tD) − X − tD is O(t³)", () => {
        const D = tangent(4);
        for (const t of [1e-1, 1e-2, 1e-3]) {
          remainder(t, D);
          geometry.project(Z, x);
          expect(norm(Z)).toBeLessThanOrEqual(2 * t ** 3 + 20 * EPS * Math.sqrt(p));
        }
      });
    }

    test("P is idempotent, self-adjoint, and its image is tangent", () => {
      const [A, B] = [normal(5), normal(6)];
      const [PA, PB] = [tallOf(E, A), tallOf(E, B)];
      geometry.project(PA, x);
      geometry.project(PB, x);
      expect(Math.abs(E.dot(PA, B) - E.dot(A, PB))).toBeLessThanOrEqual(20 * EPS * norm(A) * norm(B));
      const twice = tallOf(E, PA);
      geometry.project(twice, x);
      E.combine(twice, -1, PA, 1, twice);
      expect(norm(twice)).toBeLessThanOrEqual(20 * EPS * norm(A));
      const S = E.small(p, p);
      E.tmul(S, X, PA);
      E.symmetrize(S);
      expect(norm(S)).toBeLessThanOrEqual(20 * EPS * norm(A));
    });

    test.skipIf(n === 1)("the Hessian is symmetric and is the derivative of the gradient along R", () => {
      const { objective: f } = noeig(E, { n, p });
      const [C, D] = [tangent(7), tangent(8)];
      const [G, HC, HD] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
      f.fg(G, X);
      const hessian = (H: Tall, D: Tall): void => {
        f.hvp!(H, X, D);
        geometry.hessian(H, D, x, G);
      };
      hessian(HC, C);
      hessian(HD, D);
      const scale = norm(G) + norm(HC) + norm(HD);
      expect(Math.abs(E.dot(HC, D) - E.dot(C, HD))).toBeLessThanOrEqual(100 * EPS * scale);
      // P_X of the central difference of gradients along the curve
      const t = 1e-5;
      const [up, down] = [E.tall(n, p), E.tall(n, p)];
      for (const [Z, sign] of [[up, 1], [down, -1]] as const) {
        geometry.retract(y, x, sign * t, D);
        f.fg(Z, Y);
        geometry.project(Z, y);
      } // biome-ignore format: pairs in a row
      E.combine(up, -0.5 / t, down, 0.5 / t, up);
      geometry.project(up, x);
      E.combine(up, -1, HD, 1, up);
      expect(norm(up)).toBeLessThanOrEqual(1e-7 * scale);
    });
  });
}
