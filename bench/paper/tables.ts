/** Results of the rows of the paper as tables. */
import type { Row } from "../rows.js";
import { orDash, secondsText, type Table } from "../tables.js";
import { best, type Results, type RowResult, type Run } from "./results.js";
import { compare, fastestPeer, flaw, isPeer, runOf, solved, verdicts } from "./summary.js";

const digits = (v: number | null | undefined, d: number): string =>
  orDash(v, (x) => (Number.isFinite(x) ? x.toPrecision(d) : String(x)));
const small = (v: number | null | undefined): string => orDash(v, (x) => x.toExponential(1));
const ratio = (v: number | undefined): string => orDash(v, (x) => `${x.toPrecision(3)}×`);
const seconds = (v: number | null | undefined): string => secondsText(v, 4);

/** All runs of one row. A ratio is how many times longer the named peer takes; of two that solved the row. */
export function rowTable(row: RowResult, tol: number, mode: Run["mode"]): Table {
  const runs = row.runs.filter((run) => run.mode === mode);
  const reference = (name: string) => solved(row, runOf(row, name, mode), tol);
  const [scipy, pymanopt] = [reference("scipy-cg"), reference("pymanopt-rcg")];
  const over = (to: number | undefined, run: Run): string => {
    const own = solved(row, run, tol);
    return ratio(own && to && to / own);
  };
  return {
    head: [
      "contender",
      "seconds",
      "iterations",
      "f / grad / Hess",
      "f",
      "stationarity",
      "relative gap",
      "scipy-cg",
      "pymanopt-rcg",
      "",
    ],
    body: runs.map((run) => {
      const { evaluations: e } = run;
      return [
        run.contender,
        seconds(best(run)),
        run.iterations === null ? "–" : String(run.iterations),
        e ? [e.f, e.grad, ...(e.hvp ? [e.hvp] : [])].join(" / ") : "–",
        digits(run.f, 9),
        small(run.stationarity),
        small(run.gap),
        over(scipy, run),
        over(pymanopt, run),
        marks(row, run, tol),
      ];
    }),
  };
}

function marks(row: RowResult, run: Run, tol: number): string {
  const wrong = flaw(row, run, tol);
  if (!wrong) return "";
  return run.text && run.status !== "converged" ? `${wrong}: ${run.text}` : wrong;
}

/** One line for each run that stands in no ratio, with its reason. */
export const failures = ({ rows, tol }: Results): string[] =>
  rows.flatMap((row) =>
    row.runs.flatMap((run) => {
      const reason = marks(row, run, tol);
      const mode = run.mode === "gap" ? " (gap)" : "";
      return reason ? [`- ${row.id}, \`${run.contender}\`${mode}: ${reason.trim().replace(/[:.]$/, "")}.`] : [];
    }),
  );

/** Evaluations of f with its gradient, and products with the Hessian: 43, 32 + 380 */
function work({ evaluations: e }: Run): string {
  return e ? ` (${Math.max(e.f, e.grad)}${e.hvp ? ` + ${e.hvp}` : ""})` : "";
}

/** Each row of the tables once: times and evaluations of all, ratios of ours to the two references and to the fastest peer. */
export function overview(results: Results, mode: Run["mode"]): Table {
  const names = Object.keys(results.contenders).filter((name) => results.rows.some((row) => runOf(row, name, mode)));
  const peer = fastestPeer(results, mode);
  const rows = results.rows.filter((row) => row.runs.some((run) => run.mode === mode));
  return {
    head: ["row", ...names, "fastest peer : auto@blas"],
    body: rows.map((row) => {
      const cells = names.map((name) => {
        const run = runOf(row, name, mode);
        if (!run) return "";
        const wrong = flaw(row, run, results.tol);
        return wrong ? `(${wrong})` : `${seconds(best(run))}${work(run)}`;
      });
      const [own, other] = [runOf(row, "auto@blas", mode), peer(row)].map((run) => solved(row, run, results.tol));
      return [row.id, ...cells, ratio(own && other && other / own)];
    }),
  };
}

/** Geometric means of each of ours against each peer, worst rows in brackets. */
export function meansTable(results: Results, only: (peer: string) => boolean = () => true): Table {
  const ours = Object.keys(results.contenders).filter((name) => name.includes("@"));
  const peers = Object.keys(results.contenders).filter((name) => isPeer(name) && only(name));
  const groups: [string, (row: Row) => boolean][] = [
    ["all rows", () => true],
    ["noeig", (row) => row.problem === "noeig"],
    ["Brockett", (row) => row.problem === "brockett"],
    ["Brockett n ≥ 1000", (row) => row.problem === "brockett" && row.n >= 1000],
  ];
  const others = [...peers.map((name) => [name, name] as const), ["fastest peer", fastestPeer(results)] as const];
  const body = ours.flatMap((name) =>
    others.map(([label, other]) => [
      name,
      label,
      ...groups.map(([, filter]) => {
        const c = compare(results, name, other, filter);
        if (!c) return "–";
        const total = c.rows.length + c.failed.length + c.unsolved.length + c.absent;
        const part = c.rows.length < total ? `, ${c.rows.length} of ${total}` : "";
        return `${ratio(c.mean)} (${ratio(c.worst.ratio)} ${c.worst.id}${part})`;
      }),
    ]),
  );
  return { head: ["ours", "peer", ...groups.map(([title]) => title)], body };
}

/** expen-cg@blas and scipy-cg, row by row and start by start. */
export function startsTable({ seed, rows, others, tol }: Results): Table {
  const seeds = [seed, ...new Set(others.map((row) => row.seed))];
  const cell = (row: RowResult | undefined): string => {
    const [own, other] = ["expen-cg@blas", "scipy-cg"].map((name) => row && runOf(row, name));
    if (!row || !own || !other) return "";
    const [a, b] = [solved(row, own, tol), solved(row, other, tol)];
    return `${ratio(a && b && b / a)} (${own.iterations}, ${other.iterations})`;
  };
  return {
    head: ["row", ...seeds.map((s) => `seed ${s}`)],
    body: rows
      .filter(({ tables }) => tables.length > 0)
      .map((row) => [
        row.id,
        ...seeds.map((s) => cell([row, ...others].find((other) => other.id === row.id && other.seed === s))),
      ]),
  };
}

export function verdictTable(results: Results): Table {
  return {
    head: ["target", "what", "measured", "bound", "", "note"],
    body: verdicts(results).map(({ target, what, value, bound, met, note }) => [
      target,
      what,
      value !== null && Math.abs(value) < 1e-3 ? small(value) : digits(value, 3),
      bound,
      met !== null ? (met ? "reached" : "not reached") : value === null ? "not measured" : "rows missing",
      note,
    ]),
  };
}
