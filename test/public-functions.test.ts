/** Every public function with an option that it does not have, with one of a wrong type, and with a signal that has come already. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as apps from "@expen/apps";
import { saveMatrix } from "@expen/data";
import type { Matrix } from "@expen/linalg";
import { gaussian, unitSymmetric } from "@expen/linalg";
import * as index from "expen";
import * as appsEntry from "expen/apps";
import * as data from "expen/data";
import * as eigen from "expen/eigen";
import * as engines from "expen/engines";
import * as manifolds from "expen/manifolds";
import * as methods from "expen/methods";
import * as penalty from "expen/penalty";
import * as plot from "expen/plot";
import * as ofProblems from "expen/problems";
import * as rivals from "expen/rivals";
import * as tape from "expen/tape";
import * as workers from "expen/workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Every entry but the applications and the readers of files */
const library = {
  ...index,
  ...engines,
  ...manifolds,
  ...methods,
  ...penalty,
  ...ofProblems,
  ...rivals,
  ...tape,
  ...workers,
};
const { jsEngine, random, solvers } = library;
type Options = Record<string, unknown>;
/** Anything that goes: what TypeScript would refuse is what is tried. */
type Loose = (...args: never[]) => unknown;

const E = jsEngine();
/** the smallest sizes on which all functions have something to do */
const [n, p] = [6, 2];
const A = gaussian(12, n, random(1));
const B = gaussian(12, n, random(2));
const S = unitSymmetric(n, random(3));
const I: Matrix = {
  rows: n,
  cols: n,
  data: Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0)),
};
const rotation: Matrix = { rows: 3, cols: 3, data: Float64Array.of(0, 1, 0, 0, 0, 1, 1, 0, 0) };
const graph: Matrix = { rows: 3, cols: 3, data: Float64Array.of(0, 1, 1, 1, 0, 1, 1, 1, 0) };
const zeros = (k: number): Matrix => ({ rows: k, cols: k, data: new Float64Array(k * k) });
const four: Matrix = { ...zeros(4), data: Float64Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? 1 : 0)) };
const f = () => library.problems.get("brockett")!.make(E, { n, p }).objective;
const X = () => library.randomStart(E, n, p, 1);

/** A public function as a function of its options: those that are right, one with a wrong value, and whether it runs */
interface Call {
  call(o: Options): unknown;
  right?: Options;
  wrong: Options;
  runs?: true;
}
const runs = (call: (o: never) => unknown, right: Options, wrong: Options): Call => ({
  call: call as Call["call"],
  right,
  wrong,
  runs: true,
});
const takes = (call: (o: never) => unknown, wrong: Options, right: Options = {}): Call => ({
  call: call as Call["call"],
  right,
  wrong,
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "expen-public-"));
  await saveMatrix(join(folder, "A.csv"), A);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const molecule = await data.loadMolecule("examples/data/molecules/H2O-sto-3g.npz");
const file = (): string => join(folder, "A.csv");

