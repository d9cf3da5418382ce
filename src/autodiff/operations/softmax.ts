/** log Σ exp, computed with the largest entry taken out so that nothing overflows; softmax is exp(A − log Σ exp A). */
import { chainBuilder, chain as elementwiseChain } from "../../engines/elementwise/chain.js";
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
  kernel({ E, R, S }, _n, out, [x]) {
    const b = chainBuilder(1);
    const { value, place } = b.variable();
    const shifted = b.finish([], b.op.exp(b.op.sub(b.inputs[0]!, value)));
    const constants = shifted.constants as number[];
    return () => {
      const A = R[x!]!;
      const top = largest(A.data, 0, A.data.length);
      constants[place] = top;
      S[out] = Number.isFinite(top) ? top + Math.log(E.map([], shifted, [A])) : top;
    };
  },
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
  kernel({ E, R }, n, out, [x]) {
    const { rows, cols } = n.args[0]!;
    const [W, P, ones, sums] = [E.matrix(rows, cols), E.matrix(rows, cols), E.matrix(cols, 1), E.matrix(rows, 1)];
    const tops = new Float64Array(rows);
    E.fill(ones, 1);
    return () => {
      const [w, a] = [W.data, R[x!]!.data];
      for (let i = 0; i < rows; i++) {
        const top = largest(a, i * cols, (i + 1) * cols);
        tops[i] = top;
        // where all are −∞ nothing is taken out
        const shift = Number.isFinite(top) ? top : 0;
        for (let k = i * cols; k < (i + 1) * cols; k++) w[k] = a[k]! - shift;
      }
      E.map([P], exponentials, [W]);
      E.mul(sums, P, ones);
      const [y, s] = [R[out]!.data, sums.data];
      for (let i = 0; i < rows; i++) y[i] = Number.isFinite(tops[i]) ? tops[i]! + Math.log(s[i]!) : tops[i]!;
    };
  },
};

const exponentials = elementwiseChain(1, ({ exp }, x) => ({ outputs: [exp(x)] }));

/** the largest number from…to − 1; NaN if there is one */
function largest(a: Float64Array, from: number, to: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let k = from; k < to; k++) top = Math.max(top, a[k]!);
  return top;
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
