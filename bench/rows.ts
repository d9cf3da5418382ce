/** The rows of the paper's four tables, small ones for a general JavaScript optimizer, and a few with a linear term. */

export interface Row {
  problem: "noeig" | "brockett" | "quadratic";
  n: number;
  p: number;
}

export const rowId = ({ problem, n, p }: Row): string => `${problem}:${n}x${p}`;

const byRows = (problem: Row["problem"]): Row[] => [250, 500, 1000, 1500, 2000].map((n) => ({ problem, n, p: 50 }));
const byColumns = (problem: Row["problem"]): Row[] => [10, 30, 50, 70, 100].map((p) => ({ problem, n: 1000, p }));

/** 1000×50 is a row of two tables for each problem: measured once and counted in both. */
export const TABLES: Record<string, Row[]> = {
  "noeig-n": byRows("noeig"),
  "noeig-p": byColumns("noeig"),
  "brockett-n": byRows("brockett"),
  "brockett-p": byColumns("brockett"),
};

const SMALL: Row[] = [
  { problem: "noeig", n: 30, p: 3 },
  { problem: "brockett", n: 30, p: 3 },
];

const QUICK: Row[] = [
  { problem: "noeig", n: 250, p: 50 },
  { problem: "noeig", n: 1000, p: 10 },
  { problem: "brockett", n: 250, p: 50 },
  { problem: "brockett", n: 1000, p: 10 },
];

const LINEAR: Row[] = [
  { problem: "quadratic", n: 500, p: 20 },
  { problem: "quadratic", n: 1000, p: 50 },
  { problem: "quadratic", n: 2000, p: 20 },
];

/** Names that stand for several rows. */
const GROUPS: Record<string, Row[]> = {
  ...TABLES,
  noeig: [...TABLES["noeig-n"]!, ...TABLES["noeig-p"]!],
  brockett: [...TABLES["brockett-n"]!, ...TABLES["brockett-p"]!],
  quadratic: LINEAR,
  small: SMALL,
  quick: QUICK,
  all: [...Object.values(TABLES).flat(), ...SMALL],
};

/** "noeig-n,brockett:1000x50": names of groups and single rows, each row once. */
export function chooseRows(text = "all"): Row[] {
  const chosen = new Map<string, Row>();
  for (const word of text.split(",").map((word) => word.trim())) {
    for (const row of GROUPS[word] ?? [parseRow(word)]) chosen.set(rowId(row), row);
  }
  return [...chosen.values()];
}

function parseRow(word: string): Row {
  const [, problem, n, p] = /^(noeig|brockett|quadratic):(\d+)x(\d+)$/.exec(word) ?? [];
  const row = { problem: problem as Row["problem"], n: Number(n), p: Number(p) };
  if (!problem || row.p < 1 || row.n < row.p) {
    throw new RangeError(
      `rows: '${word}' is none of ${Object.keys(GROUPS).join(", ")} and no row such as noeig:1000x50 with n ≥ p.`,
    );
  }
  return row;
}

/** The tables of a row. */
export function tablesOf(row: Row): string[] {
  return Object.keys(TABLES).filter((table) => TABLES[table]!.some((other) => rowId(other) === rowId(row)));
}