const applications: Record<Exclude<keyof typeof apps, "Model">, Call> = {
  align: runs((o) => apps.align(A, B, o), {}, { scaling: "yes" }),
  canonicalCorrelation: runs((o) => apps.canonicalCorrelation(A, B, o), { p }, { ridge: "0" }),
  completion: runs((o) => apps.completion(A, o), { p }, { ridge: 0 }),
  dictionary: runs((o) => apps.dictionary(A, o), { p }, { starts: 1.5 }),
  discriminant: runs((o) => apps.discriminant(A, Array.from({ length: 12 }, (_, i) => i % 3), o), { p }, { p: "2" }), // biome-ignore format: one line
  factorRotation: runs((o) => apps.factorRotation(A, o), {}, { kind: "varimaxx" }),
  generalizedEigen: takes((o) => apps.generalizedEigen(S, I, o), { largest: 1 }, { p }),
  hartreeFock: runs((o) => apps.hartreeFock(molecule, o), {}, { tol: "1e-5" }),
  ica: runs((o) => apps.ica(A, o), { p }, { contrast: "tanh" }),
  jointDiagonalization: runs((o) => apps.jointDiagonalization([S, unitSymmetric(n, random(4))], o), {}, { p: "2" }),
  clusters: runs((o) => apps.clusters(A, o), { p }, { kind: "k-means" }),
  nonnegativePca: runs((o) => apps.nonnegativePca(A, o), { p }, { starts: 0 }),
  maxCut: runs((o) => apps.maxCut(graph, o), {}, { hyperplanes: "many" }),
  graphPartition: runs((o) => apps.graphPartition(graph, o), {}, { p: 1 }),
  meanRotation: runs((o) => apps.meanRotation([rotation, four].slice(0, 1), o), {}, { kind: "mean" }),
  pca: runs((o) => apps.pca(A, o), { p }, { centre: "no" }),
  procrustes: runs((o) => apps.procrustes(A, B, o), {}, { maxIterations: -1 }),
  robustPca: runs((o) => apps.robustPca(A, o), { p }, { centre: false }),
  sparsePca: runs((o) => apps.sparsePca(A, o), { p, weight: 0.1 }, { kind: "l2" }),
  truncatedSvd: takes((o) => apps.truncatedSvd(A, o), { p: 2.5 }, { p }),
  tucker: runs((o) => apps.tucker([S, I], o), { ranks: [2, 2, 1] }, { ranks: "2,2,1" }),
};

const form = (X: tape.Expr) => library.trace(library.mul(library.t(X), S, X));
const functions: Record<string, Call> = {
  minimize: runs((o: Options) => library.minimize(library.formula(form), o as never), { on: library.stiefel(n, p) }, { tol: "x" }), // biome-ignore format: one line
  minimizeMany: takes((o: Options) => library.minimizeMany(library.formula(form), o as never), { progress: "x" }, { on: library.stiefel(n, p), starts: 2 }), // biome-ignore format: one line
  minimizeOnWorkers: takes((o) => library.minimizeOnWorkers(() => new Worker(""), o), { workers: 0.5 }, { starts: 2 }),
  solveStiefel: runs((o) => library.drain(library.solveStiefel(E, f(), o)), {}, { history: "yes" }),
  certify: takes((o) => library.certify(E, f(), X(), o), { secondOrder: 1 }, { tolerance: 1e-6 }),
  checkDerivatives: takes((o) => library.checkDerivatives(E, f(), o), { seed: 0.5 }),
  quickCheck: takes((o) => library.quickCheck(E, f(), X(), o), { seed: "1" }),
  openEngine: takes((o) => library.openEngine("js", o), { notes: "list" }),
  availableEngines: takes((o) => library.availableEngines(o), { library: 3 }),
  parameter: takes((o) => library.parameter("a", 1, o), { symmetric: "yes" }),
  fixedBeta: takes((o) => library.fixedBeta(E, f(), X(), "paper", o), { M1: "1" }),
  stiefelGeometry: takes((o) => library.stiefelGeometry(E, n, p, o), { retraction: "qrr" }),
  bounds: takes((o) => library.bounds(0, 1, o), { part: 1 }),
  nonnegative: takes((o) => library.nonnegative(o), { columns: 0 }),
  ownManifold: takes((o) => library.ownManifold(o), { rows: 2.5 }, { rows: 2, cols: 1, c: library.formula(form) }),
  barzilaiBorwein: takes((o) => library.barzilaiBorwein(E, o), { rule: "longest" }),
  algorithm1: takes((o) => library.algorithm1(E, o), { tau: "fr" }),
  cg: takes((o) => library.cg(E, o), { restart: "no" }),
  lbfgs: takes((o) => library.lbfgs(E, n, p, o), { memory: 2.5 }),
  stagedExpen: takes((o) => library.stagedExpen(E, f(), () => library.cg(E), o), { drop: "0.1" }),
  trustRegion: takes((o) => library.trustRegion(E, f(), o), { radius: 0 }),
  adaptive: takes((o) => library.adaptive(o), { c: "0.5" }),
  armijo: takes((o) => library.armijo(o), { shrink: null }),
  daiZhang: takes((o) => library.daiZhang(o), { patience: "3" }),
  hagerZhang: takes((o) => library.hagerZhang(o), { sigma: true }),
  moreThuente: takes((o) => library.moreThuente(o), { c1: "x" }),
  nonmonotone: takes((o) => library.nonmonotone(o), { gamma: Number.NaN }),
  scipySearch: takes((o) => library.scipySearch(o), { c2: [] }),
  zoom: takes((o) => library.zoom(o), { trials: "11" }),
  brockett: takes((o) => library.brockett(E, o), { seed: 0.5 }, { n, p }),
  noeig: takes((o) => library.noeig(E, o), { alpha: "1" }, { n, p }),
  pca: takes((o) => library.pca(E, o), { centre: 0 }, { n, p }),
  loadMatrix: takes((o) => data.loadMatrix(file(), o), { columns: "1-2" }),
  loadOperator: takes((o) => data.loadOperator(file(), o), { array: 1 }),
  loadNumbers: takes((o) => data.loadNumbers(file(), o), { columns: [] }),
  ...Object.fromEntries(
    [...library.problems.keys()].map((name) => {
      const make = (o: Options) => library.problems.get(name)!.make(E, o as never);
      return [`problem ${name}`, takes(make, { seed: "one" }, { n, p })];
    }),
  ),
  ...Object.fromEntries(Object.entries(applications).map(([name, call]) => [`apps.${name}`, call])),
};

