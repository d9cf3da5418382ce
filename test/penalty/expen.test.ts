import { describe, expect, test } from "vitest";
import { tallOf } from "../../src/engines/own-matrix.js";
import { euclidean } from "../../src/geometry/euclidean.js";
import { eigh } from "../../src/linalg/eigh.js";
import { polar } from "../../src/linalg/polar.js";
import { svd } from "../../src/linalg/svd.js";
import { expen } from "../../src/penalty/expen.js";
import { noeig } from "../../src/problems/noeig.js";
import { randomStart } from "../../src/run/start.js";
import { trialRay } from "../../src/solvers/ray.js";
import { trustRegion } from "../../src/solvers/trust-region.js";
import type { Matrix, Objective, Small, Tall } from "../../src/types.js";
import { js as E, linear, near, normal, normalSmall, rayleigh, slope, wavy } from "../functions.js";

const [n, p] = [9, 4];
const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
const minus = (A: Matrix, B: Tall): Tall => {
  const C = tallOf(E, A);
  E.combine(C, -1, B, 1, C);
  return C;
};
const gradient = (f: Objective, X: Tall): Tall => {
  const G = E.tall(f.n, f.p);
  f.fg(G, X);
  return G;
};
const multiplier = (X: Tall, G: Tall): Small => {
  const S = E.small(X.cols, X.cols);
  E.tmul(S, X, G);
  E.symmetrize(S);
  return S;
};
const infeasibility = (X: Tall): Small => {
  const K = E.small(X.cols, X.cols);
  E.gram(K, X);
  E.addDiagonal(K, -1);
  return K;
};
function shifted(f: Objective, beta: number) {
  const h = expen(E, f, beta);
  const M = normalSmall(E, f.p, f.p, 7);
  E.symmetrize(M);
  E.copy(h.M, M);
  h.shifted = true;
  return { h, M };
}

