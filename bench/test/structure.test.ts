/** The suite structure: matrices by theorems, a judge that sees what is missed, ratios and bounds. */

import type { Engine, Matrix, Sparse } from "@expen/linalg";
import { isSparse, sparseIsSymmetric, sparseToDense } from "@expen/linalg/arrays";
import { eigh, extremeEigenvalues } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { beforeAll, describe, expect, test } from "vitest";
import { casesOf } from "../structure/eigenproblems.js";
import { judgeOf } from "../structure/judge.js";
import { available, matricesOf } from "../structure/matrices.js";
import { openOwnEigen } from "../structure/ours.js";
import {
  type EigenCase,
  type EigenRun,
  flaw,
  productRatio,
  type StructureResults,
  timeRatio,
} from "../structure/results.js";
import { formulasSeen } from "../structure/run.js";
import { structure } from "../structure/suite.js";
import { verdictTable } from "../structure/tables.js";

const dense = (B: Matrix | Sparse): Matrix => (isSparse(B) ? sparseToDense(B) : B);
const named = (name: string) => matricesOf(true).find((matrix) => matrix.name === name)!;

test.each(matricesOf(true).filter(available))("$name is symmetric", ({ matrix }) => {
  const B = matrix();
  if (isSparse(B)) expect(sparseIsSymmetric(B, 0)).toBe(true);
  else expect(B.data.every((v, k) => v === B.data[(k % B.cols) * B.cols + Math.floor(k / B.cols)])).toBe(true);
});

test("the eigenvalues of a grid are those of its matrix", () => {
  const { matrix, eigenvalues } = named("grid-3d");
  const known = eigenvalues!();
  const { smallest } = extremeEigenvalues(dense(matrix()), 12, 0);
  smallest.forEach((v, k) => void expect(Math.abs(v - known[k]!)).toBeLessThan(1e-12));
  expect(known).toHaveLength(1000);
});

test.skipIf(!available(named("graph")))("the constant vector is the first eigenvector of a graph", () => {
  const { data, rows, cols } = dense(named("graph").matrix());
  for (let i = 0; i < rows; i++) {
    expect(data.subarray(i * cols, (i + 1) * cols).reduce((sum, v) => sum + v, 0)).toBe(0);
    expect(data[i * (cols + 1)]).toBeGreaterThanOrEqual(10);
  }
});

describe("the judge", () => {
  const E: Engine = jsEngine();
  const B = dense(named("grid-2d").matrix());
  const small = { rows: 60, cols: 60, data: new Float64Array(3600) };
  for (let i = 0; i < 60; i++) for (let j = 0; j < 60; j++) small.data[i * 60 + j] = B.data[i * B.cols + j]!;
  let values: Float64Array;
  let vectors: Float64Array;
  beforeAll(() => {
    const found = eigh(E, E.small(60, 60, small.data));
    [values, vectors] = [found.values, E.read(found.vectors)];
  });
  const columns = (...chosen: number[]): Matrix => ({
    rows: 60,
    cols: chosen.length,
    data: Float64Array.from({ length: 60 * chosen.length }, (_, k) => {
      return vectors[Math.floor(k / chosen.length) * 60 + chosen[k % chosen.length]!]!;
    }),
  });
  const run = (X: Matrix): EigenRun => {
    const { residual, excess, allowed } = judgeOf(E, small, values, 60, 3)(X);
    return {
      contender: "x",
      status: "converged",
      text: "",
      seconds: 1,
      products: 1,
      solves: 0,
      residual,
      excess,
      allowed,
    };
  };

  test("takes eigenvectors in any basis", () => {
    expect(flaw(run(columns(0, 1, 2)), 1e-10)).toBeUndefined();
    const X = columns(2, 0, 1);
    expect(flaw(run({ ...X, data: X.data.map((v) => -v) }), 1e-10)).toBeUndefined();
  });

  test("sees a lower eigenvalue that was missed, and what is no eigenvector", () => {
    expect(flaw(run(columns(0, 1, 3)), 1e-6)).toBe("eigenvalue missed");
    const X = columns(0, 1, 2);
    X.data[5]! += 1e-3;
    expect(flaw(run(X), 1e-6)).toBe("residual");
  });
});

