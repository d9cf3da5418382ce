/**
 * `npm run bench:mpi`: what ranks bring on noeig, what they say to each other, and what a model makes of that on up to 1024 ranks.
 * `--json`: the same as one document.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Launcher, launch, launchers } from "../cli/mpi-launch.js";
import type { MpiSpeed } from "../cli/mpi-speed.js";
import type { Part } from "../src/memory/need.js";
import { bytesNeeded } from "../src/memory/require.js";
import { noeigParts } from "../src/problems/noeig.js";
import { solverParts } from "../src/solvers/need.js";
import { scriptOptions } from "./arguments.js";
import { networks, perEvaluation } from "./mpi-model.js";
import type { Machine, MpiRun } from "./mpi-run.js";
import { type Table, textTable } from "./tables.js";

const RUN = fileURLToPath(new URL("./mpi-run.js", import.meta.url));
const SPEED = fileURLToPath(new URL("../cli/mpi-speed.js", import.meta.url));
const SOLVERS = ["expen", "expen-frame", "expen-cg", "rlbfgs", "rtr", "pcal"];

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
  /** measures the machine too */
  probe?: boolean;
}

const argumentsOf = ({ n, p, iterations, inner = "blas", solver = "expen", probe = false }: Shape): string[] => [
  `${n}`,
  `${p}`,
  `${iterations}`,
  inner,
  solver,
  ...(probe ? ["probe"] : []),
];

/** One process without MPI; undefined, with its sentence on stderr, where it fails */
function alone(shape: Shape): MpiRun | string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(OMPI|PMI)_/.test(name)));
  const { stdout, stderr } = spawnSync(process.execPath, [RUN, ...argumentsOf(shape)], { encoding: "utf8", env });
  return stdout ? (JSON.parse(stdout) as MpiRun) : (stderr.match(/\w*Error: .*/)?.[0] ?? stderr);
}

async function spread(launcher: Launcher, ranks: number, shape: Shape): Promise<MpiRun> {
  const { stdout, stderr } = await launch(launcher, ranks, RUN, argumentsOf(shape), { seconds: 3600 });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as MpiRun;
}

/** The same run several times, others in between: what noise there was shows in the difference of median and best. */
interface Repeated extends MpiRun {
  /** medians of all rounds */
  medians: number[];
  machine: Machine;
}

function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}

function repeated(runs: readonly MpiRun[]): Repeated {
  const medians = runs.map(({ seconds }) => seconds);
  const least = (of: (run: MpiRun) => number): number => Math.min(...runs.map(of));
  const machine = { memory: least((r) => r.machine!.memory), products: least((r) => r.machine!.products) };
  return { ...runs[0]!, medians, seconds: median(medians), best: least((r) => r.best), machine };
}

/** WebAssembly's 4 GiB and a quarter more: one process refuses so many rows, two ranks have room. */
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
    iterations: whole("iterations", 40, 12),
    rounds: whole("rounds", 2),
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

const measured: MpiRun[][] = [[], [], []];
for (let round = 0; round < rounds; round++) {
  const runs = [
    alone({ n: Math.ceil(n / 2), p, iterations, probe: true }),
    await spread(launcher, 2, { n, p, iterations, probe: true }),
    alone({ n, p, iterations, probe: true }),
  ];
  for (const [i, run] of runs.entries()) {
    if (typeof run === "string") throw new Error(run);
    measured[i]!.push(run);
  }
}
const [half, two, one] = measured.map(repeated) as [Repeated, Repeated, Repeated];
const here = networks(speed);
const predicted = (ranks: number, network = here[0]!): number => perEvaluation(network, ranks, one.best, p, two);
print(`Time of an evaluation in ms, the same run ${rounds} times with the others in between`, {
  head: ["ranks", "n", "best", "median", "of each round", "f after the run"],
  body: [half, two, one].map((r) => [
    `${r.ranks}`,
    `${r.n}`,
    ms(r.best),
    ms(r.seconds),
    r.medians.map(ms).join(" "),
    r.f.toPrecision(12),
  ]),
});
const scaling = (two: number, half: number, one: number) => ({ weak: two / half, strong: one / two });
const machineScaling = (of: keyof Machine) => scaling(two.machine[of], half.machine[of], one.machine[of]);
const scales = {
  best: scaling(two.best, half.best, one.best),
  median: scaling(two.seconds, half.seconds, one.seconds),
  model: scaling(predicted(2), one.best / 2, one.best),
  "of the machine: Z ← X + Y alone, from memory": machineScaling("memory"),
  "of the machine: XᵀX alone, computing": machineScaling("products"),
};
print("Scaling on two ranks", {
  head: ["", "weak (≤ 1.1)", "strong (≥ 1.8)"],
  body: Object.entries(scales).map(([name, { weak, strong }]) => [name, weak.toFixed(2), strong.toFixed(2)]),
});

const large: Shape = { n: rowsBeyondWasm(p), p, iterations: 12, inner: "wasm" };
const refused = alone(large);
const held = await spread(launcher, 2, large);
if (!json) {
  console.log(`\nBeyond 4 GiB of WebAssembly memory: ${large.n}×${p} on the wasm engine`);
  console.log(`one process: ${typeof refused === "string" ? refused : `${ms(refused.seconds)} ms an evaluation`}`);
  console.log(
    `two ranks:   ${ms(held.seconds)} ms an evaluation, f = ${held.f.toPrecision(9)} after ${held.evaluations}`,
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
  const document = { speed, messages: said, half, two, one, scaling: scales, beyond, networks: here, model };
  console.log(JSON.stringify(document, null, 2));
}
