/** The built-in problems by name, with descriptions of their options for the command line. */

import type { Engine, Matrix, Sparse } from "@expen/linalg";
import type { Part } from "@expen/linalg/memory";
import { brockett, brockettParts } from "../paper/brockett.js";
import { noeig, noeigDefaults, noeigParts } from "../paper/noeig.js";
import { dictionary, dictionaryDefaults, dictionaryParts } from "./dictionary.js";
import { jointdiag, jointdiagDefaults, jointdiagParts } from "./jointdiag.js";
import { nearest, nearestParts } from "./nearest.js";
import { pca, pcaDefaults, pcaParts } from "./pca.js";
import type { Problem, ProblemOptions } from "./problem.js";
import { procrustes, procrustesDefaults, procrustesParts } from "./procrustes.js";
import { quadratic, quadraticDefaults, quadraticParts } from "./quadratic.js";
import { sparsePca, sparsePcaDefaults, sparsePcaParts } from "./sparse-pca.js";

/** An option of a built-in problem, as the command line reads it */
export interface ProblemOption {
  readonly name: string;
  /** matrix: dense from a file; operator: dense or sparse from a file; matrices: several dense ones */
  readonly type: "number" | "integer" | "boolean" | "choice" | "matrix" | "operator" | "matrices";
  readonly help: string;
  readonly choices?: readonly string[];
  readonly default?: number | string | boolean;
}

export interface CatalogEntry {
  readonly name: string;
  /** one line for a list */
  readonly summary: string;
  /** the options in addition to n, p and seed */
  readonly options: readonly ProblemOption[];
  make(E: Engine, options: ProblemOptions & Record<string, unknown>): Problem;
  /** memory of the problem with these options, without that of a run */
  holds(options: ProblemOptions & Record<string, unknown>): Part[];
  /** n and p as determined by given data matrices */
  sizes?(options: Record<string, unknown>): { n?: number; p?: number };
}

type Shape = Matrix | Sparse | undefined;
const shape = (options: Record<string, unknown>, name: string): Shape => options[name] as Shape;
const rows = (A: Shape): { n?: number } => (A ? { n: A.rows } : {});
const cols = (A: Shape): { n?: number } => (A ? { n: A.cols } : {});

/** An entry of the catalog; options from a command line are untyped, and the factory checks them. */
const entry = <O extends ProblemOptions>(
  name: string,
  summary: string,
  make: (E: Engine, options: O) => Problem,
  holds: (options: O) => Part[],
  options: readonly ProblemOption[],
  sizes?: CatalogEntry["sizes"],
): [string, CatalogEntry] => [
  name,
  {
    name,
    summary,
    options,
    make: (E, user) => make(E, user as unknown as O),
    holds: (user) => holds(user as unknown as O),
    sizes,
  },
];

