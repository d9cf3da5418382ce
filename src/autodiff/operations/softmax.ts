/** log Σ exp, computed with the largest entry taken out so that nothing overflows; softmax is exp(A − log Σ exp A). */
import { isScalar, type Node, node, type Operation } from "../graph.js";
import { type Arg, lift } from "../leaves.js";
import { diag } from "./diagonal.js";
import { apply } from "./elementwise.js";
import { dense, full, lin, multiple } from "./linear.js";
import { chain, inner } from "./product.js";
import { repeatColumns, rowDots } from "./reduce.js";

/** log Σ_ij exp A_ij */
export const logSumExpOp: Operation = {
  name: "logSumExp",
  vjp: (n, w) => [multiple(w, softmaxOf(n.args[0]!))],
  jvp: (n, [dA]) => inner(softmaxOf(n.args[0]!), dA!),
  kernel:
    ({ R, S }, _n, out, [x]) =>
    () =>
      void (S[out] = logSumExpOf(R[x!]!.data, 0, R[x!]!.data.length)),
};

/** r_i = log Σ_j exp A_ij */
export const rowLogSumExpOp: Operation = {
  name: "rowLogSumExp",
  vjp: (n, w) => [
    chain([
      [diag(w), false],
      [rowSoftmaxOf(n.args[0]!), false],
    ]),
  ],
  jvp: (n, [dA]) => rowDots(rowSoftmaxOf(n.args[0]!), dA!),
  kernel({ R }, n, out, [x]) {
    const cols = n.args[0]!.cols;
    return () => {
      const [y, a] = [R[out]!.data, R[x!]!.data];
      for (let i = 0; i < y.length; i++) y[i] = logSumExpOf(a, i * cols, (i + 1) * cols);
    };
  },
};

function logSumExpOf(a: Float64Array, from: number, to: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let k = from; k < to; k++) top = Math.max(top, a[k]!);
  if (!Number.isFinite(top)) return top;
  let s = 0;
  for (let k = from; k < to; k++) s += Math.exp(a[k]! - top);
  return top + Math.log(s);
}

const total = (A: Node): Node => (isScalar(A) ? A : node(logSumExpOp, [A], 1, 1));

function byRow(A: Node): Node {
  if (A.cols === 1) return A;
  return A.rows === 1 ? total(A) : node(rowLogSumExpOp, [A], A.rows, 1);
}

const softmaxOf = (A: Node): Node =>
  apply(
    "exp",
    lin([
      [1, A],
      [-1, full(total(A), A.rows, A.cols)],
    ]),
  );
const rowSoftmaxOf = (A: Node): Node =>
  apply(
    "exp",
    lin([
      [1, A],
      [-1, repeatColumns(byRow(A), A.cols)],
    ]),
  );

/** log Σ_ij exp A_ij */
export const logSumExp = (A: Arg): Node => total(dense("logSumExp", lift("logSumExp", A)));
/** log Σ_j exp A_ij for every row, n×1 */
export const rowLogSumExp = (A: Arg): Node => byRow(dense("rowLogSumExp", lift("rowLogSumExp", A)));
/** exp A_ij / Σ_kl exp A_kl */
export const softmax = (A: Arg): Node => softmaxOf(dense("softmax", lift("softmax", A)));
/** exp A_ij / Σ_k exp A_ik */
export const rowSoftmax = (A: Arg): Node => rowSoftmaxOf(dense("rowSoftmax", lift("rowSoftmax", A)));
