/**
 * The recorded formula: a graph of nodes with static shapes. Equal nodes are one node (hash-consing), so common subexpressions,
 * also those of derivatives, are computed once. A 1×1 node is a scalar: it lives in a register, never in a matrix.
 */

import type { Matrix } from "@expen/linalg";
import { isPromise } from "@expen/linalg";
import type { ChainBuilder, KindlessEngine, KindlessOperator, Value } from "@expen/linalg/engine";
import { userLine } from "./source-line.js";

/** An invalid formula; the message ends with the line of the user's program. */
export class TapeError extends Error {
  override name = "TapeError";
}

/** An expression in a formula: the value of an operation, of which only the shape is known */
export interface Expr {
  readonly rows: number;
  readonly cols: number;
}

/** The dependence of a node: 0 on constants and parameters only, 1 on the point X, 2 on the direction D */
export type Level = 0 | 1 | 2;

export interface Node extends Expr {
  readonly id: number;
  readonly op: Operation;
  readonly args: readonly Node[];
  /** data of the operation: coefficients, a name, an exponent */
  readonly detail: unknown;
  readonly level: Level;
  /** equal to its transpose */
  readonly symmetric: boolean;
  readonly graph: Graph;
}

/** The registers a compiled program works on: R for matrices, S for scalars. */
export interface Registers {
  /** the engine without the kinds in its types: R holds both */
  readonly E: KindlessEngine;
  /** whether the numbers of its matrices lie in host memory */
  readonly host: boolean;
  readonly R: Matrix[];
  readonly S: Float64Array;
  /** the linear map of a leaf, or of its transpose if turned; `current` may change with a parameter */
  operator(leaf: Node, turned: boolean): { readonly current: KindlessOperator };
  kind(n: Node): "tall" | "small";
  /** data that the kernel of one node passes to those of others */
  readonly shared: Map<Node, unknown>;
}

/** Runs one instruction: destination ← a·result + b·destination if the operation accumulates, else destination ← result. */
export type Kernel = (a: number, b: number) => void;

/** An operation: its name, two derivative rules in terms of operations, and its kernel */
export interface Operation {
  readonly name: string;
  /** adjoints of the arguments from the adjoint W of the result */
  vjp?(node: Node, W: Node): (Node | undefined)[];
  /** tangent of the result from those of the arguments, not all of which are zero (undefined) */
  jvp?(node: Node, d: readonly (Node | undefined)[]): Node | undefined;
  /**
   * One letter for each side of the arguments and of the result, as in "ij,ij->i1": sides with one letter stand for the same rows or
   * columns, so that one is spread over processes if the other is. Default: entry by entry, all sides alike.
   */
  readonly axes?: string | ((node: Node) => string);
  /** the result repeats its argument, a column or a row; as an entrywise factor it scales rows or columns */
  readonly repeats?: "columns" | "rows";
  /** the transpose of the result, if a simpler node than its transpose exists */
  transposed?(node: Node): Node;
  /** the logarithm of every entry of the result, if it is less work than the result */
  logarithm?(node: Node): Node;
  /** entry by entry in a chain, from the entries of the arguments, which have the shape of the result; `kernel` is for scalars then */
  inChain?(b: ChainBuilder, node: Node, entries: readonly Value[]): Value;
  /** reads its arguments and writes its result through host memory, in whatever orientation they are stored (place.ts) */
  readonly isOnHost?: boolean;
  /** made by `operation` */
  readonly isOwn?: boolean;
  /** whether `kernel` obeys a and b */
  readonly accumulates?: boolean;
  /** the instruction with its result in register `out` and its arguments in registers `args` */
  kernel?(registers: Registers, node: Node, out: number, args: readonly number[]): Kernel;
}

export interface Graph {
  readonly nodes: Map<string, Node>;
  /** leaves by their object */
  readonly leaves: Map<unknown, Node>;
  /** the entries of a matrix in a formula */
  read(M: Matrix): Float64Array;
}

let current: Graph | undefined;

