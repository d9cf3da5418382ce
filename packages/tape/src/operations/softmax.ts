/** log Σ exp without overflow, and softmax, its derivative. */

import type { Engine, Matrix } from "@expen/linalg";
import type { KindlessEngine } from "@expen/linalg/engine";
import { chainBuilder, chain as elementwise } from "@expen/linalg/engine";
import { isScalar, type Node, node, type Operation } from "../graph.js";
import { type Arg, lift, literal } from "../leaves.js";
import { algebra } from "./algebra.js";
import { diag } from "./diagonal-matrix.js";
import { apply, hadamard } from "./elementwise.js";
import { dense, full, minus, multiple } from "./linear.js";
import { inner, productOf } from "./product.js";
import { rowDots } from "./reduce.js";

/** Range of sums of exponentials without loss: terms that underflow are negligible, and nothing overflows */
const [LEAST, MOST] = [1e-200, 1e200];
/** Size to which entries are clipped when the range is left, so that no square overflows */
const HUGE = 1e140;

/** log Σ_ij exp A_ij */
const logSumExpOp: Operation = {
  name: "logSumExp",
  vjp: (n, w) => [multiple(w, softmaxOf(n.args[0]!))],
  jvp: (n, [dA]) => inner(softmaxOf(n.args[0]!), dA!),
  kernel({ E, R, S }, _n, out, [x]) {
    const b = chainBuilder(1);
    const { value, place } = b.variable();
    const shifted = b.finish([], b.op.exp(b.op.sub(b.inputs[0]!, value)));
    const constants = shifted.constants as number[];
    /** Σ exp(A_ij − s) */
    const sum = (A: Matrix, s: number): number => {
      constants[place] = s;
      return E.map([], shifted, [A]);
    };
    return () => {
      const A = R[x!]!;
      const plain = sum(A, 0);
      S[out] = plain < LEAST || plain > MOST ? searched(A, (s) => sum(A, s)) : Math.log(plain);
    };

    /** s + log Σ exp(A_ij − s) for an s that brings the sum into the range: between −‖A‖ and ‖A‖, by bisection */
    function searched(A: Matrix, at: (s: number) => number): number {
      const most = Math.sqrt(E.map([], clampedSquares, [A]));
      if (at(most) > MOST) return Number.POSITIVE_INFINITY;
      if (at(-most) < LEAST) return Number.NEGATIVE_INFINITY;
      let [low, high] = [-most, most];
      for (;;) {
        const s = (low + high) / 2;
        const total = at(s);
        if (s === low || s === high || (total >= LEAST && total <= MOST)) return s + Math.log(total);
        if (total > MOST) low = s;
        else high = s;
      }
    }
  },
};

const clampedSquares = elementwise(1, ({ min, abs, square }, x) => ({ sum: square(min(abs(x), HUGE)) }));
const exponentials = elementwise(1, ({ exp }, x) => ({ outputs: [exp(x)] }));
const clamped = elementwise(1, ({ min, max }, x) => ({ outputs: [max(min(x, HUGE), -HUGE)] }));
const larger = elementwise(2, ({ max }, x, y) => ({ outputs: [max(x, y)] }));
const outside = elementwise(1, ({ less, add }, z) => ({ sum: add(less(z, LEAST), less(MOST, z)) }));
/** log z, t + log z and 1/z */
const logarithms = elementwise(1, ({ log }, z) => ({ outputs: [log(z)] }));
const shiftedBack = elementwise(2, ({ log, add }, t, z) => ({ outputs: [add(t, log(z))] }));
const reciprocals = elementwise(1, ({ reciprocal }, z) => ({ outputs: [reciprocal(z)] }));

/** The data that rowSoftmax reuses: W = exp(A − t·1ᵀ) and the sums z of its rows */
interface Exponentials {
  readonly W: Matrix;
  readonly z: Matrix;
}

