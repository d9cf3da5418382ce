/** Every solver on the paper's three test cases, ten seeds each, as one Markdown table: `node bench/dist/rivals.js ["label" …]` */
import "@expen/engines/relaxed-simd";
import type { Result, StiefelOptions } from "@expen/core";
import { openEngine } from "@expen/engines";
import { brockett, noeig } from "@expen/experiments/paper";
import type { Problem } from "@expen/experiments/problems";
import type { Engine } from "@expen/linalg";
import { type SolverName, solvers, solveStiefel } from "@expen/solvers";
import { referenceCounts } from "./reference-counts.js";

interface Case {
  title: string;
  make(E: Engine, seed: number): Problem;
  /** whether it reached the optimum */
  good(r: Result): boolean;
}

const digits =
  (optimum: number, count: number) =>
  ({ fval }: Result): boolean =>
    fval.toPrecision(count) === optimum.toPrecision(count);

const cases: Case[] = [
  { title: "noeig (1000, 10)", make: (E) => noeig(E, { n: 1000, p: 10 }), good: digits(35.70857, 7) },
  { title: "noeig (250, 50)", make: (E) => noeig(E, { n: 250, p: 50 }), good: digits(2810.709, 7) },
  {
    title: "brockett (250, 50)",
    make: (E, seed) => brockett(E, { n: 250, p: 50, seed }),
    good: ({ gap, optimum }) => gap! <= 1e-3 * Math.abs(optimum!),
  },
];

const variants: [string, SolverName, Partial<StiefelOptions>][] = [
  ["expen-cg --beta paper", "expen-cg", { beta: "paper" }],
  ["landing --variant search", "landing", { variant: "search" }],
  ["mcm --variant gr", "mcm", { variant: "gr" }],
  ["wen-yin --retraction qr", "wen-yin", { retraction: "qr" }],
  ["rcg --rule fr", "rcg", { rule: "fr" }],
  ["rcg --rule pr", "rcg", { rule: "pr" }],
  ["rcg --rule hz", "rcg", { rule: "hz" }],
  ["rcg --search wolfe", "rcg", { search: "wolfe" }],
  ["rtr --hessian differences", "rtr", { hessian: "differences" }],
];
const plain = (Object.keys(solvers) as SolverName[]).map((name): (typeof variants)[number] => [name, name, {}]);

const chosen = process.argv.slice(2);
const runs = [...plain, ...variants].filter(([label]) => !chosen.length || chosen.includes(label));
runs.sort(([a], [b]) => a.localeCompare(b));

const seeds = Array.from({ length: 10 }, (_, i) => i + 1);

const range = (values: number[]): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? `${low}` : `${low}–${high}`;
};
/** the lower median */
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1]!;

/** Words on the runs that did not reach the optimum, or nothing. */
function failures(results: Result[], good: Case["good"]): string {
  const reached = results.filter((r) => r.status === "converged" && good(r)).length;
  if (reached === results.length) return "";
  const ends = [...new Set(results.filter((r) => r.status !== "converged").map((r) => r.status))];
  return `, optimum ${[`${reached} of ${results.length}`, ...ends].join(", ")}`;
}

const E = await openEngine("auto");
console.log(
  `${E.name}: ${E.description}. Tolerance 1e-3 on the Riemannian gradient, seeds 1 to ${seeds.length} of instance and start.\n`,
);
const problems = cases.map(({ make }) => seeds.map((seed) => make(E, seed)));
const heads = cases.flatMap(({ title }) => [title, "reference", "evaluations (+ Hessian)"]);
console.log(`| solver | ${heads.join(" | ")} | gap |`);
console.log(`| --- ${"| --- ".repeat(heads.length + 1)}|`);
for (const [label, solver, options] of runs) {
  const cells: string[] = [];
  let gap = 0;
  for (const [index, { good }] of cases.entries()) {
    const results: Result[] = [];
    for (const [i, seed] of seeds.entries())
      results.push(await run(problems[index]![i]!, { solver, seed, ...options }));
    const counts = results.map((r) => r.iterations);
    const hvp = results.map((r) => r.evaluations.hvp);
    const products = Math.max(...hvp) > 0 ? ` (+ ${range(hvp)})` : "";
    cells.push(`${median(counts)}: ${range(counts)}${failures(results, good)}`);
    cells.push(referenceCounts[label]?.[index] ?? "", range(results.map((r) => r.evaluations.f)) + products);
    for (const r of results) gap = Math.max(gap, r.gap ?? 0);
  }
  console.log(`| \`${label}\` | ${cells.join(" | ")} | ${gap.toExponential(1)} |`);
}
E.dispose();

async function run({ objective, optimum }: Problem, options: StiefelOptions): Promise<Result> {
  const steps = await solveStiefel(E, objective, {
    tol: 1e-3,
    optimum,
    certificate: "stationary",
    maxIterations: 10_000,
    maxSeconds: 120,
    ...options,
  });
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}