const ofPlot: Record<string, Call> = {
  plotConvergence: takes((o) => plot.plotConvergence({ history: [] }, o), { x: "time" }),
};
const ofEigen: Record<string, Call> = {
  eigs: takes((o) => eigen.eigs(S, o), { p: "2" }, { p }),
  eigsh: takes((o) => eigen.eigsh(S, o), { which: "LM" }, { p }),
  svds: takes((o) => eigen.svds(A, o), { tolerance: 0 }, { p }),
};

/** Functions of sizes alone, with arguments of a wrong type and with one too many */
const ofSizes: Record<string, { wrong: unknown[]; more: unknown[] }> = {
  stiefel: { wrong: ["6", 2], more: [6, 2, {}] },
  grassmann: { wrong: [6, "2"], more: [6, 2, 3] },
  specialOrthogonal: { wrong: [{ n: 3 }], more: [3, 2] },
  oblique: { wrong: [null, 2], more: [6, 2, true] },
  sphere: { wrong: [[3]], more: [3, 2] },
  permutations: { wrong: ["3"], more: [3, 3] },
  euclidean: { wrong: [6, "2"], more: [6, 2, 1] },
  generalizedStiefel: { wrong: [S, "2"], more: [I, 2, {}] },
  complexStiefel: { wrong: [6, undefined], more: [6, 2, 2] },
  atMost: { wrong: [5], more: [library.formula((X) => X), 0, {}] },
  equal: { wrong: [library.formula((X) => X), "0"], more: [library.formula((X) => X), 0, 1] },
  fixedRank: { wrong: [2, 3, "1"], more: [2, 3, 1, 1] },
  simplex: { wrong: ["2"], more: [2, 1, 1] },
  flag: { wrong: ["2", [1]], more: [2, [1], 1] },
  circle: { wrong: ["3"], more: [3, 2] },
  power: { wrong: [{ n: 3 }, 2], more: [library.stiefel(3, 1), 2, {}] },
  unstack: {
    wrong: [{ rows: 5, cols: 1, data: [] }, 2],
    more: [{ rows: 4, cols: 1, data: new Float64Array(4) }, 2, 3],
  },
  product: { wrong: ["stiefel"], more: [{ U: library.stiefel(3, 1) }, {}] },
};