/** r_i = log Σ_j exp A_ij */
export const rowLogSumExpOp: Operation = {
  name: "rowLogSumExp",
  axes: "ij->i1",
  vjp: (n, w) => [productOf(diag(w), rowSoftmaxOf(n.args[0]!))],
  jvp: (n, [dA]) => rowDots(rowSoftmaxOf(n.args[0]!), dA!),
  kernel({ E, R, kind, shared }, n, out, [x]) {
    const { rows, cols } = n.args[0]!;
    const make = E[kind(n)];
    const [W, z, ones, shift] = [make(rows, cols), make(rows, 1), E.small(cols, 1), shifting(E, make, rows, cols)];
    E.fill(ones, 1);
    shared.set(n, { W, z } satisfies Exponentials);
    return () => {
      const A = R[x!]!;
      E.map([W], exponentials, [A]);
      E.mul(z, W, ones);
      if (E.map([], outside, [z]) === 0) return void E.map([R[out]!], logarithms, [z]);
      const { B, t } = shift(A);
      E.map([W], exponentials, [B]);
      E.mul(z, W, ones);
      E.map([R[out]!], shiftedBack, [t, z]);
    };
  },
};

/** B = A − t·1ᵀ with t_i the largest entry of row i, one column after the other */
function shifting(E: KindlessEngine, make: Engine["tall"] | Engine["small"], rows: number, cols: number) {
  const [B, t, s, column] = [make(rows, cols), make(rows, 1), make(rows, 1), make(rows, 1)];
  const units = Array.from({ length: cols }, (_, j) =>
    E.small(
      cols,
      1,
      Float64Array.from({ length: cols }, (_, i) => (i === j ? 1 : 0)),
    ),
  );
  const ones = E.small(cols, 1, new Float64Array(cols).fill(1));
  return (A: Matrix): { B: Matrix; t: Matrix } => {
    E.map([B], clamped, [A]); // since 0·∞ is NaN
    E.mul(t, B, units[0]!);
    for (let j = 1; j < cols; j++) {
      E.mul(column, B, units[j]!);
      E.map([s], larger, [t, column]);
      E.copy(t, s);
    }
    E.copy(B, A);
    E.mulT(B, t, ones, -1, 1);
    return { B, t };
  };
}

/** P_ij = exp A_ij / Σ_k exp A_ik from A and r = rowLogSumExp(A), which has both; dP = P∘dA − Diag(rowDots(P, dA))·P, symmetric in dA */
export const rowSoftmaxOp: Operation = {
  name: "rowSoftmax",
  axes: "ij,i1->ij",
  vjp: (n, W) => [alongRows(n, W), undefined],
  jvp: (n, [dA]) => alongRows(n, dA!),
  logarithm: ({ args: [A, r], cols }) => minus(A!, algebra.repeatColumns(r!, cols)),
  kernel({ E, R, kind, shared }, n, out) {
    const { W, z } = shared.get(n.args[1]!) as Exponentials;
    const inverse = E[kind(n)](n.rows, 1);
    return () => {
      E.map([inverse], reciprocals, [z]);
      E.scaleRows(R[out]!, inverse, W);
    };
  },
};

const alongRows = (P: Node, dA: Node): Node => minus(hadamard(P, dA), productOf(diag(rowDots(P, dA)), P));

const total = (A: Node): Node => (isScalar(A) ? A : node(logSumExpOp, [A], 1, 1));

function byRow(A: Node): Node {
  if (A.cols === 1) return A;
  return A.rows === 1 ? total(A) : node(rowLogSumExpOp, [A], A.rows, 1);
}

const softmaxOf = (A: Node): Node => apply("exp", minus(A, full(total(A), A.rows, A.cols)));

function rowSoftmaxOf(A: Node): Node {
  if (A.cols === 1) return full(literal(1), A.rows, 1);
  return A.rows === 1 ? softmaxOf(A) : node(rowSoftmaxOp, [A, byRow(A)], A.rows, A.cols);
}

/** log Σ_ij exp A_ij */
export const logSumExp = (A: Arg): Node => total(dense("logSumExp", lift("logSumExp", A)));
/** log Σ_j exp A_ij for every row, n×1 */
export const rowLogSumExp = (A: Arg): Node => byRow(dense("rowLogSumExp", lift("rowLogSumExp", A)));
/** exp A_ij / Σ_kl exp A_kl */
export const softmax = (A: Arg): Node => softmaxOf(dense("softmax", lift("softmax", A)));
/** exp A_ij / Σ_k exp A_ik */
export const rowSoftmax = (A: Arg): Node => rowSoftmaxOf(dense("rowSoftmax", lift("rowSoftmax", A)));
