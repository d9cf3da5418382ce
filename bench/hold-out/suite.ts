/** `npm run bench -- --suite hold-out`: its options and its tables. */
import { openEngine } from "@expen/engines";
import { chosen, list, number, readOptions, text } from "../arguments.js";
import { exitCode } from "../suite.js";
import { geometricMean, type Table, textTable } from "../tables.js";
import { densities } from "./densities.js";
import { casesOf, type HoldOutFamily } from "./family.js";
import { forms } from "./forms.js";
import { others } from "./others.js";
import { type HoldOutRow, LANES, type Lane, race } from "./run.js";
import { ofSamples } from "./samples.js";

export const holdOutFamilies: readonly HoldOutFamily[] = [...forms, ...ofSamples, ...densities, ...others];

const OPTIONS = {
  suite: text,
  /** numbers from which sizes, data and starts are drawn */
  seeds: list,
  families: chosen("families", holdOutFamilies, ({ name }) => [name]),
  lanes: chosen("lanes", Object.keys(LANES) as Lane[], (lane) => [lane, lane.replace("with ", "")]),
  engine: text,
  below: number("below"),
};

export const holdOut = {
  name: "hold-out",
  bench: (args: readonly string[]): Promise<number> =>
    exitCode(async () => {
      const values = readOptions(OPTIONS, [], args);
      const { families = holdOutFamilies, lanes = Object.keys(LANES) as Lane[], below = 0.85 } = values;
      const E = await openEngine((values.engine ?? "auto") as Parameters<typeof openEngine>[0], { threads: 1 });
      const rows: HoldOutRow[] = [];
      try {
        for (const seed of seedsOf(values.seeds ?? ["101", "102", "103"])) {
          for (const one of casesOf(families, seed)) {
            const row = await race(E, one, lanes);
            rows.push(row);
            console.log(line(row));
          }
        }
      } finally {
        E.dispose();
      }
      console.log(
        `\n${textTable(byFamily(rows, lanes))}\n\n${textTable(summary(rows, lanes))}\n\n${lost(rows, lanes, below)}`,
      );
    }),
};

function seedsOf(words: readonly string[]): number[] {
  return words.map((word) => {
    const seed = Number(word);
    if (Number.isInteger(seed) && seed > 0) return seed;
    throw new RangeError(`--seeds: '${word}' is no seed; they are whole numbers from 1 on, 101,102,103 by default.`);
  });
}

const title = ({ family, n, p, seed }: HoldOutRow): string => `${family} ${n}×${p} seed ${seed}`;

const line = (row: HoldOutRow): string => {
  const other = row.higher === 0 ? "" : row.higher > 0 ? ", a higher minimum" : ", a lower minimum";
  return `${title(row)}: rlbfgs ${row.peer}, ours ${Object.values(row.ours).join(" / ")} (${row.method}${other})`;
};

/** The peer's evaluations over ours, where both reached the tolerance */
export const ratios = (rows: readonly HoldOutRow[], lane: Lane): number[] =>
  rows.map(({ peer, ours }) => peer / ours[lane]!).filter((ratio) => Number.isFinite(ratio) && ratio > 0);

const mean = (values: readonly number[]): string => (values.length > 0 ? geometricMean(values).toFixed(2) : "–");

function byFamily(rows: readonly HoldOutRow[], lanes: readonly Lane[]): Table {
  const names = [...new Set(rows.map(({ family }) => family))];
  const body = names.map((name) => {
    const own = rows.filter(({ family }) => family === name);
    return [name, String(own.length), ...lanes.map((lane) => mean(ratios(own, lane)))];
  });
  return { head: ["rlbfgs : ours", "cases", ...lanes], body };
}

export function summary(rows: readonly HoldOutRow[], lanes: readonly Lane[]): Table {
  const same = rows.filter(({ higher }) => higher === 0);
  const body = lanes.map((lane) => {
    const all = ratios(rows, lane);
    const reached = rows.filter(({ ours }) => Number.isFinite(ours[lane]));
    return [
      lane,
      mean(all),
      mean(ratios(same, lane)),
      Math.min(...all).toFixed(2),
      String(all.filter((ratio) => ratio < 1).length),
      `${reached.length} of ${rows.length}`,
    ];
  });
  const head = ["rlbfgs : ours", "all", "in the same minimum", "least", "below 1", "reached"];
  return { head, body };
}

/** The cases in the same minimum in which the peer takes less than a part of our evaluations, in the first of the lanes */
function lost(rows: readonly HoldOutRow[], [lane]: readonly Lane[], below: number): string {
  const cases = rows
    .filter(({ higher, peer, ours }) => higher === 0 && peer / ours[lane!]! < below)
    .sort((a, b) => a.peer / a.ours[lane!]! - b.peer / b.ours[lane!]!);
  const peers = rows.filter(({ peer }) => Number.isFinite(peer)).length;
  const [up, down] = [1, -1].map((sign) => rows.filter(({ higher }) => higher === sign).length);
  const list = cases.map((row) => `${title(row)} (${row.peer} : ${row.ours[lane!]})`).join(", ");
  return `rlbfgs reached ${peers} of ${rows.length}; our minimum is higher in ${up}, lower in ${down}.\nBelow ${below} in ${lane}: ${list || "none"}.`;
}
