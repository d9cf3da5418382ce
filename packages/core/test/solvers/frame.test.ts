import type { Matrix, Small, Tall } from "@expen/linalg";
import { gaussian, random, randomOrthonormal, unitSymmetric } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import type { Solver } from "../../src/contracts/method.js";
import type { Objective } from "../../src/contracts/objective.js";
import type { RayIn } from "../../src/contracts/ray.js";
import { dissolvedExpen } from "../../src/expen/dissolved.js";
import { plainPoint } from "../../src/manifolds/point.js";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";
import type { FirstMatrix } from "../../src/methods/quasi-newton/first/first-matrix.js";
import { frame } from "../../src/methods/quasi-newton/frame.js";
import { frameExpen } from "../../src/methods/quasi-newton/frame-expen.js";
import { frameOn } from "../../src/methods/quasi-newton/frame-of.js";
import { growingCholesky } from "../../src/methods/quasi-newton/growing-cholesky.js";
import { usualMemory } from "../../src/methods/quasi-newton/memory.js";
import { curvaturePairs } from "../../src/methods/quasi-newton/pairs.js";
import type { Frame, Tangent } from "../../src/methods/quasi-newton/tangent.js";
import { rayIn } from "../../src/methods/ray.js";
import { counted, noEvaluations } from "../../src/objective/evaluator.js";
import { objective } from "../../src/objective/objective.js";
import { randomStart } from "../../src/run/start.js";

const E = jsEngine();
const r = random(11, "frame");
const [n, p] = [14, 4];
const fr = frame(E, stiefelConstraint(E, n, p), true);

const norm = (A: Tall | Small): number => Math.sqrt(E.dot(A, A));
const tallOf = (A: Matrix): Tall => E.tall(A.rows, A.cols, A.data);
const smallOf = (A: Matrix): Small => E.small(A.rows, A.cols, A.data);
/** A·S */
const product = (A: Tall, S: Small): Tall => {
  const C = E.tall(A.rows, S.cols);
  E.mul(C, A, S);
  return C;
};
const copied = (A: Tangent): Tangent => {
  const B = fr.make();
  fr.combine(B, 1, A, 0, A);
  return B;
};
/** any pair with a skew Ω; Z need not be orthogonal to an X here */
function anyTangent(on: Frame = fr): Tangent {
  const A = on.make();
  if (A.Z) E.write(A.Z, r.normal);
  E.write(A.O!, r.normal);
  const S = smallOf(A.O!);
  E.symmetrize(S);
  E.combine(A.O!, 1, A.O!, -1, S);
  return A;
}

describe("the frame", () => {
  const X = randomStart(E, n, p, 1);
  const G = tallOf(gaussian(n, p, r));
  const g = fr.make();
  const S = fr.S!;
  E.copy(fr.gradientBuffer(g), G);
  fr.toGradient(g, plainPoint(X), fr.gradientBuffer(g));

  test("the gradient is ∇f − X·S = XΩ + Z with Ω skew and XᵀZ = 0", () => {
    const left = tallOf(G);
    E.mul(left, X, S, -1, 1);
    E.mul(left, X, g.O!, -1, 1);
    E.combine(left, 1, left, -1, g.Z!);
    expect(norm(left)).toBeLessThan(1e-13 * norm(G));
    const XZ = E.small(p, p);
    E.tmul(XZ, X, g.Z!);
    expect(norm(XZ)).toBeLessThan(1e-13 * norm(G));
    const skew = smallOf(g.O!);
    E.symmetrize(skew);
    expect(norm(skew)).toBeLessThan(1e-14 * norm(G));
  });

  test("trial points are feasible and leave X along XΩ + Z", () => {
    const [Y, K, t] = [E.tall(n, p), E.small(p, p), 1e-5];
    fr.retract(plainPoint(Y), plainPoint(X), 0.7, g);
    E.gram(K, Y);
    E.addDiagonal(K, -1);
    expect(norm(K)).toBeLessThan(1e-9);
    fr.retract(plainPoint(Y), plainPoint(X), t, g);
    E.combine(Y, 1 / t, Y, -1 / t, X);
    E.mul(Y, X, g.O!, -1, 1);
    E.combine(Y, 1, Y, -1, g.Z!);
    expect(norm(Y)).toBeLessThan(10 * t * norm(G) ** 2);
  });
});

