/**
 * Assigns kinds: instructions on abstract matrices become instructions on tall and small ones. A matrix with spread rows is tall; one with
 * spread columns is stored as its transpose, which is tall; all others are small. Then transposes of tall matrices are free, a constant
 * with both sides spread is an operator, and sums and repetitions of rows and columns are products with vectors of ones.
 */
import { type Axes, Unplaced } from "./axes.js";
import { reachable } from "./differentiate.js";
import { isScalar, type Node, node, shapeOf, withArguments } from "./graph.js";
import { constantOp, inputOp, isLiteral, literal, operatorOp, parameterOp } from "./leaves.js";
import {
  dotOp,
  gemmOp,
  gramOp,
  identityOp,
  operateOp,
  scaleColumnsOp,
  scaleRowsOp,
  traceProductOp,
  tridiagonalSolveOp,
} from "./machine.js";
import { diagonalOp } from "./operations/diagonal.js";
import { diagOp } from "./operations/diagonal-matrix.js";
import { hadamardOp } from "./operations/elementwise.js";
import { fullOp, transposeOp } from "./operations/linear.js";
import {
  columnDotsOp,
  columnSumsOp,
  repeatColumnsOp,
  repeatRowsOp,
  rowDotsOp,
  rowSumsOp,
} from "./operations/reduce.js";
import { rowLogSumExpOp, rowSoftmaxOp } from "./operations/softmax.js";

export type Kind = "tall" | "small";

/** The data of a placed constant: its leaf, its kind, and whether it is stored as its transpose */
export type LeafUse = readonly [leaf: number, kind: Kind, turned: boolean];

/** Whether `placed` made the constant; the others are operators */
export const isPlaced = (n: Node): boolean => Array.isArray(n.detail);

export interface Placement {
  readonly roots: Node[];
  kind(n: Node): Kind;
}

