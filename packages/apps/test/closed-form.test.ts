import { wasmEngine } from "@expen/engines/wasm";
import { jsEngine } from "@expen/linalg/engine";
import { centred, ml, normal, plain, subspaceDistance } from "@expen/testing/applications/support";
import * as apps from "expen/apps";
import { SingularValueDecomposition } from "ml-matrix";
import { expect, test } from "vitest";

const engine = jsEngine();

test.each([
  ["more samples than fit in a block", 900, 60, /ÂᵀÂ, 60×60/],
  ["more variables than samples", 12, 40, /ÂÂᵀ, 12×12/],
  ["more variables than a matrix is formed of", 20, 700, /ÂÂᵀ, 20×20/],
] as const)(
  "pca, %s: singular vectors, at once, with a proof; a named solver ends there too",
  async (_t, m, n, text) => {
    const A = normal(m, n, 1, "A")
      .mulRowVector(Array.from({ length: n }, (_, j) => 1.2 ** -j))
      .add(3);
    const { rightSingularVectors: V, diagonal } = new SingularValueDecomposition(centred(A), { autoTranspose: true });
    const p = 4;
    const top = V.subMatrix(0, n - 1, 0, p - 1);
    const { components, variances, scores, totalVariance, run } = await apps.pca(plain(A), { engine, p });
    expect(run.iterations).toBe(0);
    expect(run.evaluations.grad).toBe(1);
    expect(run.reason.text).toMatch(text);
    expect(run.certificate.level).toBe("global");
    expect(subspaceDistance(ml(components), top)).toBeLessThan(1e-9);
    variances.forEach((v, j) => void expect(v).toBeCloseTo(diagonal[j]! ** 2 / (m - 1), 9));
    expect(totalVariance).toBeCloseTo(diagonal.reduce((s, v) => s + v * v, 0) / (m - 1), 9);
    expect(
      ml(scores)
        .sub(centred(A).mmul(ml(components)))
        .norm("frobenius"),
    ).toBeLessThan(1e-9);
    const solved = await apps.pca(plain(A), { engine, p, solver: "auto" });
    expect(solved.run.iterations).toBeGreaterThan(0);
    expect(subspaceDistance(ml(solved.components), ml(components))).toBeLessThan(1e-6);
  },
);

test.each([
  ["near 0", 0.5, 1e-12],
  // the mean itself is rounded to 2⁻²³
  ["far from 0", 2 ** 30, 1e-9],
])("pca: means %s cost no digits, in blocks that the rows do not fill", async (_t, mean, ofScores) => {
  // small integers, which a mean of 2³⁰ leaves exact
  const whole = plain(normal(901, 40, 3, "A").mul(100).round());
  const moved = { ...whole, data: whole.data.map((v) => v + mean) };
  const [there, here] = [
    await apps.pca(moved, { engine, p: 3 }),
    await apps.pca(whole, { engine, p: 3, centre: true }),
  ];
  there.variances.forEach((v, j) => void expect(Math.abs(v / here.variances[j]! - 1)).toBeLessThan(1e-12));
  const exact = centred(ml(whole)).mmul(ml(there.components));
  expect(ml(there.scores).sub(exact).norm("frobenius")).toBeLessThan(ofScores * exact.norm("frobenius"));
});

test("pca, as many components as samples: a run computes the direction without variance", async () => {
  const { components, variances, run } = await apps.pca(plain(normal(6, 20, 1, "A")), { engine, p: 6 });
  expect(run.status).toBe("converged");
  expect(variances[5]).toBeCloseTo(0, 9);
  const X = ml(components);
  expect(
    X.transpose()
      .mmul(X)
      .sub(ml({ rows: 6, cols: 6, data: Float64Array.from({ length: 36 }, (_, k) => (k % 7 ? 0 : 1)) }))
      .norm("frobenius"),
  ).toBeLessThan(1e-10);
});

test("procrustes: closed form for p = n, in blocks of rows, and the same result with a named solver", async () => {
  const [A, B] = [plain(normal(500, 8, 1, "A")), plain(normal(500, 8, 1, "B"))];
  const { X, run, residual } = await apps.procrustes(A, B, { engine });
  expect(run.iterations).toBe(0);
  expect(run.certificate.level).toBe("global");
  expect(run.reason.text).toMatch(/closed form: UVᵀ/);
  expect(Math.abs(run.gap!)).toBeLessThan(1e-12 * run.fval);
  expect(residual).toBeCloseTo(ml(A).mmul(ml(X)).sub(ml(B)).norm("frobenius"), 9);
  const solved = await apps.procrustes(A, B, { engine, solver: "rlbfgs" });
  expect(solved.run.iterations).toBeGreaterThan(0);
  expect(ml(solved.X).sub(ml(X)).norm("frobenius")).toBeLessThan(1e-5);
});

