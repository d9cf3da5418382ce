import type { Subject, UserObjective } from "@expen/core";
import { atMost, equal, oblique } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { checkData, type MatrixLike, matrixOf, ProblemError, random, whole } from "@expen/linalg";
import { eigenvalues } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { formula, norm2, rowSums } from "@expen/tape";
import { type Application, type ApplicationOptions, optionsOf, runOn } from "./application.js";
import { balancedParts } from "./balanced-parts.js";
import { type Description, describe, row } from "./description.js";
import { requireWeights } from "./edge-weights.js";

/** Options of `graphPartition`: the number of parts, the rank of the relaxation, and the run */
export interface GraphPartitionOptions extends Omit<ApplicationOptions, "solver" | "finish" | "beta" | "precondition"> {
  /** number of parts, whose sizes differ by one at most; 2 if left out */
  p?: number;
  /** rows k of X; default: the least with k(k + 1)/2 > 2n, above which local minima are rare */
  rank?: number;
  /** number of random projections from which partitions are made */
  hyperplanes?: number;
}

/** The parts of `graphPartition`, with a lower bound of the cut of every such partition */
export interface GraphPartitionAnswer extends Application {
  /** the part of each node, from 0 */
  labels: number[];
  sizes: number[];
  /** weight of the edges between different parts */
  cut: number;
  /** lower bound of the cut of every partition with these sizes */
  bound: number;
  /** (p − 1)/(2p)·⟨X, XL⟩ at the end of the run */
  relaxation: number;
}

/**
 * A partition of a graph with symmetric weights W into p parts of equal size with a small cut, and a lower bound of every such cut. With
 * p vectors of a regular simplex for the parts, ⟨x_i, x_j⟩ = −1/(p − 1), a cut is (p − 1)/(2p)·⟨X, XL⟩ with the Laplacian L, and ‖X1‖²
 * depends on the sizes alone [Frieze and Jerrum, 1997]: so the minimum over all unit columns with ‖X1‖² ≤ c is a bound. Columns have
 * length k [Burer and Monteiro, 2003], and the dual matrix L − Diag(d) + μ11ᵀ of any d and μ ≥ 0 proves
 *
 *     ⟨X, XL⟩ ≥ Σd_i + n·min(0, λ_min) − μc.
 */
export async function graphPartition(
  weights: MatrixLike,
  request: GraphPartitionOptions = {},
): Promise<GraphPartitionAnswer> {
  const schema = { p: whole(2), rank: whole(1), hyperplanes: whole(1) };
  const { p = 2, rank, hyperplanes = 50, ...o } = optionsOf("graph-partition", request, schema);
  const W = matrixOf("graph-partition", "W", weights);
  const n = W.rows;
  checkData("graph-partition", "W", W, n, n);
  if (p > n) throw new ProblemError(`graph-partition: p is ${p} but W has ${n} nodes; every part needs one.`);
  const k = rank ?? Math.ceil((Math.sqrt(16 * n + 1) + 1) / 2);
  const sizes = Array.from({ length: p }, (_, j) => Math.floor(n / p) + (j < n % p ? 1 : 0));
  const c = squaredSum(sizes, n);
  return withEngine(o.engine, async (E) => {
    const w = E.read(smallOf(E, W));
    requireWeights("graph-partition", w, n);
    const laplacian = laplacianOf(w, n);
    const L = E.small(n, n, laplacian);
    const run = await runOn(E, energy(E, k, n, L), oblique(k, n), o, { subjectTo: [balance(c)] });
    const X = E.read(tallOf(E, run.X));
    const scale = (p - 1) / (2 * p);
    const proved = boundOf(E, { laplacian, X, k, n, c, multipliers: run.multipliers![0]! });
    const { labels, cut } = balancedParts({ x: X, k, w, sizes }, hyperplanes, random(o.seed ?? 1, "projections"));
    const bound = Math.max(0, scale * proved);
    return { labels, sizes, cut, bound, relaxation: 2 * scale * run.fval, run };
  });
}

