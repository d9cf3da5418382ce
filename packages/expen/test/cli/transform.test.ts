/** Saved models on new samples: what the library's model answers, columns by their names, and what does not fit. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Model } from "@expen/apps";
import { loadMatrix, readCsv } from "@expen/data";
import { expen, scratch } from "@expen/testing/cli/run-cli";
import { beforeAll, describe, expect, test } from "vitest";

const folder = scratch();
const iris = resolve("examples/data/iris.csv");
const at = (name: string): string => join(folder, name);
const ok = async (words: string): Promise<string> => {
  const { code, stdout, stderr } = await expen(`${words} --quiet`, folder);
  expect([code, stderr], words).toEqual([0, ""]);
  return stdout;
};
const table = (): string[] => readFileSync(iris, "utf8").trim().split("\n");
const numbersOf = (text: string): Float64Array => readCsv(text).matrix.data;
const near = (a: ArrayLike<number>, b: ArrayLike<number>, scale = 1): void => {
  expect(a.length).toBe(b.length);
  for (let k = 0; k < a.length; k++) expect(Math.abs(a[k]! - b[k]!)).toBeLessThan(1e-11 * scale);
};

beforeAll(async () => {
  await ok(`pca "${iris}" --columns 1-4 --standardise --p 2 --out model=pca.json`);
  await ok(`discriminant "${iris}" --labels species --p 2 --out model=lda.json`);
  const rows = table().map((line) => line.split(","));
  // columns in another order, among texts
  writeFileSync(
    at("mixed.csv"),
    rows.map(([a, b, c, d], i) => `${[d, i === 0 ? "site" : `plot ${i}`, b, c, a].join(";")}\n`).join(""),
  );
  writeFileSync(
    at("bare.csv"),
    rows
      .slice(1)
      .map((row) => `${row.slice(0, 4).join(",")}\n`)
      .join(""),
  );
  writeFileSync(at("renamed.csv"), table().join("\n").replace("petal_length", "petal length"));
});

describe("scores", () => {
  test("are those of the model, whatever the order of named columns; without names by position; with --columns as given", async () => {
    const { matrix } = await loadMatrix(iris, { columns: ["1-4"] });
    const expected = Model.fromJSON(readFileSync(at("pca.json"), "utf8"), "pca").transform(matrix).data;
    for (const words of ["mixed.csv", "bare.csv", "renamed.csv --columns 1-4", `"${iris}"`]) {
      const stdout = await ok(`transform pca.json ${words}`);
      expect(stdout.split("\n")[0]).toBe("pc1,pc2");
      near(numbersOf(stdout), expected);
    }
    expect(await ok("transform pca.json mixed.csv --out scores.npy")).toBe("scores (150×2): scores.npy\n");
    near((await loadMatrix(at("scores.npy"))).matrix.data, expected);
  });

  test("lead back to the nearest samples in the plane of the components", async () => {
    await ok("transform pca.json bare.csv --out scores.csv");
    const samples = await ok("transform pca.json scores.csv --inverse --out samples.csv");
    expect(samples).toBe("samples (150×4): samples.csv\n");
    // a projection: once more changes nothing
    near(numbersOf(await ok("transform pca.json samples.csv")), (await loadMatrix(at("scores.csv"))).matrix.data, 10);
  });

  test("of rows with gaps: refused, or left out and counted", async () => {
    writeFileSync(at("gaps.csv"), "sepal_length,sepal_width,petal_length,petal_width\n5,3,,1\n5,3,1,1\n");
    const refused = await expen("transform pca.json gaps.csv", folder);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/line 2, column 3 is empty/)]);
    const { stdout, stderr } = await expen("transform pca.json gaps.csv --gaps drop", folder);
    expect(stdout.trim().split("\n")).toHaveLength(2);
    expect(stderr).toMatch(/1 rows have gaps and were left out/);
  });
});

test("classes are those of the nearest mean, as texts too", async () => {
  const named = table().map((line, i) => (i === 0 ? line : line.replace(/\d$/, (k) => `"kind, ${k}"`)));
  writeFileSync(at("named.csv"), named.join("\n"));
  await ok("discriminant named.csv --labels species --p 2 --out model=kinds.json");
  const numbers = (await ok("transform lda.json bare.csv --predict")).trim().split("\n");
  expect(numbers[0]).toBe("class");
  const truth = table()
    .slice(1)
    .map((line) => line.split(",")[4]);
  expect(numbers.slice(1).filter((k, i) => k === truth[i]).length).toBeGreaterThan(140);
  expect(await ok("transform kinds.json bare.csv --predict --out kinds-of.csv")).toBe("classes (150): kinds-of.csv\n");
  expect(readFileSync(at("kinds-of.csv"), "utf8").trim().split("\n").slice(1)).toEqual(
    numbers.slice(1).map((k) => `"kind, ${k}"`),
  );
  await ok("transform kinds.json bare.csv --predict --out kinds-of.json");
  expect(JSON.parse(readFileSync(at("kinds-of.json"), "utf8"))).toEqual(numbers.slice(1).map((k) => `kind, ${k}`));
});

test("an alignment moves points, and back; canonical variables of one set or both", async () => {
  writeFileSync(at("square.csv"), "0,0\n1,0\n1,1\n0,1\n0.5,2\n");
  // turned by a right angle, moved by (3, 4)
  writeFileSync(at("turned.csv"), "3,4\n3,5\n2,5\n2,4\n1,4.5\n");
  await ok("align square.csv turned.csv --out model=align.json");
  await ok("transform align.json square.csv --out moved.csv");
  near((await loadMatrix(at("moved.csv"))).matrix.data, (await loadMatrix(at("turned.csv"))).matrix.data);
  near(
    numbersOf(await ok("transform align.json turned.csv --inverse")),
    (await loadMatrix(at("square.csv"))).matrix.data,
  );
  const answer = await ok(
    `cca bare.csv renamed.csv --columns 1-2 --p 1 --out firstScores=first.csv --out model=cca.json`,
  );
  expect(answer).toMatch(/the model: cca\.json/);
  near(
    numbersOf(await ok("transform cca.json bare.csv --columns 1-2")),
    (await loadMatrix(at("first.csv"))).matrix.data,
  );
  const both = await ok("transform cca.json bare.csv renamed.csv --columns 1-2");
  expect(both.split("\n")[0]).toBe("first_cc1,second_cc1");
});

test.each([
  ["transform pca.json renamed.csv", /renamed\.csv has no column 'petal_length', which the model takes; its columns are .*petal length.*--columns\.$/],
  ["transform pca.json bare.csv --columns 1-3", /the rows have 3 numbers, the model has 4 columns \(sepal_length, /],
  ["transform pca.json bare.csv --predict", /--predict: pca\.json is a model of pca; only a model of discriminant has classes\.$/],
  ["transform pca.json bare.csv bare.csv", /pca\.json takes one file of samples, not 2\.$/],
  ["transform bare.csv pca.json", /bare\.csv is no model; the model comes first/],
  ["transform no.json bare.csv", /no\.json: there is no such file or folder/],
  ["transform broken.json bare.csv", /broken\.json: this is no JSON document: /],
  ["transform other.json bare.csv", /other\.json: format is undefined; a model of expen has "expen model 1", as .*--out model\.json/],
  ["transform pca.json", /the argument <data> is missing/],
  ["transform pca.json bare.csv --out s.pdf", /--out s\.pdf: the name must end in one of \.npy/],
  ["transform lda.json bare.csv --predict --out s.npy", /--out s\.npy: the name must end in one of \.csv/],
  ["transform lda.json bare.csv --predict --inverse", /--inverse and --predict exclude each other/],
  ["predict lda.json bare.csv", /unknown command 'predict'; it is transform --predict here\.$/],
  ["pca bare.csv --p 2 --model m.json", /unknown option '--model'; it is --out model=FILE\.json here\.$/],
])("expen %s: one sentence", async (words, sentence) => {
  writeFileSync(at("broken.json"), "{");
  writeFileSync(at("other.json"), "{}");
  const { code, stdout, stderr } = await expen(words, folder);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.trimEnd()).toMatch(sentence);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
}); // biome-ignore format: a case a line

test("an option of solvers that a closed form does not use is named", async () => {
  const { notes } = JSON.parse(await ok("pca bare.csv --p 1 --memory 5 --json"));
  expect(notes).toContainEqual("--memory: not used, since the answer is in closed form; name a solver by --solver");
  expect(JSON.parse(await ok("pca bare.csv --p 1 --json")).notes.join()).not.toMatch(/not used/);
});
