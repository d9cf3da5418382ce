/**
 * `npm run bench:cuda -- [--only agree,evaluation,traffic,whole,large,cores,eigen,peers] [--out FOLDER]`: the engine `cuda` on this machine's
 * device. All parts take some minutes; FOLDER/cuda.json has the numbers, those of an interrupted run included.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import type { Objective } from "@expen/core";
import { blasEngine } from "@expen/engines/blas";
import { noeig } from "@expen/experiments/paper";
import type { Engine } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { eigenCases } from "./cuda/eigen.js";
import { evaluationOn, evaluationShare, runShare, runTraffic, type Share } from "./cuda/evaluation.js";
import { peersOn } from "./cuda/peers.js";
import { recorded } from "./cuda/recorded.js";
import { agreement, harper, largeBrockett, pause, wholeRun } from "./cuda/runs.js";
import { tables } from "./cuda/tables.js";
import { predicted } from "./cuda/traffic.js";

const PARTS = ["agree", "evaluation", "traffic", "whole", "large", "cores", "eigen", "peers"] as const;
type PartName = (typeof PARTS)[number];

const { values, positionals } = parseArgs({
  options: { only: { type: "string" }, out: { type: "string" } },
  allowPositionals: true,
});
const asked = [...positionals, ...(values.only?.split(",") ?? [])];
const unknown = asked.find((part) => !PARTS.includes(part as PartName));
if (unknown !== undefined) throw new RangeError(`bench:cuda: there is no part '${unknown}'; use ${PARTS.join(", ")}.`);
const { heading, line, bound, summary } = tables(values.out);

let began = performance.now();
const device = await recorded();
const { E } = device;
E.fill(E.tall(10, 10), 1);
console.log(`${E.description}; opened in ${digits((performance.now() - began) / 1000)} s`);
console.log(`declared: ${JSON.stringify(E.device?.speeds)}`);

const SIZES = [
  [100_000, 500],
  [1_000_000, 100],
  [10_000_000, 100],
] as const;

/** Races with the peers; tolerances are relative to the first gradient norm. */
const RACES: readonly { name: string; n: number; p: number; make: (E: Engine) => Objective }[] = [
  { name: "noeig", n: 1_000_000, p: 100, make: (E) => noeig(E, { n: 1_000_000, p: 100 }).objective },
  { name: "brockett", n: 16_000, p: 50, make: (E) => largeBrockett(E, 16_000, 50) },
  { name: "harper", n: 1_000_000, p: 50, make: (E) => harper(E, 1_000_000, 50) },
];
const TOLERANCES = [1e-3, 1e-4];
/** Seconds of `cuda` by race and tolerance */
const ours = new Map<string, number>();
const key = (name: string, relative: number): string => `${name} ${relative}`;

const runColumns = [
  ...[
    "problem",
    "relative tolerance",
    "s",
    "s to read X",
    "iterations",
    "evaluations",
    "status",
    "certificate",
    "its s",
  ],
];
async function showRun(name: string, f: Objective, relative: number) {
  await pause();
  const r = await wholeRun(E, f, relative, "second-order");
  const said = [r.status, r.certificate, r.certificateSeconds] as const;
  line(`${name} ${f.n}×${f.p}`, relative, r.seconds, r.readingSeconds, r.iterations, r.evaluations, ...said);
  return r;
}

