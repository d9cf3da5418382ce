/** Derivatives as new nodes of the same graph: reverse mode for ∇f, then forward mode through it for ∇²f[D]. */
import type { Node } from "./graph.js";
import { literal } from "./leaves.js";
import { full, plus } from "./operations/linear.js";

/** All nodes that the roots need, arguments before results. */
export function reachable(roots: readonly Node[]): Node[] {
  const seen = new Set<Node>();
  const waiting = [...roots];
  for (let n = waiting.pop(); n; n = waiting.pop()) {
    if (seen.has(n)) continue;
    seen.add(n);
    waiting.push(...n.args);
  }
  return [...seen].sort((a, b) => a.id - b.id);
}

/** ∂f/∂X for each of the X: from f down, each node hands the sum of what it received to its arguments. */
export function gradients(f: Node, Xs: readonly Node[]): Node[] {
  const adjoints = new Map<Node, Node[]>([[f, [literal(1)]]]);
  for (const n of reachable([f]).reverse()) {
    const received = adjoints.get(n);
    if (!received || n.level === 0 || n.args.length === 0) continue;
    const handed = n.op.vjp!(n, plus(received, n));
    for (const [i, W] of handed.entries()) {
      const A = n.args[i]!;
      if (!W || A.level === 0) continue;
      const terms = adjoints.get(A);
      if (terms) terms.push(W);
      else adjoints.set(A, [W]);
    }
  }
  return Xs.map((X) => plus(adjoints.get(X) ?? [], X));
}

/** dY(X)[D] for each of the Y, all X moving at once: from the X up, each node's tangent from those of its arguments. */
export function tangents(Ys: readonly Node[], Xs: readonly Node[], Ds: readonly Node[]): Node[] {
  const tangents = new Map<Node, Node>(Xs.map((X, i) => [X, Ds[i]!]));
  for (const n of reachable(Ys)) {
    if (n.level === 0 || n.args.length === 0) continue;
    const d = n.args.map((A) => tangents.get(A));
    const made = d.some(Boolean) ? n.op.jvp!(n, d) : undefined;
    if (made) tangents.set(n, made);
  }
  return Ys.map((Y) => tangents.get(Y) ?? full(literal(0), Y.rows, Y.cols));
}