/** Runs `build` with all operations recorded into `graph`. */
export function recording<T>(graph: Graph, build: () => T): T {
  const outer = current;
  current = graph;
  try {
    return build();
  } finally {
    current = outer;
  }
}

export function activeGraph(): Graph {
  if (!current) fail("tape", "an operation was called outside a recorded function; call it inside X => …");
  return current;
}

/** `line`: the line of the user's program, if it is no longer on the stack */
export function fail(operation: string, text: string, line: string = userLine()): never {
  throw new TapeError(`${operation}: ${text}${line}.`);
}

/** The user's lines of new nodes, recorded only on request, since a stack trace takes longer than a node */
let lines: Map<unknown, string> | undefined;

/** The line that created `value`, or the last node, found by recording the formula once more: " at file:line:column" */
export function lineOf(value: unknown, again: () => unknown): string {
  const recorded = new Map<unknown, string>();
  const outer = lines;
  lines = recorded;
  try {
    isPromise(again());
  } finally {
    lines = outer;
  }
  return recorded.get(value) ?? [...recorded.values()].at(-1) ?? "";
}

export const isScalar = (A: Expr): boolean => A.rows === 1 && A.cols === 1;
export const shapeOf = (A: Expr): string => `${A.rows}×${A.cols}`;

/** Data of an operation that is no leaf; part of the key of its nodes */
export type Data = number | string | readonly (number | string | boolean)[];

/** The one node of this operation with these arguments. */
export function node(
  op: Operation,
  args: readonly Node[],
  rows: number,
  cols: number,
  data: Data = "",
  symmetric = false,
): Node {
  const level = Math.max(0, ...args.map((a) => a.level)) as Level;
  return intern(`${op.name} ${data} ${rows}x${cols} ${args.map((a) => a.id)}`, {
    op,
    args,
    detail: data,
    rows,
    cols,
    level,
    symmetric,
  });
}

/** The one leaf that stands for `object` in this formula. */
export function leaf(
  op: Operation,
  object: unknown,
  shape: Expr,
  { level = 0, symmetric = false }: { level?: Level; symmetric?: boolean } = {},
): Node {
  const { leaves } = activeGraph();
  let known = leaves.get(object);
  if (!known) {
    const { rows, cols } = shape;
    known = intern(`${op.name} #${leaves.size}`, { op, args: [], detail: object, rows, cols, level, symmetric });
    leaves.set(object, known);
  }
  return known;
}

const WRITE = "write add, mul, exp, …, or give fg(G, X) in the place of formula(X)";

/** A formula is recorded without numbers; without these errors, 2 * X, X > 0 or X.data[0] would silently change f. */
class Recorded implements Node {
  readonly op;
  readonly args;
  readonly detail;
  readonly rows;
  readonly cols;
  readonly level;
  readonly symmetric;

  constructor(
    readonly id: number,
    readonly graph: Graph,
    { op, args, detail, rows, cols, level, symmetric }: Omit<Node, "id" | "graph">,
  ) {
    this.op = op;
    this.args = args;
    this.detail = detail;
    this.rows = rows;
    this.cols = cols;
    this.level = level;
    this.symmetric = symmetric || (rows === 1 && cols === 1);
  }

  [Symbol.toPrimitive](): never {
    return fail("tape", `+, *, <, Math.exp and the like know no expressions; ${WRITE}`);
  }

  get data(): never {
    return fail("tape", `an expression has no numbers while f is recorded; ${WRITE}`);
  }
}

function intern(name: string, fields: Omit<Node, "id" | "graph">): Node {
  const graph = activeGraph();
  let result = graph.nodes.get(name);
  if (!result) graph.nodes.set(name, (result = new Recorded(graph.nodes.size, graph, fields)));
  lines?.set(result, userLine());
  return result;
}

/** The same operation on other arguments of the same shapes. */
export function withArguments(n: Node, args: readonly Node[]): Node {
  if (args.every((a, i) => a === n.args[i])) return n;
  return node(n.op, args, n.rows, n.cols, n.detail as Data, n.symmetric);
}
