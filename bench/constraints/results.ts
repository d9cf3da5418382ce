/** Results of the suite constraints. */
import type { Evaluations } from "@expen/core";
import type { Head, Kind } from "../store.js";

export const kind: Kind = { name: "constraints", format: 1 };

export interface ConstrainedRun {
  problem: string;
  seed: number;
  contender: string;
  status: string;
  text: string;
  seconds: number | null;
  evaluations: Evaluations | null;
}

export interface ConstrainedResults extends Head {
  /** relative gap to be reached */
  gap: number;
  repeats: number;
  runs: ConstrainedRun[];
}
