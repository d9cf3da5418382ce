/** Constraints beside the manifold on the command line: flags, a file with its own, exit codes, the document. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expen, scratch } from "@expen/testing/cli/run-cli";
import { expect, test } from "vitest";

const folder = scratch();
const linear = `({ n, p }) => ({
  convex: true,
  f: (X) => X.data.reduce((s, x, k) => s - ((k % p) === (Math.floor(k / p) % p) ? 2 : 0.5) * x, 0),
  grad: (G) => G.data.forEach((_, k) => (G.data[k] = (k % p) === (Math.floor(k / p) % p) ? -2 : -0.5)),
})`;
writeFileSync(join(folder, "linear.mjs"), `export default ${linear};`);
writeFileSync(
  join(folder, "own.mjs"),
  `import { equal } from "expen";
   const sum = { size: 1, value: (out, X) => (out[0] = X.data.reduce((s, x) => s + x, 0)), adjoint: (G, X, w) => G.data.forEach((_, k) => (G.data[k] += w[0])) };
   sum.value = ((value) => (out, X) => void value(out, X))(sum.value);
   export default (o) => ({ ...(${linear})(o), subjectTo: [equal(sum, 1)] });`,
);
interface RunDocument {
  status: string;
  violation: number;
  complementarity: number;
  support: number[];
  multipliers: number[][];
  certificate: { level: string };
}
const documentOf = async (args: string): Promise<RunDocument> => {
  const { code, stdout, stderr } = await expen(`solve ${args} --json --quiet`, folder);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return JSON.parse(stdout);
};

test("--nonnegative gives labels and a proof", async () => {
  const { violation, support, certificate, multipliers } = await documentOf(
    "linear.mjs --n 12 --p 3 --nonnegative --out X.csv",
  );
  expect(violation).toBe(0);
  expect(support).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
  expect(certificate.level).toBe("global");
  expect(multipliers[0]).toHaveLength(36);
  const X = readFileSync(join(folder, "X.csv"), "utf8")
    .trim()
    .split("\n")
    .flatMap((row) => row.split(",").map(Number));
  expect(Math.min(...X)).toBe(0);
});

test("--bounds, --starts and --constraint-tol", async () => {
  const { violation, complementarity, status } = await documentOf(
    "linear.mjs --n 12 --p 2 --bounds -inf,0.35 --starts 2 --constraint-tol 1e-7 --history steps.csv",
  );
  expect(readFileSync(join(folder, "steps.csv"), "utf8")).toMatch(
    /^k,f,gnorm,step,seconds,evaluations,residual,penalty\n/,
  );
  expect(status).toBe("converged");
  expect(Math.max(violation, complementarity)).toBeLessThanOrEqual(1e-7);
});

test("a file has constraints of its own, and compare refuses them", async () => {
  const { violation, multipliers } = await documentOf("own.mjs --n 6 --p 1");
  expect(violation).toBeLessThanOrEqual(1e-6);
  expect(multipliers).toHaveLength(1);
  const { code, stderr } = await expen("compare own.mjs --n 6 --p 1 --solvers auto", folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /own\.mjs: solvers that compare runs take no constraints beside the manifold; take expen solve\./,
  );
});

test("permutations(n), and bounds without a feasible point", async () => {
  const { support } = await documentOf('linear.mjs --on "permutations(4)"');
  expect([...support].sort()).toEqual([0, 1, 2, 3]);
  const { code, stdout } = await expen('solve linear.mjs --on "sphere(4)" --bounds 0.9,inf --quiet', folder);
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ infeasible: near X no point violates the constraints less/);
});