test("a growing factor: M·M⁻¹b = b; a row that those before it nearly span is not taken", () => {
  const M = [
    [4, 1, 0.5],
    [1, 3, -0.2],
    [0.5, -0.2, 2],
  ];
  const L = growingCholesky(4);
  for (const row of M) expect(L.grow(Float64Array.from(row), 0.1)).toBe(true);
  // 0.4 of the first row and half of the second, with a little more on the diagonal
  const spanned = [0, 1, 2].map((j) => 0.4 * M[0]![j]! + 0.5 * M[1]![j]!);
  const own = 0.4 * spanned[0]! + 0.5 * spanned[1]!;
  expect(L.grow(Float64Array.of(...spanned, 1.1 * own), 0.1)).toBe(false);
  expect(L.grow(Float64Array.of(...spanned, 0.9 * own), 0)).toBe(false);
  expect(L.size()).toBe(3);
  const x = Float64Array.of(1, -2, 0.5);
  L.solve(x);
  const b = M.map((row) => row.reduce((sum, m, j) => sum + m * x[j]!, 0));
  for (const [i, v] of [1, -2, 0.5].entries()) expect(b[i]).toBeCloseTo(v, 13);
  expect(L.grow(Float64Array.of(...spanned, 1.2 * own), 0.1)).toBe(true);
});

describe("the memory", () => {
  /** A·s with A symmetric positive definite: entrywise factors, the same for Ω_ij and Ω_ji */
  const factors = Float64Array.from({ length: n * p }, () => 1 + 0.5 * r.uniform());
  const applied = (s: Tangent): Tangent => {
    const y = copied(s);
    E.write(y.Z!, E.read(y.Z!).map((v, k) => v * factors[k]!)); // biome-ignore format: one thought
    E.combine(y.O!, 1.5, s.O!, 0, s.O!);
    return y;
  };
  /** another first matrix at each step makes directions that are not conjugate */
  const uneven = (k: number): FirstMatrix<Tangent> => ({
    scaled: true,
    apply(R, _X, Q) {
      fr.combine(R, 1, Q, 0, Q);
      E.write(R.Z!, E.read(R.Z!).map((v, i) => v * 4 ** ((i * (k + 3)) % 7))); // biome-ignore format: one thought
    },
    learn() {},
    forget: () => false,
  });
  const f = objective(E, { fg: () => 0 }, n, p);
  const rayAt = (g: Tangent): RayIn<Tangent> => {
    const ray = rayIn(E, f, fr);
    ray.G = g;
    return ray;
  };
  /** A step t·D whose gradient changes by change(D) */
  function step(ray: RayIn<Tangent>, t: number, change: Tangent): void {
    ray.t = t;
    fr.combine(ray.Gt, 1, ray.G, t, change);
  }

  test("on a quadratic all pairs of the block meet their secant equations, H·y = s", () => {
    const pairs = curvaturePairs({ ...fr, sumsTravel: true }, 3, { block: 8 });
    const ray = rayAt(anyTangent());
    const stored: [Tangent, Tangent][] = [];
    for (let k = 0; k < 5; k++) {
      ray.slope0 = pairs.direction(ray, uneven(k));
      const { D, G } = ray;
      expect(ray.slope0 / fr.inner(G, D)).toBeCloseTo(1, 12);
      const dd = fr.inner(D, D);
      expect(pairs.bound).toBeGreaterThan(0.999 * Math.sqrt(dd));
      expect(pairs.bound).toBeLessThan(10 * Math.sqrt(dd));
      const [t, y] = [1e-3, applied(D)];
      step(ray, t, y);
      const s = copied(D);
      fr.combine(s, t, s, 0, s);
      stored.push([s, copied(y)]);
      fr.combine(stored[k]![1], t, y, 0, y);
      expect(pairs.trialProducts(ray) / fr.inner(D, ray.Gt)).toBeCloseTo(1, 11);
      ray.accept();
      const pair = pairs.update(ray, t, dd, 0);
      expect(pair.dy / (t * fr.inner(D, y))).toBeCloseTo(1, 11);
      expect(pair.gg / fr.inner(ray.G, ray.G)).toBeCloseTo(1, 13);
    }
    expect(pairs.size).toBe(3);
    // with H symmetric, H·y = s shows in ⟨y, H·g⟩ = ⟨s, g⟩, whatever the first matrix is
    pairs.direction(ray, uneven(9));
    const a = copied(ray.D);
    for (const [s, y] of stored.slice(2)) {
      expect(-fr.inner(y, a) / fr.inner(s, ray.G)).toBeCloseTo(1, 9);
    }
    pairs.direction(ray, uneven(1));
    const b = copied(ray.D);
    fr.combine(b, 1, b, -1, a);
    expect(fr.inner(b, b)).toBeGreaterThan(0);
    for (const [, y] of stored.slice(2)) {
      expect(Math.abs(fr.inner(y, b))).toBeLessThan(1e-10 * Math.sqrt(fr.inner(y, y) * fr.inner(a, a)));
    }
  });

  test("it drops pairs from further away than X is long: of steps of length 0.9, ‖X‖ = 2, three are kept", () => {
    const pairs = curvaturePairs(fr, 5, { block: 8, radius: fr.longestStep });
    const ray = rayAt(anyTangent());
    const sizes: number[] = [];
    for (let k = 0; k < 6; k++) {
      ray.slope0 = pairs.direction(ray, uneven(k));
      const dd = fr.inner(ray.D, ray.D);
      const t = 0.9 / Math.sqrt(dd);
      step(ray, t, applied(ray.D));
      ray.accept();
      pairs.update(ray, t, dd, 0);
      sizes.push(pairs.size);
      expect(pairs.direction(ray, uneven(k)) / fr.inner(ray.G, ray.D)).toBeCloseTo(1, 10);
    }
    expect(sizes).toEqual([1, 2, 3, 3, 3, 3]);
  });

  test("the block follows a transport: its secant equations are those of the moved pairs", () => {
    const pairs = curvaturePairs(fr, 3, { block: 8 });
    const ray = rayAt(anyTangent());
    const stored: [Tangent, Tangent][] = [];
    for (let k = 0; k < 3; k++) {
      ray.slope0 = pairs.direction(ray, uneven(k));
      const [t, y, dd] = [1e-3, applied(ray.D), fr.inner(ray.D, ray.D)];
      step(ray, t, y);
      const s = copied(ray.D);
      fr.combine(s, t, s, 0, s);
      fr.combine(y, t, y, 0, y);
      stored.push([s, y]);
      ray.accept();
      pairs.update(ray, t, dd, 0);
    }
    // an orthogonal map: entries of Z change their signs
    const move = (A: Tangent): void => {
      E.write(A.Z!, E.read(A.Z!).map((v, i) => (i % 3 === 0 ? -v : v))); // biome-ignore format: one thought
    };
    pairs.transport(move);
    pairs.direction(ray, uneven(9));
    for (const pair of stored) {
      pair.forEach(move);
      const [s, y] = pair;
      expect(-fr.inner(y, ray.D) / fr.inner(s, ray.G)).toBeCloseTo(1, 9);
    }
  });
});