/** Operations of the tape: they refuse arguments outside of a formula, and words inside. */
const ofTape = (
  "H abs acos add asin atan atan2 block blocks clip col colNorms colSums cols complex conj cos diag div entry exp expm hadamard hstack huber " +
  "identity im inner inv kron log logSumExp logcosh logdet logm mask max mean min mul neg norm norm2 operation pow re relu reshape row " +
  "rowLogSumExp rowNorms rowSoftmax rowSums rows scale sigmoid sin smoothAbs softmax softplus solve sqrt sqrtm square sub sum t tanh trace " +
  "vec vstack where"
).split(" ");

/** No options, no signal: data, classes of errors, and functions whose arguments are matrices, numbers and functions */
const others = (
  "ContractError EngineError FormError GradientError ManyError MemoryError ObjectiveError TapeError centred cgRules chain checkRunOptions compile " +
  "constantTridiagonal drain engineNames euclideanGeometry expen fillNormal flatten formula gaussian isText jsEngine l1 l21 measurer minimizeOn namesOf nearestPoint " +
  "nonsmoothStationarity normOf ofProducts objective objectiveOn polar problems random randomOrthonormal randomStart readOption requireMemory " +
  "requireSolverOn retractions rowsOf serveItems shiftedExpen solveOn solverParts solvers sparseApply sparseFromTriplets sparsityPattern stop sumOf sumOverRanks " +
  "trialRay unitSymmetric wasmEngine"
).split(" ");
const othersOfData =
  "CAUSES DataError asMatrix explained extensions formatOf loadMolecule npz readCsv readMolecule readNpy saveMatrix savePieces".split(
    " ",
  );
const othersOfEigen = ["eigh", "svd"];
const othersOfApps = "Model fockOperator hartreeFockEnergy lowestOrbitals".split(" ");

test("every export is here", () => {
  const plain = Object.keys(functions).filter((name) => !/^(problem |apps\.|load)/.test(name));
  expect([...plain, ...Object.keys(ofSizes), ...ofTape, ...others].sort()).toEqual(Object.keys(library).sort());
  expect([...Object.keys(applications), ...othersOfApps].sort()).toEqual(Object.keys(appsEntry).sort());
  expect(Object.keys(ofPlot)).toEqual(Object.keys(plot));
  expect([...Object.keys(ofEigen), ...othersOfEigen].sort()).toEqual(Object.keys(eigen).sort());
  expect([...Object.keys(functions).filter((name) => /^load/.test(name)), ...othersOfData].sort()).toEqual(
    Object.keys(data).sort(),
  );
});