const work: Record<PartName, () => Promise<void>> = {
  async agree() {
    heading("agree", "Every solver on small problems, f against `js`", "problem", "solver", "difference");
    const rows = await agreement(E);
    for (const { problem, solver, difference } of rows) line(problem, solver, difference);
    bound("largest difference of f from `js`", Math.max(...rows.map((r) => r.difference)), "most", 1e-8);
  },

  async evaluation() {
    heading(
      "evaluation",
      "An evaluation of the default, noeig, against its calls of cuBLAS alone",
      ...["n×p", "of", "ms", "cuBLAS ms", "ratio", "calls", "waits"],
    );
    const show = (n: number, p: number, what: string, { seconds, products, count, waits }: Share): void =>
      line(`${n}×${p}`, what, 1e3 * seconds, 1e3 * products, seconds / products, count, waits);
    for (const [n, p] of SIZES) {
      await pause();
      const trial = evaluationShare(device, n, p);
      show(n, p, "trial point", trial);
      if (n !== 1_000_000)
        bound(`trial point : cuBLAS, ${n}×${p}`, trial.seconds / trial.products, "most", p === 500 ? 1.6 : 3);
      await pause();
      const run = runShare(device, n, p);
      show(n, p, "run", run);
      if (n === 10_000_000) bound(`ms an evaluation of a run, ${n}×${p}`, 1e3 * run.seconds, "most", 70);
    }
  },

  async traffic() {
    const [n, p] = [1_000_000, 100];
    heading(
      "traffic",
      `What an evaluation of a run asks for, noeig ${n}×${p}; the time that the declared speeds give`,
      ...["call", "times", "passes over a matrix", "GFLOP", "ms"],
    );
    await pause();
    const { rows, evaluations } = runTraffic(device, n, p);
    let total = 0;
    for (const row of rows) {
      const ms = E.device?.speeds ? (1e3 * predicted(row, E.device.speeds)) / evaluations : Number.NaN;
      total += ms;
      const passes = row.bytes / (8 * n * p) / evaluations;
      line(row.name, row.count / evaluations, passes, row.flops / 1e9 / evaluations, ms);
    }
    line("all", "", "", "", total);
  },

  async whole() {
    heading("whole", "From the start to the certificate; the second time the kernels are there", ...runColumns);
    for (const { name, make } of RACES) {
      const f = make(E);
      await showRun(name, f, TOLERANCES[0]!);
      for (const relative of TOLERANCES) ours.set(key(name, relative), (await showRun(name, f, relative)).seconds);
    }
    await showRun("noeig", noeig(E, { n: 100_000, p: 500 }).objective, 1e-3);
  },

  async large() {
    heading("large", "10⁷×100, 8 GB a matrix, with the default certificate", ...runColumns);
    const r = await showRun("noeig", noeig(E, { n: 10_000_000, p: 100 }).objective, 1e-3);
    bound("noeig 10⁷×100 converged (1 = yes)", r.status === "converged" ? 1 : 0, "least", 1);
  },

  async cores() {
    const threads = availableParallelism();
    const B = await blasEngine({ threads }).catch((error: Error) => console.log(`blas: ${error.message}`));
    if (!B) return;
    console.log(`\nblas: ${B.description}`);
    const title = `An evaluation on the device and on blas with ${threads} threads`;
    heading("cores", title, "n×p", "cuda ms", "blas ms", "ratio");
    for (const [n, p] of [
      [10_000, 10],
      [10_000, 50],
      [100_000, 50],
      [100_000, 500],
    ] as const) {
      const here = device.seconds(evaluationOn(E, n, p), 10);
      const evaluate = evaluationOn(B, n, p);
      evaluate();
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 4; i++) {
        const before = performance.now();
        evaluate();
        best = Math.min(best, (performance.now() - before) / 1000);
      }
      line(`${n}×${p}`, 1e3 * here, 1e3 * best, best / here);
      if (p === 500) bound("cuda : blas, 10⁵×500", best / here, "least", 20);
    }
  },

  async eigen() {
    const threads = availableParallelism();
    const B = await blasEngine({ threads }).catch((error: Error) => console.log(`blas: ${error.message}`));
    heading(
      "eigen",
      `eigs and svds on the device and on blas with ${threads} threads`,
      "case",
      "cuda s",
      "blas s",
      "products",
      "largest difference of a value",
    );
    for (const { name, run } of eigenCases) {
      await pause();
      await run(E);
      const here = await run(E);
      const there = B ? await run(B) : undefined;
      const difference = there ? Math.max(...here.values.map((v, j) => Math.abs(v - there.values[j]!))) : "";
      line(name, here.seconds, there?.seconds ?? "", here.products, difference);
      if (there) bound(`${name}: values as on blas`, difference as number, "most", 1e-6 * Math.abs(here.values[0]!));
    }
  },

  async peers() {
    const columns = [
      "problem",
      "method",
      "relative tolerance",
      "s",
      "evaluations",
      "status",
      "gradient : asked",
      "s : ours",
    ];
    heading("peers", "The same on PyTorch, same device", ...columns);
    for (const { name, n, p } of RACES) {
      for (const relative of TOLERANCES) {
        const mine = ours.get(key(name, relative)) ?? Number.NaN;
        // a peer that still runs after ten times our time loses by more than the bound
        const limit = Math.min(15, Math.max(8, 10 * (mine || 1)));
        const rows = peersOn(name, n, p, relative, limit);
        for (const { method, seconds, evaluations, status, gradient, target } of rows) {
          const shown = [seconds, evaluations].map((x) => x ?? "") as Cells;
          const reached = gradient === null || target === null ? "" : gradient / target;
          line(`${name} ${n}×${p}`, method, relative, ...shown, status, reached, (seconds ?? Number.NaN) / mine);
        }
        const fastest = Math.min(...rows.map((r) => (r.status === "converged" ? r.seconds! : limit)));
        if (mine > 0 && rows.length > 0)
          bound(`${name} ${n}×${p}, ${relative}: fastest peer : cuda`, fastest / mine, "least", 5);
      }
    }
  },
};
type Cells = [string | number, string | number];

for (const part of PARTS) {
  if (asked.length > 0 && !asked.includes(part)) continue;
  began = performance.now();
  // the peers need the memory
  if (part === "peers") E.dispose();
  try {
    await work[part]();
  } catch (error) {
    // the other parts are still worth measuring
    console.log(`${part}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
  console.log(`(${part}: ${digits((performance.now() - began) / 1000)} s)`);
}
summary();
E.dispose();
