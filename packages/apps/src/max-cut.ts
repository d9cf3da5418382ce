import type { UserObjective } from "@expen/core";
import { oblique } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { checkData, type MatrixLike, matrixOf, random, whole } from "@expen/linalg";
import { eigenvalues } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { type Application, type ApplicationOptions, optionsOf, runOn } from "./application.js";
import { type Description, describe, row } from "./description.js";
import { requireWeights } from "./edge-weights.js";

/** Options of `maxCut`: the rank of the relaxation, the hyperplanes, and the run */
export interface MaxCutOptions extends ApplicationOptions {
  /** rows k of X; default: the least with k(k + 1)/2 > n, for which generically every minimum is global */
  rank?: number;
  /** number of random hyperplanes from which cuts are made */
  hyperplanes?: number;
}

/** The cut of `maxCut`, with an upper bound of every cut */
export interface MaxCutAnswer extends Application {
  /** upper bound of every cut: relaxation + gapBound */
  bound: number;
  /** ¼Σ W_ij(1 − ⟨x_i, x_j⟩) at the end of the run */
  relaxation: number;
  /** bound of the maximum of the relaxation minus `relaxation`, from an eigenvalue */
  gapBound: number;
  /** 0 or 1 for each node; `cut` is the weight of the edges between the two sides */
  sides: number[];
  cut: number;
}

/**
 * The relaxation of the maximum cut of a graph with symmetric weights W [Goemans, Williamson 1995], with unit vectors in place
 * of signs [Burer, Monteiro 2003]: min ¼⟨X, XW⟩ over k×n matrices with unit columns. With d_i = ⟨x_i, (XW)_i⟩ and μ the smallest
 * eigenvalue of W − Diag(d), no cut and no relaxation exceeds ¼(ΣW_ij − Σd_i) − nμ/4. The cut comes from random hyperplanes, improved
 * node by node.
 */
export async function maxCut(weights: MatrixLike, options: MaxCutOptions = {}): Promise<MaxCutAnswer> {
  const { rank, hyperplanes = 50, ...o } = optionsOf("max-cut", options, { rank: whole(1), hyperplanes: whole(0) });
  const W = matrixOf("max-cut", "W", weights);
  const n = W.rows;
  const k = rank ?? Math.ceil((Math.sqrt(8 * n + 1) + 1) / 2);
  checkData("max-cut", "W", W, n, n);
  return withEngine(o.engine, async (E) => {
    const [small, w] = [smallOf(E, W), E.read(smallOf(E, W))];
    requireWeights("max-cut", w, n);
    const total = w.reduce((s, v) => s + v, 0);
    const run = await runOn(E, coupled(E, k, n, small), oblique(k, n), o);
    const [X, XW] = [tallOf(E, run.X), E.tall(k, n)];
    E.mul(XW, X, small);
    const [x, y] = [E.read(X), E.read(XW)];
    const d = Float64Array.from({ length: n }, (_, j) => {
      let sum = 0;
      for (let i = 0; i < k; i++) sum += x[i * n + j]! * y[i * n + j]!;
      return sum;
    });
    const slack = E.small(
      n,
      n,
      w.map((v, at) => (at % (n + 1) === 0 ? v - d[at % n]! : v)),
    );
    const μ = Math.min(0, eigenvalues(E, slack)[0]!);
    const relaxation = (total - d.reduce((s, v) => s + v, 0)) / 4;
    const gapBound = (-n * μ) / 4;
    return { bound: relaxation + gapBound, relaxation, gapBound, ...roundToCut(x, k, n, w, hyperplanes, o.seed), run };
  });
}

/** f = ¼⟨X, XW⟩, ∇f = ½XW, ∇²f[D] = ½DW */
function coupled(E: Engine, k: number, n: number, W: Small): UserObjective {
  const V = E.tall(k, n);
  const fg = (G: Tall, X: Tall): number => {
    E.mul(G, X, W, 0.5);
    return 0.5 * E.dot(X, G);
  };
  return { f: (X) => fg(V, X), fg, hvp: (H, _X, D) => E.mul(H, D, W, 0.5) };
}

/** The best cut by random hyperplanes, each improved until no node gains by a change of sides */
function roundToCut(
  x: Float64Array,
  k: number,
  n: number,
  w: Float64Array,
  hyperplanes: number,
  seed = 1,
): { sides: number[]; cut: number } {
  const r = random(seed, "hyperplanes");
  let best = { sides: new Array<number>(n).fill(0), cut: 0 };
  for (let trial = 0; trial < hyperplanes; trial++) {
    const h = Array.from({ length: k }, () => r.normal());
    const side: number[] = Array.from({ length: n }, (_, j) =>
      h.reduce((s, v, i) => s + v * x[i * n + j]!, 0) >= 0 ? 1 : -1,
    );
    const gain = (i: number): number => side.reduce((s, v, j) => (i === j ? s : s + v * side[i]! * w[i * n + j]!), 0);
    for (let i = 0, still = 0; still < n; i = (i + 1) % n) {
      still = gain(i) > 1e-12 ? 0 : still + 1;
      if (still === 0) side[i] = -side[i]!;
    }
    let cut = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) if (side[i] !== side[j]) cut += w[i * n + j]!;
    if (cut > best.cut) best = { sides: side.map((v) => (v > 0 ? 1 : 0)), cut };
  }
  return best;
}

export const description: Description = describe({
  name: "max-cut",
  summary: "a large cut of a weighted graph, and an upper bound of every cut",
  files: [{ name: "weights", help: "symmetric matrix of edge weights" }],
  options: [],
  example: "weights.csv --out sides.csv",
  parts: ["sides"],
  solve: ([W]: [Matrix], o: MaxCutOptions) => maxCut(W, o),
  report: ({ bound, relaxation, gapBound, sides, cut }) => ({
    saved: { name: "sides", matrix: { rows: sides.length, cols: 1, data: Float64Array.from(sides) } },
    lines: [
      ["weight of the cut", row([cut], 8)],
      ["upper bound of every cut", row([bound], 8)],
    ],
    numbers: { bound, relaxation, gapBound, sides, cut },
  }),
});
