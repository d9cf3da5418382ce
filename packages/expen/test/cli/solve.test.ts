import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadMatrix } from "@expen/data";
import type { Matrix } from "@expen/linalg";
import { expen, scratch, start } from "@expen/testing/cli/run-cli";
import { describe, expect, test } from "vitest";

const folder = scratch();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
/** ‖XᵀX − I‖_F, by hand */
function feasibility({ rows, cols, data }: Matrix): number {
  let sum = 0;
  for (let a = 0; a < cols; a++) {
    for (let b = 0; b < cols; b++) {
      let s = a === b ? -1 : 0;
      for (let i = 0; i < rows; i++) s += data[i * cols + a]! * data[i * cols + b]!;
      sum += s * s;
    }
  }
  return Math.sqrt(sum);
}

const KEYS =
  "problem on n p seed solver engine beta status reason fval stationarity feasibility feasibilityBeforeProjection iterations evaluations seconds optimum gap certificate notes";

/** f(X) = ½⟨X, diag(1..n)·X·diag(p..1)⟩ with minimum ½Σ k(p+1−k): each line of the file can be replaced */
const OWN = `
const row = (i, p) => (1 + Math.floor(i / p)) * (p - (i % p));
export default ({ n, p }) => ({
  f: (X) => X.data.reduce((s, x, i) => s + 0.5 * row(i, p) * x * x, 0),
  grad(G, X) { const [g, x] = [G.data, X.data]; for (let i = 0; i < n * p; i++) g[i] = row(i, p) * x[i]; },
});
`;

describe("solve", () => {
  test("--json: one document with the keys of the design in their order, nothing else on stdout", async () => {
    const { code, stdout } = await expen("solve noeig --n 200 --p 10 --solver expen-cg --beta paper --tol 1e-3 --json");
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(Object.keys(result).join(" ")).toBe(KEYS);
    expect(result).toMatchObject({ problem: "noeig", n: 200, p: 10, seed: 1, solver: "expen-cg", status: "converged" });
    expect(result.fval.toPrecision(7)).toBe("35.70857");
    expect(result.stationarity).toBeLessThanOrEqual(1e-3);
    expect(result.feasibility).toBeLessThanOrEqual(1e-13);
    expect(["stationary", "second-order", "global"]).toContain(result.certificate.level);
    expect(Object.keys(result.evaluations)).toEqual(["f", "grad", "hvp"]);
  });

  test("for people: the answer, its certificate and where X is", async () => {
    const { code, stdout, stderr } = await expen("solve brockett --n 60 --p 4 --out X.npy --history h.csv", folder);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/✓ converged/);
    expect(stdout).toMatch(/certificate +global minimum/);
    expect(stdout).toContain("X is in X.npy");
    expect(stdout).not.toContain("\u001b");
    const { matrix } = await loadMatrix(join(folder, "X.npy"));
    expect([matrix.rows, matrix.cols]).toEqual([60, 4]);
    expect(feasibility(matrix)).toBeLessThan(1e-13);
    const [head, ...rows] = readFileSync(join(folder, "h.csv"), "utf8").trim().split("\n");
    expect(head).toBe("k,f,gnorm,step,seconds,evaluations");
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map((r) => Number(r.split(",")[0]))).toEqual(rows.map((_, k) => k));
  });

  test("goes on from a saved X, and takes a start that is not orthonormal with a word", async () => {
    await expen("solve noeig --n 50 --p 3 --tol 1e-8 --out Y.csv", folder);
    const again = JSON.parse((await expen("solve noeig --n 50 --p 3 --tol 1e-6 --start Y.csv --json", folder)).stdout);
    expect(again.iterations).toBeLessThanOrEqual(1);
    const rough = file("rough.csv", Array.from({ length: 50 }, (_, i) => `${i % 3},${i % 5},1`).join("\n"));
    const { code, stdout } = await expen(`solve noeig --n 50 --p 3 --start ${rough} --json`, folder);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).notes.join()).toContain("polar factor");
  });

  test("not converged: exit code 1, with the reason", async () => {
    const { code, stdout } = await expen("solve noeig --n 100 --p 5 --max-iter 3 --json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: "iterations", iterations: 3, reason: { converged: false } });
    const few = await expen("solve noeig --n 100 --p 5 --max-evals 9 --json");
    expect(few.code).toBe(1);
    expect(JSON.parse(few.stdout)).toMatchObject({ status: "evaluations" });
  });

  test("Newton finish goes below the tolerance", async () => {
    const { stdout } = await expen("solve brockett --n 60 --p 4 --tol 1e-3 --finish newton --json");
    expect(JSON.parse(stdout).stationarity).toBeLessThan(1e-9);
  });

  test("Ctrl-C: the result so far is printed and saved, exit code 130", async () => {
    // slow, and says when the run is under way
    const slow = OWN.replace(
      "f: (X) => X",
      "f: (X) => { if (++calls === 20) process.stderr.write('under way\\n'); Atomics.wait(clock, 0, 0, 20); return X",
    )
      .replace(", 0),", ", 0); },")
      .replace("const row", "let calls = 0; const clock = new Int32Array(new SharedArrayBuffer(4)); const row");
    const args = `solve ${file("slow.mjs", slow)} --n 100 --p 5 --tol 0 --max-iter 100000 --json --out Z.npy`.split(
      " ",
    );
    const { child, ended } = start(args, folder);
    const began = new Promise((seen) => child.stderr!.once("data", seen));
    await began;
    child.kill("SIGINT");
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: "aborted", reason: { kind: "aborted", converged: false } });
    expect(feasibility((await loadMatrix(join(folder, "Z.npy"))).matrix)).toBeLessThan(1e-12);
  });
});

