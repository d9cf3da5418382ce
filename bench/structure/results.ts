/** Results of the suite structure, and the ratios that its tables show. */
import type { RowResult } from "../paper/results.js";
import type { Head, Kind } from "../store.js";

export const kind: Kind = { name: "structure", format: 2 };

/** One side on one matrix for one p. */
export interface EigenRun {
  contender: string;
  status: string;
  text: string;
  /** best of the repeats; null where nothing was measured */
  seconds: number | null;
  /** columns that B was multiplied with */
  products: number | null;
  /** columns that a shifted B was solved with, after it was factorized */
  solves: number | null;
  /** by the judge, at the nearest orthonormal point: ‖BX − XΛ‖/‖BX‖ */
  residual: number | null;
  /** tr XᵀBX − Σ λ_j; above `allowed`, its bound from residual and roundoff, an eigenvalue is missing */
  excess: number | null;
  allowed: number | null;
  certificate?: { level: string; seconds: number; gapBound: number | null; holds: boolean; text: string };
}

export interface EigenCase {
  matrix: string;
  what: string;
  n: number;
  /** entries of B that are stored */
  stored: number;
  p: number;
  runs: EigenRun[];
}

/** A formula, whether it is a quadratic form, and whether the tape finds that */
export interface FormulaSeen {
  formula: string;
  is: boolean;
  found: boolean;
}

export interface StructureResults extends Head {
  /** residual relative to the wanted eigenvalues */
  tol: number;
  quick: boolean;
  formulas: FormulaSeen[];
  cases: EigenCase[];
  /** gradient norm of the rows beside SciPy's CG */
  rowsTol: number;
  /** functions with a second matrix or a linear term */
  rows: RowResult[];
}

export const OURS = "auto@blas";
export const ARPACK = "scipy-arpack";
export const LAPACK = "scipy-eigh";

/** The flaw of an answer that has another eigenvalue in the place of a lower one */
export const MISSED = "eigenvalue missed";

/** Residual of the judge over the tolerance up to which an answer is right. */
const SLACK = 1.05;

export const runOf = ({ runs }: EigenCase, name: string): EigenRun | undefined =>
  runs.find(({ contender }) => contender === name);

/** The flaw of an answer in a word; undefined where it is right. */
export function flaw({ status, residual, excess, allowed }: EigenRun, tol: number): string | undefined {
  if (status !== "converged") return status;
  if (!(residual! <= SLACK * tol)) return "residual";
  return excess! <= allowed! ? undefined : MISSED;
}

/** ours : theirs; `atMost`: an upper bound, since the other was stopped at its limit */
export interface Ratio {
  readonly value: number;
  readonly atMost: boolean;
}

/** Our time over that of the faster of ARPACK and LAPACK; undefined where our answer is wrong. */
export function timeRatio(one: EigenCase, tol: number): Ratio | undefined {
  const ours = runOf(one, OURS);
  if (!ours || flaw(ours, tol)) return undefined;
  const others = [ARPACK, LAPACK].flatMap((name) => runOf(one, name) ?? []);
  const right = others.filter((run) => !flaw(run, tol)).map(({ seconds }) => seconds!);
  if (right.length > 0) return { value: ours.seconds! / Math.min(...right), atMost: false };
  const late = others.filter(({ status, seconds }) => status === "time" && seconds).map(({ seconds }) => seconds!);
  return late.length > 0 ? { value: ours.seconds! / Math.min(...late), atMost: true } : undefined;
}

/** Our products and solves over ARPACK's products. */
export function productRatio(one: EigenCase, tol: number): Ratio | undefined {
  const [ours, arpack] = [runOf(one, OURS), runOf(one, ARPACK)];
  if (!ours || flaw(ours, tol) || !arpack?.products) return undefined;
  const late = arpack.status === "time";
  if (!late && flaw(arpack, tol)) return undefined;
  return { value: ((ours.products ?? 0) + (ours.solves ?? 0)) / arpack.products, atMost: late };
}