test("procrustes: a small residual is accurate, unlike the difference of squares", async () => {
  const A = plain(normal(701, 50, 1, "A"));
  const Q = new SingularValueDecomposition(normal(50, 50, 2, "Q")).leftSingularVectors;
  const B = ml(A)
    .mmul(Q)
    .add(normal(701, 50, 3, "N").mul(1e-10));
  const { X, residual, run } = await apps.procrustes(A, plain(B), { engine });
  expect(run.certificate.level).toBe("global");
  const exact = ml(A).mmul(ml(X)).sub(B).norm("frobenius");
  expect(Math.abs(residual / exact - 1)).toBeLessThan(1e-6);
});

test("sparse-pca, regression: loadings S_w(CX) with exact zeros, a stationary point, no worse than the start", async () => {
  const A = normal(200, 15, 2, "A").mulRowVector(Array.from({ length: 15 }, (_, j) => 1.3 ** -j));
  const weight = 0.2;
  const { loadings, zeros, support, run, value } = await apps.sparsePca(plain(A), {
    engine,
    p: 3,
    weight,
    kind: "regression",
  });
  const C = centred(A)
    .transpose()
    .mmul(centred(A))
    .mul(1 / 199);
  const soft = (M: ReturnType<typeof ml>) =>
    M.apply((i, j) => void M.set(i, j, Math.sign(M.get(i, j)) * Math.max(Math.abs(M.get(i, j)) - weight, 0)));
  expect(value).toBeCloseTo(-0.5 * soft(C.mmul(ml(run.X))).norm("frobenius") ** 2, 9);
  const { rightSingularVectors: V } = new SingularValueDecomposition(centred(A));
  expect(value).toBeLessThanOrEqual(-0.5 * soft(C.mmul(V.subMatrix(0, 14, 0, 2))).norm("frobenius") ** 2);
  expect(run.status).toBe("converged");
  expect(zeros).toBeGreaterThan(0.3);
  const entries = ml(loadings!);
  support.forEach((rows, j) => void expect(rows).toEqual(entries.getColumn(j).flatMap((v, i) => (v === 0 ? [] : [i]))));
});

test.each(["js, which lends", "wasm, which copies"])(
  "procrustes and pca leave the data as they are: %s",
  async (name) => {
    const E = name.startsWith("js") ? engine : await wasmEngine();
    expect(E.host !== undefined).toBe(name.startsWith("js"));
    // an exact fit takes the second pass, and blocks of uneven height
    const A = plain(normal(901, 40, 1, "A"));
    const Q = new SingularValueDecomposition(normal(40, 40, 2, "Q")).leftSingularVectors;
    const B = plain(ml(A).mmul(Q));
    const before = [A.data.slice(), B.data.slice()];
    const { X, relativeResidual } = await apps.procrustes(A, B, { engine: E });
    expect(ml(X).sub(Q).norm("frobenius")).toBeLessThan(1e-12);
    expect(relativeResidual).toBeLessThan(1e-14);
    await apps.pca(A, { engine: E, p: 3, standardise: true });
    expect([A.data, B.data]).toEqual(before);
  },
);

test.each([Number.NaN, Number.POSITIVE_INFINITY])("an entry that is %s is named", async (bad) => {
  const [A, B] = [plain(normal(30, 4, 1, "A")), plain(normal(30, 4, 2, "B"))];
  const broken = { ...B, data: B.data.with(4 * 7 + 2, bad) };
  await expect(apps.procrustes(A, broken, { engine })).rejects.toThrow(/entry \(7, 2\) of B/);
  await expect(apps.pca(broken, { engine, p: 2 })).rejects.toThrow(/entry \(7, 2\) of A/);
  await expect(apps.sparsePca(broken, { engine, p: 2, weight: 0.1 })).rejects.toThrow(/entry \(7, 2\) of A/);
});

test("pca, standardise: deviations from squares equal those from rows, constant columns included", async () => {
  const scattered = normal(200, 6, 5, "A").mulRowVector([1, 10, 0.1, 3, 2, 1]).addRowVector([1, -5, 0.2, 0, 4, 0]);
  const constant = scattered.clone();
  for (let i = 0; i < 200; i++) constant.set(i, 3, 5);
  for (const A of [scattered, constant]) {
    const { scale, centre } = await apps.pca(plain(A), { engine, p: 2, standardise: true });
    const around = A.clone().subRowVector(A.mean("column"));
    for (let j = 0; j < 6; j++) {
      const exact = Math.sqrt(around.getColumn(j).reduce((s, v) => s + v * v, 0) / 199) || 1;
      expect(Math.abs(scale[j]! / exact - 1)).toBeLessThan(1e-12);
      expect(centre[j]).toBeCloseTo(A.mean("column")[j]!, 12);
    }
  }
});
