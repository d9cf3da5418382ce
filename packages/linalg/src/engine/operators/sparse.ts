import { sparseApply, sparseTranspose } from "../../arrays/sparse.js";
import type { Operator } from "../../contracts/engine.js";
import type { Matrix, Sparse } from "../../contracts/matrix.js";
import type { Owned, OwnSparse } from "../kernels.js";
import type { OperatorHost } from "./operator-host.js";

/** A sparse A, copied into the engine if that has a kernel for it; Aᵀ is computed on first use. */
export function sparseOperator(host: OperatorHost, A: Sparse): Operator {
  const flops = 2 * A.values.length;
  const straight = product(host, A);
  let turned: ReturnType<typeof product> | undefined;
  return {
    rows: A.rows,
    cols: A.cols,
    flops,
    apply: (Y, X, a = 1, b = 0) => straight("apply", Y, X, a, b),
    applyT: (Y, X, a = 1, b = 0) => (turned ??= product(host, sparseTranspose(A)))("applyT", Y, X, a, b),
  };
}

/** Y ← a·A·X + b·Y */
function product({ numbers, ofOneKind, counters, kernels, tall }: OperatorHost, A: Sparse) {
  const { rows, cols, values } = A;
  const own = kernels.sparse && rows > 0 && inBounds(A) ? copied() : undefined;

  function copied(): OwnSparse | undefined {
    const arrays = { pointers: tall32(A.pointers), indices: tall32(A.indices), values: tall(values.length, 1, values) };
    const all = Object.values(arrays) as Owned[];
    return all.every(({ at }) => at > 0) ? (arrays as unknown as OwnSparse) : undefined;
  }

  function tall32(integers: Int32Array): Matrix {
    const even = new Int32Array(2 * Math.ceil(integers.length / 2));
    even.set(integers);
    return tall(even.length / 2, 1, new Float64Array(even.buffer));
  }

  return (op: string, Y: Matrix, X: Matrix, a: number, b: number): void => {
    const y = { rows: Y.rows, cols: Y.cols, data: numbers(Y, op, "Y") };
    const x = { rows: X.rows, cols: X.cols, data: numbers(X, op, "X") };
    ofOneKind(Y, X, op, "Y and X");
    const inside = own && a !== 0 && Y !== X && (Y as Owned).at > 0 && (X as Owned).at > 0;
    if (inside && X.rows === cols && Y.rows === rows && Y.cols === X.cols) {
      kernels.sparse!(rows, X.cols, a, own, X as Owned, b, Y as Owned);
    } else sparseApply(y, A, Y === X ? y : x, a, b);
    counters.flops += 2 * values.length * X.cols;
  };
}

/** The conditions that unchecked kernels rely on */
function inBounds({ rows, cols, pointers, indices, values }: Sparse): boolean {
  if (pointers.length !== rows + 1 || pointers[0] !== 0 || indices.length < pointers[rows]!) return false;
  if (values.length < pointers[rows]!) return false;
  for (let i = 0; i < rows; i++) if (pointers[i + 1]! < pointers[i]!) return false;
  for (const j of indices) if (!(j >= 0 && j < cols)) return false;
  return true;
}
