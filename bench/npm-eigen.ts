/**
 * `npm run bench:npm -- FOLDER`: eigenvalues and singular values beside packages of the registry: ml-matrix, and numeric, svd-js and eigen
 * (Eigen's C++ in WebAssembly) where FOLDER/node_modules has them. Processor time, best of several runs in turns, engines open, from rows
 * of numbers to values and vectors; the last number is the largest difference of values from a closed form, or from the first contender,
 * over the last value.
 */
import "@expen/engines/relaxed-simd";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { eigh, eigs, svd, svds } from "@expen/apps/eigen";
import { openEngine } from "@expen/engines";
import type { Matrix, Sparse } from "@expen/linalg";
import { gaussian, random, unitSymmetric } from "@expen/linalg";
import { sparseFromTriplets, sparseToDense } from "@expen/linalg/arrays";
import { EigenvalueDecomposition, Matrix as Ml, SingularValueDecomposition } from "ml-matrix";
import { collectGarbage } from "./garbage.js";

/** Seconds for the runs of one contender on one case, and runs at most */
const [SECONDS, RUNS] = [2, 200];

/** Seconds of a run from which a contender is left out of the larger cases that follow */
const SLOW = 5;

/** Values, as many as wanted, and the time is taken around it */
type Work = () => Promise<ArrayLike<number>> | ArrayLike<number>;
interface Case {
  name: string;
  exact?: number[];
  contenders: Record<string, Work>;
}

const rowsOf = ({ rows, cols, data }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));

/** The packages that the folder has */
async function peersIn(folder: string | undefined) {
  if (!folder) return {};
  const require = createRequire(pathToFileURL(join(resolve(folder), "index.js")));
  // biome-ignore lint/suspicious/noExplicitAny: packages without types
  const load = async (name: string): Promise<any> => {
    try {
      const module = await import(pathToFileURL(require.resolve(name)).href);
      return module.default ?? module;
    } catch {
      return undefined;
    }
  };
  const [numeric, svdJs, eigen] = [await load("numeric"), await load("svd-js"), await load("eigen")];
  await eigen?.ready;
  return { numeric, svdJs, eigen };
}

function grid(m: number): { A: Sparse; exact: number[] } {
  const [i, j, v]: [number[], number[], number[]] = [[], [], []];
  const put = (a: number, b: number, value: number): void => {
    i.push(a);
    j.push(b);
    v.push(value);
  };
  for (let a = 0; a < m; a++) {
    for (let b = 0; b < m; b++) {
      const k = a * m + b;
      put(k, k, 4);
      if (a > 0) {
        put(k, k - m, -1);
        put(k - m, k, -1);
      }
      if (b > 0) {
        put(k, k - 1, -1);
        put(k - 1, k, -1);
      }
    }
  }
  const path = Array.from({ length: m }, (_, k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (m + 1)));
  const exact = path.flatMap((a) => path.map((b) => a + b)).sort((a, b) => a - b);
  return { A: sparseFromTriplets(m * m, m * m, i, j, v), exact };
}