test.each([n, p])("the first matrix has ⟨y, H₀y⟩ = ⟨s, y⟩ and is symmetric and positive, n = %i", (rows) => {
  const { frame: local, first: H0 } = frameOn(E, stiefelConstraint(E, rows, p));
  const X = randomStart(E, rows, p, 1);
  const [Hy, Hz] = [local.make(), local.make()];
  // the gradient of an f that depends on the basis of X, and its multiplier
  E.write(local.gradientBuffer(Hy), random(7, "felt").normal);
  local.toGradient(Hy, plainPoint(X), local.gradientBuffer(Hy));
  for (let k = 0; k < 12; k++) {
    const [D, noise, y, t] = [anyTangent(local), anyTangent(local), local.make(), 0.5];
    local.combine(y, (2 + k) * t, D, 0.3, noise);
    const [dd, dy] = [local.inner(D, D), local.inner(D, y)];
    const sy = t * dy;
    H0.learn(X, { t, D, y, dd, dy });
    H0.apply(Hy, X, y);
    expect(local.inner(y, Hy) / sy).toBeCloseTo(1, 12);
    H0.apply(Hz, X, noise);
    expect(local.inner(noise, Hz)).toBeGreaterThan(0);
    const [a, b] = [local.inner(y, Hz), local.inner(noise, Hy)];
    expect(Math.abs(a - b)).toBeLessThan(1e-12 * (Math.abs(a) + Math.sqrt(sy)));
  }
});

