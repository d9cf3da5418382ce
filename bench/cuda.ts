/**
 * `npm run bench:cuda [part …]`: the engine `cuda` on this machine's device. Parts: agree, evaluation, whole, large, cores, peers; all if
 * none is named.
 */
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { blasEngine } from "../src/engines/blas.js";
import { digits } from "../src/numbers.js";
import { noeig } from "../src/problems/noeig.js";
import type { Objective } from "../src/types.js";
import { evaluationOn, evaluationShare, runShare, type Share } from "./cuda/evaluation.js";
import { recorded } from "./cuda/recorded.js";
import { agreement, largeBrockett, pause, wholeRun } from "./cuda/runs.js";

const parts = process.argv.slice(2);
const wanted = (part: string): boolean => parts.length === 0 || parts.includes(part);
const line = (...cells: (string | number)[]): void =>
  console.log(`| ${cells.map((c) => (typeof c === "number" ? digits(c) : c)).join(" | ")} |`);
const heading = (title: string, ...columns: string[]): void => {
  console.log(`\n${title}\n`);
  line(...columns);
  line(...columns.map(() => "---"));
};

let began = performance.now();
const device = await recorded();
const { E } = device;
E.fill(E.tall(10, 10), 1);
console.log(`${E.description}; opened in ${digits((performance.now() - began) / 1000)} s`);

const SIZES = [
  [100_000, 500],
  [1_000_000, 100],
  [10_000_000, 100],
] as const;

if (wanted("agree")) {
  heading("Every solver on small problems, f against `js`", "problem", "solver", "difference");
  for (const { problem, solver, difference } of await agreement(E)) line(problem, solver, difference);
}

if (wanted("evaluation")) {
  heading(
    "An evaluation of the default, noeig, against its calls of cuBLAS alone",
    ...["n×p", "of", "ms", "cuBLAS ms", "ratio", "calls", "waits"],
  );
  const show = (n: number, p: number, what: string, { seconds, products, count, waits }: Share): void =>
    line(`${n}×${p}`, what, 1e3 * seconds, 1e3 * products, seconds / products, count, waits);
  for (const [n, p] of SIZES) {
    await pause();
    show(n, p, "trial point", evaluationShare(device, n, p));
    await pause();
    show(n, p, "run", runShare(device, n, p));
  }
}

const runColumns = [
  ...["n×p", "relative tolerance", "s", "s to read X", "iterations", "evaluations", "status", "certificate", "its s"],
];
async function showRun(f: Objective, relative: number, certificate: "stationary" | "second-order" = "second-order") {
  await pause();
  const { n, p } = f;
  const r = await wholeRun(E, f, relative, certificate);
  const said = [r.status, r.certificate, r.certificateSeconds] as const;
  line(`${n}×${p}`, relative, r.seconds, r.readingSeconds, r.iterations, r.evaluations, ...said);
  return r;
}

if (wanted("whole")) {
  heading("noeig from the start to the certificate; the second time the kernels are there", ...runColumns);
  const { objective } = noeig(E, { n: 1_000_000, p: 100 });
  for (const relative of [1e-3, 1e-3, 1e-4]) await showRun(objective, relative);
  await showRun(noeig(E, { n: 100_000, p: 500 }).objective, 1e-3);
  heading("Brockett's function with a dense B from the start to the certificate", ...runColumns);
  const form = largeBrockett(E, 16_000, 50);
  for (const relative of [1e-3, 1e-3, 1e-4]) await showRun(form, relative);
}

if (wanted("large")) {
  heading("10⁷×100, 8 GB a matrix", ...runColumns);
  await showRun(noeig(E, { n: 10_000_000, p: 100 }).objective, 1e-3, "stationary");
}

if (wanted("cores")) {
  const threads = availableParallelism();
  const B = await blasEngine({ threads }).catch((error: Error) => console.log(`blas: ${error.message}`));
  if (B) {
    console.log(`\nblas: ${B.description}`);
    heading(`An evaluation on the device and on blas with ${threads} threads`, "n×p", "cuda ms", "blas ms", "ratio");
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
        began = performance.now();
        evaluate();
        best = Math.min(best, (performance.now() - began) / 1000);
      }
      line(`${n}×${p}`, 1e3 * here, 1e3 * best, best / here);
    }
  }
}

type Peer = Record<"seconds" | "evaluations" | "gradient" | "target", number>;
if (wanted("peers")) {
  const columns = ["problem", "method", "relative tolerance", "s", "evaluations", "status", "gradient : asked"];
  heading("The same on PyTorch, same device", ...columns);
  const script =
    process.env.EXPEN_TORCH_PEER ?? fileURLToPath(new URL("../../bench/peers/torch_expen.py", import.meta.url));
  for (const [problem, n, p] of [
    ["noeig", "1000000", "100"],
    ["brockett", "16000", "50"],
  ] as const) {
    for (const relative of [1e-3, 1e-4]) {
      const run = spawnSync("python3", [script, problem, n, p, String(relative)], { encoding: "utf8" });
      if (run.status !== 0) console.log(`peers: ${run.error?.message ?? run.stderr.split("\n").at(-2)}`);
      for (const text of run.stdout?.split("\n").filter(Boolean) ?? []) {
        const { method, status, ...numbers } = JSON.parse(text) as { method: string; status: string } & Peer;
        const { seconds, evaluations, gradient, target } = numbers;
        line(`${problem} ${n}×${p}`, method, relative, seconds, evaluations, status, gradient / target);
      }
    }
  }
}
E.dispose();
