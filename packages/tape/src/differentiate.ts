/** Derivatives as new nodes of the same graph: reverse mode for ∇f, then forward mode through it for ∇²f[D]. */
import type { Node } from "./graph.js";
import { literal } from "./leaves.js";
import { full, plus } from "./operations/linear.js";

/** The nodes reachable from the roots, arguments before results */
export function reachable(roots: readonly Node[]): Node[] {
  const visited = new Set<Node>();
  const waiting = [...roots];
  for (let n = waiting.pop(); n; n = waiting.pop()) {
    if (visited.has(n)) continue;
    visited.add(n);
    waiting.push(...n.args);
  }
  return [...visited].sort((a, b) => a.id - b.id);
}

/**
 * ∂f/∂X for each X by reverse mode: from f down, each node passes the sum of its adjoints on to its arguments. `active`: the nodes that
 * depend on the X, where these are not all variables
 */
export function gradients(f: Node, Xs: readonly Node[], active?: ReadonlySet<Node>): Node[] {
  const isActive = (A: Node): boolean => (active ? active.has(A) : A.level > 0);
  const adjoints = new Map<Node, Node[]>([[f, [literal(1)]]]);
  for (const n of reachable([f]).reverse()) {
    const received = adjoints.get(n);
    if (!received || !isActive(n) || n.args.length === 0) continue;
    const handed = n.op.vjp!(n, plus(received, n));
    for (const [i, W] of handed.entries()) {
      const A = n.args[i]!;
      if (!W || !isActive(A)) continue;
      const terms = adjoints.get(A);
      if (terms) terms.push(W);
      else adjoints.set(A, [W]);
    }
  }
  return Xs.map((X) => plus(adjoints.get(X) ?? [], X));
}

/** dY(X)[D] for each Y by forward mode in all X at once: from X up, the tangent of each node from those of its arguments */
export function tangents(Ys: readonly Node[], Xs: readonly Node[], Ds: readonly Node[]): Node[] {
  const tangents = new Map<Node, Node>(Xs.map((X, i) => [X, Ds[i]!]));
  for (const n of reachable(Ys)) {
    if (n.level === 0 || n.args.length === 0) continue;
    const d = n.args.map((A) => tangents.get(A));
    const tangent = d.some(Boolean) ? n.op.jvp!(n, d) : undefined;
    if (tangent) tangents.set(n, tangent);
  }
  return Ys.map((Y) => tangents.get(Y) ?? full(literal(0), Y.rows, Y.cols));
}
