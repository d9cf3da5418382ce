/** Results of the rows of the paper's tables. */
import type { Evaluations } from "@expen/core";
import type { Growth } from "../growth.js";
import type { Limit } from "../limit.js";
import type { Row } from "../rows.js";
import type { Head, Kind } from "../store.js";

export const kind: Kind = { name: "paper", format: 5 };

/** One contender on one row, in one of the two modes. */
export interface Run {
  contender: string;
  /** "gradient": until the gradient norm is below the tolerance; "gap": until f is within the relative gap of the closed form */
  mode: "gradient" | "gap";
  status: string;
  text: string;
  /** all repeats, in seconds; empty where none was measured */
  seconds: number[];
  evaluations: Evaluations | null;
  iterations: number | null;
  f: number | null;
  stationarity: number | null;
  feasibility: number | null;
  feasibilityBefore: number | null;
  gap: number | null;
}

export interface RowResult extends Row {
  id: string;
  /** of the instance and its start */
  seed: number;
  tables: string[];
  optimum: number | null;
  runs: Run[];
}

export interface Results extends Head {
  repeats: number;
  tol: number;
  gapTarget: number;
  seed: number;
  /** number of starts for the contenders of target 1 */
  starts: number;
  /** from the first start */
  rows: RowResult[];
  /** from the other starts */
  others: RowResult[];
  nearLimit?: Limit[];
  growth?: Growth;
}

export const best = ({ seconds }: Pick<Run, "seconds">): number | null =>
  seconds.length > 0 ? Math.min(...seconds) : null;
