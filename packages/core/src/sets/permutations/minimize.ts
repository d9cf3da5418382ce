/** Permutation matrices: orthogonal and nonnegative square matrices. docs/constraints/permutations.md */

import { digits, type Random, random } from "@expen/linalg";
import type { Certificate } from "../../contracts/certificate.js";
import type { Objective } from "../../contracts/objective.js";
import type { Result } from "../../contracts/result.js";
import { noEvaluations } from "../../objective/evaluator.js";
import { readPoint } from "../../run/given-start.js";
import { assignRows } from "../nonnegative/assignment.js";
import { isCut, limitsOf } from "../nonnegative/limits.js";
import { isLinear } from "../nonnegative/linear.js";
import { runInDriver, type Setup } from "../setup.js";
import { relaxation, toVertex } from "./relaxation.js";
import { type Assigned, swapRows } from "./swaps.js";

/** Swaps that are tried by default: at least so many, or n² */
const SWAPS = 200;

export async function minimizePermutation(
  setup: Setup,
  f: Objective,
  exchanges: "auto" | number | false,
): Promise<Result> {
  const { E, on, F, work, o } = setup;
  const { n } = on.shape;
  if (E.ranks) throw new RangeError("permutations: rows lie on several processes; give an engine of one process.");
  const L = relaxation(E, F);
  const { evaluations } = work;
  const relaxed = await runInDriver({ ...setup, L }, (objective, X0) =>
    toVertex(E, L, X0, { on, evaluations, objective }),
  );
  const Y = E.read(readPoint(setup.place.bound, relaxed.X, "the answer"));
  const evaluate = evaluator(setup);
  const isOver = limitsOf(o, work);
  let at = evaluate(
    labelsOf(
      Y.map((x) => x * x),
      n,
    ),
  );
  let tried: { tried: number; all: number } = { tried: 0, all: 0 };
  if (!isCut(relaxed) && exchanges !== false && !isOver()) {
    const swaps = swapRows(at, evaluate, budgetOf(exchanges, n));
    at = swaps.at;
    tried = swaps;
    if (swaps.moves > 0) relaxed.notes.push(`swaps of two rows that lowered f: ${swaps.moves}`);
  }
  const certificate = certificateOf(at, n, f.convex === true || isLinear(E, f), tried);
  const reason = isCut(relaxed)
    ? relaxed.reason
    : { kind: "gradient" as const, converged: true, text: certificate.text };
  relaxed.run.method = "permutations";
  return Object.assign(relaxed, {
    X: { rows: n, cols: n, data: matrixOf(at.labels) },
    fval: at.f,
    reason,
    status: reason.converged ? "converged" : reason.kind,
    stationarity: 0,
    feasibility: 0,
    certificate,
    multipliers: [new Float64Array(n * n)],
    violation: 0,
    complementarity: 0,
    penalty: L.rho,
    support: at.labels,
  });
}

/** f and ∇f at a permutation */
function evaluator({ E, F, on }: Setup): (labels: Int32Array) => Assigned {
  const { n } = on.shape;
  const [Z, G] = [E.tall(n, n), E.tall(n, n)];
  return (labels) => {
    E.write(Z, matrixOf(labels));
    return { labels, f: F.fg(G, Z), G: E.read(G) };
  };
}

const budgetOf = (exchanges: "auto" | number, n: number): number =>
  exchanges === "auto" ? Math.max(SWAPS, n * n) : exchanges;

/** Rows that exchange their columns in a circle before the swaps begin again; two would be swapped back. */
const CIRCLE = 4;

/**
 * The best of several starts, improved: four random rows exchange their columns, swaps follow while f falls, and the end is taken if f is
 * no larger [Lourenço, Martin and Stützle, Iterated local search, 2003]. At the same price that is better than more starts.
 */
