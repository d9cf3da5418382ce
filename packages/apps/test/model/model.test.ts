/** Applications as models: the training samples again, the projector, closed forms, JSON to the last bit, and the other ways of a stranger. */
import type { HostMatrix, Matrix, MatrixLike } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { centred, ml, normal, orthogonal, plain, subspaceDistance } from "@expen/testing/applications/support";
import * as apps from "expen/apps";
import { Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { describe, expect, test } from "vitest";
import type { KindName } from "../../src/model/kinds.js";

const engine = jsEngine();
const names = ["a", "b", "c", "d", "e"];
/** 60 samples of five variables of different sizes, away from the origin */
const A = plain(normal(60, 5, 1).mulRowVector([4, 3, 2, 1, 0.5]).addRowVector([10, -3, 0, 5, 1]));
const rows = Array.from({ length: 60 }, (_, i) => Array.from(A.data.subarray(5 * i, 5 * i + 5)));
const records = rows.map((row, i) => ({ id: `row ${i}`, ...Object.fromEntries(row.map((v, j) => [names[j]!, v])) }));
const classes = rows.map((_, i) => ["left", "middle", "right"][i % 3]!);
const separated = rows.map((row, i) => row.map((v, j) => v + (j === 3 ? 8 * (i % 3) : 0)));
const loadings = plain(normal(5, 2, 3).mul(0.3));

type LinearKind = Exclude<KindName, "cca" | "align">;
/** A model of each kind, and the scores of its training samples */
const linear: Record<
  LinearKind,
  (data: MatrixLike, columns?: string[]) => Promise<apps.Model & { scores?: HostMatrix }>
> = {
  pca: (data, columns) => apps.pca(data, { p: 2, standardise: true, engine, columns }),
  "sparse-pca": (data, columns) => apps.sparsePca(data, { p: 2, weight: 0.1, standardise: true, engine, columns }),
  "nonnegative-pca": (data, columns) => apps.nonnegativePca(data, { p: 2, standardise: true, engine, columns }),
  "robust-pca": (data, columns) => apps.robustPca(data, { p: 2, engine, columns }),
  ica: async (data, columns) => {
    const model = await apps.ica(data, { p: 3, engine, columns });
    return Object.assign(model, { scores: model.sources });
  },
  dictionary: async (data, columns) => {
    const model = await apps.dictionary(data, { p: 2, engine, columns });
    return Object.assign(model, { scores: model.codes });
  },
  svd: (data) => apps.truncatedSvd(data, { p: 2, engine }),
  discriminant: (data, columns) => apps.discriminant(data, classes, { p: 2, engine, columns }),
  rotation: (data) => apps.factorRotation(loadings, { data, engine }),
};
const kinds = Object.keys(linear) as LinearKind[];
const norm = (M: Matrix): number => ml(M).norm("frobenius");
const distance = (a: Matrix, b: Matrix): number => ml(a).sub(ml(b)).norm("frobenius");

describe.each(kinds)("%s", (kind) => {
  const model = () => linear[kind](rows);

  test("transforms the training samples to their scores", async () => {
    const whole = await model();
    // its fields can be sent to a worker, and its methods stay with it
    expect(structuredClone(whole)).not.toHaveProperty("transform");
    const { transform } = whole;
    expect(transform(rows)).toEqual(whole.transform(rows));
    const scores =
      whole.scores ??
      plain(ml((whole as apps.TruncatedSvdAnswer).U).mulRowVector((whole as apps.TruncatedSvdAnswer).values));
    expect(distance(whole.transform(rows), scores)).toBeLessThan(1e-10 * norm(scores));
    expect(whole.transform(rows).names).toHaveLength(scores.cols);
    // one sample, as a list and as a row
    const first = ml(scores).getRow(0);
    for (const one of [rows[0]!, [rows[0]!], Float64Array.from(rows[0]!)]) {
      const transformed = whole.transform(one as MatrixLike).toRows()[0]!;
      transformed.forEach((v, j) => void expect(Math.abs(v - first[j]!)).toBeLessThan(1e-10 * norm(scores)));
    }
  });

  test("inverseTransform ∘ transform is a projector onto what the model expresses", async () => {
    const whole = await model();
    const once = whole.inverseTransform(whole.transform(rows));
    expect(once.shape).toEqual([60, 5]);
    // the loadings of a rotation are those of a model of factors, which need not fit
    if (kind === "rotation") return;
    const twice = whole.inverseTransform(whole.transform(once));
    expect(distance(once, twice)).toBeLessThan(1e-9 * norm(once));
  });

  test("JSON restores it to the last bit, without the training samples", async () => {
    const whole = await model();
    const text = JSON.stringify(whole);
    expect(text.length).toBeLessThan(6000);
    const again = apps.Model.fromJSON(text, kind);
    expect(Object.getPrototypeOf(again)).toBe(Object.getPrototypeOf(whole));
    expect([...again.transform(rows).data]).toEqual([...whole.transform(rows).data]);
    expect([...again.mean]).toEqual([...whole.mean]);
    const { certificate } = "run" in whole ? (whole as apps.PcaAnswer).run : (whole as apps.TruncatedSvdAnswer);
    expect(again.certificate.level).toBe(certificate.level);
    expect(JSON.stringify(again)).toBe(text);
    expect(apps.Model.fromJSON(JSON.parse(text)).kind).toBe(kind);
  });
});

test.each(kinds.filter((kind) => kind !== "svd" && kind !== "rotation"))("%s: records with a choice of columns, whose names go along", async (kind) => {
  const [byName, byRows] = [await linear[kind](records, names), await linear[kind](rows)];
  expect(byName.names).toEqual(names);
  const scores = byRows.transform(rows);
  expect(distance(byName.transform(records), scores)).toBeLessThan(1e-12 * norm(scores));
  // columns in another order, and more of them
  const shuffled = records.map(({ id, a, b, ...rest }: Record<string, unknown>) => ({ b, x: id, ...rest, a }));
  expect([...byName.transform(shuffled).data]).toEqual([...byName.transform(records).data]);
  const again = apps.Model.fromJSON(JSON.stringify(byName), kind);
  expect(again.names).toEqual(names);
  expect(Object.keys(again.inverseTransform(again.transform(records)).toRecords()[0]!)).toEqual(names);
}); // biome-ignore format: a long title

test("pca beside the singular value decomposition, and its inverse beside the best approximation of rank p", async () => {
  const model = await apps.pca(rows, { p: 2, engine });
  const { rightSingularVectors: V } = new SingularValueDecomposition(centred(ml(A)));
  const top = V.subMatrix(0, 4, 0, 1);
  expect(subspaceDistance(ml(model.components), top)).toBeLessThan(1e-9);
  const mean = ml(A).mean("column");
  const best = centred(ml(A)).mmul(top).mmul(top.transpose()).addRowVector(mean);
  expect(
    ml(model.inverseTransform(model.transform(rows)))
      .sub(best)
      .norm("frobenius"),
  ).toBeLessThan(1e-9);
  model.mean.forEach((v, j) => void expect(v).toBeCloseTo(mean[j]!, 12));
});

test("ica of as many sources as columns: inverseTransform is the inverse", async () => {
  const model = await apps.ica(rows, { engine });
  expect(distance(model.inverseTransform(model.transform(rows)), A)).toBeLessThan(1e-10 * norm(A));
});

describe("discriminant", () => {
  test("classes of well separated samples, by words, from a column of records too", async () => {
    const model = await apps.discriminant(separated, classes, { p: 2, engine });
    expect(model.classes).toEqual(["left", "middle", "right"]);
    expect(model.predict(separated)).toEqual(classes);
    const table = separated.map((row, i) => ({
      ...Object.fromEntries(row.map((v, j) => [names[j], v])),
      side: classes[i],
    }));
    const byColumn = await apps.discriminant(table, "side", { p: 2, engine });
    expect(byColumn.names).toEqual(names);
    expect(byColumn.ratio).toBe(model.ratio);
    expect(byColumn.predict(table.slice(0, 3))).toEqual(["left", "middle", "right"]);
    const again = apps.Model.fromJSON(JSON.stringify(byColumn), "discriminant");
    expect(again.predict(table)).toEqual(classes);
  });
});

describe("factor rotation", () => {
  /** Z = F·Λᵀ + noise, F uncorrelated with variance 1 */
  const [v, m] = [8, 4000];
  const Λ = new Ml(v, 2);
  for (let i = 0; i < v; i++) Λ.set(i, i % 2, 0.8);
  const F = normal(m, 2, 5);
  const Z = F.mmul(Λ.transpose()).add(normal(m, v, 6).mul(0.6));

  test.each(["regression", "bartlett"] as const)(
    "%s scores of a model of factors correlate with the factors",
    async (method) => {
      const turned = plain(Λ.mmul(orthogonal(2, 2, 7)));
      const model = await apps.factorRotation(turned, { data: plain(Z), method, engine });
      const S = ml(model.scores!);
      for (let j = 0; j < 2; j++) {
        const columns = [0, 1].map((k) => Math.abs(correlation(S.getColumn(j), F.getColumn(k))));
        expect(Math.max(...columns)).toBeGreaterThan(0.93);
      }
      expect(distance(model.transform(plain(Z)), model.scores!)).toBeLessThan(1e-10 * norm(model.scores!));
    },
  );

  test("regression coefficients are R⁻¹Λ", async () => {
    const model = await apps.factorRotation(loadings, { data: rows, engine });
    const standard = centred(ml(A)).divRowVector(ml(A).standardDeviation("column"));
    const R = standard.transpose().mmul(standard).div(59);
    expect(R.mmul(ml(model.coefficients!)).sub(ml(model.loadings)).norm("frobenius")).toBeLessThan(1e-10);
  });

  test("without data it says what is needed; what cannot be", async () => {
    const model = await apps.factorRotation(loadings, { engine });
    expect(() => model.transform(rows)).toThrow(
      "rotation: factor scores need the data: factorRotation(loadings, { data: rows }).",
    );
    expect(apps.Model.fromJSON(JSON.stringify(model), "rotation").loadings.toRows()).toEqual(model.loadings.toRows());
    const twice = rows.map((row) => [...row.slice(0, 4), row[3]!]);
    await expect(apps.factorRotation(loadings, { data: twice, engine })).rejects.toThrow(
      /correlations of the data are singular/,
    );
    const whole = { rows: 5, cols: 2, data: loadings.data.map((_, k) => (k % 2 ? 0 : 1)) };
    await expect(apps.factorRotation(whole, { data: rows, method: "bartlett", engine })).rejects.toThrow(
      /variable 1 explain all of it/,
    );
    await expect(apps.factorRotation(loadings, { data: [[1, 2], [3, 4]], engine })).rejects.toThrow(/2 columns, L has 5 rows/); // biome-ignore format: rows
  });
});

describe("canonical correlations", () => {
  const other = plain(
    ml(A)
      .mmul(normal(5, 3, 9))
      .add(normal(60, 3, 10)),
  );
  test("new samples of both sets, of one, from JSON", async () => {
    const model = await apps.canonicalCorrelation(rows, other, { p: 2, engine });
    const { first, second } = model.transform(rows, other);
    expect(distance(first!, model.firstScores)).toBeLessThan(1e-10);
    expect(distance(second!, model.secondScores)).toBeLessThan(1e-10);
    const again = apps.Model.fromJSON(JSON.stringify(model), "cca");
    expect([...again.transform(undefined, other).second!.data]).toEqual([...second!.data]);
    expect(again.transform(rows).second).toBeUndefined();
    expect(() => model.transform(undefined, rows)).toThrow(
      /second set: the rows have 5 numbers, the model has 3 columns/,
    );
  });
});

describe("alignment", () => {
  const R = orthogonal(3, 3, 4);
  const source = normal(20, 3, 5);
  const target = source.mmul(R).mul(1.7).addRowVector([1, 2, 3]);
  const solve = () => apps.align(plain(source), plain(target), { scaling: true, reflections: true, engine });

  test("apply moves other points, and back", async () => {
    const model = await solve();
    const points = normal(7, 3, 6);
    const moved = points.mmul(R).mul(1.7).addRowVector([1, 2, 3]);
    expect(distance(model.apply(plain(points)), plain(moved))).toBeLessThan(1e-9);
    expect(distance(model.applyInverse(model.apply(plain(points))), plain(points))).toBeLessThan(1e-9);
    expect(distance(model.apply(plain(source)), model.aligned)).toBeLessThan(1e-12 * norm(model.aligned));
    const again = apps.Model.fromJSON(JSON.stringify(model), "align");
    expect([...again.apply(plain(points)).data]).toEqual([...model.apply(plain(points)).data]);
  });

  test("matrix4 is by columns: M·(x, 1) is the image", async () => {
    const model = await solve();
    const m = model.matrix4();
    const [x, y, z] = [0.3, -1, 2];
    const image = [0, 1, 2, 3].map((i) => m[i]! * x + m[4 + i]! * y + m[8 + i]! * z + m[12 + i]!);
    const [row] = model.apply([[x, y, z]]).toRows();
    [...row!, 1].forEach((v, i) => void expect(image[i]).toBeCloseTo(v, 12));
    const flat = await apps.align([[0, 0], [1, 0], [0, 1]], [[1, 1], [1, 2], [0, 1]], { engine }); // biome-ignore format: rows
    expect(flat.matrix4().map((v) => Math.round(v) + 0)).toEqual([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1]);
  });
});

describe("sentences", () => {
  test("new samples", async () => {
    const model = await apps.pca(records, { p: 2, columns: names, engine });
    expect(() => model.transform([[1, 2]])).toThrow(
      "pca: transform: the rows have 2 numbers, the model has 5 columns (a, b, c, d, e).",
    );
    expect(() => model.transform(plain(ml(A).transpose()))).toThrow(/they look transposed/);
    expect(() => model.transform([{ a: 1, b: 2 }])).toThrow(/columns is 'c'/);
    expect(() => model.transform([[1, 2, Number.NaN, 4, 5]])).toThrow(/entry \(0, 2\) of the rows is NaN/);
    expect(() => model.transform({ a: [1], b: [2] })).toThrow(/the rows have no column 'c'/);
    expect(() => model.inverseTransform([[1]])).toThrow(
      /inverseTransform: the rows have 1 numbers, the model has 2 columns/,
    );
  });

  test("rows of gaps are left out and counted; many columns are doubted", async () => {
    const holes = [...rows, [1, 2, null, 4, 5], [Number.NaN, 2, 3, 4, 5]] as number[][];
    await expect(apps.pca(holes, { p: 1, engine })).rejects.toThrow(
      /entry \(60, 2\) is null; fill it in, or leave such rows out/,
    );
    const { scores, run } = await apps.pca(holes, { p: 1, gaps: "drop", engine });
    expect(scores.rows).toBe(60);
    expect(run.notes).toContain("2 of 62 rows have gaps and were left out");
    const wide = await apps.pca(plain(ml(A).transpose()), { p: 1, engine });
    expect(wide.run.notes.join()).toMatch(/5 rows and 60 columns; a sample is a row: transpose them/);
    expect((await apps.pca(rows, { p: 1, engine })).run.notes.join()).not.toMatch(/transpose/);
  });

  test.each<[string, string | object, string | undefined, RegExp]>([
    ["a cut text", '{"format": "exp', undefined, /no JSON document/],
    ["an array", [1], undefined, /this is an array; give the text/],
    ["another document", { rows: 1 }, undefined, /format is undefined; a model of expen has/],
    ["an unknown kind", { format: "expen model 1", kind: "lda" }, undefined, /kind is the string 'lda'; it must be one of pca/],
    ["without matrices", { format: "expen model 1", kind: "pca", certificate: { level: "global", text: "" } }, undefined, /'components' is missing/],
    ["of too few numbers", { format: "expen model 1", kind: "pca", certificate: { level: "global", text: "" }, components: { rows: 2, cols: 2, data: [1] } }, undefined, /components: 2×2 need 4 numbers/],
    ["with a gap", { format: "expen model 1", kind: "pca", certificate: { level: "global", text: "" }, components: { rows: 1, cols: 1, data: [null] } }, undefined, /components: entry \(0, 0\) is null/],
    ["of means of another length", { format: "expen model 1", kind: "pca", certificate: { level: "global", text: "" }, components: { rows: 1, cols: 1, data: [1] }, centre: [1, 2] }, undefined, /centre has 2 entries, components has 1 rows/],
  ])("Model.fromJSON: %s", (_, json, kind, sentence) => {
    expect(() => apps.Model.fromJSON(json, kind as "pca")).toThrow(sentence);
    expect(() => apps.Model.fromJSON(json, kind as "pca")).toThrow(/^Model\.fromJSON: /);
  }); // biome-ignore format: a case a line

  test("Model.fromJSON: a model of another application", async () => {
    const text = JSON.stringify(await apps.ica(rows, { p: 2, engine }));
    expect(() => apps.Model.fromJSON(text, "pca")).toThrow(
      'this is a model of ica, not of pca; read it with Model.fromJSON(json, "ica").',
    );
    expect(() => apps.Model.fromJSON(text, "pac" as "pca")).toThrow(/did you mean 'pca'/);
  });
});

test("answers that are no models have matrices that can be read, and JSON", async () => {
  const { X } = await apps.procrustes(rows, rows, { engine });
  expect(X.shape).toEqual([5, 5]);
  expect(X.toRows()).toHaveLength(5);
  expect(X.column(1)[1]).toBeCloseTo(1, 12);
  expect(() => X.column(5)).toThrow("column: j is 5; it must be a whole number from 0 to 4.");
  const { rows: m, cols: n, data } = JSON.parse(JSON.stringify(X));
  expect([m, n, data]).toEqual([5, 5, [...X.data]]);
  const { scores } = await apps.pca(rows, { p: 2, engine });
  expect(Object.keys(scores.toRecords()[0]!)).toEqual(["pc1", "pc2"]);
});

function correlation(x: number[], y: number[]): number {
  const mean = (a: number[]): number => a.reduce((s, v) => s + v, 0) / a.length;
  const [a, b] = [mean(x), mean(y)];
  const sum = (f: (i: number) => number): number => x.reduce((s, _, i) => s + f(i), 0);
  return sum((i) => (x[i]! - a) * (y[i]! - b)) / Math.sqrt(sum((i) => (x[i]! - a) ** 2) * sum((i) => (y[i]! - b) ** 2));
}
