import { describe, expect, test } from "vitest";
import { jsEngine } from "../../src/engines/js.js";
import { smallOf, tallOf } from "../../src/engines/own-matrix.js";
import { objective } from "../../src/objective.js";
import { gaussian, randomOrthonormal, unitSymmetric } from "../../src/problems/instances.js";
import { fillNormal, random } from "../../src/random.js";
import { frame, type Tangent } from "../../src/solvers/frame.js";
import { frameFirstMatrix } from "../../src/solvers/frame-first-matrix.js";
import { frameExpen } from "../../src/solvers/frame-lbfgs.js";
import { frameMemory } from "../../src/solvers/frame-memory.js";
import { leastPivot, solveDefinite } from "../../src/solvers/small-definite.js";
import { randomStart } from "../../src/start.js";
import { solveStiefel } from "../../src/stiefel.js";
import type { Matrix, Objective } from "../../src/types.js";

const E = jsEngine();
const r = random(11, "frame");
const [n, p] = [14, 4];
const fr = frame(E, n, p);

const norm = (A: Matrix): number => Math.sqrt(E.dot(A, A));
const product = (A: Matrix, B: Matrix): Matrix => {
  const C = E.tall(A.rows, B.cols);
  E.mul(C, A, B);
  return C;
};
const crossed = (A: Matrix, B: Matrix): Matrix => {
  const C = E.small(A.cols, B.cols);
  E.tmul(C, A, B);
  return C;
};
const copied = (A: Tangent): Tangent => {
  const B = fr.tangent();
  fr.add(B, 0, A, 1);
  return B;
};
/** any pair with a skew Ω; Z need not be orthogonal to an X here */
function anyTangent(): Tangent {
  const A = fr.tangent();
  fillNormal(A.Z, r);
  fillNormal(A.O, r);
  const S = smallOf(E, A.O);
  E.symmetrize(S);
  E.combine(A.O, -1, S, 1, A.O);
  return A;
}

describe("the frame", () => {
  const X = randomStart(E, n, p, 1);
  const G = tallOf(E, gaussian(n, p, r));
  const g = fr.tangent();
  const S = E.small(p, p);
  E.copy(g.Z, G);
  fr.gradient(g, S, X);

  test("the gradient is ∇f − X·S = XΩ + Z with Ω skew and XᵀZ = 0", () => {
    const whole = product(X, g.O);
    E.combine(whole, 1, g.Z, 1, whole);
    const expected = tallOf(E, G);
    E.mul(expected, X, S, -1, 1);
    E.combine(expected, -1, whole, 1, expected);
    expect(norm(expected)).toBeLessThan(1e-13 * norm(G));
    expect(norm(crossed(X, g.Z))).toBeLessThan(1e-13 * norm(G));
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) expect(g.O.data[i * p + j]!).toBeCloseTo(-g.O.data[j * p + i]!, 14);
    }
  });

  test("trial points are feasible and leave X along XΩ + Z", () => {
    const [Y, t] = [E.tall(n, p), 1e-5];
    expect(fr.retract(Y, X, 0.7, g)).toBe(true);
    const K = crossed(Y, Y);
    E.addDiagonal(K, -1);
    expect(norm(K)).toBeLessThan(1e-9);
    fr.retract(Y, X, t, g);
    E.combine(Y, -1 / t, X, 1 / t, Y);
    E.mul(Y, X, g.O, -1, 1);
    E.combine(Y, -1, g.Z, 1, Y);
    expect(norm(Y)).toBeLessThan(10 * t * norm(G) ** 2);
  });
});

test("small definite systems: M·M⁻¹b = b; the least pivot is 1 for a diagonal and NaN or small near singular", () => {
  const M = [
    [4, 1, 0.5],
    [1, 3, -0.2],
    [0.5, -0.2, 2],
  ];
  const x = Float64Array.of(1, -2, 0.5);
  solveDefinite(x, M);
  const b = M.map((row) => row.reduce((sum, m, j) => sum + m * x[j]!, 0));
  for (const [i, v] of [1, -2, 0.5].entries()) expect(b[i]).toBeCloseTo(v, 13);
  expect(
    leastPivot([
      [9, 0],
      [0, 4],
    ]),
  ).toBe(1);
  expect(
    leastPivot([
      [1, 0.99],
      [0.99, 1],
    ]),
  ).toBeLessThan(0.1);
});

describe("the memory", () => {
  /** y = A·s with A symmetric positive definite: entrywise factors, the same for Ω_ij and Ω_ji */
  const factorsZ = Float64Array.from({ length: n * p }, () => 1 + 0.5 * r.uniform());
  const applied = (s: Tangent): Tangent => {
    const y = copied(s);
    for (let k = 0; k < n * p; k++) y.Z.data[k]! *= factorsZ[k]!;
    E.combine(y.O, 0.5, s.O, 1, y.O);
    return y;
  };
  const identity = (R: Tangent, Q: Tangent): void => fr.add(R, 0, Q, 1);

  test("on a quadratic all pairs of the block meet their secant equations, H·y = s", () => {
    const memory = frameMemory(fr, 3);
    const [zero, pairs] = [fr.tangent(), [anyTangent(), anyTangent(), anyTangent(), anyTangent()]];
    for (const s of pairs) expect(memory.push(1, s, zero, applied(s)).sy).toBeGreaterThan(0);
    expect(memory.size()).toBe(3);
    const D = fr.tangent();
    for (const s of pairs.slice(1)) {
      memory.descend(D, applied(s), identity);
      fr.add(D, 1, s, 1);
      expect(Math.sqrt(fr.inner(D, D))).toBeLessThan(1e-12 * Math.sqrt(fr.inner(s, s)));
    }
  });

  test("a pair without curvature empties it", () => {
    const memory = frameMemory(fr, 3);
    const [zero, s] = [fr.tangent(), anyTangent()];
    memory.push(1, s, zero, applied(s));
    memory.push(1, s, applied(s), zero);
    expect(memory.size()).toBe(0);
  });
});