/** ‖X1‖² of simplex vectors: 0 where the sizes are equal */
function squaredSum(sizes: readonly number[], n: number): number {
  const squares = sizes.reduce((s, m) => s + m * m, 0);
  return Math.max(0, squares - (n * n - squares) / (sizes.length - 1));
}

const balance = (c: number): Subject =>
  c === 0
    ? equal(formula((X) => rowSums(X)))
    : atMost(
        formula((X) => norm2(rowSums(X))),
        c,
      );

function laplacianOf(w: Float64Array, n: number): Float64Array {
  const L = w.map((x) => -x);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) L[i * (n + 1)]! += w[i * n + j]!;
  return L;
}

/** f = ½⟨X, XL⟩, ∇f = XL */
function energy(E: Engine, k: number, n: number, L: Small): UserObjective {
  const V = E.tall(k, n);
  const fg = (G: Tall, X: Tall): number => {
    E.mul(G, X, L);
    return 0.5 * E.dot(X, G);
  };
  return { f: (X) => fg(V, X), fg };
}

interface Dual {
  readonly laplacian: Float64Array;
  readonly X: Float64Array;
  readonly k: number;
  readonly n: number;
  readonly c: number;
  /** of X1 = 0, one for each row, or of ‖X1‖² ≤ c */
  readonly multipliers: Float64Array;
}

/** Σd_i + n·min(0, λ_min(L − Diag(d) + μ11ᵀ)) − μc with the d and μ of the stationary X: XL + μX11ᵀ = X·Diag(d) */
function boundOf(E: Engine, { laplacian, X, k, n, c, multipliers }: Dual): number {
  const sums = Float64Array.from({ length: k }, (_, a) => X.subarray(a * n, a * n + n).reduce((s, x) => s + x, 0));
  const along = c === 0 ? multipliers : sums.map((s) => 2 * multipliers[0]! * s);
  const d = new Float64Array(n);
  for (let a = 0; a < k; a++) {
    for (let i = 0; i < n; i++) {
      let y = along[a]!;
      for (let j = 0; j < n; j++) y += X[a * n + j]! * laplacian[j * n + i]!;
      d[i]! += X[a * n + i]! * y;
    }
  }
  const size = d.reduce((most, x, i) => Math.max(most, Math.abs(x) + 2 * laplacian[i * (n + 1)]!), 0);
  // where c = 0 any μ ≥ 0 will do, and a large one leaves the matrix on the vectors with sum 0
  const μ = c === 0 ? (4 * size) / n : 2 * multipliers[0]!;
  const M = laplacian.map((x, at) => x + μ - (at % (n + 1) === 0 ? d[at % n]! : 0));
  const lowest = eigenvalues(E, E.small(n, n, M))[0]!;
  // roundoff of the eigenvalue
  const error = 2 ** -52 * n * (size + Math.abs(μ) * n);
  return d.reduce((s, x) => s + x, 0) + n * Math.min(0, lowest - error) - μ * c;
}

export const description: Description = describe({
  name: "graph-partition",
  summary: "parts of equal size with few edges between them, and a lower bound of every such cut",
  files: [{ name: "weights", help: "symmetric matrix of edge weights" }],
  options: [{ name: "p", type: "integer", help: "number of parts, 2 by default" }],
  example: "weights.csv --p 2 --out labels.csv",
  parts: ["labels"],
  solve: ([W]: [Matrix], o: GraphPartitionOptions) => graphPartition(W, o),
  report: ({ labels, sizes, cut, bound, relaxation }) => ({
    saved: { name: "labels", matrix: { rows: labels.length, cols: 1, data: Float64Array.from(labels) } },
    lines: [
      ["nodes of the parts", sizes.join("  ")],
      ["weight of the cut", row([cut], 8)],
      ["lower bound of every cut", row([bound], 8)],
    ],
    numbers: { labels, sizes, cut, bound, relaxation },
  }),
});