/** Every built-in problem by its name */
export const problems: ReadonlyMap<string, CatalogEntry> = new Map([
  entry("noeig", "nonlinear eigenvalue problem ½ tr(XᵀLX) + (α/4) ρᵀL⁻¹ρ", noeig, noeigParts, [
    { name: "alpha", type: "number", help: "weight α of the nonlinear term", default: noeigDefaults.alpha },
  ]),
  entry(
    "brockett",
    "Brockett's function ½ tr(XᵀBXC)",
    brockett,
    brockettParts,
    [
      { name: "B", type: "operator", help: "symmetric n×n; without it a seeded Gaussian of spectral norm 1" },
      {
        name: "C",
        type: "matrix",
        help: "symmetric p×p beside B, the identity if absent; without B a seeded Gaussian",
      },
    ],
    (o) => ({ ...rows(shape(o, "B")), ...(shape(o, "C") && { p: shape(o, "C")!.rows }) }),
  ),
  entry(
    "pca",
    "principal components −½‖AX‖²/(m − 1)",
    pca,
    pcaParts,
    [
      { name: "A", type: "matrix", help: "m×n data, one sample a row; without it a seeded sample" },
      { name: "m", type: "integer", help: "number of seeded samples; 2n if absent, at most 1000" },
      { name: "centre", type: "boolean", help: "subtract the column means", default: pcaDefaults.centre },
      { name: "covariance", type: "boolean", help: "form the n×n covariance; if absent, when n ≤ 2m" },
    ],
    (o) => cols(shape(o, "A")),
  ),
  entry(
    "quadratic",
    "½ tr(XᵀAX) + tr(GᵀX)",
    quadratic,
    quadraticParts,
    [
      { name: "A", type: "operator", help: "symmetric n×n; without it a seeded Gaussian of spectral norm 1" },
      {
        name: "G",
        type: "matrix",
        help: "n×p linear term beside a given A; without it a seeded Gaussian of spectral norm kappa",
      },
      {
        name: "kappa",
        type: "number",
        help: "spectral norm of the seeded linear term; 0 if A is given",
        default: quadraticDefaults.kappa,
      },
    ],
    (o) => ({ ...rows(shape(o, "A")), ...(shape(o, "G") && { n: shape(o, "G")!.rows, p: shape(o, "G")!.cols }) }),
  ),
  entry(
    "procrustes",
    "orthogonal Procrustes ½‖AX − B‖² (left) or ½‖XA − B‖² (right)",
    procrustes,
    procrustesParts,
    [
      {
        name: "side",
        type: "choice",
        help: "side of X on which A multiplies",
        choices: ["left", "right"],
        default: procrustesDefaults.side,
      },
      { name: "A", type: "operator", help: "left: m×n, right: p×q, with B; without them a seeded Gaussian" },
      {
        name: "B",
        type: "matrix",
        help: "left: m×p, right: n×q, with A; without them a seeded exact image plus noise",
      },
      {
        name: "noise",
        type: "number",
        help: "standard deviation of the noise in the seeded B",
        default: procrustesDefaults.noise,
      },
    ],
    (o) => {
      const [A, B] = [shape(o, "A"), shape(o, "B")];
      if (o.side === "right") return { ...(B && { n: B.rows }), ...(A && { p: A.rows }) };
      return { ...(A && { n: A.cols }), ...(B && { p: B.cols }) };
    },
  ),
  entry(
    "nearest",
    "nearest matrix with orthonormal columns ½‖X − A‖²",
    nearest,
    nearestParts,
    [{ name: "A", type: "matrix", help: "n×p; without it a seeded Gaussian" }],
    (o) => (shape(o, "A") ? { n: shape(o, "A")!.rows, p: shape(o, "A")!.cols } : {}),
  ),
  entry(
    "jointdiag",
    "joint diagonalisation −½ Σ_k ‖diag(XᵀA_kX)‖²",
    jointdiag,
    jointdiagParts,
    [
      { name: "A", type: "matrices", help: "symmetric n×n matrices; without them seeded ones" },
      { name: "count", type: "integer", help: "number of seeded matrices", default: jointdiagDefaults.count },
      {
        name: "noise",
        type: "number",
        help: "standard deviation of noise on the seeded matrices",
        default: jointdiagDefaults.noise,
      },
    ],
    (o) => rows((o.A as Matrix[] | undefined)?.[0]),
  ),
  entry(
    "dictionary",
    "complete dictionary learning −(1/4m) ‖YX‖₄⁴",
    dictionary,
    dictionaryParts,
    [
      { name: "Y", type: "matrix", help: "m×n samples; without it seeded sparse combinations" },
      { name: "m", type: "integer", help: "number of seeded samples; 10n if absent" },
      {
        name: "atoms",
        type: "integer",
        help: "number of atoms in each seeded sample",
        default: dictionaryDefaults.atoms,
      },
    ],
    (o) => cols(shape(o, "Y")),
  ),
  entry(
    "sparse-pca",
    "sparse principal components −½‖AX‖² + weight·r(X)",
    sparsePca,
    sparsePcaParts,
    [
      { name: "A", type: "matrix", help: "m×n data, one sample a row; without it a seeded Gaussian" },
      { name: "m", type: "integer", help: "number of seeded samples", default: sparsePcaDefaults.m },
      { name: "kind", type: "choice", help: "norm", choices: ["l1", "l21"], default: sparsePcaDefaults.kind },
      { name: "weight", type: "number", help: "weight of the norm", default: sparsePcaDefaults.weight },
      { name: "covariance", type: "boolean", help: "form the n×n matrix AᵀA; if absent, when n ≤ 2m" },
    ],
    (o) => cols(shape(o, "A")),
  ),
]);
