/**
 * Matrix chain multiplication: the cheapest order by dynamic programming over the segments of each product, where the work for a
 * segment is divided by the number of products that contain it, so that of equal costs the order with shared segments wins.
 */
import type { Axes } from "./axes.js";
import { type Node, node } from "./graph.js";
import { operatorOf, operatorOp } from "./leaves.js";
import {
  dotOp,
  gemmOp,
  gramOp,
  operateOp,
  scaleColumnsOp,
  scaleRowsOp,
  traceProductOp,
  tridiagonalSolveOp,
} from "./machine.js";
import { diagonal } from "./operations/diagonal.js";
import { diagOp } from "./operations/diagonal-matrix.js";
import { full, fullOp, transposeOp } from "./operations/linear.js";
import {
  chainOp,
  colsOf,
  type Factor,
  factorsOf,
  identityNode,
  isSymmetric,
  keyOf,
  nameOfAll,
  rotated,
  rowsOf,
  traceOp,
  transposed,
} from "./operations/product.js";
import { total } from "./operations/reduce.js";

type Kind = "dense" | "diag" | "operator";

/** A computed segment: the node or its transpose; for kind "diag" the node is the vector. */
interface View {
  readonly kind: Kind;
  readonly node: Node;
  readonly turned: boolean;
}

interface Plan {
  /** flops, divided by the number of products that contain the segment */
  readonly cost: number;
  /** the last product is between factors [0, at) and [at, length) */
  readonly at: number;
}

interface Bracketing {
  /** instructions for a product; `lower` gives those for its factors */
  product(n: Node): Node;
  trace(n: Node): Node;
  /** an operator as a matrix with entries, where a formula asks for them */
  formed(n: Node): Node;
}

/** Factor on the cost of products with rows of X on both sides, which engines with distributed rows cannot hold */
const OUTER = 1e3;

const kindOf = (F: Node): Kind => (F.op === diagOp ? "diag" : F.op === operatorOp ? "operator" : "dense");

export function bracketing(nodes: readonly Node[], lower: (n: Node) => Node, axes: Axes): Bracketing {
  const counts = occurrences(nodes);
  const plans = new Map<string, Plan>();
  const segments = new Map<string, View>();

  /** whether a product has rows of X on both sides */
  const outer = ([[F, turned]]: readonly Factor[], right: readonly Factor[]): boolean => {
    const [L, last] = right.at(-1)!;
    return axes.spread(F!, turned ? 1 : 0) && axes.spread(L, last ? 0 : 1);
  };

  function plan(factors: readonly Factor[]): Plan {
    if (factors.length === 1) return { cost: 0, at: 0 };
    const key = keyOf(factors);
    const planned = plans.get(key);
    // a product and its transpose share the key: the cut is counted from the end if the transpose was planned
    if (planned) return nameOfAll(factors) === key ? planned : { ...planned, at: factors.length - planned.at };
    let best: Plan = { cost: Number.POSITIVE_INFINITY, at: 1 };
    for (let at = 1; at < factors.length; at++) {
      const [left, right] = [factors.slice(0, at), factors.slice(at)];
      const cost = plan(left).cost + plan(right).cost + work(left, right) * (outer(left, right) ? OUTER : 1);
      if (cost < best.cost) best = { cost, at };
    }
    const shared = { cost: best.cost / (counts.get(key) ?? 1), at: best.at };
    const turned = nameOfAll(factors) !== key;
    plans.set(key, turned ? { ...shared, at: factors.length - shared.at } : shared);
    return shared;
  }

  /** A product and its transpose are computed once, in the tall shape. */
  function segment(factors: readonly Factor[]): View {
    if (factors.length === 1) return single(factors[0]!);
    const key = keyOf(factors);
    const [rows, cols] = [rowsOf(factors[0]!), colsOf(factors.at(-1)!)];
    const wide = rows < cols || (rows === cols && nameOfAll(factors) !== key);
    let view = segments.get(key);
    if (!view) {
      const tall = wide ? transposed(factors) : factors;
      const { at } = plan(tall);
      view = multiply(segment(tall.slice(0, at)), segment(tall.slice(at)), isSymmetric(factors));
      segments.set(key, view);
    }
    return wide ? { ...view, turned: !view.turned } : view;
  }

  function single([F, turned]: Factor): View {
    const kind = kindOf(F);
    if (kind === "diag") return { kind, node: lower(F.args[0]!), turned: false };
    return { kind, node: kind === "operator" ? F : lower(F), turned };
  }

  /** The instruction for op(L)·op(R), or for its transpose, with a transposed view. */
  function multiply(L: View, R: View, symmetric = false): View {
    if (L.kind !== "dense" && R.kind !== "dense")
      return R.kind === "diag" ? multiply(L, formed(R)) : multiply(formed(L), R);
    if (L.kind === "diag") return scaled(L.node, R, !R.turned);
    if (R.kind === "diag") return scaled(R.node, L, L.turned);
    if (L.kind === "operator") return operated(L.node, L.turned, straight(R), false);
    if (R.kind === "operator") return operated(R.node, !R.turned, straight({ ...L, turned: !L.turned }), true);
    if (L.turned && R.turned) return gemm(R.node, false, L.node, false, true, symmetric);
    return gemm(L.node, L.turned, R.node, R.turned, false, symmetric);
  }

  /** A diagonal or an operator as a matrix with entries */
  function formed({ kind, node: A, turned }: View): View {
    if (kind === "operator") return operated(A, turned, lower(identityNode(turned ? A.rows : A.cols)), false);
    return { kind: "dense", node: node(diagOp, [A], A.rows, A.rows, "", true), turned: false };
  }

  const scaled = (v: Node, A: View, byRow: boolean): View => {
    const { rows, cols } = A.node;
    return { ...A, node: node(byRow ? scaleRowsOp : scaleColumnsOp, [v, A.node], rows, cols) };
  };

  function operated(S: Node, turned: boolean, A: Node, result: boolean): View {
    const op = operatorOf(S).inverse ? tridiagonalSolveOp : operateOp;
    const rows = turned ? S.cols : S.rows;
    const flag = turned && !S.symmetric;
    return { kind: "dense", node: node(op, [S, A], rows, A.cols, [flag]), turned: result };
  }

  function gemm(A: Node, tA: boolean, B: Node, tB: boolean, turned: boolean, symmetric: boolean): View {
    const kind = "dense";
    const [rows, cols] = [tA ? A.cols : A.rows, tB ? B.rows : B.cols];
    if (A === B && tA) return { kind, node: node(gramOp, [A], rows, cols, "", true), turned: false };
    const gemmNode = node(gemmOp, [A, B], rows, cols, [tA, tB], symmetric);
    return { kind, node: gemmNode, turned };
  }

  return {
    formed: (n) => formed({ kind: "operator", node: n, turned: false }).node,

    product: (n) => straight(segment(factorsOf(n))),

    /** tr(P·Q) = ⟨Pᵀ, Q⟩ for the cheapest cut of the cycle into P and Q */
    trace(n) {
      const factors = factorsOf(n);
      let best = Number.POSITIVE_INFINITY;
      let cut: [Factor[], Factor[]] | undefined;
      for (let i = 0; i < factors.length; i++) {
        for (let length = 1; length < factors.length; length++) {
          const cycle = rotated(factors, i);
          const [P, Q] = [cycle.slice(0, length), cycle.slice(length)];
          if (kindOfAll(P) !== "dense" || kindOfAll(Q) !== "dense") continue;
          // ‖P‖² for Q = Pᵀ: computed once
          const halves = keyOf(P) === keyOf(Q) ? plan(P).cost : plan(P).cost + plan(Q).cost;
          const cost = halves + 2 * rowsOf(P[0]!) * colsOf(P.at(-1)!);
          if (cost < best) [best, cut] = [cost, [P, Q]];
        }
      }
      if (!cut) {
        // one dense factor among operators: the product, then its trace with I
        const first = Math.max(
          0,
          factors.findIndex(([F]) => kindOf(F) === "dense"),
        );
        return total(diagonal(straight(segment(rotated(factors, first)))));
      }
      const [P, Q] = [segment(cut[0]), segment(cut[1])];
      const crossed = P.turned !== Q.turned || P.node.symmetric || Q.node.symmetric;
      return node(crossed ? dotOp : traceProductOp, [P.node, Q.node], 1, 1);
    },
  };
}

