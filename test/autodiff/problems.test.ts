/** Every built-in problem written as a formula: the same numbers as its hand-written derivatives, for the same work. */
import { describe, expect, test } from "vitest";
import { sparseFromTriplets } from "../../src/arrays/sparse.js";
import * as T from "../../src/autodiff/index.js";
import { jsEngine } from "../../src/engines/js.js";
import { constantTridiagonal } from "../../src/linalg/tridiagonal.js";
import { brockett } from "../../src/problems/brockett.js";
import { dictionary } from "../../src/problems/dictionary.js";
import { gaussian, unitSymmetric } from "../../src/problems/instances.js";
import { jointdiag } from "../../src/problems/jointdiag.js";
import { nearest } from "../../src/problems/nearest.js";
import { noeig } from "../../src/problems/noeig.js";
import { pca } from "../../src/problems/pca.js";
import type { Problem } from "../../src/problems/problem.js";
import { procrustes } from "../../src/problems/procrustes.js";
import { quadratic } from "../../src/problems/quadratic.js";
import { fillNormal, random } from "../../src/random.js";
import type { Engine, Matrix } from "../../src/types.js";
import { objectiveContract } from "../contracts/objective.js";

const [n, p, m] = [24, 5, 40];
const { add, compile, hadamard, inner, mul, norm2, pow, rowSums, scale, solve, square, sub, sum, t, trace } = T;
const half = (A: T.Arg): T.Expr => scale(0.5, A);

const B = unitSymmetric(n, random(3, "B"));
const C = unitSymmetric(p, random(3, "C"));
const data = gaussian(m, n, random(3, "data"));
const target = gaussian(n, p, random(3, "target"));
const several = [1, 2, 3].map((seed) => unitSymmetric(n, random(seed, "several")));
const square5 = gaussian(p, p, random(3, "square"));
const entries = Array.from({ length: 60 }, (_, k) => [(k * 7) % n, (k * 11) % n, Math.sin(k)] as const);
const sparse = sparseFromTriplets(
  n,
  n,
  [...entries.map(([i]) => i), ...entries.map(([, j]) => j)],
  [...entries.map(([, j]) => j), ...entries.map(([i]) => i)],
  [...entries, ...entries].map(([, , v]) => v),
);

type Twin = [title: string, (E: Engine) => Problem, (E: Engine) => (X: T.Expr) => T.Arg];

const twins: Twin[] = [
  ["brockett", (E) => brockett(E, { n, p, B, C }), () => (X) => half(trace(mul(t(X), B, X, C)))],
  ["brockett, inner product", (E) => brockett(E, { n, p, B, C }), () => (X) => half(inner(X, mul(mul(B, X), C)))],
  ["sparse brockett", (E) => brockett(E, { n, p, B: sparse, C }), () => (X) => half(trace(mul(t(X), sparse, X, C)))],
  [
    "noeig",
    (E) => noeig(E, { n, p }),
    (E) => (X) => {
      const L = constantTridiagonal(E, n, -1, 2, -1);
      const rho = rowSums(square(X));
      return add(half(trace(mul(t(X), L, X))), scale(0.25, inner(rho, solve(L, rho))));
    },
  ],
  [
    "noeig, density as diag(XXᵀ)",
    (E) => noeig(E, { n, p, alpha: 3 }),
    (E) => (X) => {
      const L = constantTridiagonal(E, n, -1, 2, -1);
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

describe.each(twins)("%s", (_title, make, formula) => {
  const E = jsEngine();
  const hand = make(E).objective;
  const tape = compile(E, { n, p }, formula(E));
  const [X, D, G, H] = [1, 2, 3, 4].map((k) => {
    const M = E.matrix(n, p);
    fillNormal(M, random(k, "point"));
    return M;
  }) as [Matrix, Matrix, Matrix, Matrix];
  const distance = (A: Matrix, B: Matrix): number => {
    const R = E.matrix(n, p);
    E.combine(R, 1, A, -1, B);
    return Math.sqrt(E.dot(R, R) / E.dot(B, B));
  };
  const flops = (job: () => void): number => {
    const before = E.counters.flops;
    job();
    return E.counters.flops - before;
  };

  test("value, gradient and Hessian agree to 1e-12", () => {
    const value = hand.fg(G, X);
    expect(Math.abs(tape.fg(H, X) - value)).toBeLessThanOrEqual(1e-12 * Math.abs(value));
    expect(distance(H, G)).toBeLessThanOrEqual(1e-12);
    hand.hvp!(G, X, D);
    tape.hvp(H, X, D);
    expect(distance(H, G)).toBeLessThanOrEqual(1e-12);
  });

  test("products take no more work than by hand", () => {
    expect(flops(() => tape.f(X))).toBeLessThanOrEqual(flops(() => hand.f(X)));
    expect(flops(() => tape.fg(G, X))).toBeLessThanOrEqual(flops(() => hand.fg(G, X)));
    expect(flops(() => tape.hvp(H, X, D))).toBeLessThanOrEqual(flops(() => hand.hvp!(H, X, D)));
  });
});

// of a quadratic f, which the tape does not declare, Taylor's remainder of third order is rounding only
for (const [title, , formula] of twins.filter(([name]) => /noeig|dictionary|jointdiag/.test(name))) {
  const make = (E: Engine): Problem => ({
    name: title,
    title: "f(X) = the formula",
    n,
    p,
    objective: compile(E, { n, p }, formula(E)),
  });
  // on host engines only
  objectiveContract(`tape of ${title}`, make, { engines: { js: jsEngine } });
}

test("a product with the same large factor is taken once: Aᵀ(AX + tanh(AX)) for ½‖AX‖² + Σ log cosh AX", () => {
  const E = jsEngine();
  const f = compile(E, { n, p }, (X) => add(half(norm2(mul(data, X))), sum(T.logcosh(mul(data, X)))));
  const [X, G] = [E.from(target), E.matrix(n, p)];
  const before = E.counters.flops;
  f.fg(G, X);
  expect(E.counters.flops - before).toBe(2 * (2 * m * n * p));
});

test("hadamard with itself and square are one node, XᵀX is a Gram matrix", () => {
  const E = jsEngine();
  const f = compile(E, { n, p }, (X) => {
    const S = mul(t(X), X);
    return add(sum(hadamard(S, S)), sum(square(mul(t(X), X))));
  });
  const [X, G] = [E.from(target), E.matrix(n, p)];
  const before = E.counters.flops;
  f.fg(G, X);
  expect(E.counters.flops - before).toBe(n * p * (p + 1) + 2 * n * p * p);
});
