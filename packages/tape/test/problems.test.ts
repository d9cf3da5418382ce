/** Every built-in problem written as a formula: the same numbers as its hand-written derivatives, for the same work. */

import type { Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine, tallOf } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { describe, expect, test } from "vitest";
import * as T from "../src/index.js";
import { data, half, m, n, p, target, twins } from "./twins.js";

const { add, compile, hadamard, mul, norm2, square, sum, t } = T;

describe.each(twins)("%s", (_title, make, formula) => {
  const E = jsEngine();
  const hand = make(E).objective;
  const tape = compile(E, { n, p }, formula(E));
  const [X, D, G, H] = [1, 2, 3, 4].map((k) => {
    const M = E.tall(n, p);
    fillNormal(M, random(k, "point"));
    return M;
  }) as [Tall, Tall, Tall, Tall];
  const distance = (A: Tall, B: Tall): number => {
    const R = E.tall(n, p);
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
  objectiveContract(`tape of ${title}`, (E) => ({
    name: title,
    title: "f(X) = the formula",
    n,
    p,
    objective: compile(E, { n, p }, formula(E)),
  }));
}

test("a product with the same large factor is taken once: Aᵀ(AX + tanh(AX)) for ½‖AX‖² + Σ log cosh AX", () => {
  const E = jsEngine();
  const f = compile(E, { n, p }, (X) => add(half(norm2(mul(data, X))), sum(T.logcosh(mul(data, X)))));
  const [X, G] = [tallOf(E, target), E.tall(n, p)];
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
  const [X, G] = [tallOf(E, target), E.tall(n, p)];
  const before = E.counters.flops;
  f.fg(G, X);
  expect(E.counters.flops - before).toBe(n * p * (p + 1) + 2 * n * p * p);
});
