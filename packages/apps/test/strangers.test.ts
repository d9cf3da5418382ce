/** Mistakes of people who see the library for the first time: each ends in one sentence that says what to do, or in the right answer. */
import { jsEngine } from "@expen/linalg/engine";
import * as apps from "expen/apps";
import { asMatrix, loadMatrix, readCsv } from "expen/data";
import { describe, expect, test } from "vitest";

const engine = jsEngine();
const rows = [[5.1, 3.5, 1.4], [4.9, 3.1, 1.5], [7.0, 3.2, 4.7], [6.4, 2.9, 4.5], [6.3, 3.3, 6.0], [5.8, 2.7, 5.1]]; // biome-ignore format: rows
const records = rows.map(([sepal, width, petal], i) => ({ sepal, width, petal, species: ["a", "b", "c"][i >> 1] }));
const columns = ["sepal", "width", "petal"];
/** As a program in JavaScript calls it: what TypeScript would refuse is what is tried. */
const pca = (data: unknown, o: object = { p: 1 }) => apps.pca(data as never, { engine, ...o } as never);
const transposed = columns.map((_, j) => Array.from({ length: 40 }, (_, i) => rows[i % 6]![j]! + 0.1 * i));
const replaced = (value: unknown): unknown[][] =>
  rows.map((row, i) => row.map((v, j) => (i === 2 && j === 1 ? value : v)));