describe("the steps", () => {
  const B = E.operator(unitSymmetric(n, r));
  const C = smallOf(unitSymmetric(p, r));
  const L = tallOf(gaussian(n, p, r));
  const BX = E.tall(n, p);
  /** ½⟨X, BXC⟩ + ⟨L, X⟩/10 + Σ X⁴/4: no symmetry of its own */
  const f = (G: Tall, X: Tall): number => {
    B.apply(BX, X);
    E.mul(G, BX, C);
    let value = 0.5 * E.dot(X, G) + 0.1 * E.dot(L, X);
    E.combine(G, 1, G, 0.1, L);
    for (let k = 0; k < X.data.length; k++) {
      value += X.data[k]! ** 4 / 4;
      G.data[k]! += X.data[k]! ** 3;
    }
    return value;
  };
  const X0 = randomStart(E, n, p, 2);
  /** gradient norms of the first steps */
  function norms(fg: (G: Tall, X: Tall) => number, start: Tall, steps = 12): number[] {
    const run = frameExpen(E, objective(E, { fg: fg as Objective["fg"] }, n, p), start);
    const list: number[] = [];
    for (const { gnorm } of run) if (list.push(gnorm) === steps) break;
    return list;
  }
  const plain = norms(f, X0);
  const alike = (list: number[], factor = 1): void => {
    expect(list).toHaveLength(plain.length);
    for (const [k, v] of list.entries()) expect(Math.abs(v / factor / plain[k]! - 1), `step ${k}`).toBeLessThan(1e-6);
  };

  test("they do not change with f + c/2·‖X‖²", () => {
    alike(
      norms((G, X) => {
        const value = f(G, X);
        E.combine(G, 1, G, 3, X);
        return value + 1.5 * E.dot(X, X);
      }, X0),
    );
  });

  test("they do not change with a·f", () => {
    alike(
      norms((G, X) => {
        const value = f(G, X);
        E.combine(G, 1e3, G, 0, G);
        return 1e3 * value;
      }, X0),
      1e3,
    );
  });

  test("they turn with X ↦ QX, and with X ↦ XP for a permutation P with signs", () => {
    const left = E.operator(randomOrthonormal(n, n, r));
    const signs = Array.from({ length: p }, (_, j) => (j % 2 === 0 ? 1 : -1));
    const right = E.small(
      p,
      p,
      Float64Array.from({ length: p * p }, (_, k) => ((Math.floor(k / p) + 1) % p === k % p ? signs[k % p]! : 0)),
    );
    const [H, turned] = [E.tall(n, p), E.tall(n, p)];
    const start = E.tall(n, p);
    left.applyT(start, X0);
    alike(
      norms((G, X) => {
        left.apply(turned, X);
        const value = f(H, turned);
        left.applyT(G, H);
        return value;
      }, start),
    );
    E.mulT(start, X0, right);
    alike(
      norms((G, X) => {
        const value = f(H, product(X, right));
        E.mulT(G, H, right);
        return value;
      }, start),
    );
  });
});

/** Evaluations to 1e-6 of the first gradient. */
function evaluationsOf(
  method: (f: Objective, X0: Tall, evaluations: ReturnType<typeof noEvaluations>) => Solver,
  fg: Objective["fg"],
  rows: number,
  cols: number,
): number {
  const evaluations = noEvaluations();
  const f = counted(objective(E, { fg }, rows, cols), evaluations);
  for (const { gnorm, gnormMax } of method(f, randomStart(E, rows, cols, 1), evaluations)) {
    if (gnorm <= 1e-6 * gnormMax) return evaluations.grad;
  }
  return Number.NaN;
}
const inFrame = (f: Objective, X0: Tall): Solver => frameExpen(E, f, X0);

test("on a plain Brockett function it needs less than half of what the multiplier's metric needs", () => {
  const [rows, cols] = [60, 6];
  const [B, C, BX] = [E.operator(unitSymmetric(rows, r)), smallOf(unitSymmetric(cols, r)), E.tall(rows, cols)];
  const fg: Objective["fg"] = (G, X) => {
    B.apply(BX, X);
    E.mul(G, BX, C);
    return 0.5 * E.dot(X, G);
  };
  const multiplier = (f: Objective, X0: Tall): Solver => dissolvedExpen(E, f, X0);
  expect(evaluationsOf(inFrame, fg, rows, cols)).toBeLessThan(0.5 * evaluationsOf(multiplier, fg, rows, cols));
});

