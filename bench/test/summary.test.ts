import { expect, test } from "vitest";
import { withoutFlags } from "../page.js";
import type { Results, RowResult, Run } from "../paper/results.js";
import { compare, fastestPeer, flaw, verdicts } from "../paper/summary.js";
import { failures, overview, rowTable, startsTable } from "../paper/tables.js";
import { rowId, TABLES, tablesOf } from "../rows.js";
import { geometricMean, markdownTable } from "../tables.js";

const run = (contender: string, seconds: number, change: Partial<Run> = {}): Run => ({
  contender,
  mode: "gradient",
  status: "converged",
  text: "",
  seconds: [2 * seconds, seconds],
  evaluations: { f: 1, grad: 1, hvp: 0 },
  iterations: 1,
  f: -1,
  stationarity: 1e-3,
  feasibility: 0,
  feasibilityBefore: 0,
  gap: null,
  ...change,
});

/** Every row of the tables; `runs` says who takes part in it and how fast. */
function results(runs: (row: RowResult, index: number) => Run[]): Results {
  const rows = [
    ...new Map(
      Object.values(TABLES)
        .flat()
        .map((row) => [rowId(row), row]),
    ).values(),
  ].map((row) => ({
    ...row,
    id: rowId(row),
    seed: 1,
    tables: tablesOf(row),
    optimum: null,
    runs: [] as Run[],
  }));
  for (const [i, row] of rows.entries()) row.runs = runs(row, i);
  return { tol: 1e-3, seed: 1, rows, others: [], contenders: {}, skipped: {} } as unknown as Results;
}

test("the geometric mean of x and 1/x is 1", () => {
  expect(geometricMean([4, 0.25])).toBeCloseTo(1, 14);
});

test("a comparison takes best times, and counts a row as often as it stands in the tables", () => {
  const c = compare(
    results(({ id }) => [run("auto@blas", 1), run("scipy-cg", id === "noeig:1000x50" ? 32 : 2)]),
    "auto@blas",
    "scipy-cg",
    ({ problem }) => problem === "noeig",
  )!;
  expect(c.rows).toHaveLength(10);
  // eight rows of ratio 2, one of 32 that counts twice
  expect(c.mean).toBeCloseTo(2 ** ((8 * 1 + 2 * 5) / 10), 12);
  expect(c.worst.ratio).toBe(2);
});

test("runs that did not solve the row stand in no ratio", () => {
  const row = results(() => []).rows[0]!;
  const good = run("a", 1);
  const bad: [Run, string][] = [
    [run("b", 1, { stationarity: 1.06e-3 }), "not stationary"],
    [run("b", 1, { stationarity: Number.NaN }), "not stationary"],
    [run("b", 1, { f: -0.99 }), "worse f"],
    [run("b", 1, { status: "time" }), "time"],
    [run("b", 1, { seconds: [], f: null, status: "failed" }), "failed"],
  ];
  for (const [other, word] of bad) {
    row.runs = [good, other];
    expect(flaw(row, other, 1e-3)).toBe(word);
    expect(flaw(row, good, 1e-3)).toBeUndefined();
  }
});

test("the fastest peer is one that solved the row, and none of ours", () => {
  const all = results(() => [
    run("auto@blas", 0.1),
    run("nlopt-js", 0.2),
    run("cheat", 0.5, { stationarity: 1 }),
    run("pymanopt-rcg", 2),
    run("scipy-cg", 3),
  ]);
  expect(fastestPeer(all)(all.rows[0]!)?.contender).toBe("pymanopt-rcg");
});

test("targets: all met where everything is fast, with the numbers that decide", () => {
  const all = results(() => [
    run("auto@blas", 1, { gap: 1e-6 }),
    run("expen-cg@blas", 10),
    run("auto@wasm", 2),
    run("scipy-cg", 30),
    run("pymanopt-rcg", 20),
  ]);
  const list = verdicts(all).filter(({ target }) => Number(target) <= 3);
  expect(list.map(({ value }) => value && Number(value.toPrecision(6)))).toEqual([
    3, 3, 30, 20, 30, 20, 1e-6, 20, 10, 10,
  ]);
  expect(list.every(({ met }) => met)).toBe(true);
});

