/**
 * `npm run bench:mpi`: the speedup of ranks on noeig, their messages, and a model of up to 1024 ranks.
 * `--json`: the same as one document.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { noeigParts } from "@expen/experiments/paper";
import type { Part } from "@expen/linalg/memory";
import { bytesNeeded } from "@expen/linalg/memory";
import { solverParts } from "@expen/solvers";
import type { MpiSpeed } from "expen/cli";
import { type Launcher, launch, launchers } from "expen/cli";
import { scriptOptions } from "./arguments.js";
import { networks, perEvaluation } from "./mpi-model.js";
import type { MpiRun } from "./mpi-run.js";
import { slower, stepsAlike, type Timed, timed } from "./mpi-steps.js";
import { type Table, textTable } from "./tables.js";

const RUN = fileURLToPath(new URL("./mpi-run.js", import.meta.url));
const SPEED = fileURLToPath(new URL("../../packages/expen/dist/mpi-speed.js", import.meta.url));
const SOLVERS = ["auto", "frame", "expen-cg", "rlbfgs", "rtr", "pcal"];

const whole =
  (name: string, usual: number, least = 1) =>
  (text?: string): number => {
    const x = text === undefined ? usual : Number(text);
    if (!Number.isInteger(x) || x < least)
      throw new RangeError(`--${name} is ${text}; it must be a whole number, ${least} or more.`);
    return x;
  };

interface Shape {
  n: number;
  p: number;
  iterations: number;
  inner?: string;
  solver?: string;
  /** each process by itself, with all n rows */
  apart?: boolean;
}

const argumentsOf = ({ n, p, iterations, inner = "blas", solver = "auto", apart = false }: Shape): string[] => [
  `${n}`,
  `${p}`,
  `${iterations}`,
  inner,
  solver,
  ...(apart ? ["apart"] : []),
];

/** One process without MPI, or its sentence where it fails */
async function tried(shape: Shape): Promise<MpiRun | string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(OMPI|PMI)_/.test(name)));
  const child = spawn(process.execPath, [RUN, ...argumentsOf(shape)], { env });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return stdout ? (JSON.parse(stdout) as MpiRun) : (stderr.match(/\w*Error: .*/)?.[0] ?? stderr);
}

async function alone(shape: Shape): Promise<MpiRun> {
  const run = await tried(shape);
  if (typeof run === "string") throw new Error(run);
  return run;
}

async function spread(launcher: Launcher, ranks: number, shape: Shape): Promise<MpiRun> {
  const { stdout, stderr } = await launch(launcher, ranks, RUN, argumentsOf(shape), { seconds: 3600 });
  if (!stdout) throw new Error(stderr);
  return slower(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as MpiRun),
  );
}

/** Repeats a run with others in between; the difference of median and best shows the noise. */
interface Repeated extends MpiRun, Timed {}

/** A quarter more than WebAssembly's 4 GiB: too much for one process, not for two ranks. */
function rowsBeyondWasm(p: number): number {
  const need = (n: number): number =>
    bytesNeeded([...solverParts(n, p, { certificate: "stationary" }), ...noeigParts({ n, p })].map(withoutPlain));
  const perRow = (need(2_000_000) - need(1_000_000)) / 1_000_000;
  return Math.ceil((1.25 * 2 ** 32) / perRow);
}
const withoutPlain = ({ plain = 0, count, ...part }: Part): Part => ({ ...part, count: count - plain });

const print = (title: string, table: Table): void => {
  if (!json) console.log(`\n${title}\n\n${textTable(table)}`);
};
const ms = (seconds: number): string => (1000 * seconds).toPrecision(3);

const { n, p, iterations, rounds, json } = scriptOptions(
  {
    n: whole("n", 1_000_000),
    p: whole("p", 50),
    iterations: whole("iterations", 50, 12),
    rounds: whole("rounds", 3),
  },
  ["json"],
);
const launcher = launchers()[0];
if (!launcher) {
  console.error('bench:mpi needs mpirun: "apt-get install openmpi-bin", or mpich.');
  process.exit(2);
}
const { stdout } = await launch(launcher, 2, SPEED, []);
const speed = JSON.parse(stdout) as MpiSpeed;
if (!json) console.log(`${speed.name}, noeig, one thread a rank, blas`);