describe.each([
  ["plain", (f: Objective) => expen(E, f, 3.7)],
  ["shifted", (f: Objective) => shifted(f, 3.7).h],
])("%s ExPen", (_title, make) => {
  const f = wavy(E, n, p);
  const h = make(f);

  test.each([0, 0.3, 2])(
    "gradient has Taylor slope 2 and Hessian slope 3 at distance %f from the manifold",
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

  test("the Hessian is symmetric and linearize equals hvp", () => {
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

  test("on the manifold h = f and ∇h is the Riemannian gradient, whatever β and M", () => {
    const X = randomStart(E, n, p, 3);
    const G = gradient(f, X);
    const R = tallOf(E, G);
    E.mul(R, X, multiplier(X, G), -1, 1);
    expect(Math.abs(h.f(X) - f.f(X))).toBeLessThan(1e-13 * Math.abs(f.f(X)));
    expect(norm(minus(gradient(h, X), R))).toBeLessThan(1e-13 * norm(G));
  });

  test("value and gradient cost one call of f and at most 9np² + O(p³) flops, and make no matrix", () => {
    const [N, P] = [400, 6];
    const free: Objective = { n: N, p: P, f: () => 0, fg: () => 0 };
    const g = make({ ...free });
    const [X, G] = [E.tall(N, P), E.tall(N, P)];
    const before = { ...E.counters };
    g.fg(G, X);
    expect(E.counters.flops - before.flops).toBeLessThanOrEqual(9 * N * P * P + N * P + 4 * P ** 3);
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

/** The n·p eigenvalues of a Hessian, ascending */
function spectrum(f: Objective, X: Tall): Float64Array {
  const size = f.n * f.p;
  const A = E.small(size, size);
  const [D, H] = [E.tall(f.n, f.p), E.tall(f.n, f.p)];
  for (let i = 0; i < size; i++) {
    E.fill(D, 0);
    D.data[i] = 1;
    f.hvp!(H, X, D);
    A.data.set(H.data, i * size);
  }
  E.symmetrize(A);
  return eigh(E, A).values;
}

/** A stationary point of f on the manifold to rounding, by Newton on h with a β that is large enough */
function stationaryPoint(f: Objective): Tall {
  const h = expen(E, f, 60);
  let X: Tall = randomStart(E, f.n, f.p, 2);
  const steps = trustRegion(E, h)(trialRay(E, h, euclidean(E), X));
  for (let k = 0; k < 200; k++) {
    const next = steps.next();
    if (next.done) break;
    X = next.value.X;
  }
  const Y = E.tall(f.n, f.p);
  polar(E, f.n, f.p)(Y, X);
  return Y;
}

describe("Theorem 3.6 (F3): at a feasible stationary point", () => {
  test.each([
    ["plain", false],
    ["shifted", true],
  ])("spec ∇²h = spec Hess f on the tangent space ∪ {2β − 1.5(μ_i + μ_j)}, %s", (_title, shift) => {
    const f = wavy(E, 6, 3);
    const X = stationaryPoint(f);
    const G = gradient(f, X);
    const S = multiplier(X, G);
    const beta = 4.2;
    const h = expen(E, f, beta);
    if (shift) {
      const M = normalSmall(E, 3, 3, 11);
      E.symmetrize(M);
      E.copy(h.M, M);
      h.shifted = true;
    }
    // the Riemannian Hessian, extended by 0 on the normal space and shifted away there by a large number
    const far = 1e4;
    const T = E.small(3, 3);
    const project = (Z: Tall): void => {
      E.tmul(T, X, Z);
      E.symmetrize(T);
      E.mul(Z, X, T, -1, 1);
    };
    const riemannian: Objective = {
      ...f,
      hvp(H, _X, D) {
        const P = tallOf(E, D);
        project(P);
        f.hvp!(H, X, P);
        E.mul(H, P, S, -1, 1);
        project(H);
        E.combine(P, 1, D, -1, P);
        E.combine(H, far, P, 1, H);
      },
    };
    const tangent = [...spectrum(riemannian, X)].filter((v) => v < far / 2);
    if (shift) E.combine(S, -1, h.M, 1, S);
    const lambda = eigh(E, S).values;
    const expected = [...tangent];
    for (let i = 0; i < 3; i++) for (let j = i; j < 3; j++) expected.push(2 * beta - 1.5 * (lambda[i]! + lambda[j]!));
    expected.sort((a, b) => a - b);
    const found = spectrum(h, X);
    expect(tangent.length).toBe(6 * 3 - 6);
    expected.forEach((value, i) => {
      expect(Math.abs(found[i]! - value)).toBeLessThan(1e-7 * (1 + Math.abs(found[17]!)));
    });
  });
});

describe("infeasible stationary points of h (F1, F2)", () => {
  const L = normal(E, 7, 3, 1);
  const { U, s: sigma, V } = svd(E, L);
  const compose = (s: number[]): Tall => {
    const [D, UD, X] = [E.small(3, 3), E.tall(7, 3), E.tall(7, 3)];
    s.forEach((value, i) => {
      D.data[i * 4] = value;
    });
    E.mul(UD, U, D);
    E.mulT(X, UD, V);
    return X;
  };
  const along = (i: number): Tall => {
    const s = [0, 0, 0];
    s[i] = 1;
    return compose(s);
  };

  test("linear f: X = U·diag(s)·Vᵀ with each s_i = ±1 or 1.5σ_i/β is stationary, and −β(1 − s²) is its curvature along u vᵀ", () => {
    const f = linear(E, L);
    const beta = 12 * norm(L);
    const h = expen(E, f, beta);
    for (const pattern of [[0], [1], [0, 2], [0, 1, 2]]) {
      const s = [-1, -1, -1];
      for (const i of pattern) s[i] = (1.5 * sigma[i]!) / beta;
      const X = compose(s);
      expect(norm(gradient(h, X))).toBeLessThan(1e-13 * beta);
      for (const i of pattern) {
        const [D, H] = [along(i), E.tall(7, 3)];
        h.hvp!(H, X, D);
        expect(E.dot(D, H)).toBeCloseTo(-beta * (1 - s[i]! ** 2), 9);
        // Theorem 3.2: a strict saddle with an eigenvalue below −β/24
        expect(E.dot(D, H)).toBeLessThan(-beta / 24);
      }
    }
  });

  test("quadratic f: s = 1.5·b·a(s)/β, curvature (1 − s²)(−β + 2.25(1 − s²)b)", () => {
    const A = normalSmall(E, 6, 6, 5);
    E.symmetrize(A);
    const { values, vectors } = eigh(E, A);
    const b = values[5]!;
    const beta = 1.2 * b;
    const h = expen(E, rayleigh(E, A, 1), beta);
    // s ≠ 0 with β·s = 1.5·b·s(3 − s²)/2, hence s² = 3 − 4β/(3b)
    const s = Math.sqrt(3 - (4 * beta) / (3 * b));
    expect(s).toBeGreaterThan(1.01);
    const [X, D, H] = [E.tall(6, 1), E.tall(6, 1), E.tall(6, 1)];
    for (let i = 0; i < 6; i++) D.data[i] = vectors.data[i * 6 + 5]!;
    E.combine(X, s, D, 0, X);
    expect(norm(gradient(h, X))).toBeLessThan(1e-12 * beta);
    h.hvp!(H, X, D);
    expect(E.dot(D, H)).toBeCloseTo((1 - s * s) * (-beta + 2.25 * (1 - s * s) * b), 9);
  });
});

test("Proposition 3.9 and Lemma 3.11 on the tube ‖K‖ ≤ 1/6, for a linear f and β = β̄ = 12·M1", () => {
  const L = normal(E, 8, 3, 3);
  const f = linear(E, L);
  const M1 = norm(L);
  const beta = 12 * M1;
  const h = expen(E, f, beta);
  const [project, P] = [polar(E, 8, 3), E.tall(8, 3)];
  for (let seed = 0; seed < 300; seed++) {
    const X = near(E, 8, 3, 0.08 * ((seed % 10) / 10 + 0.05), seed);
    const k = norm(infeasibility(X));
    if (k > 1 / 6) continue;
    project(P, X);
    expect(h.f(P)).toBeLessThanOrEqual(h.f(X) - (beta / 4 - M1 / 2) * k * k + 1e-12 * beta);
    const R = gradient(f, P);
    E.mul(R, P, multiplier(P, L), -1, 1);
    expect(norm(gradient(h, X))).toBeGreaterThanOrEqual(0.5 * norm(R) + (beta / 4) * k - 1e-12 * beta);
  }
});

test("Prop. 2.7: A(X + D) − A(X) − J_X(D) + D·sym(DᵀX) + ½X·DᵀD = −½D·DᵀD", () => {
  // the sign of the second-order term is +, against the paper's print; checked through h of a linear f
  const [X, D] = [near(E, n, p, 0.4), normal(E, n, p, 6)];
  const A = (Z: Tall): Tall => {
    const K = infeasibility(Z);
    const Y = tallOf(E, Z);
    E.mul(Y, Z, K, -0.5, 1);
    return Y;
  };
  const V = E.small(p, p);
  E.tmul(V, X, D);
  E.symmetrize(V);
  const K = infeasibility(X);
  const sum = E.tall(n, p);
  E.combine(sum, 1, X, 1, D);
  const total = minus(A(sum), A(X));
  // − J_X(D) = −D(I − K/2) + X·V
  E.combine(total, -1, D, 1, total);
  E.mul(total, D, K, 0.5, 1);
  E.mul(total, X, V, 1, 1);
  const DD = E.small(p, p);
  E.gram(DD, D);
  E.mul(total, D, V, 1, 1);
  E.mul(total, X, DD, 0.5, 1);
  const right = E.tall(n, p);
  E.mul(right, D, DD, -0.5);
  expect(norm(minus(total, right))).toBeLessThan(1e-13 * norm(right));
});

test("the paper's β = ‖∇f(X0)‖/10 is too small from a warm start: h falls below f* there", () => {
  const { objective } = noeig(E, { n: 40, p: 3 });
  const h = expen(E, objective, 1e-3);
  const X = near(E, 40, 3, 0);
  const Y = tallOf(E, X);
  E.combine(Y, -0.5, X, 1, Y);
  expect(h.f(Y)).toBeLessThan(h.f(X));
});
