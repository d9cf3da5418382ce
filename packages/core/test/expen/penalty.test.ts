/** ExPen: values, gradients, Hessians and the shift, by the identities of the paper. */

import type { Tall } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { js as E, near, normal, slope, wavy } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import type { Objective } from "../../src/contracts/objective.js";
import { expen } from "../../src/expen/penalty.js";
import { dissolver } from "../../src/manifolds/dissolver.js";
import { plainPoint } from "../../src/manifolds/point.js";
import { randomStart } from "../../src/run/start.js";
import { gradient, infeasibility, minus, multiplier, norm, shifted } from "./parts.js";

const [n, p] = [9, 4];

describe.each([
  ["plain", (f: Objective) => expen(E, f, 3.7)],
  ["shifted", (f: Objective) => shifted(f, 3.7).h],
])("%s ExPen", (title, make) => {
  const f = wavy(E, n, p);
  const h = make(f);

  test.each([0, 0.3, 2])(
    "Prop. 2.8 and Prop. 2.9: gradient has Taylor slope 2 and Hessian slope 3 at distance %f from the manifold",
    (distance) => {
      const [X, D] = [near(E, n, p, distance), normal(E, n, p, 3)];
      const [G, H, Xt] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
      const value = h.fg(G, X);
      h.hvp!(H, X, D);
      expect(h.f(X)).toBe(value);
      const remainder = (order: number) => (t: number) => {
        E.combine(Xt, 1, X, t, D);
        return Math.abs(h.f(Xt) - value - t * E.dot(G, D) - (order > 2 ? 0.5 * t * t * E.dot(D, H) : 0));
      };
      expect(Math.abs(slope(remainder(2), 1e-3) - 2)).toBeLessThan(0.1);
      expect(Math.abs(slope(remainder(3), 4e-3) - 3)).toBeLessThan(0.1);
    },
  );

  test("Prop. 2.9: the Hessian is symmetric and linearize equals hvp", () => {
    const X = near(E, n, p, 0.5);
    const [D, F] = [normal(E, n, p, 4), normal(E, n, p, 5)];
    const [HD, HF] = [E.tall(n, p), E.tall(n, p)];
    const hessian = h.linearize!(X);
    hessian(HD, D);
    hessian(HF, F);
    expect(Math.abs(E.dot(HD, F) - E.dot(D, HF))).toBeLessThan(1e-12 * norm(HD) * norm(F));
    const again = E.tall(n, p);
    h.hvp!(again, X, D);
    expect(norm(minus(again, HD))).toBe(0);
  });

  test("(1.1) and Prop. 2.8: on the manifold h = f and ∇h is the Riemannian gradient, whatever β and M", () => {
    const X = randomStart(E, n, p, 3);
    const G = gradient(f, X);
    const R = tallOf(E, G);
    E.mul(R, X, multiplier(X, G), -1, 1);
    expect(Math.abs(h.f(X) - f.f(X))).toBeLessThan(1e-13 * Math.abs(f.f(X)));
    expect(norm(minus(gradient(h, X), R))).toBeLessThan(1e-13 * norm(G));
  });

  test("Table 1: value and gradient cost one call of f and 9np² + np flops, 4p³ more with a shift, and make no matrix", () => {
    const [N, P] = [400, 6];
    const free: Objective = { n: N, p: P, f: () => 0, fg: () => 0 };
    const g = make({ ...free });
    const [X, G] = [E.tall(N, P), E.tall(N, P)];
    const before = { ...E.counters };
    g.fg(G, X);
    const others = title === "plain" ? 0 : 4 * P ** 3;
    expect(E.counters.flops - before.flops).toBe(9 * N * P * P + N * P + others);
    expect(E.counters.matrices).toBe(before.matrices);
  });
});

test("the shift is ExPen of f − ½⟨M, YᵀY − I⟩, by p×p work alone", () => {
  const f = wavy(E, n, p);
  const { h, M } = shifted(f, 1.3);
  const K = E.small(p, p);
  const scratch = E.tall(n, p);
  const fg = (G: Tall, Y: Tall): number => {
    const value = f.fg(G, Y);
    E.mul(G, Y, M, -1, 1);
    E.gram(K, Y);
    E.addDiagonal(K, -1);
    return value - 0.5 * E.dot(M, K);
  };
  const reference = expen(E, { n, p, fg, f: (Y) => fg(scratch, Y) }, 1.3);
  const X = near(E, n, p, 0.7);
  expect(h.f(X)).toBeCloseTo(reference.f(X), 11);
  expect(norm(minus(gradient(h, X), gradient(reference, X)))).toBeLessThan(1e-12 * norm(gradient(h, X)));
});

