/** Sums with number coefficients, multiples by a scalar, transposes, and constant matrices s·11ᵀ. */

import { described, isPromise } from "@expen/linalg";
import { transpose as turnNumbers } from "@expen/linalg/arrays";
import { type Expr, fail, isScalar, lineOf, type Node, node, type Operation, shapeOf } from "../graph.js";
import { type Arg, isLiteral, lift, literal, numberOf, operatorOp } from "../leaves.js";
import { algebra } from "./algebra.js";

export type Term = readonly [coefficient: number, A: Node];

/** Σ c_i·A_i */
export const linOp: Operation = {
  name: "sum",
  vjp: (n, W) => coefficientsOf(n).map((c) => lin([[c, W]])),
  jvp: (n, d) => {
    const c = coefficientsOf(n);
    return lin(d.flatMap((t, i): Term[] => (t ? [[c[i]!, t]] : [])));
  },
  kernel({ S }, n, out, args) {
    const c = coefficientsOf(n);
    return () => {
      let s = 0;
      for (let i = 0; i < c.length; i++) s += c[i]! * S[args[i]!]!;
      S[out] = s;
    };
  },
};

/** s·A for a scalar s */
export const scaleOp: Operation = {
  name: "scale",
  vjp: (n, W) => [algebra.inner(W, n.args[1]!), multiple(n.args[0]!, W)],
  jvp: (n, [ds, dA]) => plus([ds && multiple(ds, n.args[1]!), dA && multiple(n.args[0]!, dA)]),
};

/** s·11ᵀ */
export const fullOp: Operation = {
  name: "full",
  vjp: (_n, W) => [algebra.total(W)],
  jvp: (n, [ds]) => full(ds!, n.rows, n.cols),
  kernel:
    ({ E, R, S }, _n, out, [s]) =>
    () =>
      E.fill(R[out]!, S[s!]!),
};

export const transposeOp: Operation = {
  name: "transpose",
  axes: "ij->ji",
  vjp: (_n, W) => [transpose(W)],
  jvp: (_n, [d]) => transpose(d!),
  // of small matrices only: place.ts stores the transpose of a tall one as the tall matrix itself
  kernel({ E, host, R }, n, out, [x]) {
    if (!host) {
      const I = E.small(n.cols, n.cols);
      E.addDiagonal(I, 1);
      return () => E.tmul(R[out]!, R[x!]!, I);
    }
    const [a, y] = [new Float64Array(n.rows * n.cols), new Float64Array(n.rows * n.cols)];
    return () => E.write(R[out]!, turnNumbers(y, E.read(R[x!]!, a), n.cols, n.rows));
  },
};

export const coefficientsOf = (n: Node): readonly number[] => n.detail as readonly number[];

/** A = c·s·base with a number c and, perhaps, a scalar s */
export function split(A: Node): { c: number; s: Node | undefined; base: Node } {
  if (A.op === linOp && A.args.length === 1) {
    const { c, s, base } = split(A.args[0]!);
    return { c: c * coefficientsOf(A)[0]!, s, base };
  }
  if (A.op === scaleOp) return { c: 1, s: A.args[0]!, base: A.args[1]! };
  return { c: 1, s: undefined, base: A };
}

/** c·s·A */
export function joined(c: number, s: Node | undefined, A: Node): Node {
  return lin([[c, s ? multiple(s, A) : A]]);
}

/** Σ c_i·A_i: multiples of one node are merged, numbers are added, zeros are dropped. All A_i have one shape. */
export function lin(terms: readonly Term[], shape: Expr = terms[0]![1]): Node {
  const merged = new Map<Node, number>();
  const add = (c: number, A: Node): void => {
    if (A.op === linOp && (A.args.length === 1 || isScalar(A))) {
      for (const [i, arg] of A.args.entries()) add(c * coefficientsOf(A)[i]!, arg);
    } else if (isLiteral(A)) merge(c * numberOf(A), literal(1));
    else merge(c, A);
  };
  const merge = (c: number, A: Node): void => void merged.set(A, (merged.get(A) ?? 0) + c);
  for (const [c, A] of terms) add(c, A);
  const nonzero = [...merged].filter(([, c]) => c !== 0).sort(([A], [B]) => A.id - B.id);
  if (nonzero.length === 0) return full(literal(0), shape.rows, shape.cols);
  const [[first, c]] = nonzero as [[Node, number]];
  if (nonzero.length === 1 && c === 1) return first;
  if (nonzero.length === 1 && isLiteral(first)) return literal(c);
  /** whether the transpose of each term is a term too */
  const symmetric =
    shape.rows === shape.cols && nonzero.every(([A, k]) => A.symmetric || merged.get(transpose(A)) === k);
  return node(
    linOp,
    nonzero.map(([A]) => A),
    shape.rows,
    shape.cols,
    nonzero.map(([, k]) => k),
    symmetric,
  );
}