export function kickPermutation(
  setup: Setup,
  f: Objective,
  best: Result,
  { kicks, exchanges }: { kicks: number; exchanges: "auto" | number | false },
): Result {
  const { E, on, o, work } = setup;
  const { n } = on.shape;
  const isOver = limitsOf(o, work);
  const isDone = best.certificate.level === "global" || !best.reason.converged;
  if (exchanges === false || n <= CIRCLE || isDone || isOver()) return best;
  const evaluate = evaluator(setup);
  const r = random(o.seed ?? 1, "kicks");
  let at = { labels: best.support!, f: best.fval };
  let end: ReturnType<typeof swapRows> | undefined;
  for (let k = 0; k < kicks && !isOver(); k++) {
    const swaps = swapRows(evaluate(inCircle(at.labels, r)), evaluate, budgetOf(exchanges, n));
    if (!(swaps.at.f <= at.f)) continue;
    end = swaps;
    at = swaps.at;
  }
  if (!end || !(at.f < best.fval)) return best;
  const certificate = certificateOf(end.at, n, f.convex === true || isLinear(E, f), end);
  best.notes.push(
    `exchanges of four rows of the best start, with swaps after them, lowered f from ${digits(best.fval, 9)}`,
  );
  return Object.assign(best, {
    X: { rows: n, cols: n, data: matrixOf(at.labels) },
    fval: at.f,
    support: at.labels,
    certificate,
    reason: { ...best.reason, text: certificate.text },
  });
}

/** Some rows, whose columns go round */
function inCircle(labels: Int32Array, r: Random): Int32Array {
  const rows = new Set<number>();
  while (rows.size < CIRCLE) rows.add(r.integer(labels.length));
  const [list, to] = [[...rows], labels.slice()];
  for (const [k, row] of list.entries()) to[row] = labels[list[(k + 1) % CIRCLE]!]!;
  return to;
}

/** The permutation with the largest ⟨A, P⟩ */
function labelsOf(A: Float64Array, n: number): Int32Array {
  const labels = new Int32Array(n);
  for (const [j, i] of assignRows(A, n, n).entries()) labels[i] = j;
  return labels;
}

function matrixOf(labels: Int32Array): Float64Array {
  const n = labels.length;
  const P = new Float64Array(n * n);
  for (const [i, j] of labels.entries()) P[i * n + j] = 1;
  return P;
}

/**
 * For convex f the gap of Frank and Wolfe: f(Z) ≥ f(P) + ⟨∇f(P), Z − P⟩ ≥ f(P) + min_Z ⟨∇f(P), Z⟩ − ⟨∇f(P), P⟩ over all permutations Z,
 * whose minimum is a linear assignment. Otherwise only that swaps do not lower f.
 */
function certificateOf(
  { labels, f, G }: Assigned,
  n: number,
  isConvex: boolean,
  { tried, all }: { tried: number; all: number },
): Certificate {
  const best = labelsOf(
    G.map((g) => -g),
    n,
  );
  let [gap, size] = [0, 0];
  for (let i = 0; i < n; i++) {
    const [g, h] = [G[i * n + labels[i]!]!, G[i * n + best[i]!]!];
    gap += g - h;
    size += Math.abs(g) + Math.abs(h);
  }
  const gapBound = Math.max(gap, 0) + 2 ** -52 * (n + 2) * size;
  const common = { multiplier: { lowest: Number.NaN, highest: Number.NaN }, evaluations: noEvaluations(), seconds: 0 };
  if (isConvex && gapBound <= 1e-9 * (Math.abs(f) + size)) {
    const text = `global minimum: f is convex and no permutation has a lower linear model, so f − f* ≤ ${digits(gapBound)}`;
    return { ...common, level: "global", gapBound, text };
  }
  const swaps = tried > 0 ? `; none of ${tried} of ${all} swaps of two rows lowers f` : "";
  return { ...common, level: "stationary", text: `X is a permutation, and these are isolated points${swaps}` };
}