/** Who, the mistake, and the sentence */
const sentences: [who: string, mistake: string, act: () => unknown, sentence: RegExp][] = [
  ["data scientist", "texts of numbers", () => pca(rows.map((row) => row.map(String))), /^pca: A: entry \(0, 0\) is "5\.1"; it is a text, convert it with Number/],
  ["data scientist", "one text among numbers", () => pca(replaced("n/a")), /^pca: A: entry \(2, 1\) is "n\/a"; a number is needed/],
  ["data scientist", "NaN", () => pca(replaced(Number.NaN)), /entry \(2, 1\) of A is NaN; fill it in or leave its row out/],
  ["data scientist", "null", () => pca(replaced(null)), /entry \(2, 1\) is null; fill it in, or leave such rows out with \{ gaps: "drop" \}/],
  ["data scientist", "an empty text", () => pca(replaced("")), /entry \(2, 1\) is ""; fill it in, or leave such rows out/],
  ["data scientist", "infinity", () => pca(replaced(1 / 0)), /entry \(2, 1\) of A is Infinity/],
  ["data scientist", "a column of words", () => pca(records), /'species' of row 0 is "a"; leave the column out: columns: \["sepal", "width", "petal"\]/],
  ["data scientist", "an unknown column", () => pca(records, { p: 1, columns: ["sepal", "petals"] }), /columns is 'petals'; did you mean 'petal'\?/],
  ["data scientist", "columns as one text", () => pca(records, { p: 1, columns: "sepal" }), /columns is 'sepal'; it must be a list of names/],
  ["data scientist", "columns counted from 0", () => pca(rows, { p: 1, columns: [0, 1] }), /columns is 0; it must be numbers and ranges from 1 to 3/],
  ["data scientist", "names of columns of a matrix without names", () => pca(rows, { p: 1, columns: ["sepal"] }), /columns is 'sepal', but the data have no names of columns/],
  ["data scientist", "more components than columns", () => pca(rows, { p: 4 }), /p = 4 is above n = 3/],
  ["data scientist", "no number of components", () => pca(rows, {}), /p is undefined; it must be a whole number, 1 or more/],
  ["data scientist", "a share of the variance as p", () => pca(rows, { p: 0.95 }), /p is 0\.95; it must be a whole number/],
  ["data scientist", "the name of scikit-learn", () => pca(rows, { nComponents: 2 }), /there is no option 'nComponents'; .*he options are p, /],
  ["data scientist", "a mistyped option", () => pca(rows, { p: 1, standardse: true }), /no option 'standardse'; did you mean 'standardise'\?/],
  ["data scientist", "a word for a switch", () => pca(rows, { p: 1, centre: "yes" }), /centre is 'yes'; it must be true or false/],
  ["data scientist", "both spellings against each other", () => pca(rows, { p: 1, center: true, centre: false }), /centre is false but center is true; give one of the two/],
  ["data scientist", "an empty table", () => pca([]), /the array is empty; a matrix has at least one row/],
  ["data scientist", "one row", () => pca([[1, 2, 3]]), /A has 1 rows; at least 2 samples are needed/],
  ["data scientist", "rows of different lengths", () => pca([[1, 2], [3, 4, 5]]), /row 1 has 3 numbers, row 0 has 2/],
  ["data scientist", "a record without a key", () => pca([{ a: 1, b: 2 }, { a: 3 }]), /'b' of row 1 is undefined; fill it in/],
  ["data scientist", "columns of different lengths", () => pca({ a: [1, 2], b: [1] }), /column 'b' has 1 numbers, column 'a' has 2/],
  ["data scientist", "the text of a CSV", () => pca("a,b\n1,2"), /a matrix is needed, this is the string 'a,b/],
  ["data scientist", "the name of a file", () => pca("data.csv"), /a matrix is needed, this is the string 'data\.csv'/],
  ["data scientist", "a file without await", () => pca(loadMatrix("examples/data/iris.csv")), /this is a promise; await it before/],
  ["data scientist", "a missing file", () => loadMatrix("nowhere.csv"), /^nowhere\.csv: there is no such file or folder/],
  ["data scientist", "a spreadsheet", () => loadMatrix("data.xlsx"), /data\.xlsx: the ending '\.xlsx' is unknown; it must be one of \.npy/],
  ["data scientist", "the whole of iris with its class of words", () => readCsv("a,b,kind\n1,2,x\n"), /column 3 has the text 'x' .*\(the column is 'kind'\).*columns: \["a", "b"\]/],
  ["data scientist", "an empty file", () => readCsv(""), /the file holds no numbers/],
  ["data scientist", "a gap in a file", () => readCsv("a,b\n1,\n3,4\n"), /line 2, column 2 is empty where a number is needed; fill it in, or leave such rows out/],
  ["data scientist", "a line that is too long", () => readCsv("a,b\n1,2\n1,2,3\n"), /line 3 has 3 cells where 2 are expected/],
  ["data scientist", "too few labels", () => apps.discriminant(rows, ["a", "b"], { p: 1, engine }), /there are 2 labels for 6 samples/],
  ["data scientist", "labels of one class", () => apps.discriminant(rows, rows.map(() => "a"), { p: 1, engine }), /all labels are a; at least two classes are needed/],
  ["data scientist", "an unknown column of labels", () => apps.discriminant(records, "specie", { p: 1, engine }), /labels is 'specie'; did you mean 'species'\?/],
  ["data scientist", "no labels", () => apps.discriminant(rows, undefined as never, { p: 1, engine }), /there are no labels for 6 samples/],
  ["data scientist", "ICA of columns that depend on each other", () => apps.ica(rows.map(([a, b]) => [a!, b!, a! + b!]), { engine }), /only 2 independent directions; ask for p = 2 or fewer/],
  ["data scientist", "the scores of another model", async () => (await pca(rows)).transform([[1, 2]]), /the rows have 2 numbers, the model has 3 columns/],
  ["data scientist", "new samples by columns", async () => (await pca(rows)).transform([[1], [2], [3]]), /they look transposed/],
  ["data scientist", "the JSON of another model", async () => apps.Model.fromJSON(JSON.stringify(await apps.ica(rows, { engine })), "pca"), /this is a model of ica, not of pca/],
  ["data scientist", "the JSON of no model", () => apps.Model.fromJSON('{"a": 1}'), /format is undefined; a model of expen has "expen model 1"/],
  ["researcher", "a matrix of complex numbers", () => pca([[{ re: 1, im: 2 }], [{ re: 3, im: 4 }]]), /it is complex, and a real number is needed/],
  ["researcher", "a tensor", () => pca({ data: new Float64Array(8), shape: [2, 2, 2] }), /the array has 3 dimensions \(2×2×2\); reshape it to two/],
  ["researcher", "a matrix of the wrong size", () => pca({ rows: 3, cols: 2, data: new Float64Array(5) }), /A is 3×2 but has 5 numbers/],
  ["researcher", "strides of bytes", () => pca({ data: new Float64Array(6), shape: [3, 2], strides: [16, 8] }), /strides reach outside the 6 numbers/],
  ["researcher", "a sparse matrix without its form", () => apps.truncatedSvd({ shape: [2, 2], indptr: [0, 1, 2], indices: [0, 1], data: [1, 2] }, { p: 1, engine }), /give format: "csr" or format: "csc"/],
  ["researcher", "indices from 1", () => apps.truncatedSvd({ rows: 2, cols: 2, i: [1, 2], j: [1, 2], values: [1, 2] }, { p: 1, engine }), /index 2 of entry 1 is outside 0 … 1; indices count from 0/],
  ["researcher", "a matrix that is not symmetric", () => apps.generalizedEigen([[1, 2], [0, 1]], [[1, 0], [0, 1]], { p: 1, engine }), /A is not symmetric; give \(A \+ Aᵀ\)\/2/],
  ["researcher", "sets of different sizes", () => apps.align(rows, rows.slice(1), { engine }), /target is 5×3 but must be 6×3/],
  ["researcher", "a solver of others", () => pca(rows, { p: 1, solver: "adam" }), /^solver 'adam' is none of auto, expen/],
  ["researcher", "a mistyped option of a solver", () => pca(rows, { p: 1, memry: 5 }), /there is no option 'memry'; did you mean 'memory'\?/],
  ["researcher", "a tolerance as text", () => pca(rows, { p: 1, tol: "1e-6" }), /tol is '1e-6'; it must be/],
  ["researcher", "a negative limit", () => pca(rows, { p: 1, maxIterations: -1 }), /maxIterations is -1; it must be a number, 0 or more/],
  ["researcher", "an unknown criterion of rotation", () => apps.factorRotation(rows, { kind: "varimaxx" as never, engine }), /kind is 'varimaxx'; it must be one of varimax/],
  ["researcher", "factor scores without data", async () => (await apps.factorRotation(rows, { engine })).transform(rows), /factor scores need the data: factorRotation\(loadings, \{ data: rows \}\)/],
  ["researcher", "a p of canonical correlations above both sets", () => apps.canonicalCorrelation(rows, rows, { p: 4, engine }), /p = 4 is above columns of the first set = 3/],
  ["researcher", "numbers whose squares overflow", () => pca(rows.map((row) => row.map((v) => v * 1e200))), /squares of A overflow; divide it by a power of ten/],
  ["data scientist", "robust components of samples that are all the same", () => apps.robustPca(rows.map(() => [1, 2, 3]), { p: 1, engine }), /half of the samples or more coincide; give delta/],
  ["data scientist", "as many robust components as columns", () => apps.robustPca(rows, { p: 3, engine }), /p = 3 are all columns, so that no sample is off the subspace; ask for fewer/],
  ["researcher", "robust components of numbers whose squares overflow", () => apps.robustPca(rows.map((row) => row.map((v) => v * 1e200)), { p: 1, engine }), /squares of A overflow; divide it by a power of ten/],
  ["researcher", "a dictionary of zeros", () => apps.dictionary(rows.map(() => [0, 0]), { engine }), /all entries of A are 0; there is nothing to learn/],
  ["researcher", "a dictionary of numbers whose fourth powers overflow", () => apps.dictionary(rows.map((row) => row.map((v) => v * 1e90)), { engine }), /squares of A overflow/],
  ["researcher", "complex numbers in a file", () => readCsv("1+2j,3\n3,4\n"), /line 1, column 1 has the text '1\+2j' .*; write its real and its imaginary part in columns of their own/],
  ["web developer", "an answer without await as data", () => pca(pca(rows)), /a matrix is needed, this is a promise; await it before/],
  ["web developer", "nothing", () => pca(undefined), /a matrix is needed, this is undefined; give an array of rows/],
  ["web developer", "null of a failed request", () => pca(null), /a matrix is needed, this is null/],
  ["web developer", "a function", () => pca(() => rows), /a matrix is needed, this is a function/],
  ["web developer", "an object of something else", () => pca({ rows }), /'rows' of row 0 is a list; a number is needed/],
  ["web developer", "an engine by name", () => apps.pca(rows, { p: 1, engine: "gpu" as never }), /^engine: 'gpu' is none of auto, cuda/],
  ["web developer", "options that are a number", () => apps.pca(rows, 2 as never), /the options are 2; give an object, as in \{ p, /],
  ["web developer", "points of four coordinates for three.js", async () => (await apps.align(rows.map((row) => [...row, 1]), rows.map((row) => [...row, 1]), { engine })).matrix4(), /the points have 4 coordinates; a 4×4 matrix is of points with 2 or 3/],
  ["web developer", "a column that there is not", async () => (await pca(rows)).scores.column(3), /column: j is 3; it must be a whole number from 0 to 0/],
  ["web developer", "an unknown treatment of gaps", () => pca(rows, { p: 1, gaps: "skip" }), /gaps is 'skip'; it must be 'refuse' or 'drop'/],
  ["web developer", "a list of matrices that is none", () => apps.tucker(5 as never, { ranks: [1, 1, 1], engine }), /the list of matrices is 5; give an array of them/],
]; // biome-ignore format: a case a line

test.each(sentences)("%s: %s", async (_who, _mistake, act, sentence) => {
  const message = await Promise.resolve()
    .then(act)
    .then(
      () => "",
      (error: Error) => error.message,
    );
  expect(message).toMatch(sentence);
  expect(message.split("\n")).toHaveLength(1);
});

describe("the right answer", () => {
  const first = async (data: unknown, o?: object) => Array.from((await pca(data, o)).components.data, Math.abs);
  const close = (a: number[], b: number[]) => a.forEach((v, k) => void expect(v).toBeCloseTo(b[k]!, 9));

  test.each<[string, unknown, object?]>([
    ["records with a choice of columns", records, { p: 1, columns }],
    ["columns by name", { sepal: rows.map((r) => r[0]), width: rows.map((r) => r[1]), petal: rows.map((r) => r[2]) }],
    ["typed arrays in single precision", { data: Float32Array.from(rows.flat()), shape: [6, 3] }],
    ["numbers as BigInt do not lose the others", rows],
    ["American spelling", rows, { p: 1, center: true }],
    ["rows with gaps, left out", [...rows, [1, null, 3], [Number.NaN, 1, 2]], { p: 1, gaps: "drop" }],
    ["a table from a file", readCsv(`sepal,width,petal\n${rows.map((r) => r.join()).join("\n")}`).matrix],
    ["semicolons and decimal commas", readCsv(`sepal;width;petal\n${rows.map((r) => r.join(";").replaceAll(".", ",")).join("\n")}`).matrix],
    ["tabs", readCsv(rows.map((r) => r.join("\t")).join("\n")).matrix],
    ["what asMatrix returns", asMatrix(rows).matrix],
  ])("%s", async (_, data, o) => {
    const wanted = await first(rows);
    const found = await first(data, o);
    // single precision has seven digits
    if (_.includes("single")) found.forEach((v, k) => void expect(v).toBeCloseTo(wanted[k]!, 6));
    else close(found, wanted);
  }); // biome-ignore format: a case a line

  test("a constant column has no weight, standardised or not", async () => {
    const constant = rows.map((row) => [...row, 7]);
    for (const standardise of [false, true])
      expect((await first(constant, { p: 1, standardise }))[3]).toBeLessThan(1e-9);
  });

  test("transposed data run, with a doubt in the notes", async () => {
    const { run } = await pca(transposed);
    expect(run.notes.join()).toMatch(/3 rows and 40 columns; a sample is a row: transpose them if it is a column/);
  });

  test("samples without variance, and correlations that are 1 whatever the data, with a doubt in the notes", async () => {
    const { variances, run } = await pca(rows.map(() => [1, 2]));
    expect([variances, run.notes.join()]).toEqual([[0], expect.stringMatching(/the samples are all the same/)]);
    const short = rows.slice(0, 4);
    const answer = await apps.canonicalCorrelation(short, short.map(([a, b]) => [a! * b!, b! ** 2]), { p: 1, engine }); // biome-ignore format: a row
    expect(answer.correlations[0]).toBeCloseTo(1, 6);
    expect(answer.run.notes.join()).toMatch(
      /with 4 samples and 3 \+ 2 columns some correlations are 1 whatever the data/,
    );
  });

  test("the data are as they were", async () => {
    const before = JSON.stringify(records);
    await pca(records, { p: 2, columns, standardise: true });
    expect(JSON.stringify(records)).toBe(before);
  });
});