describe("a file of one's own", () => {
  test(".mjs, .js and .ts are solved to the known minimum", async () => {
    const names = [
      file("own.mjs", OWN),
      file("own.js", OWN),
      file("own.ts", OWN.replace("{ n, p })", "{ n, p }: Record<string, number>)")),
    ];
    for (const name of names) {
      const { code, stdout, stderr } = await expen(`solve ${name} --n 20 --p 3 --json`, folder);
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout).fval).toBeCloseTo(0.5 * (1 * 3 + 2 * 2 + 3 * 1), 9);
    }
  });

  test("a formula with an import from expen needs no gradient", async () => {
    const text = `import { type Matrix } from "expen";
import { formula, mul, scale, t, trace } from "expen/tape";
      export default ({ n, p }: { n: number; p: number }) => {
        const A: Matrix = { rows: n, cols: n, data: new Float64Array(n * n) };
        for (let i = 0; i < n; i++) A.data[i * n + i] = i + 1;
        return { objective: formula((X) => scale(0.5, trace(mul(t(X), A, X)))), optimum: (p * (p + 1)) / 4 };
      };`;
    const { code, stdout } = await expen(`solve ${file("formula.ts", text)} --n 20 --p 3 --json`, folder);
    expect(code).toBe(0);
    expect(Math.abs(JSON.parse(stdout).gap)).toBeLessThan(1e-9);
    expect((await expen("check formula.ts --n 10 --p 2", folder)).code).toBe(0);
  });

  test("the examples in docs/cli.md run, and their derivatives are right", async () => {
    const examples = [...readFileSync("docs/cli.md", "utf8").matchAll(/```ts\n(.*?)```/gs)].map((m) => m[1]!);
    expect(examples.length).toBe(2);
    for (const [i, example] of examples.entries()) {
      const name = file(`example-${i}.ts`, example);
      expect((await expen(`solve ${name} --n 20 --p 3`, folder)).code).toBe(0);
      expect((await expen(`check ${name}`, folder)).code).toBe(0);
    }
  });

  test("a wrong gradient is refused before the run, found by check, passed with --no-check", async () => {
    const name = file("wrong.mjs", OWN.replace("g[i] = row", "g[i] = 2 * row"));
    const refused = await expen(`solve ${name} --n 20 --p 3`, folder);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /wrong\.mjs: the gradient does not belong to f: .* 2 times the right one.*--no-check/,
    );
    const { code, stdout } = await expen(`check ${name} --n 20 --p 3 --json`, folder);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ passed: false, mistake: "factor" });
    // a run on it must not end as a success
    expect((await expen(`solve ${name} --n 20 --p 3 --no-check --max-iter 500`, folder)).code).toBeLessThan(2);
  });

  test("a declared form that does not belong to f is refused before the run; with --no-check the certificate sees it", async () => {
    const form = (factor: number) => `
      export default ({ engine: E }) => ({
        fg(G, X) {
          for (let k = 0; k < X.data.length; k++) G.data[k] = (1 + Math.floor(k / X.cols)) * X.data[k];
          return 0.5 * E.dot(X, G);
        },
        quadratic: {
          apply(Y, X) {
            for (let k = 0; k < X.data.length; k++) Y.data[k] = (1 + ${factor} * Math.floor(k / X.cols)) * X.data[k];
          },
        },
      });`;
    const size = "--n 20 --p 3";
    expect((await expen(`solve ${file("form.mjs", form(1))} ${size}`, folder)).code).toBe(0);
    const wrong = file("wrong-form.mjs", form(-1));
    const refused = await expen(`solve ${wrong} ${size}`, folder);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /wrong-form\.mjs: the declared quadratic does not belong to f: .* \(--no-check runs/,
    );
    // this one has the minima where f has its maxima
    const { stdout } = await expen(`solve ${wrong} ${size} --no-check --max-iter 100`, folder);
    expect(stdout).toContain("not a minimum");
  });

  test("an exception during the run: its message, exit code 1, the last good point saved", async () => {
    const name = file(
      "throws.mjs",
      OWN.replace("f: (X) => X", "f: (X) => { if (++calls > 25) throw new Error('my disk is gone'); return X")
        .replace(", 0),", ", 0); },")
        .replace("const row", "let calls = 0; const row"),
    );
    const { code, stdout } = await expen(`solve ${name} --n 20 --p 3 --json --out T.npy`, folder);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).reason).toMatchObject({ kind: "not-finite", converged: false });
    expect(JSON.parse(stdout).reason.text).toContain("my disk is gone");
    expect(feasibility((await loadMatrix(join(folder, "T.npy"))).matrix)).toBeLessThan(1e-12);
  });
});