/** The message of an exception or of a rejected promise */
const mistakeOf = async (act: () => unknown): Promise<string> => {
  try {
    await act();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};
const SENTENCE = /^[^\n]+\.$/;

describe.each(Object.entries({ ...functions, ...ofEigen, ...ofPlot }))("%s", (_, { call, right = {}, wrong, runs }) => {
  test("an option that there is not", async () => {
    expect(await mistakeOf(() => call({ ...right, zzz: 1 }))).toMatch(
      /there is no option 'zzz'; the options are .+\.$/,
    );
    const [name] = Object.keys(wrong) as [string];
    const misspelled = `${name}x`;
    const text = await mistakeOf(() => call({ ...right, [misspelled]: 1 }));
    expect(text).toMatch(SENTENCE);
    expect(text).toContain(`there is no option '${misspelled}'; did you mean '`);
  });

  test("a value of a wrong type", async () => {
    const text = await mistakeOf(() => call({ ...right, ...wrong }));
    expect(text).toMatch(SENTENCE);
    const [[name, value]] = Object.entries(wrong) as [[string, unknown]];
    expect(text).toContain(`${name} is ${typeof value === "string" ? `'${value}'` : ""}`);
    expect(text).toMatch(/; it must be /);
  });

  if (!runs) return;
  test("a signal that has come: the run ends where it begins, and says so; a controller is no signal", async () => {
    const answer = (await call({ ...right, signal: AbortSignal.abort() })) as index.Result | { run: index.Result };
    const run = "status" in answer ? answer : answer.run;
    expect(run.reason).toMatchObject({ kind: "aborted", converged: false });
    expect(run.iterations).toBe(0);
    expect(run.certificate.level).not.toBe("global");
    const controller = new AbortController();
    expect(await mistakeOf(() => call({ ...right, signal: controller }))).toMatch(
      /signal is an object; it must be an Abort/,
    );
  });
});

describe.each(Object.entries(ofSizes))("%s", (name, { wrong, more }) => {
  const make = (library as unknown as Record<string, Loose>)[name]!;
  test("sizes of a wrong type, an argument too many", async () => {
    expect(await mistakeOf(() => make(...(wrong as never[])))).toMatch(SENTENCE);
    expect(await mistakeOf(() => make(...(more as never[])))).toMatch(/ takes no more than these; leave out .+\.$/);
  });
});

test.each(ofTape)("%s of no expression", async (name) => {
  const operation = (library as unknown as Record<string, Loose>)[name]!;
  const text = await mistakeOf(() =>
    library.compile(E, { n, p }, () => operation(["x"] as never, {} as never) as never),
  );
  expect(text).toMatch(SENTENCE);
});

test("functions that take a manifold on their engine refuse one without", async () => {
  const on = library.stiefel(n, p);
  const sentence = /on is an object; it must be a manifold on the engine, as stiefel\(n, p\)\.bind\(E\)\.on is\.$/;
  expect(await mistakeOf(() => library.certify(E, f(), X(), { tolerance: 1, on } as never))).toMatch(sentence);
  expect(await mistakeOf(() => library.fixedBeta(E, f(), X(), "cdopt", { on } as never))).toMatch(sentence);
  const staged = () => library.stagedExpen(E, f(), () => library.cg(E), { on } as never);
  expect(await mistakeOf(staged)).toMatch(sentence);
  expect((await library.certify(E, f(), X(), { tolerance: 1e9, on: on.bind(E).on })).certificate.level).not.toBe(
    "none",
  );
});

test("checkDerivatives of an f without sizes asks for the manifold", async () => {
  const user = { f: () => 1, grad: () => {} };
  expect(await mistakeOf(() => library.checkDerivatives(E, user))).toBe(
    "checkDerivatives without on: n is undefined; it must be a whole number, 1 or more.",
  );
});

describe("both spellings", () => {
  test("are one option, and contradict each other in a sentence", async () => {
    const with_ = async (o: Options) => (await apps.pca(A, { p, ...o } as never)).totalVariance;
    expect(await with_({ center: false })).toBe(await with_({ centre: false }));
    expect(await with_({ center: false })).not.toBe(await with_({}));
    expect(await with_({ standardize: true })).toBe(await with_({ standardise: true }));
    expect(await with_({ center: true, centre: true })).toBe(await with_({}));
    expect(await mistakeOf(() => with_({ centre: true, center: false }))).toBe(
      "pca: centre is true but center is false; give one of the two.",
    );
    expect(await mistakeOf(() => with_({ center: "no" }))).toBe("pca: center is 'no'; it must be true or false.");
    const { loadings } = await apps.factorRotation(A, { normalize: false });
    expect(loadings).toEqual((await apps.factorRotation(A, { normalise: false })).loadings);
    const { problems } = library;
    const value = (o: Options) =>
      problems
        .get("pca")!
        .make(E, { n, p, A, ...o })
        .objective.f(X());
    expect(value({ center: false })).toBe(value({ centre: false }));
  });
});

test("options that are no object, and solvers with an option of another kind", async () => {
  expect(await mistakeOf(() => apps.pca(A, 2 as never))).toBe(
    "pca: the options are 2; give an object, as in { p, centre, standardise }.",
  );
  for (const name of Object.keys(solvers) as index.SolverName[]) {
    for (const option of solvers[name].options) {
      const text = await mistakeOf(
        async () => await solvers[name].create(E, f(), X(), { [option]: Symbol("x") } as never),
      );
      expect(text, `${name} ${option}`).toMatch(new RegExp(`^${option} is .*; it must be `));
    }
  }
});
