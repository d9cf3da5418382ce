/** Sets of equations with known answers, and the four problems of the suite. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { formula, inner, mul, sub, t } from "@expen/tape";
import type { View } from "../../src/contracts/manifold.js";
import type { Formula, UserObjective } from "../../src/contracts/user-objective.js";
import type { EquationsFunction } from "../../src/own/equations.js";
import type { VectorFunction } from "../../src/sets/subject.js";

export const matrixOf = (rows: number, cols: number, entry: (i: number, j: number) => number): Matrix => ({
  rows,
  cols,
  data: Float64Array.from({ length: rows * cols }, (_, k) => entry(Math.floor(k / cols), k % cols)),
});

export function normals(rows: number, cols: number, seed: number): Matrix {
  const { normal } = random(seed, "own problems");
  return matrixOf(rows, cols, () => normal());
}

export interface OwnProblem {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly c: Formula | VectorFunction | EquationsFunction;
  f(E: Engine): UserObjective<View>;
  readonly optimum?: number;
}

/** ½‖X − A‖² */
export const nearestTo =
  (A: Matrix) =>
  (E: Engine): UserObjective<View> => {
    const target = E.tall(A.rows, A.cols, A.data);
    return {
      fg(G: Tall, X: Tall): number {
        E.combine(G, 1, X, -1, target);
        return 0.5 * E.dot(G, G);
      },
    } as unknown as UserObjective<View>;
  };

/** ⟨b, x⟩ on xᵀDiag(1/a²)x = 1 with axes a from 1 to 0.1: −‖Diag(a)b‖ */
export function ellipsoid(n: number, seed: number): OwnProblem {
  const axis = (i: number): number => 1 - (0.9 * i) / (n - 1);
  const b = normals(n, 1, seed);
  const Q = matrixOf(n, n, (i, j) => (i === j ? axis(i) ** -2 : 0));
  return {
    name: "ellipsoid",
    rows: n,
    cols: 1,
    c: formula((x) => sub(inner(x, mul(Q, x)), 1)),
    f(E) {
      const B = E.tall(n, 1, b.data);
      return {
        fg(G: Tall, X: Tall): number {
          E.copy(G, B);
          return E.dot(B, X);
        },
      } as unknown as UserObjective<View>;
    },
    optimum: -Math.sqrt(b.data.reduce((sum, v, i) => sum + (axis(i) * v) ** 2, 0)),
  };
}

/** x_n = −x_1² + x_2² − … */
export function hyperbolicParaboloid(n: number, seed: number): OwnProblem {
  const S = matrixOf(n, n, (i, j) => (i === j && i < n - 1 ? (i % 2 ? 1 : -1) : 0));
  const last = matrixOf(n, 1, (i) => (i === n - 1 ? 1 : 0));
  const c = formula((x) => sub(inner(x, mul(S, x)), inner(last, x)));
  return { name: "hyperbolic paraboloid", rows: n, cols: 1, c, f: nearestTo(normals(n, 1, seed + 50)) };
}

/** XᵀJX = J: all p² equations, which follow from those above the diagonal */
export function symplectic(n: number, p: number, seed: number): OwnProblem {
  const J = (k: number): Matrix => matrixOf(k, k, (i, j) => (j === i + k / 2 ? 1 : i === j + k / 2 ? -1 : 0));
  const c = formula((X) => sub(mul(t(X), J(n), X), J(p)));
  return { name: "symplectic Stiefel", rows: n, cols: p, c, f: nearestTo(normals(n, p, seed + 100)) };
}

/** XᵀX = I and rows of one length, √(p/n): an equation follows from the others, as both sides give ‖X‖² = p */
export function parsevalFrame(n: number, p: number, seed: number, count = { values: 0, adjoints: 0 }): OwnProblem {
  const c: VectorFunction = {
    size: (p * (p + 1)) / 2 + n,
    value(out, { data: x }) {
      count.values++;
      let k = 0;
      for (let i = 0; i < p; i++) {
        for (let j = 0; j <= i; j++, k++) {
          out[k] = i === j ? -1 : 0;
          for (let r = 0; r < n; r++) out[k]! += x[r * p + i]! * x[r * p + j]!;
        }
      }
      for (let r = 0; r < n; r++, k++) {
        out[k] = -p / n;
        for (let i = 0; i < p; i++) out[k]! += x[r * p + i]! ** 2;
      }
    },
    adjoint({ data: g }, { data: x }, w) {
      count.adjoints++;
      let k = 0;
      for (let i = 0; i < p; i++) {
        for (let j = 0; j <= i; j++, k++) {
          for (let r = 0; r < n; r++) {
            g[r * p + i]! += w[k]! * x[r * p + j]!;
            g[r * p + j]! += w[k]! * x[r * p + i]!;
          }
        }
      }
      for (let r = 0; r < n; r++, k++) for (let i = 0; i < p; i++) g[r * p + i]! += 2 * w[k]! * x[r * p + i]!;
    },
  };
  return { name: "Parseval frame", rows: n, cols: p, c, f: nearestTo(normals(n, p, seed + 200)) };
}

/** xᵀx = 1 by functions of the entries */
export const unitSphere = {
  c: ({ data: x }: Tall) => [x.reduce((sum, v) => sum + v * v, -1)],
  jacobian: ({ data: x }: Tall) => [x.map((v) => 2 * v)],
};