test("adding c/2·‖X‖² to f and c·I to M leaves h as it was", () => {
  const f = wavy(E, n, p);
  const c = 5.5;
  const g: Objective = {
    ...f,
    f: (X) => f.f(X) + (c / 2) * (E.dot(X, X) - p),
    fg(G, X) {
      const value = f.fg(G, X);
      E.combine(G, c, X, 1, G);
      return value + (c / 2) * (E.dot(X, X) - p);
    },
  };
  const [one, two] = [shifted(f, 2).h, shifted(g, 2).h];
  E.addDiagonal(two.M, c);
  const X = near(E, n, p, 0.6);
  expect(two.f(X)).toBeCloseTo(one.f(X), 11);
  expect(norm(minus(gradient(one, X), gradient(two, X)))).toBeLessThan(1e-12 * norm(gradient(one, X)));
});

test("Lemma 2.10: ⟨XK, ∇g⟩ = −3/2·⟨K², sym(XᵀG)⟩ for g = f∘A", () => {
  const f = wavy(E, n, p);
  for (const distance of [0.1, 1, 3]) {
    const X = near(E, n, p, distance);
    const K = infeasibility(X);
    const XK = E.tall(n, p);
    E.mul(XK, X, K);
    const Y = tallOf(E, X);
    E.combine(Y, -0.5, XK, 1, Y);
    const K2 = E.small(p, p);
    E.mul(K2, K, K);
    const h = expen(E, f, 1);
    const g = gradient(h, X);
    E.combine(g, -1, XK, 1, g);
    const right = -1.5 * E.dot(K2, multiplier(X, gradient(f, Y)));
    expect(Math.abs(E.dot(XK, g) - right)).toBeLessThan(1e-12 * norm(XK) * norm(g));
  }
});

describe("A(X) = X(I − ½K) and its derivative 𝒥(D) = D(I − ½K) − X·sym(DᵀX)", () => {
  const d = dissolver(E, p);
  const X = near(E, n, p, 0.4);
  const [D, Z] = [normal(E, n, p, 6), normal(E, n, p, 7)];
  const K = E.small(p, p);
  const A = (at: Tall): Tall => {
    const Y = E.tall(n, p);
    d.A(Y, plainPoint(at), K);
    return Y;
  };
  const J = (along: Tall): Tall => {
    const [H, V] = [E.tall(n, p), E.small(p, p)];
    d.K(K, plainPoint(X));
    d.jacobian(H, plainPoint(along), plainPoint(X), K, V);
    return H;
  };
  /** D·sym(DᵀX) + ½X·DᵀD, the second-order term */
  const second = E.tall(n, p);
  const DD = E.small(p, p);
  E.gram(DD, D);
  E.mul(second, D, multiplier(X, D));
  E.mul(second, X, DD, 0.5, 1);
  const moved = (t: number): Tall => {
    const Y = tallOf(E, X);
    E.combine(Y, t, D, 1, Y);
    return Y;
  };

  test("(2.2): ⟨𝒥(D), Z⟩ = ⟨D, 𝒥(Z)⟩", () => {
    expect(Math.abs(E.dot(J(D), Z) - E.dot(D, J(Z)))).toBeLessThan(1e-13 * norm(D) * norm(Z));
  });

  test("Prop. 2.7: A(X + tD) − A(X) is t𝒥(D) to order 2, and t𝒥(D) − t²(…) to order 3", () => {
    const remainder = (t: number, c: number): number => {
      const total = minus(A(moved(t)), A(X));
      E.combine(total, -t, J(D), 1, total);
      E.combine(total, c * t * t, second, 1, total);
      return norm(total);
    };
    expect(slope((t) => remainder(t, 0), 1e-3)).toBeCloseTo(2, 1);
    expect(slope((t) => remainder(t, 1), 1e-2)).toBeCloseTo(3, 6);
    // with the sign that is printed the order is 2
    expect(slope((t) => remainder(t, -1), 1e-3)).toBeCloseTo(2, 1);
  });

  test("the remainder of Prop. 2.7 is −½D·DᵀD exactly", () => {
    const total = minus(A(moved(1)), A(X));
    E.combine(total, -1, J(D), 1, total);
    E.combine(total, 1, second, 1, total);
    E.mul(total, D, DD, 0.5, 1);
    expect(norm(total)).toBeLessThan(1e-13 * norm(D) ** 3);
  });
});
