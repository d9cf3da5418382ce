/** The instructions for products and sums: operations of engines, with destination ← a·result + b·destination */
import type { Operation } from "./graph.js";

/** A·B, AᵀB or ABᵀ; data: which factor is transposed */
export const gemmOp: Operation = {
  name: "gemm",
  accumulates: true,
  axes(n) {
    const [left, right] = n.detail as readonly [boolean, boolean];
    return `${left ? "ki" : "ik"},${right ? "jk" : "kj"}->ij`;
  },
  kernel({ E, R }, n, out, [x, y]) {
    const [left, right] = n.detail as readonly [boolean, boolean];
    if (left) return (a, b) => E.tmul(R[out]!, R[x!]!, R[y!]!, a, b);
    if (right) return (a, b) => E.mulT(R[out]!, R[x!]!, R[y!]!, a, b);
    return (a, b) => E.mul(R[out]!, R[x!]!, R[y!]!, a, b);
  },
};

/** AᵀA */
export const gramOp: Operation = {
  name: "gram",
  axes: "ki->ii",
  kernel:
    ({ E, R }, _n, out, [x]) =>
    () =>
      E.gram(R[out]!, R[x!]!),
};

/** I */
export const identityOp: Operation = {
  name: "identity",
  kernel:
    ({ E, R }, _n, out) =>
    () => {
      E.fill(R[out]!, 0);
      E.addDiagonal(R[out]!, 1);
    },
};

/** Diag(v)·A */
export const scaleRowsOp: Operation = {
  name: "scaleRows",
  axes: "i1,ij->ij",
  accumulates: true,
  kernel:
    ({ E, R }, _n, out, [v, x]) =>
    (a, b) =>
      E.scaleRows(R[out]!, R[v!]!, R[x!]!, a, b),
};

/** A·Diag(v) = A∘(1·vᵀ), which is how it runs (place.ts) */
export const scaleColumnsOp: Operation = { name: "scaleColumns", axes: "j1,ij->ij" };

/** ⟨A, B⟩ */
export const dotOp: Operation = {
  name: "dot",
  kernel:
    ({ E, R, S }, _n, out, [x, y]) =>
    () =>
      void (S[out] = E.dot(R[x!]!, R[y!]!)),
};

/** tr AB = ⟨Aᵀ, B⟩, which is how it runs (place.ts) */
export const traceProductOp: Operation = { name: "traceProduct", axes: "ij,ji->" };

/** S·A or SᵀA for a sparse or tridiagonal S, or a dense one with both sides spread; data: whether S is transposed */
export const operateOp: Operation = {
  name: "operate",
  axes: (n) => ((n.detail as readonly [boolean])[0] ? "ki,kj->ij" : "ik,kj->ij"),
  accumulates: true,
  kernel({ R, operator }, n, out, [, x]) {
    const [turned] = n.detail as readonly [boolean];
    const S = operator(n.args[0]!, false);
    if (turned) return (a, b) => S.current.applyT(R[out]!, R[x!]!, a, b);
    return (a, b) => S.current.apply(R[out]!, R[x!]!, a, b);
  },
};

/** T⁻¹A or T⁻ᵀA */
export const tridiagonalSolveOp: Operation = {
  name: "tridiagonalSolve",
  axes: (n) => ((n.detail as readonly [boolean])[0] ? "ki,kj->ij" : "ik,kj->ij"),
  kernel({ R, operator }, n, out, [, x]) {
    const T = operator(n.args[0]!, (n.detail as readonly [boolean])[0]);
    return () => T.current.solve!(R[out]!, R[x!]!);
  },
};

/** Σ c_i·s_i·A_i, emitted term by term (program.ts). Data: the c_i, then for each i the index of s_i among the arguments, or −1. */
export const combineOp: Operation = { name: "combine" };
