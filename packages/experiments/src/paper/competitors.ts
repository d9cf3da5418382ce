/** The solvers of the paper's tables, and their names in the catalog. */
import type { CgRuleName } from "@expen/core/methods";
import type { PaperSolver } from "./paper-tables.js";

export interface Competitor {
  /** name in the report */
  readonly label: string;
  /** name on the command line */
  readonly name: string;
  /** name in the catalog of solvers */
  readonly solver: string;
  readonly options: { readonly beta?: "paper"; readonly rule?: CgRuleName };
  /** the solver of the paper that it is compared with */
  readonly paper?: PaperSolver;
  /** too slow for a quick run, unless named */
  readonly slow?: boolean;
  /** included in the figure of a quick run at the largest sizes too */
  readonly always?: boolean;
}

/** The paper's RCG column agrees with Fletcher–Reeves; PyManopt's default is Hestenes–Stiefel, so both are run. */
export const competitors: readonly Competitor[] = [
  {
    label: "ExPen-CG",
    name: "expen-cg",
    solver: "expen-cg",
    options: { beta: "paper" },
    paper: "ExPen-CG",
    always: true,
  },
  { label: "PCAL", name: "pcal", solver: "pcal", options: {}, paper: "PCAL" },
  { label: "PenC", name: "pencf", solver: "pencf", options: {}, paper: "PenC" },
  { label: "SLPG", name: "slpg", solver: "slpg", options: {}, paper: "SLPG" },
  { label: "RCG (HS)", name: "rcg-hs", solver: "rcg", options: { rule: "hs" }, paper: "RCG" },
  { label: "RCG (FR)", name: "rcg-fr", solver: "rcg", options: { rule: "fr" }, paper: "RCG", slow: true },
  { label: "auto (default)", name: "auto", solver: "auto", options: {}, always: true },
];

interface Choice {
  /** competitors that can run */
  readonly taking: readonly Competitor[];
  /** labels of competitors whose solver is not in the catalog; `leftOut`: of those too slow for a quick run */
  readonly missing: readonly string[];
  readonly leftOut: readonly string[];
}

/** The named competitors, by default the paper's and `auto`; `available` are the names in the catalog, any of which may be named. */
export function chooseCompetitors(
  available: readonly string[],
  { names, quick = false }: { names?: readonly string[] | undefined; quick?: boolean } = {},
): Choice {
  const selection = names?.flatMap((name) => {
    const known = competitors.filter((c) => c.name === name || c.solver === name);
    return known.length > 0 ? known : [{ label: name, name, solver: name, options: {} }];
  });
  const candidates = selection ?? competitors.filter((c) => !(quick && c.slow));
  return {
    taking: candidates.filter((c) => available.includes(c.solver)),
    missing: candidates.filter((c) => !available.includes(c.solver)).map((c) => c.label),
    leftOut: selection
      ? []
      : competitors.filter((c) => quick && c.slow && available.includes(c.solver)).map((c) => c.label),
  };
}

/** Names for help and for suggestions in error messages */
export const competitorNames = (available: readonly string[]): string[] => [
  ...new Set([...competitors.map((c) => c.name), "rcg", ...available]),
];
