/** The suite structure, with its page docs/structure-bench.md. */
import { digits } from "@expen/linalg";
import { list, number } from "../arguments.js";
import { clockNamed } from "../contender.js";
import { bench } from "../paper/run.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section } from "../tables.js";
import { kind, type StructureResults } from "./results.js";
import { benchStructure } from "./run.js";
import { eigenTable, formulaLines, rowsTable, verdictTable } from "./tables.js";

export const structure = makeSuite({
  ...kind,
  title: "Structure, measured",
  page: "docs/structure-bench.md",
  note: "The forms that are found, and the methods that use them: [structure](structure.md).",
  options: {
    matrices: list,
    p: (value?: string) => list(value)?.map(columns),
    contenders: list,
    clock: clockNamed,
    limit: number("limit"),
    tol: number("tol"),
  },
  flags: ["quick"],
  parts: ["matrices", "p", "contenders", "quick"],
  run: (values, session: Session<StructureResults>) => benchStructure({ ...values, ...session, rowsBy: bench }),
  sections,
});

function columns(word: string): number {
  if (!(Number(word) >= 1)) throw new RangeError(`--p has '${word}'; numbers of columns are wanted, 10,50.`);
  return Number(word);
}

function sections(results: StructureResults): string[] {
  const { rows, rowsTol } = results;
  const beside = `Seconds to a gradient norm of ${digits(rowsTol)}, as in [benchmarks](benchmarks.md).`;
  return [
    ...section("In short", markdownTable(verdictTable(results))),
    ...section("How it is measured", rules(results).join("\n")),
    ...section("The matrices", [...new Set(results.cases.map(matrixLine))].join("\n")),
    ...section(
      "Eigenproblems",
      "Seconds, and in the last columns ours divided by theirs.",
      markdownTable(eigenTable(results)),
    ),
    ...(rows.length > 0
      ? section("With a second matrix or a linear term", beside, markdownTable(rowsTable(results)))
      : []),
    ...section("Formulas", formulaLines(results).join("\n")),
  ];
}

const matrixLine = ({ matrix, what, n, stored }: StructureResults["cases"][number]): string =>
  `- \`${matrix}\`: ${what}; n = ${n}, ${stored} numbers`;

function rules({ threads, clock, tol, limit }: StructureResults): string[] {
  return [
    `- The p lowest eigenvectors until ‖BX − XΛ‖ ≤ ${digits(tol)}·‖Λ‖ in Frobenius norms, Λ the wanted eigenvalues: what ARPACK asks of each pair with that tolerance. One judge measures every answer afterwards at the nearest orthonormal X; an eigenvalue is missed where tr XᵀBX is above the sum of the lowest ones by more than 2√p times the residual.`,
    "- Those are known by a formula (grids) or from LAPACK. Ours and LOBPCG are given the same residual as a number, and a shift below the first eigenvalue is given to ARPACK where it factorizes (SuperLU).",
    "- Of multiple eigenvalues ARPACK finds one vector and calls itself converged. Where the judge sees that, its tolerance is lowered by 1000, again and again; the first run that misses nothing counts.",
    "- Ours is the default solver with B in a formula, ½ tr XᵀBX: finding the form is part of its time and of its products. Products are columns that B is multiplied with; solves with a factorized matrix stand after a +, and count as products in the ratio.",
    `- ${threads === 1 ? "One thread" : `${threads} threads`}, ${clock} time, best of three where a run takes less than a second, of up to thirty where these take less than a second together, so that both sides are warm. A run ends after ${limit} s (> …), ways outside the ratios after half of it; where LAPACK takes part (n ≤ 4000) the others end after 20 times its time and 2 s. A ratio against a run that was stopped is an upper bound (≤).`,
    "- Certificates: level, and the seconds it takes beside the run. A proof is true where f − f* is within its bound, no negative curvature where X has the lowest eigenvalues.",
  ];
}
