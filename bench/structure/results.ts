/** What a run of the suite leaves behind, as JSON. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../contender.js";
import { ROOT } from "../peers.js";
import type { Results, RowResult } from "../results.js";

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
  /** tr XᵀBX − Σ λ_j, and what the residual and rounding allow of it: more is an eigenvalue that was missed */
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

/** A formula, whether it is a quadratic form, and whether that was found */
export interface FormulaSeen {
  formula: string;
  is: boolean;
  found: boolean;
}

export interface StructureResults {
  suite: "structure";
  date: string;
  commit: string;
  machine: Results["machine"];
  threads: number;
  clock: Clock;
  /** residual relative to the wanted eigenvalues */
  tol: number;
  limit: number;
  quick: boolean;
  contenders: Record<string, string>;
  /** contenders and matrices that were not there, and why */
  skipped: Record<string, string>;
  formulas: FormulaSeen[];
  cases: EigenCase[];
  /** functions with a second matrix or a linear term, to this gradient norm, beside SciPy's CG */
  rowsTol: number;
  rows: RowResult[];
}

export const OURS = "expen@blas";
export const ARPACK = "scipy-arpack";
export const LAPACK = "scipy-eigh";

/** The flaw of an answer that has another eigenvalue in the place of a lower one */
export const MISSED = "eigenvalue missed";

/** The judge's residual may be above the tolerance by this. */
const SLACK = 1.05;

export const runOf = ({ runs }: EigenCase, name: string): EigenRun | undefined =>
  runs.find(({ contender }) => contender === name);

/** What is wrong with an answer, in a word; nothing where it is right. */
export function flaw({ status, residual, excess, allowed }: EigenRun, tol: number): string | undefined {
  if (status !== "converged") return status;
  if (!(residual! <= SLACK * tol)) return "residual";
  return excess! <= allowed! ? undefined : MISSED;
}

/** ours : theirs. `atMost`: theirs was stopped at its limit, and would have taken more */
export interface Ratio {
  readonly value: number;
  readonly atMost: boolean;
}

/** Times against the faster of ARPACK and LAPACK; nothing where ours has no right answer. */
export function timeRatio(one: EigenCase, tol: number): Ratio | undefined {
  const ours = runOf(one, OURS);
  if (!ours || flaw(ours, tol)) return undefined;
  const others = [ARPACK, LAPACK].flatMap((name) => runOf(one, name) ?? []);
  const right = others.filter((run) => !flaw(run, tol)).map(({ seconds }) => seconds!);
  if (right.length > 0) return { value: ours.seconds! / Math.min(...right), atMost: false };
  const late = others.filter(({ status, seconds }) => status === "time" && seconds).map(({ seconds }) => seconds!);
  return late.length > 0 ? { value: ours.seconds! / Math.min(...late), atMost: true } : undefined;
}

/** Products and solves of ours against ARPACK's products, where ours took any. */
export function productRatio(one: EigenCase, tol: number): Ratio | undefined {
  const [ours, arpack] = [runOf(one, OURS), runOf(one, ARPACK)];
  if (!ours || flaw(ours, tol) || !arpack?.products) return undefined;
  const late = arpack.status === "time";
  if (!late && flaw(arpack, tol)) return undefined;
  return { value: ((ours.products ?? 0) + (ours.solves ?? 0)) / arpack.products, atMost: late };
}

const FOLDER = join(ROOT, "bench/results/structure");
export const STRUCTURE_PARTIAL = join(ROOT, ".expen/bench-structure.json");

export function writeStructure(path: string, results: StructureResults): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 1)}\n`);
}

export function readStructure(path: string): StructureResults {
  const results = JSON.parse(readFileSync(path, "utf8")) as StructureResults;
  if (results.suite !== "structure") throw new RangeError(`${path}: not a result of the suite structure.`);
  return results;
}

export function newestStructure(): string {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return join(FOLDER, names.sort().at(-1)!);
}

export const keptStructure = ({ date, machine }: StructureResults): string =>
  join(FOLDER, `${date.slice(0, 10)}-${machine.cores}-cores.json`);
