/** The messages between page and worker: plain data. */
import type { Result } from "expen";
import type { ProblemOption } from "expen/problems";

/** One line of the start list: a solver of the catalogue with options as they stand in the address. */
export interface Entrant {
  solver: string;
  /** by name, as text; read by the worker */
  options: Record<string, string>;
}

/** One option of a solver as the page asks for it; made from the solver's schema. */
export interface OptionField {
  name: string;
  label: string;
  help: string;
  /** names to choose from; `fixed`: and nothing else */
  names: string[];
  fixed: boolean;
  /** what holds if nothing is chosen */
  absent: string;
}

/** A matrix that the visitor brought. */
export interface Table {
  name: string;
  rows: number;
  cols: number;
  data: Float64Array;
  /** of the columns */
  names?: string[];
}

export type ProblemSpec =
  | { kind: "catalog"; name: string; options: Record<string, string> }
  | { kind: "code"; code: string }
  | { kind: "pca"; A: Table }
  | { kind: "procrustes"; A: Table; B: Table };

/** A constraint beside the manifold, in every entry of X */
export type SubjectSpec = { kind: "nonnegative" } | { kind: "bounds"; lower: number; upper: number };

export interface RaceSpec {
  problem: ProblemSpec;
  n: number;
  p: number;
  seed: number;
  /** where X lives, one of `places`; absent: orthonormal columns */
  on?: string;
  /** beside the manifold; absent: none */
  subjectTo?: SubjectSpec;
  /** c of c/2·‖X‖² added to f: constant on the manifold, but it moves the multiplier */
  ridge: number;
  entrants: Entrant[];
  tol?: number;
  maxIterations?: number;
  threads: number;
  /** also send every iterate (small problems only) */
  path?: boolean;
}

/** The measurements at an iterate: f and stationarity at its projection, feasibility before it */
export interface Point {
  k: number;
  evaluations: number;
  /** spent in this solver alone */
  seconds: number;
  fval: number;
  stationarity: number;
  feasibility: number;
  /** with a constraint beside the manifold: the norm of violation and complementarity */
  residual?: number;
}

export interface Progress {
  entrant: number;
  points: Point[];
  /** iterates, one after the other, where the race asked for them */
  path: number[];
  /** singular values of the iterates, p each */
  singular: number[];
  result?: RunResult;
  /** one sentence, where the run could not begin or f threw */
  error?: string;
}

/** The library's own result; X only where the page shows it. */
export type RunResult = Omit<Result, "X"> & { X?: Float64Array };

export interface Course {
  title: string;
  n: number;
  p: number;
  /** stiefel(200, 8) */
  on: string;
  optimum: number | null;
  /** a value that somebody else found */
  reference: number | null;
  /** what f is called, where its values themselves are worth a chart */
  valueLabel: string | null;
  engine: string;
  notes: string[];
}

export type Command = "run" | "pause" | "step" | "stop";

export interface Catalogue {
  solvers: { name: string; title: string; options: OptionField[] }[];
  /** `sized`: n, p and where X lives come with the data */
  problems: { name: string; summary: string; options: ProblemOption[]; sized?: boolean }[];
  /** by place: the solvers that are not defined there, each with a sentence */
  refusals: Record<string, Record<string, string>>;
  /** names that the visitor's code may use */
  operations: string[];
  engine: string;
  /** said where the fast engine cannot run */
  warning: string | null;
  threads: number;
}

/** A message for the editor; lines count from 1, 0 where it has no place. */
export interface CodeMessage {
  text: string;
  line: number;
  column: number;
}

export interface CodeCheck {
  error: CodeMessage | null;
  /** whether the derivatives agree with differences of f, and the library's sentence on it */
  passed: boolean;
  text: string;
}

export interface SliceSpec {
  problem: ProblemSpec;
  n: number;
  p: number;
  seed: number;
  ridge: number;
  betas: number[];
  /** also f(X) + β/4·‖XᵀX − I‖², which is not exact */
  plain?: boolean;
}

export interface StationaryPoint {
  sigma: number;
  value: number;
  minimum: boolean;
  /** ∇h = 0 in all directions, not only along the slice */
  full: boolean;
}

export interface SliceCurve {
  beta: number;
  kind: "expen" | "shifted" | "plain";
  values: number[];
  stationary: StationaryPoint[];
}

export interface Slice {
  sigmas: number[];
  curves: SliceCurve[];
  /** f on the manifold's minimiser */
  fval: number;
  /** the largest eigenvalue of S = sym(Xᵀ∇f) there; β must exceed 1.5 times it */
  lambda: number;
}

export interface Components {
  /** descending */
  variances: number[];
  /** variance of all the data */
  total: number;
  /** samples in the new coordinates, the first 2000 */
  scores: number[][];
  /** the components, one a column */
  loadings: number[][];
}
