/** The suite structure, with its report. */
import { digits } from "@expen/linalg";
import { list, number } from "../arguments.js";
import { clockNamed } from "../contender.js";
import { bench } from "../paper/run.js";
import { makeSuite, type Session } from "../suite.js";
import { markdownTable, section } from "../tables.js";
import { kind, type StructureResults } from "./results.js";
import { benchStructure } from "./run.js";
import { formulaLines, verdictTable } from "./tables.js";

export const structure = makeSuite({
  ...kind,
  title: "Structure, measured",
  page: "bench/reports/structure.md",
  note: "The forms that are found, and the methods that use them: [structure](../../docs/structure.md).",
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
  const mistakes = formulaLines(results);
  return [
    ...section(
      "In short",
      markdownTable(verdictTable(results)),
      "The suite prints seconds, products and certificates of every matrix and p, and the formulas one by one.",
    ),
    ...section("How it is measured", rules(results).join("\n")),
    ...section("The matrices", [...new Set(results.cases.map(matrixLine))].join("\n")),
    ...(mistakes.length > 0 ? section("Formulas that are taken wrongly", mistakes.join("\n")) : []),
  ];
}

const matrixLine = ({ matrix, what, n, stored }: StructureResults["cases"][number]): string =>
  `- \`${matrix}\`: ${what}; n = ${n}, ${stored} numbers`;

function rules({ threads, clock, tol, limit }: StructureResults): string[] {
  return [
    `- The p lowest eigenvectors until ‖BX − XΛ‖ ≤ ${digits(tol)}·‖Λ‖ in Frobenius norms, Λ the wanted eigenvalues, as ARPACK asks of each pair with that tolerance. One function judges every answer at the nearest orthonormal X; an eigenvalue is missed if tr XᵀBX is above the sum of the lowest ones by more than 2√p times the residual.`,
    "- Ours is the default solver with B in a formula, ½ tr XᵀBX. Products are counted in columns; a solve counts as one. ARPACK gets a shift below the first eigenvalue where it factorizes.",
    `- ${threads === 1 ? "One thread" : `${threads} threads`}, ${clock} time, best of several where a run takes less than a second. A run ends after ${limit} s; where LAPACK takes part (n ≤ 4000), after 20 times its time and 2 s. A ratio against a run that was stopped is an upper bound.`,
    "- Certificates: level, and the seconds it takes beside the run. A proof is true where f − f* is within its bound, no negative curvature where X has the lowest eigenvalues.",
  ];
}
