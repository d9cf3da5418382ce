/** `npm run bench:mpi`: what ranks bring on noeig, what they say to each other, and what a model makes of that on up to 1024 ranks. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Launcher, launch, launchers } from "../cli/mpi-launch.js";
import type { MpiSpeed } from "../cli/mpi-speed.js";
import { scriptOptions } from "./arguments.js";
import { networks, perEvaluation } from "./mpi-model.js";
import type { MpiRun } from "./mpi-run.js";
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
}

const argumentsOf = ({ n, p, iterations, inner = "blas", solver = "expen" }: Shape): string[] => [
  `${n}`,
  `${p}`,
  `${iterations}`,
  inner,
  solver,
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

const print = (title: string, table: Table): void => console.log(`\n${title}\n\n${textTable(table)}`);
const ms = (seconds: number): string => (1000 * seconds).toPrecision(3);

const { n, p, iterations } = scriptOptions({
  n: whole("n", 1_000_000),
  p: whole("p", 50),
  iterations: whole("iterations", 40, 12),
});
const launcher = launchers()[0];
if (!launcher) {
  console.error('bench:mpi needs mpirun: "apt-get install openmpi-bin", or mpich.');
  process.exit(2);
}
const { stdout } = await launch(launcher, 2, SPEED, []);
const speed = JSON.parse(stdout) as MpiSpeed;
console.log(`${speed.name}, noeig, one thread a rank, blas`);

const small: Shape = { n: 20_000, p, iterations };
const said: MpiRun[] = [];
for (const solver of SOLVERS) said.push(await spread(launcher, 2, { ...small, solver }));
print(`Messages an evaluation, n = ${small.n}, p = ${p}, after the first steps`, {
  head: ["solver", "sums", "exchanges", "kB"],
  body: said.map((r) => [r.solver, r.reductions.toFixed(2), r.exchanges.toFixed(2), (r.bytes / 1000).toFixed(1)]),
});

const [half, one] = [alone({ n: Math.ceil(n / 2), p, iterations }), alone({ n, p, iterations })];
const two = await spread(launcher, 2, { n, p, iterations });
if (typeof half === "string" || typeof one === "string") throw new Error(`${half} ${one}`);
print("Time of an evaluation in ms (median; best): two ranks against one process", {
  head: ["ranks", "n", "median", "best", "f after the run"],
  body: [half, one, two].map((r) => [`${r.ranks}`, `${r.n}`, ms(r.seconds), ms(r.best), r.f.toPrecision(12)]),
});
const ratios = (key: "seconds" | "best"): string[] => [
  (two[key] / half[key]).toFixed(2),
  (one[key] / two[key]).toFixed(2),
];
print("Scaling on two ranks", {
  head: ["", "weak (≤ 1.1)", "strong (≥ 1.8)"],
  body: [
    ["median", ...ratios("seconds")],
    ["best", ...ratios("best")],
  ],
});

const large: Shape = { n: Math.round(0.8 * n), p, iterations: 12, inner: "wasm" };
const refused = alone(large);
const held = await spread(launcher, 2, large);
console.log(`\nBeyond 4 GiB of WebAssembly memory: ${large.n}×${p} on the wasm engine`);
console.log(`one process: ${typeof refused === "string" ? refused : `${ms(refused.seconds)} ms an evaluation`}`);
console.log(
  `two ranks:   ${ms(held.seconds)} ms an evaluation, f = ${held.f.toPrecision(9)} after ${held.evaluations}`,
);

const here = networks(speed);
const counts = [2, 4, 16, 64, 256, 1024];
print(`Model: ms an evaluation of the default at ${n}×${p}, and the share of it that is work`, {
  head: ["ranks", "work", ...here.map(({ name }) => name), "measured"],
  body: counts.map((ranks) => [
    `${ranks}`,
    ms(one.best / ranks),
    ...here.map((network) => {
      const total = perEvaluation(network, ranks, one.best, p, two);
      return `${ms(total)} (${((100 * one.best) / ranks / total).toFixed(0)} %)`;
    }),
    ranks === 2 ? ms(two.best) : "",
  ]),
});