function straight({ node: A, turned }: View): Node {
  if (!turned || A.symmetric) return A;
  // as an s·11ᵀ, since its readers say where it lies
  return A.op === fullOp ? full(A.args[0]!, A.cols, A.rows) : node(transposeOp, [A], A.cols, A.rows);
}

const kindOfAll = (factors: readonly Factor[]): Kind => (factors.length === 1 ? kindOf(factors[0]![0]) : "dense");

/** Flops of the product of two segments; large if an operator must be formed for it */
function work(left: readonly Factor[], right: readonly Factor[]): number {
  const [m, k, n] = [rowsOf(left[0]!), colsOf(left.at(-1)!), colsOf(right.at(-1)!)];
  const [a, b] = [kindOfAll(left), kindOfAll(right)];
  if (a !== "dense" && b !== "dense") return 1e3 * m * k * n;
  if (a === "diag" || b === "diag") return m * n;
  if (a === "operator") return 2 * entries(left[0]![0]) * n;
  if (b === "operator") return 2 * entries(right[0]![0]) * m + 2 * m * (k + n);
  const gram = left.length === 1 && right.length === 1 && left[0]![0] === right[0]![0] && left[0]![1];
  return (gram ? 1 : 2) * m * k * n + m * n;
}

function entries(S: Node): number {
  const { sparse } = operatorOf(S);
  return sparse ? sparse.values.length : 3 * S.rows;
}

/** The number of products that contain each segment */
function occurrences(nodes: readonly Node[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const n of nodes) {
    if (n.op !== chainOp && n.op !== traceOp) continue;
    const factors = factorsOf(n);
    const size = factors.length;
    const keys: string[] = [];
    for (let i = 0; i < size; i++) {
      const list = n.op === traceOp ? rotated(factors, i) : factors.slice(i);
      for (let length = 2; length <= Math.min(list.length, size); length++) keys.push(keyOf(list.slice(0, length)));
    }
    // a trace uses each of its segments at most once, in one of its cuts
    for (const key of n.op === traceOp ? new Set(keys) : keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
