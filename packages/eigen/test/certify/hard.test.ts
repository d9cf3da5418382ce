import { stiefel } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { certify } from "@expen/solvers/certify";
import { eigenvectors } from "@expen/testing/certify/planted";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { wavy } from "@expen/testing/functions";
import { gapBoundOf } from "@expen/testing/gap-bound";
import { expect, test } from "vitest";
import { asymmetric, falseStatements, hardCases, scaledBy } from "./hard.js";

const E = jsEngine();

test.each([
  ["js", () => E],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)("200 hard cases: nothing false is said: %s", (_name, open) => {
  const cases = [...hardCases(20)];
  expect(cases.length).toBe(200);
  expect(cases.filter(({ expected }) => expected === "global").length).toBeGreaterThan(15);
  expect(falseStatements(open(), cases)).toEqual([]);
});

test("a certificate of s·f is s times that of f, even if squares overflow or underflow", () => {
  for (const declares of ["hvp", "matrix"] as const) {
    const of = (s: number) => {
      const made = scaledBy(E, eigenvectors(E, [-2, -1, 0.5, 1, 3, 4], [0, 1], declares, 3), s);
      return certify(E, made.f, made.X, { tolerance: 1e-6 * s }).certificate;
    };
    const one = of(1);
    expect(one.level).toBe(declares === "hvp" ? "second-order" : "global");
    for (const s of [2 ** -548, 2 ** 510, 2 ** 548]) {
      const scaled = of(s);
      const { level, curvature, multiplier } = scaled;
      expect(level).toBe(one.level);
      expect(multiplier.highest / s).toBeCloseTo(one.multiplier.highest, 14);
      if (one.level === "global") expect(gapBoundOf(scaled)! / s / one.gapBound).toBeCloseTo(1, 8);
      if (one.curvature) expect(curvature!.bound! / s).toBeCloseTo(one.curvature.bound!, 9);
    }
  }
});

test("a low-rank factor whose squares underflow is scaled: T of size 1e-165 and weight 1e300", () => {
  const [n, m] = [40, 2];
  // T = 1e-165·(3e_0, 2e_1): B has the eigenvalues −9e-30 and −4e-30
  const T = E.tall(n, m);
  T.data[0] = 3e-165;
  T.data[m + 1] = 2e-165;
  const apply = (Y: Tall, X: Tall): void => {
    E.fill(Y, 0);
    for (let j = 0; j < X.cols; j++) {
      Y.data[j] = -9e-30 * X.data[j]!;
      Y.data[X.cols + j] = -4e-30 * X.data[X.cols + j]!;
    }
  };
  const fg = (G: Tall, X: Tall): number => {
    apply(G, X);
    return 0.5 * E.dot(X, G);
  };
  const G = E.tall(n, 1);
  const f = {
    n,
    p: 1,
    f: (X: Tall) => fg(G, X),
    fg,
    quadratic: { apply, lowRank: { weight: -1e300, cols: m, factor: () => T } },
  };
  const at = (i: number) =>
    certify(
      E,
      f,
      E.tall(
        n,
        1,
        Float64Array.from({ length: n }, (_, k) => (k === i ? 1 : 0)),
      ),
      { tolerance: 1e-36 },
    );
  expect(at(0).certificate).toMatchObject({ level: "global" });
  expect(gapBoundOf(at(0).certificate)).toBeLessThan(1e-40);
  expect(at(1).certificate.level).toBe("stationary");
});

test.each(["matrix", "apply", "sparse"] as const)(
  "a run with a B that is symmetric up to 9e-10: its bound holds for (B + Bᵀ)/2: %s",
  async (kind) => {
    const { f, minimum } = asymmetric(E, 20, 9e-10, kind);
    const { fval, certificate } = await minimize(f, { on: stiefel(20, 1), engine: E });
    expect(certificate.level).toBe("global");
    expect(fval - minimum).toBeLessThanOrEqual(gapBoundOf(certificate)! + 1e-15);
  },
);

test("a constant f: the certificate states what its derivatives show, and is a proof if f is declared convex", async () => {
  const flat = {
    f: () => 3,
    grad: (G: Matrix) => void G.data.fill(0),
  };
  const shape = { on: stiefel(8, 2), engine: E };
  const black = (await minimize(flat, shape)).certificate;
  expect(black.text).toMatch(/all second derivatives along the manifold are 0 .*, as of a constant f/);
  expect(black.level).toBe("second-order");
  const convex = (await minimize({ ...flat, convex: true }, shape)).certificate;
  expect(convex.level).toBe("global");
  // constant on the manifold alone: gradients and products leave rounding
  const norm = {
    f: (X: Matrix) => X.data.reduce((sum, x) => sum + x * x, 0),
    grad: (G: Matrix, X: Matrix) => void X.data.forEach((x, k) => void (G.data[k] = 2 * x)),
  };
  for (const hvp of [
    undefined,
    (H: Matrix, _X: Matrix, D: Matrix) => void D.data.forEach((d, k) => void (H.data[k] = 2 * d)),
  ]) {
    const { level, text } = (await minimize({ ...norm, ...(hvp && { hvp }) }, shape)).certificate;
    expect(level).toBe("stationary");
    expect(text).toMatch(/curvature along the manifold is 0 up to rounding, \S+ .*a minimum and a saddle look alike/);
    expect(text).not.toMatch(/·scale|certificateBudget/);
  }
});

test.each([
  [20, 3],
  [50, 4],
  [200, 1],
])("all curvatures of a small problem are computed, n = %i, p = %i, and repeat to the bit", async (n, p) => {
  const { fg, f, hvp } = wavy(E, n, p, 3);
  const o = { on: stiefel(n, p), engine: E } as const;
  const run = () => minimize({ f, fg, hvp: hvp! }, { ...o, certificate: "second-order" });
  const { certificate, evaluations } = await run();
  const N = n * p - (p * (p + 1)) / 2;
  expect(certificate).toMatchObject({ level: "second-order", curvature: { probability: 1, steps: N } });
  expect(certificate.evaluations.hvp).toBe(N + 1);
  expect(evaluations.grad + evaluations.hvp).toBeLessThan(N + 20);
  expect((await run()).certificate.curvature).toEqual(certificate.curvature);
  // what is shown where nothing is asked for is true, and costs a quarter of the run
  const { certificate: brief, evaluations: calls } = await minimize({ f, fg, hvp: hvp! }, o);
  expect(brief.level).toMatch(/stationary|second-order/);
  expect(brief.curvature!.bound ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(certificate.curvature!.lowest);
  expect(brief.evaluations.hvp).toBeLessThanOrEqual(Math.max(8, Math.ceil((calls.grad + calls.hvp) / 4)));
});

test("a black box without engine operations takes at most four times the usual evaluations", async () => {
  const [n, p] = [60, 3];
  // separable, and not quadratic
  const f = (X: Matrix): number => X.data.reduce((sum, x, k) => sum + (1 + (k % 7)) * x * x + 0.1 * x ** 4, 0);
  const grad = (G: Matrix, X: Matrix): void =>
    X.data.forEach((x, k) => void (G.data[k] = 2 * (1 + (k % 7)) * x + 0.4 * x ** 3));
  const o = { on: stiefel(n, p), engine: E, certificate: "second-order" } as const;
  const { certificate, evaluations, notes } = await minimize({ f, grad }, o);
  const rounds = 1 + notes.filter((note) => note.startsWith("left a saddle")).length;
  expect(certificate.curvature!.steps).toBeGreaterThan(40);
  expect(certificate.evaluations.f).toBeLessThanOrEqual(rounds * (1 + 4 * Math.max(16, evaluations.grad)));
  // a budget that was set is kept
  const short = await minimize({ f, grad }, { on: stiefel(n, p), engine: E, certificateBudget: 9 });
  expect(short.certificate.evaluations.f).toBeLessThanOrEqual(
    9 * (1 + short.notes.filter((note) => note.startsWith("left")).length),
  );
});
