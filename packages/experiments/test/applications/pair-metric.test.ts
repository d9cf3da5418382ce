import { negentropy, orthogonalJointDiagonality, orthomax, sparseRegression } from "@expen/apps/objectives";
import type { Objective, Precondition } from "@expen/core";
import { plainPoint, stiefelConstraint } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, random, randomOrthonormal } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { describe, expect, test } from "vitest";
import { commonEigenvectors } from "../../src/problems/jointdiag.js";

const E = jsEngine();

/** Every combination of p of these values: independent to rounding, of mean 0 and variance 1 */
function grid(values: readonly number[], p: number): Matrix {
  const mean = values.reduce((s, v) => s + v, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((s, v) => s + (v - mean) ** 2, 0) / values.length);
  const m = values.length ** p;
  const data = Float64Array.from({ length: m * p }, (_, k) => {
    const digit = Math.floor(Math.floor(k / p) / values.length ** (k % p)) % values.length;
    return (values[digit]! - mean) / deviation;
  });
  return { rows: m, cols: p, data };
}

const Z = grid([-3, -0.4, -0.1, 0.1, 0.4, 3.2], 3);
const L = gaussian(30, 4, random(1, "loadings"));
const { Q, matrices } = commonEigenvectors(5, 4, 1);

const cases: Record<string, (engine: typeof E) => { f: Objective; precondition: Precondition }> = {
  "negentropy, logcosh, squares": (E) => negentropy(E, Z, "logcosh", "squares"),
  "negentropy, kurtosis, absolute": (E) => negentropy(E, Z, "kurtosis", "absolute"),
  varimax: (E) => orthomax(E, L, 1),
  "joint diagonalisation": (E) => orthogonalJointDiagonality(E, matrices),
};

for (const [title, make] of Object.entries(cases)) {
  objectiveContract(
    title,
    (E) => {
      const { f } = make(E);
      return { name: title, title: "f(X) = …", n: f.n, p: f.p, objective: f };
    },
    // the sums over matrices are made of X itself
    title === "joint diagonalisation" ? { engines: { js: jsEngine } } : {},
  );
}

test("sparse regression: f is C¹, and its derivatives equal differences as long as no entry crosses the threshold", () => {
  const [n, p, t] = [8, 3, 1e-6];
  const A = gaussian(20, n, random(1, "A"));
  const B = plainProduct(plainTranspose(A), A);
  const { apply } = E.operator({ ...B, data: B.data.map((v) => -v) });
  const { f } = sparseRegression(E, n, p, { apply: (Y, X) => apply(Y, X) }, 2);
  for (const seed of [1, 2, 3]) {
    const X = E.tall(n, p, randomOrthonormal(n, p, random(seed, "X")).data);
    const D = E.tall(n, p, gaussian(n, p, random(seed, "D")).data);
    const [Y, G, H, low, high] = [0, 1, 2, 3, 4].map(() => E.tall(n, p)) as [Tall, Tall, Tall, Tall, Tall];
    f.fg(G, X);
    f.hvp!(H, X, D);
    E.combine(Y, 1, X, t, D);
    const above = f.fg(high, Y);
    E.combine(Y, 1, X, -t, D);
    const below = f.fg(low, Y);
    const slope = (above - below) / (2 * t);
    expect(Math.abs(slope - E.dot(G, D))).toBeLessThan(1e-7 * Math.sqrt(E.dot(G, G) * E.dot(D, D)));
    E.combine(high, 1 / (2 * t), high, -1 / (2 * t), low);
    expect(difference(high, H)).toBeLessThan(1e-7 * Math.sqrt(E.dot(H, H)));
  }
});

