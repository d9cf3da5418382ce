import { describe, expect, test } from "vitest";
import { stiefelConstraint } from "../../src/constraints/stiefel.js";
import { jsEngine } from "../../src/engines/js.js";
import { dissolvedExpen } from "../../src/expen/dissolved.js";
import { counted, noEvaluations, objective } from "../../src/objective/objective.js";
import { gaussian, randomOrthonormal, unitSymmetric } from "../../src/problems/instances.js";
import { random } from "../../src/random.js";
import { randomStart } from "../../src/run/start.js";
import { type Frame, frame, type Tangent } from "../../src/solvers/frame/frame.js";
import { frameExpen } from "../../src/solvers/frame/lbfgs.js";
import { frameMemory } from "../../src/solvers/frame/memory.js";
import { frameOn } from "../../src/solvers/frame/on.js";
import { growingFactor } from "../../src/solvers/frame/small-definite.js";
import type { Matrix, Objective, Small, Solver, Tall } from "../../src/types.js";

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
  const B = fr.tangent();
  fr.combine(B, 1, A, 0, A);
  return B;
};
/** any pair with a skew Ω; Z need not be orthogonal to an X here */
function anyTangent(on: Frame = fr): Tangent {
  const A = on.tangent();
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
  const g = fr.tangent();
  const S = E.small(p, p);
  E.copy(fr.room(g), G);
  fr.split(g, S, X, fr.room(g));

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
    fr.retract(Y, X, 0.7, g);
    E.gram(K, Y);
    E.addDiagonal(K, -1);
    expect(norm(K)).toBeLessThan(1e-9);
    fr.retract(Y, X, t, g);
    E.combine(Y, 1 / t, Y, -1 / t, X);
    E.mul(Y, X, g.O!, -1, 1);
    E.combine(Y, 1, Y, -1, g.Z!);
    expect(norm(Y)).toBeLessThan(10 * t * norm(G) ** 2);
  });
});

test("a chord is ‖Y − X‖, and what a step becomes where it is short", () => {
  const [X, Y] = [randomStart(E, n, p, 2), E.tall(n, p)];
  const D = fr.tangent();
  E.copy(fr.room(D), tallOf(gaussian(n, p, r)));
  fr.split(D, E.small(p, p), X, fr.room(D));
  const length = Math.sqrt(fr.inner(D, D));
  const gone = [0.02, 1, 3].map((whole) => {
    fr.retract(Y, X, whole / length, D);
    const chord = fr.chord!(X, Y);
    E.combine(Y, 1, Y, -1, X);
    expect(chord / norm(Y)).toBeCloseTo(1, 5);
    return chord / whole;
  });
  expect(gone[0]).toBeCloseTo(1, 3);
  expect(gone[1]).toBeLessThan(0.95);
  expect(gone[2]).toBeLessThan(0.75);
});

test("a growing factor: M·M⁻¹b = b; a row that those before it nearly span is not taken", () => {
  const M = [
    [4, 1, 0.5],
    [1, 3, -0.2],
    [0.5, -0.2, 2],
  ];
  const L = growingFactor(4);
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
  const uneven = (k: number) => (R: Tangent, Q: Tangent) => {
    fr.combine(R, 1, Q, 0, Q);
    E.write(R.Z!, E.read(R.Z!).map((v, i) => v * 4 ** ((i * (k + 3)) % 7))); // biome-ignore format: one thought
  };

  test("on a quadratic all pairs of the block meet their secant equations, H·y = s", () => {
    const memory = frameMemory({ ...fr, spread: true, reach: Number.POSITIVE_INFINITY }, 3);
    let [D, g] = [fr.tangent(), anyTangent()];
    const pairs: [Tangent, Tangent][] = [];
    for (let k = 0; k < 5; k++) {
      const slope = memory.descend(D, g, uneven(k));
      expect(slope / fr.inner(g, D)).toBeCloseTo(1, 12);
      const length = Math.sqrt(fr.inner(D, D));
      expect(memory.reach()).toBeGreaterThan(0.999 * length);
      expect(memory.reach()).toBeLessThan(10 * length);
      const [t, y] = [1e-3, applied(D)];
      const gNew = copied(g);
      fr.combine(gNew, 1, gNew, t, y);
      const s = copied(D);
      fr.combine(s, t, s, 0, s);
      pairs.push([s, copied(gNew)]);
      fr.combine(pairs[k]![1], 1, gNew, -1, g);
      memory.change(g, gNew);
      expect(memory.meet(D, gNew) / fr.inner(D, gNew)).toBeCloseTo(1, 11);
      const pair = memory.push(t, D, length);
      expect(pair.sy / (t * t * fr.inner(D, y))).toBeCloseTo(1, 11);
      expect(pair.gg / fr.inner(gNew, gNew)).toBeCloseTo(1, 13);
      [D, g] = [pair.free, gNew];
    }
    expect(memory.size()).toBe(3);
    // with H symmetric, H·y = s shows in ⟨y, H·g⟩ = ⟨s, g⟩, whatever the first matrix is
    const [a, b] = [fr.tangent(), fr.tangent()];
    memory.descend(a, g, uneven(9));
    for (const [s, y] of pairs.slice(2)) {
      expect(-fr.inner(y, a) / fr.inner(s, g)).toBeCloseTo(1, 9);
    }
    memory.descend(b, g, uneven(1));
    fr.combine(b, 1, b, -1, a);
    expect(fr.inner(b, b)).toBeGreaterThan(0);
    for (const [, y] of pairs.slice(2)) {
      expect(Math.abs(fr.inner(y, b))).toBeLessThan(1e-10 * Math.sqrt(fr.inner(y, y) * fr.inner(a, a)));
    }
  });

  test("it forgets pairs from further away than X is long: of steps of length 0.9, ‖X‖ = 2, three are kept", () => {
    const memory = frameMemory(fr, 5);
    let [D, g] = [fr.tangent(), anyTangent()];
    const sizes: number[] = [];
    for (let k = 0; k < 6; k++) {
      memory.descend(D, g, uneven(k));
      const [length, gNew] = [Math.sqrt(fr.inner(D, D)), copied(g)];
      const t = 0.9 / length;
      fr.combine(gNew, 1, gNew, t, applied(D));
      memory.change(g, gNew);
      expect(memory.meet(D, gNew) / fr.inner(D, gNew)).toBeCloseTo(1, 11);
      const pair = memory.push(t, D, length);
      sizes.push(memory.size());
      [D, g] = [pair.free, gNew];
      expect(memory.descend(D, g, uneven(k)) / fr.inner(g, D)).toBeCloseTo(1, 10);
    }
    expect(sizes).toEqual([1, 2, 3, 3, 3, 3]);
  });

  test("a pair without curvature empties it", () => {
    const memory = frameMemory(fr, 3);
    const [D, g] = [fr.tangent(), anyTangent()];
    memory.descend(D, g, uneven(0));
    const ahead = copied(g);
    fr.combine(ahead, 1, ahead, 0.5, D);
    memory.change(g, ahead);
    memory.meet(D, ahead);
    const { free } = memory.push(1, D, 1);
    expect(memory.size()).toBe(1);
    memory.descend(free, ahead, uneven(0));
    const back = copied(ahead);
    fr.combine(back, 1, back, -0.5, free);
    memory.change(ahead, back);
    memory.meet(free, back);
    expect(memory.push(1, free, 1).sy).toBeLessThan(0);
    expect(memory.size()).toBe(0);
  });
});