test("target 1 is about all starts, everything else about the first", () => {
  const at = (ratio: number) => results(() => [run("expen-cg@blas", 1), run("auto@blas", 1), run("scipy-cg", ratio)]);
  const all = at(2);
  all.others = [3, 4].flatMap((ratio, i) => at(ratio).rows.map((row) => ({ ...row, seed: 2 + i })));
  all.others.find(({ id, seed }) => id === "brockett:1000x10" && seed === 3)!.runs[2]!.seconds = [1.5];
  const [mean, worst] = verdicts(all);
  const expected = geometricMean([...Array(20).fill(2), ...Array(20).fill(3), ...Array(19).fill(4), 1.5]);
  expect(mean).toMatchObject({ target: "1", met: true });
  expect(mean!.value).toBeCloseTo(expected, 12);
  expect(mean!.note).toBe("60 of 60 rows; start by start 2.00, 3.00, 3.81");
  expect(worst).toMatchObject({ what: "scipy-cg / expen-cg@blas, worst row (brockett:1000x10)", value: 1.5 });
  expect(verdicts(all).find(({ what }) => what.startsWith("noeig, scipy-cg / auto@blas"))?.value).toBeCloseTo(2, 12);
  const table = startsTable(all);
  expect(table.head).toEqual(["row", "seed 1", "seed 2", "seed 3"]);
  expect(table.body.find(([id]) => id === "brockett:1000x10")?.slice(1)).toEqual([
    "2.00× (1, 1)",
    "3.00× (1, 1)",
    "1.50× (1, 1)",
  ]);
  // a start on which ours failed misses the target
  all.others[0]!.runs[0]!.status = "iterations";
  expect(verdicts(all)[0]).toMatchObject({ met: false });
});

test("targets: a row that ours did not solve misses the target, whatever the others say", () => {
  const all = results((_, i) => [run("auto@blas", 1, i === 0 ? { status: "iterations" } : {}), run("scipy-cg", 100)]);
  const list = verdicts(all);
  expect(list.find(({ what }) => what.startsWith("noeig, scipy-cg / auto@blas"))).toMatchObject({ met: false });
  expect(list.find(({ what }) => what.startsWith("Brockett n ≥ 1000, scipy-cg"))).toMatchObject({ met: true });
  expect(list.find(({ target }) => target === "1")).toMatchObject({ met: null });
});

test("targets: rows that were not run leave a target open", () => {
  const all = results(() => [run("auto@blas", 1), run("scipy-cg", 100)]);
  all.rows.pop();
  expect(verdicts(all).find(({ what }) => what.startsWith("Brockett n ≥ 1000, scipy-cg"))).toMatchObject({ met: null });
});

test("a failure is a row of the table, with its words", () => {
  const row = results(() => [
    run("scipy-cg", 2),
    run("x", 1, { status: "failed", text: "a | b", seconds: [], f: null }),
  ]).rows[0]!;
  const lines = markdownTable(rowTable(row, 1e-3, "gradient")).split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[3]).toContain("failed: a \\| b");
});

test("the page has times with evaluations, and each run that failed with its reason", () => {
  const all = results((_, i) => [
    run("scipy-cg", 2, { evaluations: { f: 3, grad: 4, hvp: 5 } }),
    run("x", 1, i === 0 ? { status: "failed", text: "ABNORMAL: ", seconds: [], f: null } : {}),
  ]);
  all.contenders = { "scipy-cg": "", x: "" };
  const [first, second] = overview(all, "gradient").body;
  expect(first!.slice(1, 3)).toEqual(["2.000 (4 + 5)", "(failed)"]);
  expect(second![2]).toBe("1.000 (1)");
  expect(failures(all)).toEqual([`- ${all.rows[0]!.id}, \`x\`: failed: ABNORMAL.`]);
});

test("the head of a page names a library with its kernels, without the flags of its build", () => {
  const library =
    "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64 (libopenblas.so.0), 2 threads";
  const described = `auto on ${library}, elementwise: WebAssembly relaxed SIMD, 1 thread`;
  expect(withoutFlags(described)).toBe("auto on OpenBLAS 0.3.21 (Haswell), 2 threads");
  expect(withoutFlags("python 3.11.7, numpy 2.4.6")).toBe("python 3.11.7, numpy 2.4.6");
});
