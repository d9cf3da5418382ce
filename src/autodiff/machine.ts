/** The instructions that products and sums become: what engines can do, with destination ← a·result + b·destination. */
import { sparseApply, sparseTranspose } from "../arrays/sparse.js";
import { tridiagonalFactor } from "../linalg/tridiagonal.js";
import type { Engine, Matrix, Tridiagonal } from "../types.js";
import type { Node, Operation } from "./graph.js";
import { operatorOf } from "./leaves.js";

/** A·B, AᵀB or ABᵀ; data: which factor is turned */
export const gemmOp: Operation = {
  name: "gemm",
  accumulates: true,
  kernel({ E, R }, n, out, [x, y]) {
    const [left, right] = n.data as readonly [boolean, boolean];
    if (left) return (a, b) => E.tmul(R[out]!, R[x!]!, R[y!]!, a, b);
    if (right) return (a, b) => E.mulT(R[out]!, R[x!]!, R[y!]!, a, b);
    // an operator's columns stand for the rows of X: a square constant in front of something that depends on X
    const [A, B] = n.args as [Node, Node];
    if (A.level < B.level && A.rows === A.cols) return (a, b) => E.apply(R[out]!, R[x!]!, R[y!]!, a, b);
    return (a, b) => E.mul(R[out]!, R[x!]!, R[y!]!, a, b);
  },
};

/** AᵀA */
export const gramOp: Operation = {
  name: "gram",
  kernel:
    ({ E, R }, _n, out, [x]) =>
    () =>
      E.gram(R[out]!, R[x!]!),
};

/** Diag(v)·A */
export const scaleRowsOp: Operation = {
  name: "scaleRows",
  accumulates: true,
  kernel:
    ({ E, R }, _n, out, [v, x]) =>
    (a, b) =>
      E.scaleRows(R[out]!, R[v!]!, R[x!]!, a, b),
};

/** A·Diag(v) */
export const scaleColumnsOp: Operation = {
  name: "scaleColumns",
  accumulates: true,
  kernel({ R }, n, out, [v, x]) {
    const { rows, cols } = n;
    return (a, b) => {
      const [y, d, A] = [R[out]!.data, R[v!]!.data, R[x!]!.data];
      for (let i = 0, k = 0; i < rows; i++) {
        for (let j = 0; j < cols; j++, k++) y[k] = a * d[j]! * A[k]! + (b === 0 ? 0 : b * y[k]!);
      }
    };
  },
};

/** ⟨A, B⟩ */
export const dotOp: Operation = {
  name: "dot",
  kernel:
    ({ E, R, S }, _n, out, [x, y]) =>
    () =>
      void (S[out] = E.dot(R[x!]!, R[y!]!)),
};

/** tr AB = Σ_ij A_ij·B_ji */
export const traceProductOp: Operation = {
  name: "traceProduct",
  kernel({ R, S }, n, out, [x, y]) {
    const { rows, cols } = n.args[0]!;
    return () => {
      const [a, b] = [R[x!]!.data, R[y!]!.data];
      let s = 0;
      for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < cols; j++, k++) s += a[k]! * b[j * rows + i]!;
      S[out] = s;
    };
  },
};

/** S·A or SᵀA for a sparse or tridiagonal S; data: whether S is turned */
export const operateOp: Operation = {
  name: "operate",
  accumulates: true,
  kernel({ E, R }, n, out, [, x]) {
    const { sparse, tridiagonal } = operatorOf(n.args[0]!);
    const [turned] = n.data as readonly [boolean];
    if (tridiagonal) {
      const T = engineTridiagonal(E, tridiagonal, turned);
      return (a, b) => E.tridiagonal(R[out]!, T, R[x!]!, a, b);
    }
    const S = turned ? sparseTranspose(sparse!) : sparse!;
    return (a, b) => sparseApply(R[out]!, S, R[x!]!, a, b);
  },
};

/** T⁻¹A or T⁻ᵀA */
export const tridiagonalSolveOp: Operation = {
  name: "tridiagonalSolve",
  kernel({ E, R }, n, out, [, x]) {
    const [turned] = n.data as readonly [boolean];
    const F = tridiagonalFactor(E, engineTridiagonal(E, operatorOf(n.args[0]!).tridiagonal!, turned));
    return () => E.tridiagonalSolve(R[out]!, F, R[x!]!);
  },
};

/** Σ c_i·s_i·A_i: emitted term by term (program.ts). Data: the c_i, then for each i the place of s_i among the arguments or −1. */
export const combineOp: Operation = { name: "combine" };

function engineTridiagonal(E: Engine, { lower, main, upper }: Tridiagonal, turned: boolean): Tridiagonal {
  const [l, d, u] = [lower, main, upper].map((M) => E.from(M)) as [Matrix, Matrix, Matrix];
  if (!turned) return { lower: l, main: d, upper: u };
  // Tᵀ[i, i−1] = T[i−1, i] = upper[i−1], Tᵀ[i, i+1] = lower[i+1]
  const n = main.rows;
  for (let i = 0; i < n; i++) {
    l.data[i] = i > 0 ? upper.data[i - 1]! : 0;
    u.data[i] = i < n - 1 ? lower.data[i + 1]! : 0;
  }
  return { lower: l, main: d, upper: u };
}
