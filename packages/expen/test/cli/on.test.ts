/** Where X lives on the command line: --on, what a file exports, files of complex and of several matrices, and bad input. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeNpy, writeNpz } from "@expen/data";
import { loadPoint } from "@expen/data/disk";
import { type Matrix, random } from "@expen/linalg";
import { expen, scratch } from "@expen/testing/cli/run-cli";
import { describe, expect, test } from "vitest";
import { manifoldOf } from "../../src/cli/manifold.js";

const folder = scratch();
const file = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, name), text);

// B with ½, 1, 1½, … on its diagonal: the lowest generalized eigenvalues of (Diag(1, 2, 3, …), B) are 2 each
file(
  "B.mtx",
  [
    "%%MatrixMarket matrix coordinate real symmetric",
    "6 6 6",
    ...[1, 2, 3, 4, 5, 6].map((i) => `${i} ${i} ${i / 2}`),
  ].join("\n"),
);
file(
  "quadratic.mjs",
  `import { formula, mul, t, trace } from "expen/tape";
const A = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (_, j) => (i === j ? i + 1 : 0)));
export default () => formula((X) => trace(mul(t(X), A, X)));`,
);
// −Re tr ZᴴA for a complex A: −Σ singular values is the minimum
file(
  "complex.mjs",
  `import { complexStiefel } from "expen";
import { add, formula, inner, scale } from "expen/tape";
export const on = complexStiefel(3, 1);
export default ({ n, p }) => ({ objective: formula(({ re, im }) => scale(-1, add(inner(re, [[1], [2], [0]]), inner(im, [[0], [0], [2]])))), optimum: -3 });`,
);
file(
  "product.mjs",
  `import { formula, mul, scale, t, trace } from "expen/tape";
export const on = "product(U: stiefel(3, 2), V: stiefel(2, 2))";
export default () => ({ objective: formula(({ U, V }) => scale(-1, trace(mul(t(U), [[3, 0], [0, 2], [0, 0]], V)))), optimum: -5 });`,
);
// the largest x₁ + x₂ + x₃ on an ellipsoid with the axes 1, ½, ⅓: √(1 + ¼ + ⅑)
file(
  "ellipsoid.mjs",
  `import { ownManifold } from "expen";
import { formula, hadamard, inner, neg, sub, sum } from "expen/tape";
export const on = ownManifold({ rows: 3, cols: 1, c: formula((x) => sub(inner(x, hadamard([[1], [4], [9]], x)), 1)) });
export default () => ({ objective: formula((x) => neg(sum(x))), optimum: -Math.sqrt(1 + 1 / 4 + 1 / 9) });`,
);
// −⟨A, X⟩, whose 3×2 blocks have nothing to do with each other
file(
  "linear.mjs",
  `import { formula, inner, scale } from "expen/tape";
const A = { rows: 12, cols: 2, data: Float64Array.from({ length: 24 }, (_, k) => Math.sin(1 + k * k)) };
export default () => formula((X) => scale(-1, inner(A, X)));`,
);
// ½xᵀQx − 3x₁ with Q = I: (1, 0, 0) is its minimum over the simplex
file(
  "probabilities.mjs",
  `import { add, formula, inner, scale } from "expen/tape";
export default () => formula((x) => add(scale(0.5, inner(x, x)), inner(x, [[-3], [0], [0]])));`,
);
// −|Σ conj(a_j)·z_j|² with a = (3 + 4i, 2i, −1): −(5 + 2 + 1)² over phases, −(25 + 4 + 1) over vectors of length 1
const phases = (isRow: boolean): string => `import { abs, formula, H, mul, neg, square } from "expen/tape";
const [re, im] = [[3, 0, -1], [4, 2, 0]];
const of = (row) => (${isRow} ? [row] : row.map((x) => [x]));
const a = { re: of(re), im: of(im) };
export default () => formula((z) => neg(square(abs(mul(${isRow} ? z : H(a), ${isRow} ? H(a) : z)))));`;
file("row.mjs", phases(true));
file("column.mjs", phases(false));
// ‖USVᵀ − B‖² for Diag(3, 2, 1): what two ranks leave is 1
file(
  "low-rank.mjs",
  `import { formula, mul, norm2, sub, t } from "expen/tape";
export default () => formula(({ U, S, V }) => norm2(sub(mul(U, S, t(V)), [[3, 0, 0], [0, 2, 0], [0, 0, 1]])));`,
);
file(
  "wrong.mjs",
  `export const on = "product(Z: complex-stiefel(3, 1), s: sphere(2))";
export default () => ({
  f: ({ Z, s }) => Z.re.data[0] + Z.im.data[1] ** 2 + s.data[1],
  grad(G, { Z }) {
    G.Z.re.data.set([1, 0, 0]);
    G.Z.im.data.set([0, 3 * Z.im.data[1], 0]);
    G.s.data.set([0, 1]);
  },
});`,
);

async function answer(args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...args, "--json", "--engine", "js"]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe("a run", () => {
  test("on XᵀBX = I with B from a file; n and p come from it", async () => {
    const result = await answer(["solve", "quadratic.mjs", "--on", "generalized-stiefel(B.mtx, 2)"]);
    expect(result).toMatchObject({ on: "generalized-stiefel(6, 2)", n: 6, p: 2, status: "converged" });
    expect(result.fval).toBeCloseTo(4, 9);
    const nested = await answer(["solve", "quadratic.mjs", "--on", "flag(6, 2)"]);
    expect(nested).toMatchObject({ on: "flag(6, [2])", notes: [] });
    expect(nested.fval).toBeCloseTo(3, 9);
    const sphere = await answer(["solve", "quadratic.mjs", "--on", "sphere(6)"]);
    expect(sphere).toMatchObject({ on: "sphere(6)", p: 1 });
    expect(sphere.fval).toBeCloseTo(1, 9);
  });

  test("on what the file exports, which --on overrides; the answer for people says where X lives", async () => {
    expect((await answer(["solve", "complex.mjs"])).gap).toBeCloseTo(0, 9);
    expect((await answer(["solve", "product.mjs"])).gap).toBeCloseTo(0, 9);
    const own = await answer(["solve", "ellipsoid.mjs"]);
    expect(own).toMatchObject({ on: "own-manifold(3, 1)", status: "converged" });
    expect(own.gap).toBeCloseTo(0, 9);
    const { stdout } = await run(["solve", "product.mjs", "--quiet"]);
    expect(stdout).toMatch(/X on product\(U: stiefel\(3, 2\), V: stiefel\(2, 2\)\), seed 1/);
    expect(stdout).toMatch(/‖K\(X\)‖/);
    const other = await answer(["solve", "product.mjs", "--on", "product(U: stiefel(3, 1), V: stiefel(2, 1))"]);
    expect(other.fval).toBeCloseTo(-3, 9);
  });

  test("saves complex and several matrices, and begins at what it saved", async () => {
    const shapes = {
      complex: { name: "", complex: true },
      U: { name: "U", complex: false },
      V: { name: "V", complex: false },
    };
    await answer(["solve", "complex.mjs", "--out", "Z.npy"]);
    const { matrix: Z } = await loadPoint(join(folder, "Z.npy"), [shapes.complex]);
    const { re, im } = Z as never as { re: { data: Float64Array }; im: { data: Float64Array } };
    for (const [i, x] of [1, 2, 0].entries()) expect(re.data[i]).toBeCloseTo(x / 3, 6);
    for (const [i, x] of [0, 0, 2].entries()) expect(im.data[i]).toBeCloseTo(x / 3, 6);
    const again = await answer(["solve", "complex.mjs", "--start", "Z.npy", "--tol", "1e-6"]);
    expect(again).toMatchObject({ iterations: 0, notes: [] });
    await answer(["solve", "product.mjs", "--out", "UV.npz"]);
    expect(await answer(["solve", "product.mjs", "--start", "UV.npz", "--tol", "1e-6"])).toMatchObject({
      iterations: 0,
      notes: [],
    });
    const { matrix } = await loadPoint(join(folder, "UV.npz"), [shapes.U, shapes.V]);
    expect(matrix).toMatchObject({ U: { rows: 3, cols: 2 }, V: { rows: 2, cols: 2 } });
  });

  test("on powers: each of four frames is the polar factor of its own matrix", async () => {
    const all = await answer(["solve", "linear.mjs", "--on", "power(stiefel(3, 2), 4)", "--out", "frames.npy"]);
    expect(all).toMatchObject({ on: "power(stiefel(3, 2), 4)", status: "converged" });
    const { matrix } = await loadPoint(join(folder, "frames.npy"), [{ name: "", complex: false }]);
    const { rows, cols, data } = matrix as Matrix;
    expect([rows, cols]).toEqual([12, 2]);
    // singular values s of a 3×2 matrix: s₁ + s₂ = √(‖A‖² + 2√det AᵀA)
    const A = Float64Array.from({ length: 24 }, (_, k) => Math.sin(1 + k * k));
    let sum = 0;
    for (let block = 0; block < 24; block += 6) {
      const [x, y] = [0, 1].map((j) => [0, 2, 4].map((i) => A[block + i + j]!)) as [number[], number[]];
      const dot = (a: number[], b: number[]): number => a.reduce((s, v, i) => s + v * b[i]!, 0);
      const determinant = dot(x, x) * dot(y, y) - dot(x, y) ** 2;
      sum += Math.sqrt(dot(x, x) + dot(y, y) + 2 * Math.sqrt(determinant));
      const [u, v] = [0, 1].map((j) => [0, 2, 4].map((i) => data[block + i + j]!)) as [number[], number[]];
      for (const [value, wanted] of [
        [dot(u, u), 1],
        [dot(v, v), 1],
        [dot(u, v), 0],
      ] as const)
        expect(value).toBeCloseTo(wanted, 12);
    }
    expect(all.fval).toBeCloseTo(-sum, 9);
    const again = ["solve", "linear.mjs", "--on", "power(stiefel(3,2),4)", "--start", "frames.npy", "--tol", "1e-6"];
    expect(await answer(again)).toMatchObject({ iterations: 0 });
  });

  test.each([
    ["probabilities.mjs", "simplex(3)", 0.5 - 3],
    ["row.mjs", "circle(3)", -64],
    ["column.mjs", "complex-sphere(3)", -30],
    ["column.mjs", "complex-grassmann(3, 1)", -30],
    ["column.mjs", "complex-oblique(3, 1)", -30],
    ["low-rank.mjs", "fixed-rank(3, 3, 2)", 1],
  ])("%s on %s", async (name, on, minimum) => {
    const result = await answer(["solve", name, "--on", on]);
    expect(result).toMatchObject({ on, status: "converged" });
    expect(result.fval).toBeCloseTo(minimum, 9);
  });

  test("compare takes of all solvers those that have a meaning there; check starts there", async () => {
    const { runs, on } = (await answer(["compare", "complex.mjs"])) as {
      runs: { solver: string; on: string }[];
      on: string;
    };
    expect(on).toBe("complex-stiefel(3, 1)");
    expect(runs.map(({ solver }) => solver)).toContain("rlbfgs");
    expect(runs.map(({ solver }) => solver)).not.toContain("pcal");
    expect(runs.every((one) => one.on === on)).toBe(true);
    expect(await answer(["check", "product.mjs"])).toMatchObject({
      passed: true,
      on: expect.stringMatching(/^product/),
    });
    const wrong = await run(["check", "wrong.mjs"]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/furthest off is entry \(1, 0\) of Z\.im/);
  });
});

describe("bad input is one sentence", () => {
  const C = { rows: 3, cols: 1, data: Float64Array.of(1, 2, 3) };
  file("complex.npy", writeNpy({ re: C, im: C }));
  file("real.npz", writeNpz({ U: { rows: 3, cols: 2, data: new Float64Array(6).map(random(1, "U").normal) } }));
  file("tall.npz", writeNpz({ U: C, V: C }));
  file("complex.npz", writeNpz({ U: { re: C, im: C }, V: C }));
  file("indefinite.csv", "1,0\n0,-1\n");
  file("wide.csv", "1,0,0\n0,1,0\n");
  file("odd.mjs", "export const on = 3;\nexport default () => ({ fg: () => 1 });");
  test.each<[string[], RegExp]>([
    [
      ["solve", "quadratic.mjs", "--on", "steifel(6, 2)"],
      /^--on 'steifel' is none of stiefel, grassmann, .*; did you mean 'stiefel'\?$/,
    ],
    [
      ["solve", "quadratic.mjs", "--on", "own-manifold(6, 2)"],
      /^--on 'own-manifold\(6, 2\)': a set of your own has equations, .*; export it from the file .*ownManifold\(\{ rows, cols, c \}\)\.$/,
    ],
    [["solve", "quadratic.mjs", "--on", "stiefel(6)"], /it has 1 numbers in parentheses; write stiefel\(n, p\)\.$/],
    [["solve", "quadratic.mjs", "--on", "stiefel(6, x)"], /p is 'x'; it must be a whole number, 1 or more\.$/],
    [["solve", "quadratic.mjs", "--on", "stiefel(2, 6)"], /p = 6 is above n = 2; 6 orthonormal columns need n ≥ p\.$/],
    [
      ["solve", "quadratic.mjs", "--on", "product(stiefel(6, 2))"],
      /'stiefel\(6, 2\)' has no name; write product\(U: …, V: …\)\.$/,
    ],
    [
      ["solve", "quadratic.mjs", "--on", "product(U: sphere(2), U: sphere(3))"],
      /two parts are called U; give them other names\.$/,
    ],
    [
      ["solve", "quadratic.mjs", "--on", "power(stiefel(3, 2))"],
      /write power\(manifold, k\), as power\(stiefel\(3, 2\), 100\)\.$/,
    ],
    [
      ["solve", "quadratic.mjs", "--on", "power(stiefel(3, 2), 0)"],
      /k is '0'; it must be a whole number, 1 or more\.$/,
    ],
    [["solve", "quadratic.mjs", "--on", "power(stiefel(3), 2)"], /^--on 'stiefel\(3\)': .* write stiefel\(n, p\)\.$/],
    [
      ["solve", "quadratic.mjs", "--on", "power(circle(3), 2)"],
      /circle\(3\) has no powers here; circle\(6\) has as many phases\.$/,
    ],
    [["solve", "quadratic.mjs", "--on", "flag(6)"], /write flag\(n, d1, d2, …\), as flag\(100, 1, 2\)\.$/],
    [["solve", "quadratic.mjs", "--on", "flag(6, 1, 0)"], /d2 is '0'; it must be a whole number, 1 or more\.$/],
    [["solve", "quadratic.mjs", "--on", "simplex(3, 2, 1)"], /3 numbers in parentheses; write simplex\(n\[, p\]\)\.$/],
    [["solve", "quadratic.mjs", "--on", "circle()"], /0 numbers in parentheses; write circle\(n\)\.$/],
    [["solve", "quadratic.mjs", "--on", "complex grassmann(6, 2)"], /did you mean 'complex-grassmann'\?$/],
    [["solve", "quadratic.mjs", "--on", "complex-grassmann(2, 6)"], /p = 6 is above n = 2/],
    [["solve", "quadratic.mjs", "--on", "fixed-rank(3, 4, 5)"], /r = 5 is above 3/],
    [["solve", "quadratic.mjs", "--on", "product()"], /it has no parts; write product\(U: …, V: …\)\.$/],
    [["solve", "quadratic.mjs", "--on", "product(U: stiefel(3, 2)"], /the parentheses do not match\.$/],
    [
      ["solve", "quadratic.mjs", "--on", "generalized-stiefel(no.mtx, 2)"],
      /no\.mtx: there is no such file or folder\.$/,
    ],
    [["solve", "quadratic.mjs", "--on", "generalized-stiefel(wide.csv, 2)"], /wide\.csv is 2×3; B must be square\.$/],
    [["solve", "quadratic.mjs", "--on", "generalized-stiefel(indefinite.csv, 2)"], /not positive definite/],
    [
      ["solve", "quadratic.mjs", "--on", "sphere(6)", "--n", "7"],
      /^--n is 7, but X is on sphere\(6\); leave --n out\.$/,
    ],
    [
      ["solve", "noeig", "--on", "sphere(6)"],
      /noeig is about matrices with orthonormal columns; --on is for your own file\.$/,
    ],
    [["solve", "odd.mjs"], /odd\.mjs: on is 3; export a manifold, as complexStiefel\(20, 5\), or a text/],
    [["solve", "complex.mjs", "--solver", "pcal"], /solver 'pcal' has no meaning on complex-stiefel; take one of/],
    [
      ["solve", "quadratic.mjs", "--on", "sphere(3)", "--start", "complex.npy"],
      /complex\.npy: the file holds complex numbers, real ones are wanted/,
    ],
    [
      ["solve", "product.mjs", "--start", "complex.npy"],
      /complex\.npy: X is several matrices \(U, V\); take an \.npz file/,
    ],
    [["solve", "product.mjs", "--start", "real.npz"], /real\.npz: the \.npz file has no array 'V'; it holds U\.$/],
    [
      ["solve", "product.mjs", "--start", "tall.npz"],
      /start\.U: it is 3×1 but n×p is 3×2; give a matrix of that shape\.$/,
    ],
    [["solve", "product.mjs", "--start", "complex.npz"], /complex\.npz: U: the file holds complex numbers/],
    [["solve", "product.mjs", "--out", "UV.npy"], /UV\.npy: X is several matrices \(U, V\); take an \.npz file/],
    [["solve", "complex.mjs", "--out", "Z.csv"], /Z\.csv: X is complex; take a name that ends in \.npy or \.npz\.$/],
    [["solve", "wrong.mjs"], /wrong\.mjs: the gradient does not belong to f: furthest off is entry \(1, 0\) of Z\.im/],
  ])("%j", async (args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trim().replace(/^expen: /, "")).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

test("texts of manifolds are read back as they are written", async () => {
  const text =
    "product(W: product(U: stiefel(5, 2), Q: special-orthogonal(3)), Z: complex-stiefel(4, 2), s: euclidean(1, 1))";
  for (const one of [
    "complex-grassmann(6, 2)",
    "complex-oblique(6, 2)",
    "complex-sphere(6)",
    "complex-euclidean(6, 1)",
    "circle(7)",
    "simplex(5)",
    "simplex(5, 2)",
    "fixed-rank(5, 4, 2)",
    ...["stiefel(3, 2)", "grassmann(3, 2)", "sphere(4)", "special-orthogonal(3)"].map(
      (inner) => `power(${inner}, 100)`,
    ),
    "product(R: power(special-orthogonal(3), 10), w: simplex(4), z: circle(2))",
  ]) {
    expect((await manifoldOf(one)).text).toBe(one);
  }
  const on = await manifoldOf(text.replace("s: euclidean(1, 1)", " s :euclidean( 1 )"));
  expect(on.text).toBe(text);
  expect(on.shapes.map(({ name }) => name)).toEqual(["W.U", "W.Q", "Z", "s"]);
});

/** Words with blanks in them too */
const run = (words: string[]) => expen(words, folder);
