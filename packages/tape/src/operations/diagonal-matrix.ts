/** Diag(v) as a factor that only scales rows or columns. */
import { isScalar, type Node, node, type Operation } from "../graph.js";
import { algebra } from "./algebra.js";
import { joined, split } from "./linear.js";

/** Diag(v), v of size n×1; formed only if it is no factor of a product */
export const diagOp: Operation = {
  name: "diag",
  axes: "i1->ii",
  vjp: (_n, W) => [algebra.diagonal(W)],
  jvp: (_n, [dv]) => diag(dv!),
};

/** Diag(v) for v of size n×1 */
export function diag(v: Node): Node {
  if (isScalar(v)) return v;
  const { c, s, base } = split(v);
  return joined(c, s, node(diagOp, [base], v.rows, v.rows, "", true));
}