export function placed(roots: readonly Node[], axes: Axes): Placement {
  const kinds = new Map<Node, Kind>();
  const memo = new Map<Node, Node>();

  function makeNode(n: Node, kind: Kind): Node {
    if (!isScalar(n)) kinds.set(n, kind);
    return n;
  }
  const isWide = (n: Node): boolean => axes.spread(n, 1);
  const kindOf = (n: Node): Kind => (axes.spread(n, 0) || axes.spread(n, 1) ? "tall" : "small");

  const ones = (size: number, kind: Kind): Node => filled(literal(1), size, 1, kind);
  function filled(s: Node, rows: number, cols: number, kind: Kind): Node {
    return makeNode(node(fullOp, [s], rows, cols, [kind], rows === cols), kind);
  }
  function gemm(A: Node, tA: boolean, B: Node, tB: boolean, kind: Kind, symmetric = false): Node {
    const [rows, cols] = [tA ? A.cols : A.rows, tB ? B.rows : B.cols];
    if (A === B && tA) return makeNode(node(gramOp, [A], rows, cols, "", true), kind);
    return makeNode(node(gemmOp, [A, B], rows, cols, [tA, tB], symmetric), kind);
  }
  const by = (A: Node, B: Node): Node => makeNode(node(hadamardOp, [A, B], A.rows, A.cols), kinds.get(A)!);
  const identity = (size: number): Node => makeNode(node(identityOp, [], size, size, "", true), "small");

  /** The transpose of a small matrix */
  const turned = (A: Node): Node => makeNode(node(transposeOp, [A], A.cols, A.rows), "small");

  function refuse(n: Node): never {
    throw new Unplaced(`'${n.op.name}' gives a ${shapeOf(n)} matrix with rows of X, or of data times X, on both sides`);
  }

  /** n as it is stored; `beside`: which sides of an s·11ᵀ are spread, which its readers determine */
  function place(n: Node, beside: readonly [boolean, boolean] = [false, false]): Node {
    if (n.op === fullOp && !isScalar(n)) {
      const [s, [rows, cols]] = [place(n.args[0]!), beside];
      if (rows && cols) refuse(n);
      return cols ? filled(s, n.cols, n.rows, "tall") : filled(s, n.rows, n.cols, rows ? "tall" : "small");
    }
    let result = memo.get(n);
    if (!result) memo.set(n, (result = instruction(n)));
    return result;
  }

  function instruction(n: Node): Node {
    if (isLiteral(n) || (isScalar(n) && n.args.length === 0)) return n;
    if (axes.spread(n, 0) && axes.spread(n, 1)) refuse(n);
    if (n.op === inputOp) return makeNode(n, kindOf(n));
    if (isData(n)) return constant(n);
    if (n.op === gemmOp) {
      const [tA, tB] = n.detail as readonly [boolean, boolean];
      return product(n, n.args[0]!, tA, n.args[1]!, tB);
    }
    if (n.op === operateOp || n.op === tridiagonalSolveOp) return operate(n);
    if (n.op.isOnHost) return onHost(n);
    return special.get(n.op)?.(n) ?? entrywise(n);
  }

  /** The detail ends with a flag for each argument and the result: whether it is stored as its transpose. */
  function onHost(n: Node): Node {
    const flags = [...n.args, n].map(isWide);
    const [rows, cols] = isWide(n) ? [n.cols, n.rows] : [n.rows, n.cols];
    const detail = [...(n.detail as (number | string | boolean)[]), ...flags];
    return makeNode(node(n.op, n.args.map((A) => place(A)), rows, cols, detail), kindOf(n)); // biome-ignore format: one node
  }

  const isData = ({ op }: Node): boolean => op === constantOp || op === parameterOp || op === operatorOp;

  /** `other`: in the opposite orientation to the usual one */
  function constant(n: Node, other = false): Node {
    const turned = isWide(n) !== other;
    const use: LeafUse = [n.id, kindOf(n), turned];
    const [rows, cols] = turned ? [n.cols, n.rows] : [n.rows, n.cols];
    return makeNode(node(constantOp, [], rows, cols, use, n.symmetric), use[1]);
  }

  function entrywise(n: Node): Node {
    const like = isScalar(n) ? (n.args.find((A) => !isScalar(A) && A.op !== fullOp) ?? n) : n;
    const beside = [axes.spread(like, 0), axes.spread(like, 1)] as const;
    const args = n.args.map((A) => place(A, beside));
    if (isScalar(n) || !isWide(n)) return makeNode(withArguments(n, args), kindOf(n));
    return makeNode(node(n.op, args, n.cols, n.rows, n.detail as number[], n.symmetric), "tall");
  }

  /** op(A)·op(B); r, k, c: whether rows, inner side and columns are spread */
  function product(n: Node, A: Node, tA: boolean, B: Node, tB: boolean): Node {
    const [r, c] = [axes.spread(n, 0), axes.spread(n, 1)];
    const k = A.op === fullOp ? axes.spread(B, tB ? 1 : 0) : axes.spread(A, tA ? 0 : 1);
    const left = (): Node => place(A, tA ? [k, r] : [r, k]);
    const right = (): Node => place(B, tB ? [c, k] : [k, c]);
    if (k && r) return applied(A, tA, right());
    if (k && c) return applied(B, !tB, left());
    if (k) return gemm(left(), true, right(), false, "small", n.symmetric);
    // BLAS multiplies by a small matrix up to three times as fast as by its transpose
    if (r && tB && isData(B)) return gemm(left(), false, constant(B, true), false, "tall");
    if (r) return gemm(left(), false, right(), tB && !B.symmetric, "tall");
    if (c) return gemm(right(), false, left(), !tA, "tall");
    return gemm(left(), tA, right(), tB, "small", n.symmetric);
  }

  /** A·X or AᵀX for a constant A with both sides spread */
  function applied(A: Node, turned: boolean, X: Node): Node {
    if (A.op !== constantOp && A.op !== parameterOp) refuse(A);
    const flag = turned && !A.symmetric;
    return makeNode(node(operateOp, [A, X], turned ? A.cols : A.rows, X.cols, [flag]), "tall");
  }

  /** S·A for a sparse or tridiagonal S; if a side of S is whole, S is stored as a small or tall matrix */
  function operate(n: Node): Node {
    const [S, A] = n.args as [Node, Node];
    const [turned] = n.detail as readonly [boolean];
    const isOperator = axes.spreading === "nothing" || (axes.spread(S, 0) && axes.spread(S, 1));
    if (!isOperator) return product(n, S, turned, A, false);
    const spread = axes.spreading !== "nothing";
    return makeNode(node(n.op, [S, place(A, [spread, false])], n.rows, n.cols, n.detail as boolean[]), kindOf(n));
  }

  const special = new Map<Node["op"], (n: Node) => Node>([
    [
      transposeOp,
      (n) => {
        const A = place(n.args[0]!);
        return kindOf(n) === "tall" ? A : turned(A);
      },
    ],
    [gramOp, (n) => gemm(place(n.args[0]!), true, place(n.args[0]!), false, "small")],
    [scaleRowsOp, (n) => scaled(n, !isWide(n))],
    [scaleColumnsOp, (n) => scaled(n, isWide(n))],
    [repeatColumnsOp, (n) => repeated(n, !isWide(n))],
    [repeatRowsOp, (n) => repeated(n, isWide(n))],
    [rowSumsOp, (n) => summed(place(n.args[0]!), !isWide(n.args[0]!), n)],
    [columnSumsOp, (n) => summed(place(n.args[0]!), isWide(n.args[0]!), n)],
    [rowDotsOp, (n) => dotted(n, !isWide(n.args[0]!))],
    [columnDotsOp, (n) => dotted(n, isWide(n.args[0]!))],
    [diagOp, diagonalMatrix],
    [diagonalOp, (n) => makeNode(node(rowDotsOp, [place(n.args[0]!), identity(n.rows)], n.rows, 1), "small")],
    [
      traceProductOp,
      (n) => {
        const [A, B] = n.args.map((F) => place(F)) as [Node, Node];
        const tall = kindOf(n.args[0]!) === "tall";
        return node(dotOp, [tall ? A : turned(A), B], 1, 1);
      },
    ],
    [rowLogSumExpOp, (n) => (isWide(n.args[0]!) ? refuse(n) : entrywise(n))],
    [rowSoftmaxOp, (n) => (isWide(n) ? refuse(n) : entrywise(n))],
  ]);

  /** Diag(v)·A or A·Diag(v) for A as it is stored */
  function scaled(n: Node, byRow: boolean): Node {
    const A = place(n.args[1]!, [axes.spread(n, 0), axes.spread(n, 1)]);
    const v = place(n.args[0]!, [byRow && kindOf(n) === "tall", false]);
    if (byRow) return makeNode(node(scaleRowsOp, [v, A], A.rows, A.cols), kindOf(n));
    if (A.rows === 1) return by(A, turned(v));
    return by(A, gemm(ones(A.rows, kindOf(n)), false, v, true, kindOf(n)));
  }

  /** v·1ᵀ if each stored row repeats one number, otherwise 1·vᵀ */
  function repeated(n: Node, oneEach: boolean): Node {
    const v = place(n.args[0]!, [false, false]);
    const [rows, cols] = isWide(n) ? [n.cols, n.rows] : [n.rows, n.cols];
    if (oneEach) return gemm(v, false, ones(cols, "small"), true, kindOf(n));
    return gemm(ones(rows, kindOf(n)), false, v, v.cols === 1, kindOf(n));
  }

  /** The sums of the stored rows of A, or of its columns, in the shape of n */
  function summed(A: Node, ofRows: boolean, n: Node): Node {
    const kind = kinds.get(A)!;
    if (ofRows) return gemm(A, false, ones(A.cols, "small"), false, kind);
    const column = ones(A.rows, kind);
    return n.cols === 1 ? gemm(A, true, column, false, "small") : gemm(column, true, A, false, "small");
  }

  function dotted(n: Node, ofRows: boolean): Node {
    const beside = n.args.find((A) => A.op !== fullOp) ?? n;
    const sides = [axes.spread(beside, 0), axes.spread(beside, 1)] as const;
    const [A, B] = n.args.map((F) => place(F, sides)) as [Node, Node];
    if (ofRows) return makeNode(node(rowDotsOp, [A, B], A.rows, 1), kinds.get(A)!);
    return summed(by(A, B), false, n);
  }

  function diagonalMatrix(n: Node): Node {
    const [v] = n.args as [Node];
    const I = identity(n.rows);
    if (v.op === fullOp && isLiteral(v.args[0]!) && v.args[0]!.detail === 1) return I;
    return makeNode(node(scaleRowsOp, [place(v), I], n.rows, n.rows, "", true), "small");
  }

  // in this order recursion stays shallow
  for (const n of reachable(roots)) if (n.args.length > 0 && n.op !== fullOp) place(n);
  const spreadX = axes.spreading !== "nothing";
  return { roots: roots.map((n) => place(n, [spreadX, false])), kind: (n) => kinds.get(n) ?? "small" };
}