const small: Shape = { n: 20_000, p, iterations };
const said: MpiRun[] = [];
for (const solver of SOLVERS) said.push(await spread(launcher, 2, { ...small, solver }));
print(`Messages an evaluation, n = ${small.n}, p = ${p}, after the first steps`, {
  head: ["solver", "sums", "exchanges", "kB"],
  body: said.map((r) => [r.solver, r.reductions.toFixed(2), r.exchanges.toFixed(2), (r.bytes / 1000).toFixed(1)]),
});

const halfShape: Shape = { n: Math.ceil(n / 2), p, iterations };
const measured: MpiRun[][] = [[], [], [], []];
for (let round = 0; round < rounds; round++) {
  // minutes each at 10⁶×50
  if (process.stderr.isTTY) console.error(`round ${round + 1} of ${rounds} …`);
  measured[0]!.push(await alone(halfShape));
  measured[1]!.push(await spread(launcher, 2, { ...halfShape, apart: true }));
  measured[2]!.push(await spread(launcher, 2, { n, p, iterations }));
  measured[3]!.push(await alone({ n, p, iterations }));
}
const alike = stepsAlike(measured.flat());
const [half, apart, two, one] = measured.map((runs) => ({ ...runs[0]!, ...timed(runs, alike) })) as [
  Repeated,
  Repeated,
  Repeated,
  Repeated,
];
const here = networks(speed);
const predicted = (ranks: number, network = here[0]!): number => perEvaluation(network, ranks, one.best, p, two);
const rows = [
  ["one process", half],
  ["two at once that do not talk, each", apart],
  ["two ranks", two],
  ["one process", one],
] as const;
print(`Time of an evaluation in ms, ${rounds} rounds in turns, the ${alike.length} steps ${alike.join(" ")}`, {
  head: ["", "n", "best", "median", "of each round", "f after the run"],
  body: rows.map(([name, r]) => [
    name,
    `${r.n}`,
    ms(r.best),
    ms(r.median),
    r.rounds.map(ms).join(" "),
    r.f.toPrecision(12),
  ]),
});
const scaling = (two: number, half: number, one: number) => ({ weak: two / half, strong: one / two });
const scales = {
  best: scaling(two.best, half.best, one.best),
  median: scaling(two.median, half.median, one.median),
  model: scaling(predicted(2), one.best / 2, one.best),
  "of the machine, best: two processes that do not talk": scaling(apart.best, half.best, one.best),
};
print("Scaling on two ranks", {
  head: ["", "weak (≤ 1.1)", "strong (≥ 1.8)"],
  body: Object.entries(scales).map(([name, { weak, strong }]) => [name, weak.toFixed(2), strong.toFixed(2)]),
});

const large: Shape = { n: rowsBeyondWasm(p), p, iterations: 12, inner: "wasm" };
const refused = await tried(large);
const held = await spread(launcher, 2, large);
const perEvaluationOf = (run: MpiRun): string => ms(timed([run], stepsAlike([run], 10)).best);
if (!json) {
  console.log(`\nBeyond 4 GiB of WebAssembly memory: ${large.n}×${p} on the wasm engine`);
  console.log(`one process: ${typeof refused === "string" ? refused : `${perEvaluationOf(refused)} ms an evaluation`}`);
  console.log(
    `two ranks:   ${perEvaluationOf(held)} ms an evaluation, f = ${held.f.toPrecision(9)} after ${held.evaluations}`,
  );
}

const counts = [2, 4, 16, 64, 256, 1024];
const model = counts.map((ranks) => ({ ranks, seconds: here.map((network) => predicted(ranks, network)) }));
print(`Model: ms an evaluation of the default at ${n}×${p}, and the share of it that is work`, {
  head: ["ranks", "work", ...here.map(({ name }) => name), "measured"],
  body: model.map(({ ranks, seconds }) => [
    `${ranks}`,
    ms(one.best / ranks),
    ...seconds.map((total) => `${ms(total)} (${((100 * one.best) / ranks / total).toFixed(0)} %)`),
    ranks === 2 ? ms(two.best) : "",
  ]),
});
if (json) {
  const beyond = { n: large.n, p, alone: refused, two: held };
  const document = { speed, messages: said, half, apart, two, one, scaling: scales, beyond, networks: here, model };
  console.log(JSON.stringify(document, null, 2));
}