async function casesWith(folder: string | undefined): Promise<Case[]> {
  const { numeric, svdJs, eigen } = await peersIn(folder);
  const engines = [await openEngine("wasm")];
  const best = await openEngine("auto");
  if (best.name !== "wasm") engines.push(best);
  const cases: Case[] = [];
  for (const n of [50, 100, 200, 400]) {
    const rows = rowsOf(unitSymmetric(n, random(n)));
    const contenders: Case["contenders"] = {};
    for (const engine of engines)
      contenders[`expen ${engine.name}`] = async () => (await eigh(rows, { engine })).values;
    contenders["ml-matrix"] = () =>
      new EigenvalueDecomposition(new Ml(rows), { assumeSymmetric: true }).realEigenvalues;
    if (numeric) contenders.numeric = () => (numeric.eig(rows).lambda.x as number[]).toSorted((a, b) => a - b);
    if (eigen) {
      contenders.eigen = () => {
        const { eigenvalues } = eigen.Solvers.eigenSolve(new eigen.Matrix(rows), true);
        const values = Array.from({ length: n }, (_, k) => eigenvalues.get(k, 0).real() as number);
        eigen.GC.flush();
        return values.toSorted((a, b) => a - b);
      };
    }
    cases.push({ name: `all eigenpairs, ${n}×${n}`, contenders });
  }
  for (const [m, n] of [
    [100, 50],
    [400, 100],
    [400, 200],
  ] as const) {
    // biome-ignore format: sizes
    const rows = rowsOf(gaussian(m, n, random(m + n)));
    const contenders: Case["contenders"] = {};
    for (const engine of engines) contenders[`expen ${engine.name}`] = async () => (await svd(rows, { engine })).values;
    contenders["ml-matrix"] = () => new SingularValueDecomposition(new Ml(rows)).diagonal;
    if (numeric) contenders.numeric = () => numeric.svd(rows).S;
    if (svdJs) contenders["svd-js"] = () => (svdJs.SVD(rows).q as number[]).toSorted((a, b) => b - a);
    if (eigen) {
      contenders.eigen = () => {
        const { sv } = eigen.Decompositions.svd(new eigen.Matrix(rows), true);
        const values = Array.from({ length: n }, (_, k) => sv.get(k, 0) as number);
        eigen.GC.flush();
        return values;
      };
    }
    cases.push({ name: `singular value decomposition, ${m}×${n}`, contenders });
  }
  for (const m of [20, 30, 100]) {
    const { A, exact } = grid(m);
    const contenders: Case["contenders"] = {};
    for (const engine of engines) {
      contenders[`expen ${engine.name}, counted`] = async () => (await eigs(A, { p: 6, engine })).values;
      contenders[`expen ${engine.name}, in the middle`] = async () =>
        (await eigs(A, { p: 6, engine, sigma: 3.3 })).values;
    }
    // packages of the registry know no sparse eigenproblem: all eigenpairs of the dense matrix
    if (m < 100) {
      const rows = rowsOf(sparseToDense(A));
      contenders["ml-matrix, dense"] = () =>
        new EigenvalueDecomposition(new Ml(rows), { assumeSymmetric: true }).realEigenvalues.slice(0, 6);
    }
    cases.push({ name: `six lowest of a grid, n = ${m * m}`, exact: exact.slice(0, 6), contenders });
  }
  const S = sparseToDense(grid(20).A);
  const tall: Matrix = {
    rows: 400,
    cols: 300,
    data: Float64Array.from({ length: 400 * 300 }, (_, k) => S.data[Math.floor(k / 300) * 400 + (k % 300)]!),
  };
  const rows = rowsOf(tall);
  const top: Case["contenders"] = {};
  for (const engine of engines)
    top[`expen ${engine.name}, counted`] = async () => (await svds(tall, { p: 5, engine })).values;
  top["ml-matrix, all"] = () => new SingularValueDecomposition(new Ml(rows)).diagonal.slice(0, 5);
  cases.push({ name: "five largest singular values, 400×300", contenders: top });
  return cases;
}

/** Contenders that took too long, or failed */
const without = new Set<string>();

/** Best seconds of each, in turns, and its values */
async function timesOf(contenders: Case["contenders"]): Promise<Map<string, { seconds: number; values: number[] }>> {
  const lanes = Object.entries(contenders)
    .filter(([name]) => !without.has(name))
    .map(([name, work]) => ({ name, work, left: SECONDS, runs: 0 }));
  const best = new Map<string, { seconds: number; values: number[] }>();
  for (let open = lanes; open.length > 0; open = open.filter(({ left, runs }) => left > 0 && runs < RUNS)) {
    for (const lane of open) {
      await collectGarbage();
      const start = process.cpuUsage();
      const values = await Promise.resolve()
        .then(lane.work)
        .then(Array.from<number>)
        .catch((error: Error) => {
          console.log(`  ${lane.name} fails: ${error.message}`);
          without.add(lane.name);
          lane.left = 0;
        });
      if (!values) continue;
      const { user, system } = process.cpuUsage(start);
      const seconds = (user + system) / 1e6;
      lane.left -= seconds;
      lane.runs++;
      if (seconds > SLOW) without.add(lane.name);
      if (seconds < (best.get(lane.name)?.seconds ?? Number.POSITIVE_INFINITY))
        best.set(lane.name, { seconds, values });
    }
  }
  return best;
}

for (const { name, exact, contenders } of await casesWith(process.argv[2])) {
  console.log(`\n${name}`);
  const times = await timesOf(contenders);
  // where no closed form is known, values are compared with those of the first contender
  const reference = exact ?? [...times.values()][0]!.values;
  const ours = [...times.values()][0]!.seconds;
  for (const [contender, { seconds, values }] of times) {
    const isOther = contender.endsWith("in the middle");
    const error = Math.max(...reference.map((v, j) => Math.abs(v - values[j]!))) / Math.abs(reference.at(-1)! || 1);
    const figures = `${(1000 * seconds).toFixed(seconds < 0.01 ? 2 : 1).padStart(9)} ms  ${(seconds / ours).toFixed(2).padStart(7)}×`;
    console.log(`  ${contender.padEnd(28)}${figures}${isOther ? "" : `  ${error.toExponential(1)}`}`);
  }
}
process.exit(0);