test("the first matrix has ⟨y, H₀y⟩ = ⟨s, y⟩ and is symmetric and positive, for n > p and for n = p", () => {
  for (const rows of [n, p]) {
    const local = frame(E, rows, p);
    const H0 = frameFirstMatrix(E, rows, p);
    const part = (): Tangent => {
      const A = local.tangent();
      const B = anyTangent();
      if (rows > p) fillNormal(A.Z, r);
      E.copy(A.O, B.O);
      return A;
    };
    const S = smallOf(E, unitSymmetric(p, r));
    const [Hy, Hz] = [local.tangent(), local.tangent()];
    for (let k = 0; k < 12; k++) {
      const [s, noise, y] = [part(), part(), local.tangent()];
      local.add(y, 0, s, 2 + k);
      local.add(y, 1, noise, 0.3);
      const sy = local.inner(s, y);
      H0.learn(S, s, y, sy);
      H0.apply(Hy, y);
      expect(local.inner(y, Hy) / sy).toBeCloseTo(1, 12);
      H0.apply(Hz, noise);
      expect(local.inner(noise, Hz)).toBeGreaterThan(0);
      const [a, b] = [local.inner(y, Hz), local.inner(noise, Hy)];
      expect(Math.abs(a - b)).toBeLessThan(1e-12 * (Math.abs(a) + Math.sqrt(sy)));
    }
  }
});

describe("the steps", () => {
  const B = E.operator(unitSymmetric(n, r));
  const C = smallOf(E, unitSymmetric(p, r));
  const L = tallOf(E, gaussian(n, p, r));
  /** ½⟨X, BXC⟩ + ⟨L, X⟩/10 + Σ X⁴/4: no symmetry of its own */
  const f = (G: Matrix, X: Matrix): number => {
    const BX = E.tall(n, p);
    B.apply(BX, X);
    E.mul(G, BX, C);
    let value = 0.5 * E.dot(X, G) + 0.1 * E.dot(L, X);
    E.combine(G, 0.1, L, 1, G);
    for (let k = 0; k < X.data.length; k++) {
      value += X.data[k]! ** 4 / 4;
      G.data[k]! += X.data[k]! ** 3;
    }
    return value;
  };
  const X0 = randomStart(E, n, p, 2);
  /** gradient norms of the first steps */
  function norms(fg: Objective["fg"], start: Matrix, steps = 12): number[] {
    const run = frameExpen(E, objective(E, { fg }, n, p), start);
    const list: number[] = [];
    for (const { gnorm } of run) if (list.push(gnorm) === steps) break;
    return list;
  }
  const plain = norms(f, X0);
  const alike = (list: number[], factor = 1): void => {
    for (const [k, v] of list.entries()) expect(Math.abs(v / factor / plain[k]! - 1), `step ${k}`).toBeLessThan(1e-6);
  };

  test("they do not change with f + c/2·‖X‖²", () => {
    alike(
      norms((G, X) => {
        const value = f(G, X);
        E.combine(G, 3, X, 1, G);
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
    const [left, right] = [E.operator(randomOrthonormal(n, n, r)), smallOf(E, randomOrthonormal(p, p, r))];
    const back = E.tall(n, p);
    left.applyT(back, X0);
    alike(
      norms((G, X) => {
        const [QX, H] = [E.tall(n, p), E.tall(n, p)];
        left.apply(QX, X);
        const value = f(H, QX);
        left.applyT(G, H);
        return value;
      }, back),
    );
    const turned = E.tall(n, p);
    E.mulT(turned, X0, right);
    alike(
      norms((G, X) => {
        const H = E.tall(n, p);
        const value = f(H, product(X, right));
        E.mulT(G, H, right);
        return value;
      }, turned),
    );
  });
});

test("on a plain Brockett function it needs less than half of the default's evaluations", () => {
  const [rows, cols] = [60, 6];
  const [B, C] = [E.operator(unitSymmetric(rows, r)), smallOf(E, unitSymmetric(cols, r))];
  const BX = E.tall(rows, cols);
  const fg: Objective["fg"] = (G, X) => {
    B.apply(BX, X);
    E.mul(G, BX, C);
    return 0.5 * E.dot(X, G);
  };
  const evaluations = (solver: "expen" | "expen-frame"): number => {
    const steps = solveStiefel(E, objective(E, { fg }, rows, cols), { solver, certificate: "stationary" });
    for (;;) {
      const next = steps.next();
      if (!next.done) continue;
      expect(next.value.status).toBe("converged");
      return next.value.evaluations.f;
    }
  };
  expect(evaluations("expen-frame")).toBeLessThan(0.5 * evaluations("expen"));
});
