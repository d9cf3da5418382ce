/** Every built-in problem beside its formula. */

import { brockett, noeig } from "@expen/experiments/paper";
import type { Problem } from "@expen/experiments/problems";
import { dictionary, jointdiag, nearest, pca, procrustes, quadratic } from "@expen/experiments/problems";
import type { Engine } from "@expen/linalg";
import { gaussian, random, unitSymmetric } from "@expen/linalg";
import { constantTridiagonal, sparseFromTriplets } from "@expen/linalg/arrays";
import * as T from "../src/index.js";

export const [n, p, m] = [24, 5, 40];
const { add, inner, mul, norm2, pow, rowSums, scale, solve, square, sub, sum, t, trace } = T;
export const half = (A: T.Arg): T.Expr => scale(0.5, A);

const B = unitSymmetric(n, random(3, "B"));
const C = unitSymmetric(p, random(3, "C"));
export const data = gaussian(m, n, random(3, "data"));
export const target = gaussian(n, p, random(3, "target"));
const several = [1, 2, 3].map((seed) => unitSymmetric(n, random(seed, "several")));
const square5 = gaussian(p, p, random(3, "square"));
const entries = Array.from({ length: 20 }, (_, k) => [(k * 7) % n, (k * 11) % n, Math.sin(k)] as const);
const sparse = sparseFromTriplets(
  n,
  n,
  [...entries.map(([i]) => i), ...entries.map(([, j]) => j)],
  [...entries.map(([, j]) => j), ...entries.map(([i]) => i)],
  [...entries, ...entries].map(([, , v]) => v),
);

/** A problem, and the formula of its f */
export type Twin = [title: string, (E: Engine) => Problem, (E: Engine) => (X: T.Expr) => T.Arg];

export const twins: Twin[] = [
  ["brockett", (E) => brockett(E, { n, p, B, C }), () => (X) => half(trace(mul(t(X), B, X, C)))],
  ["brockett, inner product", (E) => brockett(E, { n, p, B, C }), () => (X) => half(inner(X, mul(mul(B, X), C)))],
  ["sparse brockett", (E) => brockett(E, { n, p, B: sparse, C }), () => (X) => half(trace(mul(t(X), sparse, X, C)))],
  [
    "noeig",
    (E) => noeig(E, { n, p }),
    () => (X) => {
      const L = constantTridiagonal(n, -1, 2, -1);
      const rho = rowSums(square(X));
      return add(half(trace(mul(t(X), L, X))), scale(0.25, inner(rho, solve(L, rho))));
    },
  ],
  [
    "noeig, density as diag(XXᵀ)",
    (E) => noeig(E, { n, p, alpha: 3 }),
    () => (X) => {
      const L = constantTridiagonal(n, -1, 2, -1);
      const rho = T.diag(mul(X, t(X)));
      return add(half(inner(X, mul(L, X))), scale(0.75, mul(t(rho), T.inv(L), rho)));
    },
  ],
  ["quadratic", (E) => quadratic(E, { n, p, A: B, G: target }), () => (X) => add(half(inner(X, mul(B, X))), inner(target, X))],
  ["nearest", (E) => nearest(E, { n, p, A: target }), () => (X) => half(norm2(sub(X, target)))],
  [
    "procrustes, left",
    (E) => procrustes(E, { n, p, side: "left", A: B, B: target }),
    () => (X) => half(norm2(sub(mul(B, X), target))),
  ],
  [
    "procrustes, right",
    (E) => procrustes(E, { n, p, side: "right", A: square5, B: target }),
    () => (X) => half(norm2(sub(mul(X, square5), target))),
  ],
  [
    "pca",
    (E) => pca(E, { n, p, A: data, centre: false, covariance: false }),
    () => (X) => scale(-0.5 / (m - 1), norm2(mul(data, X))),
  ],
  [
    "dictionary",
    (E) => dictionary(E, { n, p, Y: data }),
    () => (X) => scale(-0.25 / m, sum(pow(mul(data, X), 4))),
  ],
  [
    "jointdiag",
    (E) => jointdiag(E, { n, p, A: several }),
    () => (X) => scale(-0.5, add(...several.map((A) => norm2(T.diag(mul(t(X), A, X)))))),
  ],
]; // biome-ignore format: one twin a paragraph
