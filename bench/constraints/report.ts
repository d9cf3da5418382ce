/** `npm run bench:report -- --suite constraints [results.json]`: docs/constraints/bench.md from the results of the suite. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { digits } from "@expen/linalg";
import { ROOT } from "../peers.js";
import { busy } from "../results.js";
import { markdownTable } from "../tables.js";
import { type ConstrainedResults, newestConstrained, readConstrained } from "./results.js";
import { constraintTable, meansTable } from "./tables.js";

export function constraintReport(results: ConstrainedResults, source: string): string {
  const { machine, gap, limit, clock, repeats, contenders } = results;
  const load = busy(machine) ? " (others worked on it at the same time: trust the counts, not the times)" : "";
  return [
    "# Other manifolds beside other tools",
    "",
    `Made from \`${source}\` by \`npm run bench:report -- --suite constraints\`; measured by \`npm run bench -- --suite constraints\`.`,
    "",
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.os}, Node ${machine.node}, load ${machine.load} in the minute before${load}. Commit ${results.commit}, ${results.date.slice(0, 10)}.`,
    "",
    ...Object.entries(contenders).map(([name, description]) => `- \`${name}\`: ${description}`),
    "",
    "## How it is measured",
    "",
    `- Problems with a known optimum (\`bench/constraints/\`, the same formulas in NumPy in \`bench/peers/constrained.py\`); the same numbers and the same start for all. A run ends where f at a feasible point is within ${digits(gap)} of the optimum, relatively, or after ${limit} s. Best ${clock} time of up to ${repeats} runs in warm processes, one thread.`,
    "- f is given as value and gradient alone, but for the eigenproblem XᵀBX = I, where the form is declared: there `numpy-eigh` is SciPy's eigh(A, B), `numpy-eigh-lowest` the same for the p lowest alone, `numpy-landing` the landing method with the best of nine step lengths.",
    "- Pymanopt has no generalised Stiefel manifold: it runs in Z = RX, B = RᵀR. Its unitary group projects gradients with the transpose in the place of the conjugate transpose, which is corrected here.",
    "- CDOpt has complex, generalised and unit columns in NumPy, and no products. Its penalty parameter is its own choice, which fails on complex numbers: there it is ‖∇f(X0)‖/10, as in the paper. SciPy's L-BFGS-B minimises its function.",
    "",
    "## Products, complex and unit columns, together",
    "",
    "How many times more others need than ours: geometric means over what they reached.",
    "",
    markdownTable(meansTable(results)),
    "",
    "## All",
    "",
    markdownTable(constraintTable(results)),
    "",
  ].join("\n");
}

/** Writes the page; returns the exit code. */
export function reportConstraints(args: readonly string[]): number {
  try {
    const path = args.find((word) => word.endsWith(".json")) ?? newestConstrained();
    writeFileSync(
      join(ROOT, "docs/constraints/bench.md"),
      constraintReport(readConstrained(path), relative(ROOT, path)),
    );
    console.log("docs/constraints/bench.md");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
