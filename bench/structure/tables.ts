/** Tables of the suite: formulas, eigenproblems, rows beside SciPy's CG, and the verdict on each bound. */
import { kind as paper, type Results, type RowResult } from "../paper/results.js";
import { runOf as rowRun, solved } from "../paper/summary.js";
import { newestResults } from "../store.js";
import { geometricMean, secondsText, type Table } from "../tables.js";
import {
  ARPACK,
  type EigenCase,
  type EigenRun,
  type FormulaSeen,
  flaw,
  LAPACK,
  OURS,
  productRatio,
  type Ratio,
  runOf,
  type StructureResults,
  timeRatio,
} from "./results.js";

const CG = "scipy-cg";

const seconds = (v: number | null | undefined): string => secondsText(v, 3);
const ratio = (r: Ratio | undefined): string => (r ? `${r.atMost ? "≤ " : ""}${r.value.toPrecision(2)}` : "–");

/** Seconds, or the flaw in a word */
function time(run: EigenRun | undefined, tol: number): string {
  if (!run) return "";
  const wrong = flaw(run, tol);
  return wrong === "time" ? `> ${seconds(run.seconds)}` : wrong ? `(${wrong})` : seconds(run.seconds);
}

/** Products, and solves where there are any */
const work = (run: EigenRun | undefined): string =>
  !run || run.products === null ? "" : `${run.products}${run.solves ? ` + ${run.solves}` : ""}`;

export function caseLine(one: EigenCase, tol: number): string {
  const sides = one.runs.map((run) => `${run.contender} ${time(run, tol)}${work(run) && ` (${work(run)})`}`);
  const level = runOf(one, OURS)?.certificate?.level ?? "–";
  const ratios = `time ${ratio(timeRatio(one, tol))}, products ${ratio(productRatio(one, tol))}`;
  return `${one.matrix} p = ${one.p}: ${sides.join(", ")}; ${ratios}; ${level}`;
}

export function formulaTable({ formulas }: StructureResults): Table {
  const word = (yes: boolean): string => (yes ? "yes" : "no");
  return {
    head: ["formula", "a form", "found"],
    body: formulas.map(({ formula, is, found }) => [formula, word(is), word(found)]),
  };
}

/** The formulas in which the tape is wrong, in sentences */
export function formulaLines({ formulas }: StructureResults): string[] {
  const line = (what: string, isOf: (seen: FormulaSeen) => boolean): string[] => {
    const names = formulas.filter(isOf).map(({ formula }) => formula);
    return names.length > 0 ? [`- ${what}: ${names.join("; ")}.`] : [];
  };
  return [
    ...line("Forms that are missed", ({ is, found }) => is && !found),
    ...line("Look-alikes that are taken for a form", ({ is, found }) => !is && found),
  ];
}

const EXTRAS = { "scipy-arpack-invert": "ARPACK, factorized", "scipy-lobpcg": "LOBPCG", "auto@wasm": "auto@wasm" };

/** One line a matrix and p. */
export function eigenTable({ cases, tol }: StructureResults): Table {
  const extras = Object.entries(EXTRAS).filter(([name]) => cases.some((one) => runOf(one, name)));
  return {
    head: [
      ...["matrix", "n", "p", "expen", "products", "certificate", "ARPACK", "products", "LAPACK"],
      ...extras.map(([, title]) => title),
      ...["time", "products"],
    ],
    body: cases.map((one) => {
      const [ours, arpack] = [runOf(one, OURS), runOf(one, ARPACK)];
      const { certificate } = ours ?? {};
      return [
        one.matrix,
        String(one.n),
        String(one.p),
        time(ours, tol),
        work(ours),
        certificate
          ? `${certificate.level}${certificate.holds ? "" : ", FALSE"}, ${seconds(certificate.seconds)}`
          : "–",
        time(arpack, tol),
        work(arpack),
        time(runOf(one, LAPACK), tol),
        ...extras.map(([name]) => time(runOf(one, name), tol)),
        ratio(timeRatio(one, tol)),
        ratio(productRatio(one, tol)),
      ];
    }),
  };
}

/** SciPy's time : ours */
function overCg(row: RowResult, tol: number): number | undefined {
  const [ours, theirs] = [OURS, CG].map((name) => solved(row, rowRun(row, name), tol));
  return ours && theirs ? theirs / ours : undefined;
}

export function rowsTable({ rows, rowsTol }: StructureResults): Table {
  return {
    head: ["row", "expen", "SciPy CG", "its time : ours"],
    body: rows.map((row) => [
      row.id,
      ...[OURS, CG].map((name) => seconds(solved(row, rowRun(row, name), rowsTol))),
      overCg(row, rowsTol)?.toPrecision(3) ?? "–",
    ]),
  };
}

