/** `npm run bench:report -- --suite structure [results.json]`: docs/structure-bench.md from the results of the suite. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { digits } from "@expen/linalg";
import { ROOT } from "../peers.js";
import { busy } from "../results.js";
import { markdownTable } from "../tables.js";
import { newestStructure, readStructure, type StructureResults } from "./results.js";
import { eigenTable, formulaTable, rowsTable, verdictTable } from "./tables.js";

export function structureReport(results: StructureResults, source: string): string {
  const { machine, threads, clock, contenders, skipped, cases, tol, limit } = results;
  const load = busy(machine) ? " (others worked on it at the same time)" : "";
  const matrices = new Map(cases.map(({ matrix, what, n, stored }) => [matrix, { what, n, stored }]));
  return [
    "# Structure, measured",
    "",
    `Made from \`${source}\` by \`npm run bench:report -- --suite structure\`; measured by \`npm run bench -- --suite structure\`. What is found and which way is taken: [structure](structure.md).`,
    "",
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.os}, Node ${machine.node}, load ${machine.load} in the minute before${load}. Commit ${results.commit}, ${results.date.slice(0, 10)}.`,
    "",
    ...Object.entries(contenders).map(([name, description]) => `- \`${name}\`: ${description}`),
    ...Object.entries(skipped).map(([name, why]) => `- \`${name}\`: not there, ${why}`),
    "",
    "## In short",
    "",
    markdownTable(verdictTable(results)),
    "",
    "## How it is measured",
    "",
    `- The p lowest eigenvectors until ‖BX − XΛ‖ ≤ ${digits(tol)}·‖Λ‖ in Frobenius norms, Λ the wanted eigenvalues: what ARPACK asks of each pair with that tolerance. One judge measures every answer afterwards at the nearest orthonormal X; an eigenvalue is missed where tr XᵀBX is above the sum of the lowest ones by more than 2√p times the residual.`,
    "- Those are known by a formula (grids) or from LAPACK. Ours and LOBPCG are given the same residual as a number, and a shift below the first eigenvalue is given to ARPACK where it factorizes (SuperLU).",
    "- Of multiple eigenvalues ARPACK finds one vector and calls itself converged. Where the judge sees that, its tolerance is lowered by 1000, again and again; the first run that misses nothing counts.",
    "- Ours is the default solver with B in a formula, ½ tr XᵀBX: finding the form is part of its time and of its products. Products are columns that B is multiplied with; solves with a factorized matrix stand after a +, and count as products in the ratio.",
    `- ${threads === 1 ? "One thread" : `${threads} threads`}, ${clock} time, best of three where a run takes less than a second, of up to thirty where these take less than a second together, so that both sides are warm. A run ends after ${limit} s (> …), ways outside the ratios after half of it; where LAPACK takes part (n ≤ 4000) the others end after 20 times its time and 2 s. A ratio against a run that was stopped is an upper bound (≤).`,
    "- Certificates: level, and the seconds it takes beside the run. A proof is true where f − f* is within its bound, no negative curvature where X has the lowest eigenvalues.",
    "",
    "## The matrices",
    "",
    ...[...matrices].map(([name, { what, n, stored }]) => `- \`${name}\`: ${what}; n = ${n}, ${stored} numbers`),
    "",
    "## Eigenproblems",
    "",
    "Seconds, and in the last columns ours divided by theirs.",
    "",
    markdownTable(eigenTable(results)),
    "",
    ...(results.rows.length > 0
      ? [
          "## With a second matrix or a linear term",
          "",
          `Seconds to a gradient norm of ${digits(results.rowsTol)}, as in [benchmarks](benchmarks.md).`,
          "",
          markdownTable(rowsTable(results)),
          "",
        ]
      : []),
    "## Formulas",
    "",
    markdownTable(formulaTable(results)),
    "",
  ].join("\n");
}

/** Writes the page; returns the exit code. */
export function reportStructure(args: readonly string[]): number {
  try {
    const path = args.find((word) => word.endsWith(".json")) ?? newestStructure();
    writeFileSync(join(ROOT, "docs/structure-bench.md"), structureReport(readStructure(path), relative(ROOT, path)));
    console.log("docs/structure-bench.md");
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