/** The sum of the nodes that are defined; `shape` is needed if there may be none */
export const plus = (As: readonly (Node | undefined)[], shape?: Expr): Node =>
  lin(
    As.flatMap((A): Term[] => (A ? [[1, A]] : [])),
    shape,
  );

export const negative = (A: Node): Node => lin([[-1, A]]);
export const minus = (A: Node, B: Node): Node =>
  lin([
    [1, A],
    [-1, B],
  ]);

/** s·A for a 1×1 node s */
export function multiple(s: Node, A: Node): Node {
  if (isLiteral(s)) return lin([[numberOf(s), A]]);
  if (isScalar(A)) return algebra.times(s, A);
  if (A.op === fullOp) return full(algebra.times(s, A.args[0]!), A.rows, A.cols);
  const u = split(s);
  const { c, s: t, base } = split(A);
  const scalar = t ? algebra.times(u.base, t) : u.base;
  return lin([[c * u.c, node(scaleOp, [scalar, base], A.rows, A.cols, "", base.symmetric)]]);
}

export function full(s: Node, rows: number, cols: number): Node {
  if (rows === 1 && cols === 1) return s;
  const { c, base } = split(s);
  const result = node(fullOp, [isLiteral(s) ? s : base], rows, cols, "", rows === cols);
  return isLiteral(s) || c === 1 ? result : lin([[c, result]]);
}

export function transpose(A: Node): Node {
  if (A.symmetric) return A;
  if (A.op === transposeOp) return A.args[0]!;
  if (A.op === fullOp) return full(A.args[0]!, A.cols, A.rows);
  if (A.op.transposed) return A.op.transposed(A);
  const { c, s, base } = split(A);
  if (base !== A) return joined(c, s, transpose(base));
  return node(transposeOp, [A], A.cols, A.rows);
}

/** Broadcasts to one shape: a number to a constant matrix, a row to equal rows, a column to equal columns. */
export function alike(operation: string, args: readonly Arg[]): Node[] {
  const nodes = args.map((a) => dense(operation, lift(operation, a)));
  const [rows, cols] = [Math.max(...nodes.map((n) => n.rows)), Math.max(...nodes.map((n) => n.cols))];
  const repeated = (n: Node): Node => {
    if (isScalar(n)) return full(n, rows, cols);
    const wide = n.cols === 1 ? algebra.repeatColumns(n, cols) : n;
    return n.rows === 1 ? algebra.repeatRows(wide, rows) : wide;
  };
  const odd = nodes.find((n) => (n.rows !== rows && n.rows !== 1) || (n.cols !== cols && n.cols !== 1));
  if (odd) fail(operation, `shapes differ, ${nodes.map(shapeOf).join(" and ")}`);
  return nodes.map(repeated);
}

/** Throws for operators (sparse, tridiagonal), which have no entries, only an action in products. */
export function dense(operation: string, A: Node): Node {
  const base = A.op === transposeOp ? A.args[0]! : A;
  if (base.op === operatorOp) {
    fail(operation, `a sparse or tridiagonal matrix (${shapeOf(A)}) may only be a factor of mul() beside a dense one`);
  }
  return A;
}

/** The result of a formula, as a scalar; `again` records it once more to find the line of an error. */
export function returned(value: Arg, again: () => unknown): Node {
  if (typeof value === "object" && value !== null && "re" in value && "im" in value)
    fail(
      "compile",
      "the function returns a complex number; it must return a real one, as re(…) of it",
      lineOf(value.re, again),
    );
  const known = typeof value === "number" ? !Number.isNaN(value) : typeof value === "object" && !isPromise(value);
  const f = known && value !== null ? dense("compile", lift("compile", value)) : undefined;
  if (f && isScalar(f)) return f;
  const is = f ? shapeOf(f) : described(value);
  const text = `the function returns ${is}; it must return a number, as trace(), sum() or norm2() give`;
  return fail("compile", text, lineOf(value, again));
}

/** A + B + … ; a number is added to every entry, a row to every row, a column to every column */
export function add(...args: Arg[]): Node {
  if (args.length === 0) fail("add", "there is nothing to add");
  return plus(alike("add", args));
}

/** A − B */
export function sub(A: Arg, B: Arg): Node {
  const [a, b] = alike("sub", [A, B]) as [Node, Node];
  return minus(a, b);
}

/** −A */
export const neg = (A: Arg): Node => negative(lift("neg", A));

/** s·A for a number or scalar expression s */
export function scale(s: Arg, A: Arg): Node {
  const factor = lift("scale", s);
  if (!isScalar(factor)) fail("scale", `the factor is ${shapeOf(factor)}; it must be a number or a 1×1 expression`);
  return multiple(factor, lift("scale", A));
}

/** Aᵀ */
export const t = (A: Arg): Node => transpose(lift("t", A));