/** Brockett's rows of the newest whole run of `npm run bench`, for comparison */
function rowsBefore(): { rows: RowResult[]; tol: number; cpu: string; source: string } | undefined {
  try {
    const { rows, tol, machine, date, commit } = newestResults<Results>(paper);
    return { rows, tol, cpu: machine.cpu, source: `${date.slice(0, 10)}, commit ${commit}` };
  } catch {
    return undefined;
  }
}

export function verdictTable(results: StructureResults): Table {
  const { cases, formulas, tol } = results;
  const right = formulas.filter(({ is, found }) => is === found).length;
  const products = cases.flatMap((one) => productRatio(one, tol) ?? []);
  const times = cases.flatMap((one) => timeRatio(one, tol) ?? []);
  const mean = (list: readonly Ratio[]): number => geometricMean(list.map(({ value }) => value));
  const worst = cases.reduce<{ value: number; one?: EigenCase }>(
    (so, one) => {
      const r = timeRatio(one, tol);
      return r && r.value > so.value ? { value: r.value, one } : so;
    },
    { value: 0 },
  );
  const shown = cases.filter((one) => {
    const ours = runOf(one, OURS);
    return ours && !flaw(ours, tol) && ours.certificate?.holds;
  });
  const levels = ["global", "second-order", "stationary", "none"].flatMap((level) => {
    const count = shown.filter((one) => runOf(one, OURS)!.certificate!.level === level).length;
    return count > 0 ? `${count} ${level}` : [];
  });
  const verdict = (isReached: boolean): string => (isReached ? "reached" : "missed");
  const of = (list: readonly Ratio[]): string => {
    const late = list.filter(({ atMost }) => atMost).length;
    return `${list.length} of ${cases.length}${late > 0 ? `, ${late} of them at most so, for ARPACK was stopped` : ""}`;
  };
  return {
    head: ["what", "measured", "bound", "", "of"],
    body: [
      ["forms found, look-alikes refused", `${right}`, "all", verdict(right === formulas.length), `${formulas.length}`],
      ...(cases.length > 0
        ? [
            [
              "products : ARPACK's, mean",
              number(mean(products)),
              "≤ 1.3",
              products.length > 0 ? verdict(mean(products) <= 1.3) : "not measured",
              of(products),
            ],
            [
              "time : the faster of ARPACK and LAPACK, mean",
              number(mean(times)),
              "≤ 1",
              times.length > 0 ? verdict(mean(times) <= 1) : "not measured",
              of(times),
            ],
            [
              "… worst",
              number(worst.one ? worst.value : Number.NaN),
              "≤ 2",
              worst.one ? verdict(worst.value <= 2) : "not measured",
              worst.one ? `${worst.one.matrix}, p = ${worst.one.p}` : "",
            ],
            [
              "converged, with a true certificate",
              String(shown.length),
              "all",
              verdict(shown.length === cases.length),
              `${cases.length}: ${levels.join(", ")}`,
            ],
          ]
        : []),
      ...rowVerdicts(results, verdict),
    ],
  };
}

const number = (v: number): string => (Number.isFinite(v) ? v.toPrecision(3) : "–");

function rowVerdicts({ rows, rowsTol, machine }: StructureResults, verdict: (met: boolean) => string): string[][] {
  const ratios = (list: readonly RowResult[], tol: number): number[] => list.flatMap((row) => overCg(row, tol) ?? []);
  const named = (list: readonly RowResult[], problem: string) =>
    list.filter((row) => row.problem === problem && row.tables);
  const brockett = named(rows, "brockett");
  if (brockett.length === 0) return [];
  const large = ratios(
    brockett.filter(({ n }) => n >= 1000),
    rowsTol,
  );
  const linear = ratios(named(rows, "quadratic"), rowsTol);
  const before = rowsBefore();
  const then =
    before &&
    ratios(
      before.rows.filter((row) => brockett.some(({ id }) => id === row.id)),
      before.tol,
    );
  const now = geometricMean(ratios(brockett, rowsTol));
  /** bound, verdict and remark; no verdict on another processor */
  const comparedWith = ({ cpu, source }: { cpu: string; source: string }, mean: number, now: number): string[] =>
    cpu === machine.cpu
      ? [`≥ ${number(mean)}`, verdict(now >= mean), `then: ${source}`]
      : ["–", "", `then: ${number(mean)} on ${cpu}, another machine; ${source}`];
  return [
    [
      "Brockett, n ≥ 1000: SciPy CG's time : ours, mean",
      number(geometricMean(large)),
      "≥ 12",
      verdict(geometricMean(large) >= 12),
      `${large.length} rows`,
    ],
    ...(then && then.length > 0
      ? [["Brockett, all rows, the same", number(now), ...comparedWith(before, geometricMean(then), now)]]
      : []),
    [
      "with a linear term, the same",
      number(geometricMean(linear)),
      "–",
      "",
      `${linear.length} of ${named(rows, "quadratic").length} rows that both solve`,
    ],
  ];
}
