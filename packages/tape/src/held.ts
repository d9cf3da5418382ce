/** The data of a formula on an engine: constants and parameters as tall and small matrices, and as operators. */

import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import {
  denseInverse,
  mapDiagonals,
  sparseToDense,
  toDense,
  toTridiagonal,
  transposeDiagonals,
  transposed,
} from "@expen/linalg/arrays";
import type { Owned } from "@expen/linalg/engine";
import { type KindlessOperator, kindless } from "@expen/linalg/engine";
import type { Graph, Node, Registers } from "./graph.js";
import { constantOp, operatorOf, operatorOp, type Parameter } from "./leaves.js";
import type { Kind, LeafUse } from "./place.js";

/** Entries from which dense data is read in place; for fewer, products are faster in the memory of the engine */
const LENT = 2 ** 12;
/** Entries from which the large pages of the engine make products with few columns faster, by up to a fourth */
const PAGED = 2 ** 18;
/** Products after which lent data is copied into these pages: the time of the copy over the time lost per product */
const OFTEN = 128;

export interface HeldData extends Pick<Registers, "operator"> {
  /** the matrix of the engine for a placed constant */
  constant(n: Node): Matrix;
  /** a new value for a parameter with entries */
  assign(leaf: Node, value: Matrix): void;
}

/** Whether the matrices of E lie in host memory */
export function isHost(E: Engine): boolean {
  try {
    return E.tall(1, 1).data.length === 1;
  } catch {
    return false;
  }
}

/** A function that reads a matrix of E or of the host, in place if possible */
export function reader(E: Engine): (M: Matrix) => Float64Array {
  const host = isHost(E);
  const { owner } = E.small(0, 0) as unknown as Owned;
  return (M) => (host || (M as Owned).owner !== owner ? M.data : E.read(M as Tall));
}

export function heldData(E: Engine, { read, leaves }: Pick<Graph, "read" | "leaves">): HeldData {
  const { owner } = E.small(0, 0) as unknown as Owned;
  const matrices = new Map<string, { leaf: Node; kind: Kind; turned: boolean; M: Tall | Small }>();
  const operators = new Map<string, { leaf: Node; current: KindlessOperator }>();

  /** The matrix of a leaf, with its entries */
  function source({ op, detail: data }: Node): Matrix {
    if (op === constantOp) return data as Matrix;
    if (op !== operatorOp) return (data as Parameter).value as Matrix;
    const { sparse, tridiagonal, inverse } = data as ReturnType<typeof operatorOf>;
    if (sparse) return sparseToDense(sparse);
    const T = mapDiagonals(tridiagonal!, read);
    const n = T.main.length;
    return { rows: n, cols: n, data: inverse ? denseInverse(T) : toDense(T) };
  }

  /** The entries of M, or of its transpose, row-major */
  function numbersOf(M: Matrix, turned: boolean): Float64Array {
    const numbers = read(M);
    return turned ? transposed(numbers, M.rows, M.cols) : numbers;
  }

  /** The matrix itself if it is a constant of E with the right kind and orientation, otherwise a copy */
  function makeMatrix(leaf: Node, kind: Kind, turned: boolean): Tall | Small {
    const M = source(leaf);
    const { owner: whose, kind: is } = M as Owned;
    if (leaf.op === constantOp && whose === owner && !turned && (is === undefined || is === kind)) return M as Tall;
    return E[kind](turned ? M.cols : M.rows, turned ? M.rows : M.cols, numbersOf(M, turned));
  }

  /** `constant`: whether the leaf never changes */
  function denseOperator({ symmetric }: Node, M: Matrix, constant: boolean): KindlessOperator {
    const plain = { rows: M.rows, cols: M.cols, data: read(M), ...(symmetric && { symmetric }) };
    const copied = (): KindlessOperator => kindless(E).operator(plain);
    if (!constant || !canBeLent(plain)) return copied();
    const lent = kindless(E).operator(E.host!.lend(plain));
    return plain.data.length > PAGED ? copiedWhenUsed(lent, copied) : lent;
  }
  const canBeLent = ({ data }: Matrix): boolean =>
    E.host !== undefined &&
    data instanceof Float64Array &&
    data.length >= LENT &&
    // a view may lie in a WebAssembly memory, whose growth detaches it
    data.buffer instanceof ArrayBuffer &&
    data.byteLength === data.buffer.byteLength;

  function operatorMade(leaf: Node, turned: boolean): KindlessOperator {
    if (leaf.op !== operatorOp) return denseOperator(leaf, source(leaf), leaf.op === constantOp);
    const { sparse, tridiagonal, inverse } = operatorOf(leaf);
    if (sparse) return kindless(E).operator(sparse);
    const T = mapDiagonals(tridiagonal!, read);
    const map = kindless(E).operator(toTridiagonal(turned ? transposeDiagonals(T) : T));
    // a first call allocates its scratch, and detects a zero pivot, now
    const [y, x] = [E.tall(map.rows, 1), E.tall(map.rows, 1)];
    if (inverse) map.solve!(y, x);
    else map.applyT(y, x);
    return map;
  }

  return {
    constant(n) {
      const [id, kind, turned] = n.detail as LeafUse;
      const key = `${n.detail}`;
      let entry = matrices.get(key);
      if (!entry) {
        const leaf = [...leaves.values()].find((known) => known.id === id)!;
        matrices.set(key, (entry = { leaf, kind, turned, M: makeMatrix(leaf, kind, turned) }));
      }
      return entry.M;
    },
    operator(leaf, turned) {
      const key = `${leaf.id} ${turned}`;
      let slot = operators.get(key);
      if (!slot) operators.set(key, (slot = { leaf, current: operatorMade(leaf, turned) }));
      return slot;
    },
    assign(leaf, value) {
      for (const entry of matrices.values()) if (entry.leaf === leaf) E.write(entry.M, numbersOf(value, entry.turned));
      for (const entry of operators.values()) {
        if (entry.leaf === leaf) entry.current = denseOperator(leaf, value, false);
      }
    },
  };
}

/** The operator `lent`, and after `OFTEN` products `copied()` */
function copiedWhenUsed(lent: KindlessOperator, copied: () => KindlessOperator): KindlessOperator {
  let [now, used] = [lent, 0];
  const next = (): KindlessOperator => (++used === OFTEN ? (now = copied()) : now);
  return {
    ...lent,
    apply: (Y, X, a, b) => next().apply(Y, X, a, b),
    applyT: (Y, X, a, b) => next().applyT(Y, X, a, b),
  };
}
