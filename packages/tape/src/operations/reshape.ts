/** The same entries in another shape */
import { fail, type Node, node, type Operation, shapeOf } from "../graph.js";
import { type Arg, lift } from "../leaves.js";
import { dense, full, fullOp, joined, split, transpose } from "./linear.js";
import { hostOperation } from "./on-host.js";

const reshapeOp: Operation = hostOperation(
  {
    name: "reshape",
    vjp: (n, W) => [inShape(W, n.args[0]!.rows, n.args[0]!.cols)],
    jvp: (n, [dA]) => inShape(dA!, n.rows, n.cols),
  },
  ([A]) => A!.data,
);

function inShape(A: Node, rows: number, cols: number): Node {
  if (A.rows === rows && A.cols === cols) return A;
  const { c, s, base } = split(A);
  if (base.op === fullOp) return joined(c, s, full(base.args[0]!, rows, cols));
  if (base.op === reshapeOp) return joined(c, s, inShape(base.args[0]!, rows, cols));
  // a vector turned round
  if (rows === base.cols && cols === base.rows && (rows === 1 || cols === 1)) return joined(c, s, transpose(base));
  return joined(c, s, node(reshapeOp, [base], rows, cols, []));
}

/** The entries of A row after row, as a matrix of `rows` rows; `cols` follows where it is left out */
export function reshape(A: Arg, rows: number, cols?: number): Node {
  const a = dense("reshape", lift("reshape", A));
  const size = a.rows * a.cols;
  const width = cols ?? size / rows;
  if (!(Number.isInteger(rows) && Number.isInteger(width) && rows > 0 && rows * width === size))
    fail("reshape", `${rows}×${cols ?? "?"} is asked for; a ${shapeOf(a)} matrix has ${size} entries`);
  return inShape(a, rows, width);
}

/** The columns of A one below the other, mn×1, so that vec(AXB) = (Bᵀ ⊗ A)·vec(X) */
export function vec(A: Arg): Node {
  const a = dense("vec", lift("vec", A));
  return inShape(transpose(a), a.rows * a.cols, 1);
}
