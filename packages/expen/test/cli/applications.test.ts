/** Applications as commands of their own: help, files by their names, reports, eigenvalues, what was mistyped. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Model, pca } from "@expen/apps";
import { descriptions } from "@expen/apps/objectives";
import { loadMatrix, saveMatrix } from "@expen/data";
import { normal, plain } from "@expen/testing/applications/support";
import { expen, scratch } from "@expen/testing/cli/run-cli";
import { describe, expect, test } from "vitest";

const folder = scratch();
const iris = resolve("examples/data/iris.csv");
const at = (name: string): string => join(folder, name);
const ok = async (words: string) => {
  const { code, stdout, stderr } = await expen(`${words} --quiet`, folder);
  expect([code, stderr], words).toEqual([0, ""]);
  return stdout;
};
const lines = (text: string): string[] => text.trimEnd().split("\n");
const names = [...descriptions.map(({ name }) => name), "eigs", "svds"];

describe("help", () => {
  test("expen apps has a line for each, and the group has the same", async () => {
    const list = (await expen("apps")).stdout;
    const listed = lines(list).flatMap((line) => /^expen ([\w-]+) /.exec(line)?.[1] ?? []);
    expect(listed.slice(0, names.length)).toEqual(names);
    expect(
      lines((await expen("app --help")).stdout).filter((line) => /^ {2}[a-z-]+ \[options\]/.test(line)),
    ).toHaveLength(names.length);
  });

  test.each(names)("expen %s --help fits a screen of 80×24, with an example; --help-all has the rest", async (name) => {
    const { code, stdout } = await expen(`${name} --help`);
    expect(code).toBe(0);
    expect(lines(stdout).length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines(stdout).map((line) => [...line].length))).toBeLessThanOrEqual(80);
    const [, example] = /Example:\n {2}expen (.*)\n/.exec(stdout)!;
    expect(example!.split(" ")[0]).toBe(name);
    // every option of the example exists
    for (const [flag] of example!.matchAll(/--[\w-]+/g)) expect(stdout).toMatch(new RegExp(`^ {2}${flag}\\b`, "m"));
    const all = (await expen(`${name} --help-all`)).stdout;
    expect(all).toMatch(/^ {2}--engine/m);
    expect(lines(all).length).toBeGreaterThan(lines(stdout).length);
  });

  test("solve --help has ten options, --help-all the rest", async () => {
    const flags = async (words: string) =>
      [...(await expen(words)).stdout.matchAll(/^ {2}--([\w-]+)/gm)].map((m) => m[1]!);
    const short = await flags("solve --help");
    expect(short).toHaveLength(10);
    const all = await flags("solve --help-all");
    expect(all).toEqual(expect.arrayContaining([...short, "max-iter", "history", "certificate-budget", "seed"]));
  });
});

describe("files", () => {
  test("parts by the name of the file, NAME=FILE, and the main one under any other name", async () => {
    const stdout = await ok(
      `pca "${iris}" --columns 1-4 --p 2 --out scores.csv --out model.json --out components=V.npy --out any.json`,
    );
    for (const text of [
      "scores (150×2): scores.csv",
      "the model: model.json",
      "components (4×2): V.npy",
      "components (4×2): any.json",
    ])
      expect(stdout).toContain(text);
    // names of columns travel into the file, which the next command reads
    expect(readFileSync(at("scores.csv"), "utf8").split("\n")[0]).toBe("pc1,pc2");
    expect(await ok("pca scores.csv --columns pc2 --p 1")).toMatch(/✓ converged/);
    const { matrix } = await loadMatrix(iris, { columns: ["1-4"] });
    const model = await pca(matrix, { p: 2 });
    const { matrix: scores } = await loadMatrix(at("scores.csv"));
    scores.data.forEach((v, k) => void expect(Math.abs(v - model.scores.data[k]!)).toBeLessThan(1e-12));
    const stored = Model.fromJSON(readFileSync(at("model.json"), "utf8"), "pca");
    expect(stored.names).toEqual(["sepal_length", "sepal_width", "petal_length", "petal_width"]);
    stored.transform(matrix).data.forEach((v, k) => void expect(Math.abs(v - scores.data[k]!)).toBeLessThan(1e-12));
  });

  test("gaps: refused with a way out, or left out and counted", async () => {
    writeFileSync(at("gaps.csv"), "a,b,kind\n1,2,x\n,3,y\n4,NA,z\n5,7,x\n6,5,y\n");
    const refused = await expen("pca gaps.csv --columns a,b --p 1", folder);
    expect([refused.code, refused.stderr]).toEqual([2, "expen: gaps.csv: line 3, column 1 is empty where a number is needed; fill it in, or leave such rows out (gaps: drop; --gaps drop in the shell).\n"]);
    const stdout = await ok("pca gaps.csv --columns a,b --p 1 --gaps drop --out scores.csv");
    expect(stdout).toMatch(/2 rows have gaps and were left out/);
    expect(stdout).toMatch(/scores \(3×1\)/);
    expect((await expen("pca gaps.csv --columns a,b --p 1 --gaps refuse", folder)).stderr).toMatch(/line 3, column 1 is empty/);
  }); // biome-ignore format: one sentence

  test("classes by the name of their column, which holds texts", async () => {
    const table = readFileSync(iris, "utf8").trim().split("\n");
    writeFileSync(
      at("flowers.csv"),
      table.map((line, i) => (i === 0 ? line : line.replace(/\d$/, (k) => `kind ${k}`))).join("\n"),
    );
    const [byName, byNumber] = [
      JSON.parse(await ok("discriminant flowers.csv --labels species --p 2 --json")),
      JSON.parse(await ok(`discriminant "${iris}" --labels 5 --p 2 --json`)),
    ];
    expect(byName.answer.ratio).toBe(byNumber.answer.ratio);
    expect(byName.answer.classes).toEqual(byNumber.answer.classes.map((k: number) => `kind ${k}`));
  });

  test("factor scores of a second file, which may be left out", async () => {
    await saveMatrix(at("loadings.csv"), plain(normal(4, 2, 1).mul(0.3)));
    await saveMatrix(at("items.csv"), plain(normal(30, 4, 2)));
    expect(await ok("rotation loadings.csv --out rotated.csv")).toMatch(/rotated loadings \(4×2\)/);
    expect(await ok("rotation loadings.csv items.csv --out scores.csv")).toMatch(/scores \(30×2\)/);
    expect(readFileSync(at("scores.csv"), "utf8")).toMatch(/^factor1,factor2\n/);
  });

  test("eigs and svds", async () => {
    writeFileSync(at("A.csv"), "2,1,0\n1,2,1\n0,1,2\n");
    const eigs = JSON.parse(await ok("eigs A.csv --p 2 --which largest --out vectors.csv --json"));
    expect(eigs.values[0]).toBeCloseTo(2 + Math.SQRT2, 12);
    expect(eigs.certificate.level).toBe("complete");
    expect((await loadMatrix(at("vectors.csv"))).matrix).toMatchObject({ rows: 3, cols: 2 });
    expect(await ok("eigs A.csv --p 1 --sigma 1.9")).toMatch(/^values +2$/m);
    expect(await ok("svds A.csv --p 1 --out U.csv --out V.csv")).toMatch(/V \(3×1\): V\.csv/);
    const { code, stderr } = await expen("eigs A.csv --p 1 --which nearest", folder);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/which is 'nearest' but there is no sigma/)]);
  });
});

describe("report", () => {
  test("one page with a plot of all points, coloured by labels, without a link to anything", async () => {
    await ok(`pca "${iris}" --labels species --p 2 --report page.html`);
    const page = readFileSync(at("page.html"), "utf8");
    expect(page.match(/<circle /g)).toHaveLength(150);
    expect(page.match(/<li><span class="swatch/g)).toHaveLength(3);
    expect(page).toMatch(/variance explained/);
    expect(page).toMatch(/<th>petal_length<\/th>/);
    expect(page).not.toMatch(/https?:|<script|src=|<link/);
    expect(page.length).toBeLessThan(60_000);
  });

  test("of one column, of an answer without points, of names that are markup", async () => {
    await ok(`pca "${iris}" --columns 1-4 --p 1 --report one.html`);
    expect(readFileSync(at("one.html"), "utf8")).toMatch(/>row</);
    writeFileSync(at("odd.csv"), "<b>x</b>,y&z\n1,2\n3,5\n4,1\n");
    await ok("pca odd.csv --p 2 --report odd.html");
    const page = readFileSync(at("odd.html"), "utf8");
    expect(page).toContain("&lt;b&gt;x&lt;/b&gt;");
    expect(page).not.toContain("<b>");
    await saveMatrix(at("square.csv"), plain(normal(3, 3, 1)));
    await ok("procrustes square.csv square.csv --report fit.html");
    expect(readFileSync(at("fit.html"), "utf8")).not.toContain("<svg");
  });
});

test.each([
  ["pac data.csv --p 2", /unknown command 'pac'; did you mean pca\?/],
  ["isa data.csv", /unknown command 'isa'; did you mean ica\?/],
  ["discrimninant data.csv", /did you mean discriminant\?/],
  ["eigss A.csv", /did you mean eigs\?/],
  ["noeig --p 3", /unknown command 'noeig'; it is a problem: expen solve noeig\./],
  ["data.csv --p 2", /unknown command 'data\.csv'; it is a file: put the name of an application before it, as in expen pca data\.csv/],
  ["my-problem.ts", /it is a file: expen solve my-problem\.ts\./],
  ["pca data.csv --n-components 2", /unknown option '--n-components'; it is --p here\./],
  ["pca data.csv -p 2", /unknown option '-p'; did you mean --p\?/],
  ["pca data.csv --p 2 --colums a", /unknown option '--colums'; did you mean --columns\?/],
  ["pca data.csv --p 2 --max-itre 4", /unknown option '--max-itre'; did you mean --max-iter\?/],
  ["app pca data.csv --p 2 --otu s.csv", /unknown option '--otu'; did you mean --out\?/],
  ["pca data.csv --p", /the option --p <number> has no value; add --help to see what it takes\./],
  ["pca data.csv --p 2 --gaps keep", /--gaps 'keep' is none of refuse, drop/],
  ["pca data.csv --p 2 --out socres=s.csv", /--out socres=s\.csv: pca has no 'socres'; it has components, scores, model; did you mean 'scores'\?/],
  ["pca data.csv --p 2 --out model.csv", /--out model\.csv: the name must end in \.json\./],
  ["pca data.csv --p 2 --out s.csv --out s.csv", /--out s\.csv is given twice/],
  ["pca data.csv --p 2 --report page.pdf", /--report page\.pdf: the name must end in \.html\./],
  ["pca data.csv --p 2 --report nowhere/page.html", /--report nowhere\/page\.html cannot be written: there is no such folder/],
  ["procrustes data.csv data.csv --out model.json", /./],
])("expen %s: one sentence", async (words, sentence) => {
  writeFileSync(at("data.csv"), "1,2\n3,4\n5,7\n");
  const { code, stdout, stderr } = await expen(words, folder);
  // a file that is called model has the main part where there is no model
  if (words.startsWith("procrustes")) return void expect(code).toBe(0);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(sentence);
  expect(lines(stderr)).toHaveLength(1);
}); // biome-ignore format: a case a line