const side = (contender: string, seconds: number, products: number, rest: Partial<EigenRun> = {}): EigenRun => ({
  ...{ contender, status: "converged", text: "", seconds, products, solves: 0 },
  ...{ residual: 1e-7, excess: 0, allowed: 1, ...rest },
});
const one = (...runs: EigenRun[]): EigenCase => ({ matrix: "m", what: "", n: 10, stored: 100, p: 2, runs });
const proved = { certificate: { level: "global", seconds: 1, gapBound: 0, holds: true, text: "" } };

test("ratios: the faster of two, products with solves, an upper bound where ARPACK was stopped, none for a wrong answer", () => {
  const ours = side("auto@blas", 2, 30, { solves: 20 });
  const both = one(ours, side("scipy-arpack", 4, 100), side("scipy-eigh", 1, 0));
  expect(timeRatio(both, 1e-6)).toEqual({ value: 2, atMost: false });
  expect(productRatio(both, 1e-6)).toEqual({ value: 0.5, atMost: false });
  const late = one(ours, side("scipy-arpack", 40, 200, { status: "time" }));
  expect(timeRatio(late, 1e-6)).toEqual({ value: 0.05, atMost: true });
  expect(productRatio(late, 1e-6)).toEqual({ value: 0.25, atMost: true });
  const wrong = one(side("auto@blas", 2, 30, { residual: 1e-3 }), side("scipy-arpack", 4, 100));
  expect(timeRatio(wrong, 1e-6)).toBeUndefined();
  const missed = one(ours, side("scipy-arpack", 4, 100, { excess: 2 }));
  expect(productRatio(missed, 1e-6)).toBeUndefined();
});

test("every formula of the two lists is seen for what it is; the verdicts say so, and what was missed", () => {
  const formulas = formulasSeen();
  expect(formulas.filter(({ is, found }) => is !== found)).toEqual([]);
  expect(formulas.filter(({ is }) => is).length).toBeGreaterThanOrEqual(10);
  expect(formulas.filter(({ is }) => !is).length).toBeGreaterThanOrEqual(10);
  const cases = [
    one(side("auto@blas", 3, 30, proved), side("scipy-arpack", 1, 100)),
    one(side("auto@blas", 1, 30), side("scipy-arpack", 3, 100)),
  ];
  const machine = { name: "", cpu: "", cores: 2, memoryGB: 1, os: "", node: "", load: 0 };
  const about = {
    suite: "structure",
    format: 2,
    date: "2026-01-01",
    commit: "",
    machine,
    threads: 1,
    clock: "cpu",
  } as const;
  const limits = { tol: 1e-6, limit: 40, quick: false, contenders: {}, skipped: {}, rowsTol: 1e-3, rows: [] };
  const results: StructureResults = { ...about, ...limits, formulas, cases };
  const verdicts = verdictTable(results).body.map(([, measured, , verdict]) => `${measured} ${verdict}`);
  expect(verdicts).toEqual([`${formulas.length} reached`, "0.300 reached", "1.00 reached", "3.00 missed", "1 missed"]);
  const page = structure.page(results);
  expect(page).toContain("| time : the faster of ARPACK and LAPACK, mean | 1.00 |");
  expect(page).not.toContain("Formulas that are taken wrongly");
  const blind = formulas.map((seen) => ({ ...seen, found: false }));
  expect(structure.page({ ...results, formulas: blind })).toContain("- Forms that are missed: ½ tr XᵀAX; ");
});

test("our side finds the eigenvectors of a grid, counts its products, and its certificate holds", async () => {
  const own = await openOwnEigen("auto@js", 1);
  const E = jsEngine();
  const cases = casesOf(
    E,
    named("grid-3d"),
    { own: [own], peers: [], reference: undefined },
    {
      ps: [4],
      tol: 1e-6,
      limit: 20,
      clock: "cpu",
    },
  );
  const { value } = await cases.next();
  const [run] = (value as EigenCase).runs;
  expect(flaw(run!, 1e-6)).toBeUndefined();
  expect(run!.products! + run!.solves!).toBeGreaterThan(8);
  expect(run!.certificate).toMatchObject({ holds: true });
  own.end();
});