test.each([n, p])("the first matrix has ⟨y, H₀y⟩ = ⟨s, y⟩ and is symmetric and positive, n = %i", (rows) => {
  const { frame: local, first: H0 } = frameOn(E, stiefelConstraint(E, rows, p));
  const S = smallOf(unitSymmetric(p, r));
  const [Hy, Hz] = [local.tangent(), local.tangent()];
  // a gradient that feels a turn of the columns
  E.write(local.room(Hy), random(7, "felt").normal);
  local.split(Hy, E.small(p, p), randomStart(E, rows, p, 1), local.room(Hy));
  for (let k = 0; k < 12; k++) {
    const [D, noise, y, t] = [anyTangent(local), anyTangent(local), local.tangent(), 0.5];
    local.combine(y, (2 + k) * t, D, 0.3, noise);
    const sy = t * local.inner(D, y);
    H0.learn(S, { t, D, y, sy });
    H0.apply(Hy, y);
    expect(local.inner(y, Hy) / sy).toBeCloseTo(1, 12);
    H0.apply(Hz, noise);
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

  test("they turn with X ↦ QX, and with X ↦ XQ", () => {
    const [left, right] = [E.operator(randomOrthonormal(n, n, r)), smallOf(randomOrthonormal(p, p, r))];
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

/** ½⟨X, BXC⟩ with random data; without C it does not feel a turn of the columns */
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

test("twenty pairs are kept where they are small, three where they are large", () => {
  const made = (rows: number, cols: number): number => {
    const f = objective(E, { fg: form(rows, smallOf(unitSymmetric(cols, random(6, "C")))) }, rows, cols);
    const X0 = randomStart(E, rows, cols, 1);
    const before = E.counters.matrices;
    frameExpen(E, f, X0).next();
    return E.counters.matrices - before;
  };
  // a pair is two vectors of two matrices
  expect(made(25, 10) - made(80, 40)).toBe(17 * 4);
});

describe("an f that does not feel a turn X → XQ of the columns", () => {
  const X = randomStart(E, n, p, 1);
  const f = form(n);
  const gradient = (on: Frame, fg: typeof f): { g: Tangent; first: boolean } => {
    const g = on.tangent();
    fg(on.room(g), X);
    return { g, first: on.split(g, E.small(p, p), X, on.room(g)) };
  };

  test("has no Ω, and no step along one is lost", () => {
    const lean = frame(E, stiefelConstraint(E, n, p));
    const [{ g, first }, { g: whole }] = [gradient(lean, f), gradient(fr, f)];
    expect(first).toBe(false);
    expect(g.O).toBeUndefined();
    expect(lean.inner(g, g) / fr.inner(whole, whole)).toBeCloseTo(1, 12);
    const [Y, Z] = [E.tall(n, p), E.tall(n, p)];
    lean.retract(Y, X, 0.5, g);
    fr.retract(Z, X, 0.5, whole);
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
