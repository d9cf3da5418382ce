import type { Table } from "../tables.js";
import { type SetsResults, summaries } from "./results.js";

/** A row for each problem and contender */
export function setsTable(results: SetsResults): Table {
  const body = summaries(results)
    .filter(({ contender }) => contender !== "")
    .map(({ problem, contender, runs, best, feasible, median, largest, proved }) => [
      problem,
      contender,
      `${best} of ${runs}`,
      `${feasible}`,
      `${median}`,
      `${largest}`,
      contender === "expen" ? `${proved}` : "",
    ]);
  return { head: ["problem", "contender", "best", "feasible", "median", "largest", "proved"], body };
}
