import type { Objective, QuadraticForm } from "@expen/core";
import { counted, noEvaluations, quadraticObjective, randomStart } from "@expen/core";
import { brockett } from "@expen/experiments/paper";
import { quadratic } from "@expen/experiments/problems";
import type { Small, Tall } from "@expen/linalg";
import { solvers } from "@expen/solvers";
import { js as E, normalSmall } from "@expen/testing/functions";
import { describe, expect, test } from "vitest";
import { subspaceProblem } from "../src/subspace/problem.js";
import { subspaceExpen } from "../src/subspace/subspace.js";

type Declared = Objective & { quadratic: QuadraticForm };

describe("over the span of X, gradient and last move", () => {
  const problems: [string, Declared][] = [
    ["Brockett", brockett(E, { n: 60, p: 5 }).objective as Declared],
    ["a quadratic with a linear term", quadratic(E, { n: 60, p: 5 }).objective as Declared],
  ];
  test.each(problems)(
    "%s: f never increases, X stays orthonormal, BX stays B·X, one product a step or two",
    (_name, f) => {
      const evaluations = noEvaluations();
      let [last, steps] = [Number.POSITIVE_INFINITY, 0];
      const [G, K] = [E.tall(60, 5), E.small(5, 5)];
      let made = 0;
      for (const s of subspaceExpen(E, counted(f, evaluations) as Declared, randomStart(E, 60, 5, 1), {
        evaluations,
      })) {
        expect(s.f).toBeLessThanOrEqual(last + 1e-13);
        last = s.f;
        steps = s.k;
        // the value and the gradient norm come from BX kept by linearity; compared with fresh ones
        expect(Math.abs(f.fg(G, s.X) - s.f)).toBeLessThan(1e-12);
        E.gram(K, s.X);
        E.addDiagonal(K, -1);
        expect(Math.sqrt(E.dot(K, K))).toBeLessThan(1e-12);
        if (s.k === 1) made = E.counters.matrices;
        if (s.gnorm < 1e-8) break;
      }
      expect(evaluations.f).toBeLessThanOrEqual(1 + 2.1 * steps);
      expect(E.counters.matrices).toBe(made);
    },
  );
});

test("without C the columns of X are Ritz vectors in ascending order: XᵀBX is diagonal", () => {
  const [n, p] = [40, 4];
  const B = normalSmall(E, n, n, 3);
  E.symmetrize(B);
  const { apply } = E.operator(B);
  const f = quadraticObjective(E, n, p, { apply: (Y, X) => apply(Y, X) }) as Declared;
  const [BX, T] = [E.tall(n, p), E.small(p, p)];
  for (const s of subspaceExpen(E, f, randomStart(E, n, p, 1))) {
    if (s.k === 0) continue;
    apply(BX, s.X);
    E.tmul(T, s.X, BX);
    const t = E.read(T);
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < i; j++) expect(Math.abs(t[i * p + j]!)).toBeLessThan(1e-11);
      if (i > 0) expect(t[i * (p + 1)]!).toBeGreaterThanOrEqual(t[(i - 1) * (p + 1)]! - 1e-11);
    }
    if (s.gnorm < 1e-6) break;
  }
});

test("the closed form of the small problem is not above any other point, and equals ExPen's answer", () => {
  const [b, p] = [3, 4];
  const C = normalSmall(E, p, p, 1);
  E.symmetrize(C);
  const A = normalSmall(E, b * p, b * p, 2);
  E.symmetrize(A);
  const block = (i: number, j: number): Small => {
    const S = E.small(p, p);
    for (let r = 0; r < p; r++)
      for (let c = 0; c < p; c++) S.data[r * p + c] = A.data[(i * p + r) * b * p + j * p + c]!;
    return S;
  };
  const B = E.operator(A);
  const value = (Z: Tall): number => {
    const [AZ, AZC] = [E.tall(b * p, p), E.tall(b * p, p)];
    B.apply(AZ, Z);
    E.mul(AZC, AZ, C);
    return 0.5 * E.dot(Z, AZC);
  };
  const answer = (linear: boolean): Tall => {
    const problem = subspaceProblem(E, b, p, C, linear);
    for (let i = 0; i < b; i++) for (let j = i; j < b; j++) problem.setBlock(i, j, block(i, j));
    problem.minimise(1e-9, 2000);
    const Z = E.tall(b * p, p);
    problem.Z.forEach((part, i) => {
      Z.data.set(part.data, i * p * p);
    });
    return Z;
  };
  const [closed, iterated] = [answer(false), answer(true)];
  const K = E.small(p, p);
  E.gram(K, closed);
  E.addDiagonal(K, -1);
  expect(Math.sqrt(E.dot(K, K))).toBeLessThan(1e-12);
  for (let seed = 1; seed < 300; seed++) {
    expect(value(randomStart(E, b * p, p, seed))).toBeGreaterThanOrEqual(value(closed) - 1e-12);
  }
  expect(Math.abs(value(iterated) - value(closed))).toBeLessThan(1e-8);
});

test.each([
  [undefined, true],
  [2 * 60 * 60, true],
  [4 * 60 * 5 - 1, false],
])("the default takes subspaces where a product is dear: %s flops a column, %s", async (flops, dear) => {
  const { objective: f } = quadratic(E, { n: 60, p: 5 });
  const { flops: _declared, ...form } = f.quadratic!;
  let products = 0;
  const apply: QuadraticForm["apply"] = (Y, X) => {
    products++;
    form.apply(Y, X);
  };
  const declared = { ...f, quadratic: { ...form, apply, ...(flops !== undefined && { flops }) } };
  const steps = await solvers.auto.create(E, declared, randomStart(E, 60, 5, 1), {});
  for (let k = 0; k < 3; k++) steps.next();
  expect(products > 0).toBe(dear);
});

test("a gradient of rank 1 off X whose rounding lies in the rows of X alone: random directions replace it", () => {
  const [n, p] = [12, 3];
  const diagonal = Float64Array.from({ length: n * n }, (_, k) =>
    k % (n + 1) ? 0 : 2 - 2 * Math.cos(((1 + k / (n + 1)) * Math.PI) / (n + 1)),
  );
  const { apply } = E.operator({ rows: n, cols: n, data: diagonal });
  for (let seed = 1; seed <= 20; seed++) {
    let dots = 0;
    // an endless loop becomes an error
    const counting = {
      ...E,
      dot: ((X, Y) => {
        if (++dots > 10_000) throw new Error("there is no end of it");
        return E.dot(X, Y);
      }) as typeof E.dot,
    };
    const fg = (G: Tall, X: Tall): number => {
      apply(G, X);
      return 0.5 * E.dot(X, G);
    };
    const f: Declared = { n, p, f: (X) => fg(E.tall(n, p), X), fg, quadratic: { apply } };
    // e_1, e_2 and a mixture of e_3 and e_0, in another basis of their span
    const [V, X, T] = [E.tall(n, p), E.tall(n, p), E.small(p, p, E.read(randomStart(E, p, p, seed)))];
    V.data[p] = V.data[2 * p + 1] = 1;
    [V.data[3 * p + 2], V.data[2]] = [0.8, 0.6];
    E.mul(X, V, T);
    let last = Number.POSITIVE_INFINITY;
    for (const s of subspaceExpen(counting, f, X)) {
      expect(s.f).toBeLessThanOrEqual(last + 1e-13);
      last = s.f;
      if (s.gnorm < 1e-8 || s.k > 100) break;
    }
    expect(last).toBeCloseTo(0.5 * (diagonal[0]! + diagonal[n + 1]! + diagonal[2 * (n + 1)]!), 8);
  }
});