const normal = (p: number, seed: number): Tall => E.tall(p, p, gaussian(p, p, random(seed, "G")).data);
const orthogonal = (p: number, seed: number): Tall => E.tall(p, p, randomOrthonormal(p, p, random(seed, "X")).data);
const difference = (A: Tall, B: Tall): number => {
  const D = E.tall(A.rows, A.cols);
  E.combine(D, 1, A, -1, B);
  return Math.sqrt(E.dot(D, D));
};
/** X·A with a seeded A = −Aᵀ */
function tangent(X: Tall, seed: number): Tall {
  const [A, D] = [E.read(normal(X.cols, seed)), E.tall(X.rows, X.cols)];
  const p = X.cols;
  const skew = E.small(
    p,
    p,
    Float64Array.from(A, (v, k) => v - A[(k % p) * p + Math.floor(k / p)]!),
  );
  E.mul(D, X, skew);
  return D;
}
/** The Riemannian Hessian along D */
function hessian(f: Objective, X: Tall, D: Tall): Tall {
  const { dissolver } = stiefelConstraint(E, f.n, f.p);
  const x = plainPoint(X);
  const [G, H, S] = [E.tall(f.n, f.p), E.tall(f.n, f.p), E.small(f.p, f.p)];
  f.fg(G, X);
  dissolver.S(S, x, G);
  f.hvp!(H, X, D);
  dissolver.hessian(H, plainPoint(D), x, S);
  return H;
}

describe.each(Object.entries(cases))("the metric of %s", (_title, make) => {
  test("is symmetric and positive definite, also after other evaluations", () => {
    const { f, precondition } = make(E);
    for (const seed of [1, 2, 3]) {
      const [X, F, G] = [orthogonal(f.p, seed), normal(f.p, seed), normal(f.p, seed + 10)];
      const [PF, PG, again] = [E.tall(f.p, f.p), E.tall(f.p, f.p), E.tall(f.p, f.p)];
      precondition(PF, X, F);
      precondition(PG, X, G);
      const size = Math.sqrt(E.dot(PF, PF) * E.dot(G, G));
      expect(Math.abs(E.dot(PF, G) - E.dot(F, PG))).toBeLessThan(1e-13 * size);
      expect(E.dot(PG, G)).toBeGreaterThan(0);
      f.f(orthogonal(f.p, seed + 20));
      precondition(again, orthogonal(f.p, seed + 30), F);
      precondition(again, X, F);
      expect(difference(again, PF)).toBe(0);
    }
  });
});

/** P is the inverse of the Hessian on tangent vectors. */
function expectExact(f: Objective, precondition: Precondition, X: Tall): void {
  for (const seed of [1, 2, 3]) {
    const D = tangent(X, seed);
    const PH = E.tall(f.p, f.p);
    precondition(PH, X, hessian(f, X, D));
    expect(difference(PH, D)).toBeLessThan(1e-10 * Math.sqrt(E.dot(D, D)));
  }
}

test.each(["logcosh", "kurtosis"] as const)("%s: exact where sources are independent", (contrast) => {
  const I = E.tall(3, 3, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  for (const sum of ["squares", "absolute"] as const) {
    const { f, precondition } = negentropy(E, Z, contrast, sum);
    expectExact(f, precondition, I);
  }
});

test("joint diagonalisation: exact at common eigenvectors", () => {
  const { f, precondition } = orthogonalJointDiagonality(E, matrices);
  expectExact(f, precondition, E.tall(5, 5, Q.data));
});

test("orthomax: the curvature in a plane of two columns, at any point", () => {
  for (const gamma of [0, 1, 2.5]) {
    const { f, precondition } = orthomax(E, L, gamma);
    const X = orthogonal(4, 7);
    let positive = 0;
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const A = new Float64Array(16);
        [A[i * 4 + j], A[j * 4 + i]] = [1, -1];
        const [D, P] = [E.tall(4, 4), E.tall(4, 4)];
        E.mul(D, X, E.small(4, 4, A));
        // D = X·A is an eigenvector of P with eigenvalue 1/h_ij
        precondition(P, X, D);
        const h = E.dot(D, D) / E.dot(P, D);
        const along = E.dot(hessian(f, X, D), D) / 2;
        if (along > 0.1) {
          positive++;
          expect(h).toBeCloseTo(along, 9);
        }
      }
    }
    expect(positive).toBeGreaterThan(0);
  }
});
