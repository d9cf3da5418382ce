/** Linear maps on tall matrices whose rows lie on several ranks. Every rank is given the whole of A and keeps its rows of it. */

import type { Matrix, Operator, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { isSparse, sparseApply, sparseTranspose } from "@expen/linalg/arrays";
import { isTridiagonal } from "@expen/linalg/engine";
import { checksum } from "./checksum.js";
import { checked, type Meeting } from "./meeting.js";
import { tridiagonalOverRanks } from "./tridiagonal.js";

type Apply = Operator["apply"];

export const mpiOperators =
  (m: Meeting) =>
  (A: Matrix | Sparse | Tridiagonal): Operator => {
    m.requireAlike(marksOf(A), "an operator");
    if (isTridiagonal(A)) return alsoOfSmall(m, A, tridiagonalOverRanks(m, A));
    return alsoOfSmall(m, A, isSparse(A) ? sparseOverRanks(m, A) : denseOverRanks(m, A));
  };

/** Small matrices are whole in every process: each multiplies its own, without a message. */
function alsoOfSmall(m: Meeting, A: Matrix | Sparse | Tridiagonal, spread: Operator): Operator {
  let whole: Operator | undefined;
  /** `inner` for two small matrices, `outer` for others */
  const either =
    (op: string, outer: Apply, inner: (A: Operator, ...args: Parameters<Apply>) => void): Apply =>
    (Y, X, a, b) => {
      const [y, x] = [m.own(Y, op, "Y"), m.own(X, op, "X")];
      if (y.kind !== "small" || x.kind !== "small") return outer(Y, X, a, b);
      whole ??= m.inner.operator(A);
      m.counters.flops += whole.flops * X.cols;
      inner(whole, m.writes(y), m.reads(x), a, b);
    };
  const { solve } = spread;
  return {
    ...spread,
    apply: either("apply", spread.apply, (A, Y, X, a, b) => A.apply(Y, X, a, b)),
    applyT: either("applyT", spread.applyT, (A, Y, X, a, b) => A.applyT(Y, X, a, b)),
    ...(solve && {
      solve: either(
        "solve",
        (Y, X) => solve(Y, X),
        (A, Y, X) => A.solve!(Y, X),
      ),
    }),
  };
}

/** Numbers that differ, with near certainty, where operators do */
function marksOf(A: Matrix | Sparse | Tridiagonal): number[] {
  if (isTridiagonal(A)) return [A.lower, A.main, A.upper].map(({ data }) => checksum(data));
  const parts = isSparse(A) ? [A.pointers, A.indices, A.values] : [A.data];
  return [A.rows, A.cols, ...parts.map(checksum)];
}

/** X is gathered on every rank: n×p numbers, as B's rows of a rank are n a row too. */
function denseOverRanks(m: Meeting, A: Matrix): Operator {
  const { rows, cols } = A;
  const product = (data: Float64Array, rows: number, cols: number, op: string): Apply => {
    const [first, count] = [m.firstRow(rows, m.rank), m.count(rows, m.rank)];
    const local = m.inner.operator({ rows: count, cols, data: data.slice(first * cols, (first + count) * cols) });
    let whole: Tall | undefined;
    return (Y, X, a = 1, b = 0) => {
      const [y, x] = checked(m, op, Y, X, rows, cols);
      if (whole?.cols !== X.cols) whole = m.inner.tall(cols, X.cols);
      m.inner.write(whole, m.gathered(m.inner.read(m.reads(x)), cols, X.cols));
      local.apply(m.writes(y), whole, a, b);
      m.counters.flops += 2 * rows * cols * X.cols;
    };
  };
  let turned: Apply | undefined;
  const data = A.data;
  return {
    rows,
    cols,
    flops: 2 * rows * cols,
    apply: product(data, rows, cols, "apply"),
    applyT: (Y, X, a, b) => (turned ??= product(transposed(A), cols, rows, "applyT"))(Y, X, a, b),
  };
}

function transposed({ rows, cols, data }: Matrix): Float64Array {
  const t = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) t[j * rows + i] = data[i * cols + j]!;
  return t;
}

/** Only those rows of X travel that a rank has entries for. */
function sparseOverRanks(m: Meeting, A: Sparse): Operator {
  const flops = 2 * A.values.length;
  const product = ({ rows, cols, pointers, indices, values }: Sparse, op: string): Apply => {
    const [first, count] = [m.firstRow(rows, m.rank), m.count(rows, m.rank)];
    const [from, to] = [pointers[first]!, pointers[first + count]!];
    const mine = { first: m.firstRow(cols, m.rank), count: m.count(cols, m.rank) };
    const foreign = [...new Set(indices.subarray(from, to))]
      .filter((j) => j < mine.first || j >= mine.first + mine.count)
      .sort((i, j) => i - j);
    // columns of the rows here: first those of this rank, then those that come from others
    const place = new Map(foreign.map((j, k) => [j, mine.count + k]));
    const local: Sparse = {
      rows: count,
      cols: mine.count + foreign.length,
      pointers: pointers.slice(first, first + count + 1).map((at) => at - from),
      indices: indices.slice(from, to).map((j) => place.get(j) ?? j - mine.first),
      values: values.slice(from, to),
    };
    const exchange = m.exchange(cols, foreign);
    let x = new Float64Array(0);
    let y = new Float64Array(0);
    return (Y, X, a = 1, b = 0) => {
      const [dest, source] = checked(m, op, Y, X, rows, cols);
      const p = X.cols;
      if (x.length !== local.cols * p) x = new Float64Array(local.cols * p);
      if (y.length !== count * p) y = new Float64Array(count * p);
      m.inner.read(m.reads(source), x.subarray(0, mine.count * p));
      x.set(exchange(x, p).subarray(0, foreign.length * p), mine.count * p);
      const to = m.writes(dest);
      if (b !== 0) m.inner.read(to, y);
      sparseApply({ rows: count, cols: p, data: y }, local, { rows: local.cols, cols: p, data: x }, a, b);
      m.inner.write(to, y);
      m.counters.flops += flops * p;
    };
  };
  let turned: Apply | undefined;
  return {
    rows: A.rows,
    cols: A.cols,
    flops,
    apply: product(A, "apply"),
    applyT: (Y, X, a, b) => (turned ??= product(sparseTranspose(A), "applyT"))(Y, X, a, b),
  };
}