test("compare: a row for each solver from the same start, failures are rows", async () => {
  const { code, stdout } = await expen("compare noeig --n 60 --p 4 --solvers auto,expen-cg,expen-newton --json");
  expect(code).toBe(0);
  const { runs, ...head } = JSON.parse(stdout);
  expect(head).toMatchObject({ problem: "noeig", n: 60, p: 4, seed: 1 });
  expect(runs.map((r: { solver: string }) => r.solver)).toEqual(["auto", "expen-cg", "expen-newton"]);
  for (const r of runs) {
    expect(Object.keys(r).join(" ")).toBe(KEYS);
    expect(r.fval).toBeCloseTo(runs[0].fval, 8);
  }
  const people = await expen("compare brockett --n 40 --p 3 --solvers auto,expen-cg --max-iter 4");
  expect(people.code).toBe(1);
  expect(people.stdout).toMatch(/expen-cg .*✗ stopped after 4 iterations/);
});

test("demo: the paper's numbers beside ours, and what to try next", async () => {
  const { code, stdout } = await expen("demo");
  expect(code).toBe(0);
  expect(stdout).toMatch(/the paper's ExPen-CG +35\.70857/);
  expect(stdout).toMatch(/auto \(default\) +35\.70857/);
  expect(stdout).toContain("reproduce all --quick");
});

test("no probe or partial file is left behind", () => {
  expect(readdirSync(folder).filter((name) => /probe|partial/.test(name))).toEqual([]);
  expect(existsSync(join(folder, "X.npy"))).toBe(true);
});

test("compare --history --plot: the steps of all solvers in one table and one drawing, and as JSON", async () => {
  const command = "compare brockett --n 40 --p 3 --solvers auto,expen-lbfgs --json";
  const { code, stdout } = await expen(`${command} --history runs.csv --plot runs.svg`, folder);
  expect(code).toBe(0);
  const [head, ...lines] = readFileSync(join(folder, "runs.csv"), "utf8").trim().split("\n");
  expect(head).toBe("solver,k,f,gnorm,step,seconds,evaluations,feasibility");
  const { runs } = JSON.parse(stdout);
  for (const { solver, fval, iterations } of runs) {
    const rows = lines.map((line) => line.split(",")).filter(([name]) => name === solver);
    expect(rows.length).toBe(iterations + 1);
    // f of the user at a feasible point, not the penalty
    expect(Math.abs(Number(rows.at(-1)![2]) - fval)).toBeLessThan(1e-9 * Math.abs(fval));
    // a solver whose points are feasible is not measured
    expect(rows[1]![7] === "").toBe(solver === "auto");
  }
  const svg = readFileSync(join(folder, "runs.svg"), "utf8");
  expect(svg.match(/<path class="line c\d" d="M[^"]*"><title>(auto|expen-lbfgs)<\/title>/g)).toHaveLength(2);
  await expen(`${command} --history runs.json`, folder);
  const histories = JSON.parse(readFileSync(join(folder, "runs.json"), "utf8"));
  expect(Object.keys(histories)).toEqual(["auto", "expen-lbfgs"]);
  expect(histories.auto[0].k).toBe(0);
});
