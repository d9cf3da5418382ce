/** One sentence on stderr, exit code 2, nothing on stdout. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeNpy } from "@expen/data";
import { expen, scratch } from "@expen/testing/cli/run-cli";
import { afterEach, expect, test, vi } from "vitest";

const folder = scratch();
const files: Record<string, string> = {
  "no-export.ts": "export const f = 1;",
  "five.ts": "export default 5;",
  "returns-five.mjs": "export default () => 5;",
  "f-is-five.mjs": "export default () => ({ f: 5 });",
  "only-f.mjs": "export default () => ({ f: () => 1 });",
  "throws.mjs": "export default () => { throw new Error('no licence'); };",
  "throws-at-once.mjs": "export default () => ({ fg() { throw new Error('no data'); } });",
  "syntax.ts": "const = 3;",
  "huge.mjs": "export default ({ n, engine }) => { engine.matrix(n, 1); throw new Error('too late'); };",
  "async.mjs": "export default async () => { throw new Error('late'); };",
  "f-async.mjs": "export default () => ({ async fg() { throw new Error('late'); } });",
  "one-entry.mjs": `export default () => ({
    f: (X) => X.data.reduce((s, x, i) => s + i * x * x, 0),
    grad: (G, X) => X.data.forEach((x, i) => (G.data[i] = (i === 7 ? 3 : 2) * i * x)),
  });`,
  "text.csv": "1,2\n3,four\n",
  "small.csv": "1,2\n3,4\n5,6\n",
  plain: "",
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
writeFileSync(join(folder, "nan.npy"), writeNpy({ rows: 2, cols: 1, data: Float64Array.of(1, Number.NaN) }));
mkdirSync(join(folder, "folder.npy"));

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["slove noeig", /unknown command 'slove'; did you mean solve\?/],
  ["solve noeig --sovler expen", /unknown option '--sovler'; did you mean --solver\?/],
  ["solve noegi", /problem 'noegi' is none of .*; did you mean 'noeig'\?/],
  ["solve noeig --solver expne", /solver 'expne' is none of .*; did you mean 'expen'\?/],
  ["solve noeig --engine wams", /engine 'wams' is none of .*; did you mean 'wasm'\?/],
  ["solve noeig --beta papr", /--beta is 'papr'; .* did you mean 'paper'\?/],
  ["solve noeig --beta -3", /--beta is '-3'; it must be a positive number/],
  ["solve noeig --solver expen-cg --rule pf", /rule 'pf' is none of/],
  ["solve noeig --solver auto --rule fr", /solver auto has no --rule; it has --beta, --memory/],
  ["solve noeig --memory 0", /--memory is '0'; it must be a whole number, 1 or more\.$/],
  ["solve noeig --solver rcg --search wolf", /--search 'wolf' is none of adaptive, wolfe; did you mean 'wolfe'\?$/],
  ["solve noeig --solver mcm --variant plain", /--variant 'plain' is none of gp, gr/],
  ["solve noeig --solver slpg --memory 3", /solver slpg has no --memory\.$/],
  ["compare noeig --solvers mcm --beta papr", /--beta is 'papr'; .* did you mean 'paper'\?$/],
  ["solve noeig --bounds 1", /--bounds is '1'; write two numbers, as -0\.2,0\.5 or 0,inf\.$/],
  ["solve noeig --bounds 1,0", /--bounds is '1,0'; the lower bound is above the upper one\.$/],
  ["solve noeig --starts 0", /--starts is 0; it must be a whole number, 1 or more/],
  ["solve noeig --n 8 --p 2 --nonnegative --solver rcg", /subjectTo: the solver is 'rcg'; .* leave it out\.$/],
  ["solve noeig --n 8 --p 2 --nonnegative --beta 1", /subjectTo: beta has no meaning beside it; leave it out\.$/],
  ["solve noeig --n 5 --p 6", /p = 6 is above n = 5/],
  ["solve noeig --p 0", /--p is 0; it must be a whole number, 1 or more/],
  ["solve noeig --n -4", /--n is -4; it must be a whole number/],
  ["solve noeig --n 10.5", /--n is 10\.5; it must be a whole number/],
  ["solve noeig --n 1e400", /--n is 1e400, which is too large for a number/],
  [
    "solve noeig --n 1e9 --p 5000",
    /n×p = 1000000000×5000 needs about \d+ TB \(.*\) but .* [TGM]B.*; take a smaller n or p/,
  ],
  ["solve huge.mjs --n 1e9 --p 5000", /n×p = 1000000000×5000 needs about/],
  ["compare noeig --n 1e9 --p 5000", /n×p = 1000000000×5000 needs about/],
  ["check noeig --n 1e9 --p 5000", /n×p = 1000000000×5000 needs about/],
  ["reproduce noeig-p --sizes 1000000000x5000 --out large", /n×p = 1000000000×5000 needs about/],
  ["solve noeig --n ten", /--n is 'ten'; it must be a number/],
  ["solve noeig --tol -1e-3", /--tol is -1e-3; it must be a number, 0 or more/],
  ["solve noeig --max-iter 1.5", /--max-iter is 1\.5/],
  ["solve noeig --rel-tol -1", /--rel-tol is -1; it must be a number, 0 or more/],
  ["solve noeig --max-evals 1.5", /--max-evals is 1\.5/],
  ["solve noeig --max-time -1", /--max-time is -1/],
  ["solve noeig --seed 1.5", /--seed is 1\.5; it must be a whole number/],
  [
    "solve noeig --certificate global",
    /--certificate <depth> is 'global', which is invalid; it must be one of brief, second-order, stationary\.$/,
  ],
  ["solve noeig --kappa 2", /noeig has no option --kappa; it has --alpha/],
  ["solve noeig --alpha much", /--alpha is 'much'; it must be a number/],
  ["solve procrustes --side up", /--side 'up' is none of left, right/],
  ["solve pca --A text.csv", /text\.csv: line 2, column 2 has the text 'four'/],
  ["solve pca --A missing.csv", /missing\.csv: there is no such file/],
  ["solve pca --A small.csv --p 3", /p = 3 is above n = 2/],
  ["solve pca --A small.csv --n 7 --p 1", /A is 3×2 but must be 3×7/],
  ["solve noeig --n 2 --p 1 --start nan.npy", /start: entry \(1, 0\) is NaN/],
  ["solve noeig --n 20 --p 2 --start small.csv", /start: it is 3×2 but n×p is 20×2/],
  ["solve noeig --out nowhere/X.npy", /--out nowhere\/X\.npy cannot be written: there is no such folder/],
  ["solve noeig --out plain/X.npy", /--out plain\/X\.npy cannot be written: a part of the path is a file/],
  ["solve noeig --out folder.npy", /--out folder\.npy cannot be written: this is a folder/],
  ["pca small.csv --p 1 --out small.csv", /--out small\.csv is the file that is read; give another name/],
  ["svds small.csv --p 1 --out U=./small.csv", /--out \.\/small\.csv is the file that is read; give another name/],
  ["transform m.json small.csv --out m.json", /--out m\.json is the file that is read; give another name/],
  ["solve noeig --out X.xyz", /--out X\.xyz: the name must end in one of/],
  ["solve noeig --history h.txt", /--history h\.txt: the name must end in \.csv or \.json/],
  ["solve noeig --plot run.png", /--plot run\.png: the name must end in \.svg/],
  ["solve noeig --plot nowhere/run.svg", /--plot nowhere\/run\.svg cannot be written: there is no such folder/],
  ["compare noeig --history h.txt", /--history h\.txt: the name must end in \.csv or \.json/],
  ["solve missing.ts", /missing\.ts: there is no such file/],
  ["solve no-export.ts", /no-export\.ts: it has no default export/],
  ["solve five.ts", /five\.ts: the default export is of type number/],
  ["solve returns-five.mjs", /the default export returns 5; it must return/],
  ["solve f-is-five.mjs", /f is of type number; it must be a function/],
  ["solve only-f.mjs", /it has f; give fg\(G, X\), or f\(X\) and grad\(G, X\)/],
  ["solve throws.mjs", /the default export throws: no licence/],
  ["solve throws-at-once.mjs", /throw at the start: no data/],
  ["solve throws-at-once.mjs --no-check", /throw at the start: no data/],
  ["solve syntax.ts", /syntax\.ts: it cannot be loaded/],
  ["solve async.mjs", /the default export returns a promise; .* leave out async\./],
  ["solve f-async.mjs --no-check", /f returns a promise; .* an async function cannot be minimised/],
  ["solve one-entry.mjs --n 20 --p 2", /the gradient does not belong to f: furthest off is entry \(3, 1\).*--no-check/],
  ["solve noeig --out X.csv --history X.csv", /--out and --history are both X\.csv; give two names/],
  ["playground --port 99999999", /--port is 99999999; it must be a whole number from 0 to 65535/],
  ["solve five.ts --alpha 2", /--alpha is an option of built-in problems/],
  ["check throws-at-once.mjs", /f or its derivatives throw: no data/],
  ["compare noeig --solvers auto,nix", /solver 'nix' is none of/],
  ["compare noeig --solvers ,", /--solvers is empty/],
  ["reproduce noeig-q", /part 'noeig-q' is none of .*; did you mean 'noeig-n'\?/],
  ["reproduce --solvers expne", /solver 'expne' is none of .*; did you mean 'expen'\?/],
  ["reproduce --sizes 5x9", /--sizes has '5x9'/],
  ["reproduce --runs 0", /--runs is 0/],
  [
    "reproduce noeig-p --out plain/report",
    /plain\/report\/runs\.jsonl cannot be written: a part of the path is a file/,
  ],
])("%s", async (args, sentence) => {
  const { code, stdout, stderr } = await expen(args, folder);
  const said = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Not in this build"));
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^expen: /);
  expect(said[0]).toMatch(sentence);
  expect([code, stdout]).toEqual([2, ""]);
});

test.each([
  ["none", "solve noeig --engine blas", /^expen: blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS to take the BLAS/],
  ["none", "compare noeig --engine blas", /^expen: blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS to take the BLAS/],
  ["none", "app pca small.csv --p 1 --engine blas", /^expen: blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS/],
  ["none", "check noeig --engine blas", /^expen: blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS/],
  ["none", "reproduce noeig-p --engine blas --out hidden", /^expen: blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS/],
  ["/no/such/blas.so", "solve noeig", /^expen: blas: '\/no\/such\/blas\.so' could not be loaded/],
])("EXPEN_BLAS=%s expen %s", async (value, args, sentence) => {
  vi.stubEnv("EXPEN_BLAS", value);
  const { code, stdout, stderr } = await expen(args, folder);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(sentence);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("EXPEN_BLAS=none: auto takes wasm", async () => {
  vi.stubEnv("EXPEN_BLAS", "none");
  const { stdout } = await expen("solve noeig --n 20 --p 2 --json", folder);
  expect(JSON.parse(stdout).engine).toBe("wasm");
});

test("float32 and Fortran order are taken, with a word", async () => {
  const header = (descr: string, fortran: boolean): Buffer => {
    const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (4, 3), }`;
    const padded = text.padEnd(117, " ") + "\n";
    return Buffer.concat([
      Buffer.from("\x93NUMPY\x01\x00", "latin1"),
      Buffer.from([118, 0]),
      Buffer.from(padded, "latin1"),
    ]);
  };
  const A = [4, 0, 0, 0, 3, 0, 0, 0, 2, 1, 1, 1];
  const byColumn = [0, 1, 2].flatMap((j) => [0, 1, 2, 3].map((i) => A[3 * i + j]!));
  writeFileSync(
    join(folder, "f4.npy"),
    Buffer.concat([header("<f4", false), Buffer.from(Float32Array.from(A).buffer)]),
  );
  writeFileSync(
    join(folder, "fortran.npy"),
    Buffer.concat([header("<f8", true), Buffer.from(Float64Array.from(byColumn).buffer)]),
  );
  writeFileSync(join(folder, "plain.csv"), [0, 1, 2, 3].map((i) => A.slice(3 * i, 3 * i + 3).join()).join("\n"));
  const values = await Promise.all(
    ["plain.csv", "f4.npy", "fortran.npy"].map(async (name) => {
      const { code, stdout } = await expen(`solve pca --A ${name} --p 1 --json`, folder);
      expect(code, name).toBe(0);
      return JSON.parse(stdout) as { fval: number; notes: string[] };
    }),
  );
  expect(values[1]!.fval).toBeCloseTo(values[0]!.fval, 12);
  expect(values[2]!.fval).toBeCloseTo(values[0]!.fval, 12);
  expect(values[1]!.notes.join()).toMatch(/f4\.npy: .*float32/);
});

test("help has examples for every command", async () => {
  const { code, stdout } = await expen("--help");
  expect(code).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}(\w+)(?: \[| {2,})/gm)]
    .map((m) => m[1]!)
    .filter((c) => c !== "help" && c !== "expen");
  expect(commands).toEqual(expect.arrayContaining(["solve", "compare", "reproduce", "check", "doctor", "demo"]));
  for (const command of commands) {
    const help = await expen(`${command} --help`);
    expect(help.code).toBe(0);
    expect(help.stdout).toMatch(new RegExp(`Examples?:\\n +expen ${command}`));
  }
});

test("help lists the options of the solvers and problems that are named, and those of no other", async () => {
  const listed = async (words: string): Promise<string[]> =>
    [...(await expen(`${words} --help`)).stdout.matchAll(/^ {2}--([\w-]+)/gm)].map((m) => m[1]!);
  const common = await listed("solve");
  expect(common).toEqual(expect.arrayContaining(["solver", "tol", "out"]));
  expect(common.filter((name) => ["beta", "rule", "A", "alpha"].includes(name))).toEqual([]);
  const named = await listed("solve pca --solver=rcg");
  expect(named.filter((name) => !common.includes(name))).toEqual(
    expect.arrayContaining(["rule", "retraction", "search", "columns", "A", "centre"]),
  );
  expect(named).not.toContain("alpha");
  expect(await listed("compare noeig --solvers slpg,landing")).toEqual(expect.arrayContaining(["alpha", "variant"]));
});
