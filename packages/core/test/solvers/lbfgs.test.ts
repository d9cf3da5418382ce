import type { Small, Tall } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import { js as E, like, linear, normal, normalSmall, rayleigh, wavy } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import type { TrialRay } from "../../src/contracts/ray.js";
import { euclidean } from "../../src/manifolds/euclidean-geometry.js";
import { stiefel } from "../../src/manifolds/geometry.js";
import type { FirstMatrix } from "../../src/methods/quasi-newton/first/first-matrix.js";
import { lbfgs } from "../../src/methods/quasi-newton/lbfgs.js";
import { curvaturePairs } from "../../src/methods/quasi-newton/pairs.js";
import { trialRay } from "../../src/methods/trial-ray.js";
import { flat } from "../../src/methods/vectors.js";
import { randomStart } from "../../src/run/start.js";

const [n, p, capacity] = [10, 3, 3];
const norm = (X: Tall | Small): number => Math.sqrt(E.dot(X, X));
const difference = (X: Tall, Y: Tall): number => {
  const Z = like(E, X);
  E.combine(Z, 1, X, -1, Y);
  return norm(Z);
};
/** a symmetric positive definite matrix with eigenvalues from 1 on */
const definite = (size: number, seed: number): Small => {
  const S = E.small(size, size);
  E.gram(S, normalSmall(E, size, size, seed));
  E.addDiagonal(S, 1);
  return S;
};

/** Q ↦ γ·Q·C */
const fromTheRight = (gamma: number, C: Small): FirstMatrix => ({
  scaled: true,
  apply: (R, _X, Q) => E.mul(R, Q, C, gamma),
  learn() {},
  forget: () => false,
});

interface StoredPair {
  s: Tall;
  y: Tall;
}

/** (I − ρsyᵀ)H(I − ρysᵀ) + ρssᵀ applied to v, by recursion over the pairs */
function inverseHessian(pairs: StoredPair[], first: FirstMatrix, v: Tall): Tall {
  if (pairs.length === 0) {
    const R = E.tall(n, p);
    first.apply(R, v, v);
    return R;
  }
  const [{ s, y }] = pairs.slice(-1) as [StoredPair];
  const sy = E.dot(s, y);
  const w = tallOf(E, v);
  E.combine(w, -E.dot(s, v) / sy, y, 1, w);
  const u = inverseHessian(pairs.slice(0, -1), first, w);
  E.combine(u, E.dot(s, v) / sy - E.dot(y, u) / sy, s, 1, u);
  return u;
}

/** A step t along D whose gradient changes by y. */
function step(ray: TrialRay, t: number, y: Tall): StoredPair {
  const s = E.tall(n, p);
  E.combine(s, t, ray.D, 0, s);
  ray.t = t;
  E.combine(ray.Gt, 1, ray.G, 1, y);
  ray.accept();
  return { s, y };
}