test.each([
  [1, 1],
  [5, 1],
  [2, 2],
  [6, 6],
])("%i×%i: columns alone, and square matrices", (rows, cols) => {
  const A = tallOf(gaussian(rows, cols, r));
  const fg: Objective["fg"] = (G, X) => {
    E.combine(G, 1, X, -1, A);
    return 0.5 * E.dot(G, G);
  };
  expect(evaluationsOf(inFrame, fg, rows, cols)).toBeLessThan(60);
});

/** ½⟨X, BXC⟩ with random data; without C it does not depend on the basis */
function form(rows: number, C?: Small): (G: Tall, X: Tall) => number {
  const B = E.operator(unitSymmetric(rows, random(5, "B")));
  const BX = E.tall(rows, C?.cols ?? p);
  return (G, X) => {
    B.apply(BX, X);
    if (C) E.mul(G, BX, C);
    else E.copy(G, BX);
    return 0.5 * E.dot(X, G);
  };
}

test("thirty pairs are kept, and fewer where they would take more than a gigabyte", () => {
  const made = (memory?: number): number => {
    const f = objective(E, { fg: form(25, smallOf(unitSymmetric(10, random(6, "C")))) }, 25, 10);
    const X0 = randomStart(E, 25, 10, 1);
    const before = E.counters.matrices;
    frameExpen(E, f, X0, memory === undefined ? {} : { memory }).next();
    return E.counters.matrices - before;
  };
  // a pair is two vectors of two matrices
  expect(made() - made(3)).toBe(27 * 4);
  for (const numbers of [1, 1e3, 1e6, 2.2e6, 3e6, 1e7, 2.2e7, 1e8, 1e10]) {
    const pairs = usualMemory(numbers);
    expect(pairs).toBeLessThanOrEqual(30);
    if (pairs > 3) expect(8 * 2 * pairs * numbers).toBeLessThanOrEqual(2 ** 30);
    if (pairs < 30) expect(8 * 2 * (pairs + 1) * numbers).toBeGreaterThan(2 ** 30);
  }
});

describe("an f that does not depend on the basis, f(X) = f(XQ)", () => {
  const X = randomStart(E, n, p, 1);
  const f = form(n);
  const gradient = (on: Frame, fg: typeof f): { g: Tangent; first: boolean } => {
    const g = on.make();
    fg(on.gradientBuffer(g), X);
    return { g, first: on.toGradient(g, plainPoint(X), on.gradientBuffer(g)) };
  };

  test("has no Ω, and no step along one is lost", () => {
    const lean = frame(E, stiefelConstraint(E, n, p));
    const [{ g, first }, { g: whole }] = [gradient(lean, f), gradient(fr, f)];
    expect(first).toBe(false);
    expect(g.O).toBeUndefined();
    expect(lean.inner(g, g) / fr.inner(whole, whole)).toBeCloseTo(1, 12);
    const [Y, Z] = [E.tall(n, p), E.tall(n, p)];
    lean.retract(plainPoint(Y), plainPoint(X), 0.5, g);
    fr.retract(plainPoint(Z), plainPoint(X), 0.5, whole);
    E.combine(Y, 1, Y, -1, Z);
    expect(norm(Y)).toBeLessThan(1e-12);
  });

  test("is told from one that does by its gradient; then all vectors have an Ω, those of before a zero", () => {
    const lean = frame(E, stiefelConstraint(E, n, p));
    const { g } = gradient(lean, f);
    const other = gradient(lean, form(n, smallOf(unitSymmetric(p, r))));
    expect(other.first).toBe(true);
    expect(norm(other.g.O!)).toBeGreaterThan(0.01);
    expect(norm(g.O!)).toBe(0);
    expect(gradient(lean, f).first).toBe(false);
  });

  test("a start that hides Ω hides it once: XᵀBX and C diagonal there", () => {
    const C = smallOf({
      rows: p,
      cols: p,
      data: Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) ? 0 : 1 + k)),
    });
    const [G, N, V] = [E.tall(n, p), E.small(p, p), E.small(p, p)];
    f(G, X);
    E.tmul(N, X, G);
    E.factor.eigh(V, new Float64Array(p), N);
    const run = frameExpen(E, objective(E, { fg: form(n, C) }, n, p), product(X, V));
    let [reached, steps] = [false, 0];
    for (const { gnorm, gnormMax, k } of run) {
      steps = k;
      if ((reached = gnorm <= 1e-6 * gnormMax) || k === 100) break;
    }
    expect(reached).toBe(true);
    expect(steps).toBeGreaterThan(5);
  });
});
