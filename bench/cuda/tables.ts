/** Tables on the screen, and the same numbers in a file that is whole after every line. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digits } from "@expen/linalg";

type Cell = string | number;

interface Table {
  readonly part: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: Cell[][];
}

export interface Bound {
  readonly what: string;
  readonly measured: number;
  readonly bound: number;
  /** the measured number is to be at most, or at least, the bound */
  readonly side: "most" | "least";
}

export interface Tables {
  /** begins a table of a part */
  heading(part: string, title: string, ...columns: string[]): void;
  line(...cells: Cell[]): void;
  bound(what: string, measured: number, side: Bound["side"], bound: number): void;
  /** all bounds, each with its number */
  summary(): void;
}

/** `folder`: for `cuda.json`, which is not written without it */
export function tables(folder?: string): Tables {
  const all: Table[] = [];
  const bounds: Bound[] = [];
  if (folder) mkdirSync(folder, { recursive: true });
  const keep = (): void => {
    if (folder) writeFileSync(join(folder, "cuda.json"), JSON.stringify({ tables: all, bounds }, null, 1));
  };
  const print = (cells: readonly Cell[]): void =>
    console.log(`| ${cells.map((c) => (typeof c === "number" ? digits(c) : c)).join(" | ")} |`);

  const self: Tables = {
    heading(part, title, ...columns) {
      all.push({ part, title, columns, rows: [] });
      console.log(`\n${title}\n`);
      print(columns);
      print(columns.map(() => "---"));
    },
    line(...cells) {
      all.at(-1)!.rows.push(cells);
      print(cells);
      keep();
    },
    bound(what, measured, side, bound) {
      bounds.push({ what, measured, side, bound });
      keep();
    },
    summary() {
      self.heading("summary", "Bounds", "what", "measured", "bound", "met");
      for (const { what, measured, side, bound } of bounds) {
        const isWithin = side === "most" ? measured <= bound : measured >= bound;
        self.line(what, measured, `${side === "most" ? "≤" : "≥"} ${bound}`, isWithin ? "yes" : "no");
      }
    },
  };
  return self;
}