describe("the memory", () => {
  const first = fromTheRight(0.7, definite(p, 3));
  const B = E.operator(definite(n, 4));
  const begin = (): TrialRay => trialRay(E, linear(E, normal(E, n, p, 1)), euclidean(E), normal(E, n, p, 2));

  const cases = [false, true].flatMap((again) =>
    [undefined, { first: 1, period: 2 }].map((growth) => ({ again, growth })),
  );

  test.each(cases)(
    "is BFGS on the last pairs, one after the other; started again each time: $again, growth: $growth",
    ({ again, growth }) => {
      const memory = curvaturePairs(flat(E, n, p), capacity, { growth });
      /** pairs kept after so many steps: each of them had room when it came */
      let kept = 0;
      const ray = begin();
      const pairs: StoredPair[] = [];
      for (let k = 0; k < 7; k++) {
        const G = tallOf(E, ray.G);
        ray.slope0 = memory.direction(ray, first);
        const D = tallOf(E, ray.D);
        const expected = inverseHessian(pairs.slice(pairs.length - kept), first, G);
        E.combine(expected, -1, expected, 0, expected);
        expect(difference(D, expected)).toBeLessThan(1e-11 * norm(expected));
        expect(Math.abs(ray.slope0 - E.dot(G, D))).toBeLessThan(1e-11 * norm(G) * norm(D));
        // a quadratic with Hessian B: y = Bs
        const t = 0.1 + 0.1 * k;
        const y = E.tall(n, p);
        B.apply(y, D, t);
        pairs.push(step(ray, t, y));
        if (again) memory.restart();
        const pair = memory.update(ray, t, E.dot(D, D), 0);
        kept = Math.min(kept + 1, capacity, growth ? growth.first + Math.floor(k / growth.period) : capacity);
        expect(memory.size).toBe(kept);
        expect(difference(pair.y, y)).toBeLessThan(1e-12 * norm(ray.G));
        expect(difference(pair.D, D)).toBe(0);
        expect(Math.abs(pair.dy - E.dot(D, y))).toBeLessThan(1e-11 * norm(D) * norm(ray.G));
        expect(Math.abs(pair.gg - E.dot(ray.G, ray.G))).toBeLessThan(1e-12 * pair.gg);
      }
      memory.clear();
      memory.direction(ray, first);
      expect(difference(ray.D, inverseHessian([], fromTheRight(-0.7, definite(p, 3)), ray.G))).toBe(0);
    },
  );

  test("after a transport it is BFGS on the moved pairs", () => {
    const memory = curvaturePairs(flat(E, n, p), capacity);
    const ray = begin();
    const pairs: StoredPair[] = [];
    for (let k = 0; k < 4; k++) {
      ray.slope0 = memory.direction(ray, first);
      const y = E.tall(n, p);
      B.apply(y, ray.D);
      pairs.push(step(ray, 1, y));
      memory.update(ray, 1, 1, 0);
    }
    const S = definite(p, 9);
    const move = (Z: Tall): void => E.mul(Z, tallOf(E, Z), S);
    memory.transport(move);
    for (const { s, y } of pairs) [s, y].forEach(move);
    memory.direction(ray, first);
    const expected = inverseHessian(pairs.slice(-capacity), first, ray.G);
    E.combine(expected, -1, expected, 0, expected);
    expect(difference(ray.D, expected)).toBeLessThan(1e-10 * norm(expected));
  });

  test("a pair with curvature below the threshold is not stored and disturbs nothing", () => {
    const memory = curvaturePairs(flat(E, n, p), capacity);
    const ray = begin();
    for (const sign of [1, 1, -1]) {
      ray.slope0 = memory.direction(ray, first);
      const y = E.tall(n, p);
      B.apply(y, ray.D, sign);
      step(ray, 1, y);
      const before = memory.size;
      expect(memory.update(ray, 1, 1, 0).dy * sign).toBeGreaterThan(0);
      expect(memory.size).toBe(sign > 0 ? before + 1 : before);
    }
    const [plain, again] = [E.tall(n, p), E.tall(n, p)];
    memory.direction(ray, first);
    E.copy(plain, ray.D);
    memory.restart();
    memory.direction(ray, first);
    E.copy(again, ray.D);
    expect(difference(plain, again)).toBeLessThan(1e-12 * norm(plain));
  });
});

test("superlinear on a quadratic once the memory covers it; makes no matrix after its first step", () => {
  const Q = normalSmall(E, 6, 6, 1);
  const A = E.small(6, 6);
  E.gram(A, Q);
  E.addDiagonal(A, 1);
  const f = rayleigh(E, A, 1);
  const steps = lbfgs(E, 6, 1, { memory: 8 })(trialRay(E, f, euclidean(E), normal(E, 6, 1, 2)));
  steps.next();
  steps.next();
  const { matrices } = E.counters;
  let last = { k: 0, gnorm: 1 };
  for (const s of steps) {
    last = s;
    if (s.gnorm < 1e-12 || s.k > 60) break;
  }
  expect(last.k).toBeLessThan(40);
  expect(last.gnorm).toBeLessThan(1e-12);
  expect(E.counters.matrices).toBe(matrices);
});

test("a first matrix of which nothing is true is forgotten, and the run goes on along the gradient", () => {
  let trusted = true;
  const wrong: FirstMatrix = {
    scaled: true,
    // uphill
    apply: (R, _X, Q) => E.combine(R, trusted ? -1 : 1, Q, 0, R),
    learn() {},
    forget() {
      const before = trusted;
      trusted = false;
      return before;
    },
  };
  const geometry = stiefel(E, n, p);
  const ray = trialRay(E, wavy(E, n, p), geometry, randomStart(E, n, p, 1));
  const { f } = ray;
  for (const s of lbfgs(E, n, p, { first: wrong, stepCap: 1 })(ray)) {
    if (s.k === 1) {
      expect(s.f).toBeLessThan(f);
      break;
    }
  }
  expect(trusted).toBe(false);
});
