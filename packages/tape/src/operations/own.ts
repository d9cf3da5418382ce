/** Operations of the user, with their derivatives. */
import type { Matrix } from "@expen/linalg";
import { chosenOptions, described, func, isPromise, type SchemaOf, text } from "@expen/linalg";
import { gradients, reachable } from "../differentiate.js";
import { type Expr, fail, isScalar, leaf, type Node, node, type Operation, shapeOf, TapeError } from "../graph.js";
import { type Arg, inputOp, lift } from "../leaves.js";
import { userLine } from "../source-line.js";
import { dense, full, plus } from "./linear.js";
import { hostOperation } from "./on-host.js";
import { inner } from "./product.js";

/** A function of matrices that the tape does not have */
export interface OwnOperation {
  /** its name in sentences */
  readonly name: string;
  /** the result from plain matrices, row-major: a matrix, an array of rows, or a number */
  value(...args: Matrix[]): Matrix | readonly (readonly number[])[] | number;
  /** [rows, cols] of the result from the arguments, of which only the shapes are known; those of the first one where it is left out */
  shape?(...args: Expr[]): readonly [rows: number, cols: number];
  /**
   * The derivative, with operations of the tape or of yours: from W the matrices Wᵢ with ⟨W, dY⟩ = Σ⟨Wᵢ, dAᵢ⟩ for Y = value(A₁, A₂, …).
   * One for each argument, undefined where Y does not depend on it; second derivatives follow from the same rule.
   */
  adjoint?(W: Expr, Y: Expr, ...args: Expr[]): Arg | readonly (Arg | undefined)[];
}

const SCHEMA: SchemaOf<OwnOperation> = { name: text, value: func, shape: func, adjoint: func };

/** A derivative is asked for that an operation of the user does not have. */
export class NoDerivative extends TapeError {}

/** Each operation has a number, since two may have one name. */
let count = 0;

/**
 * An operation of your own, for formulas on every engine; it is computed in host memory:
 *
 *     const expm = operation({ name: "expm", value: (A) => …, adjoint: (W, _Y, A) => expmAlong(t(A), W) });
 *     const expmAlong = operation({ name: "expmAlong", value: (A, D) => … });
 *     minimize(formula((X) => norm2(sub(expm(X), A))), { on: euclidean(3, 3) });
 */
export function operation(definition: OwnOperation): (...args: Arg[]) => Expr {
  const own = chosenOptions("operation", definition, SCHEMA) as OwnOperation;
  if (typeof own.name !== "string" || typeof own.value !== "function")
    fail("operation", "it needs a name and value(…), a function of matrices");
  const number = ++count;
  return (...args) => {
    if (args.length === 0) fail(own.name, "there are no arguments; give one or more");
    const nodes = args.map((A) => dense(own.name, lift(own.name, A)));
    const [rows, cols] = own.shape ? own.shape(...nodes) : [nodes[0]!.rows, nodes[0]!.cols];
    if (![rows, cols].every((size) => Number.isInteger(size) && size > 0))
      fail(own.name, `shape(…) gives ${rows}×${cols}; it must be two whole numbers, 1 or more`);
    return node(operationOf(own, userLine()), nodes, rows, cols, [number, rows, cols]);
  };
}

/** `line`: that of the user's call */
function operationOf(own: OwnOperation, line: string): Operation {
  const adjoints = (n: Node, W: Node): (Node | undefined)[] => {
    if (!own.adjoint) throw new NoDerivative(`${own.name}: it has no derivative; give adjoint(W, Y, …)${line}.`);
    const answer = own.adjoint(W, n, ...n.args);
    const list = (Array.isArray(answer) && !isRows(answer) ? answer : [answer]) as (Arg | undefined)[];
    return n.args.map((A, i) => {
      if (list[i] === undefined) return undefined;
      const dA = dense(own.name, lift(own.name, list[i]));
      if (dA.rows === A.rows && dA.cols === A.cols) return dA;
      if (isScalar(dA)) return full(dA, A.rows, A.cols);
      return fail(own.name, `adjoint(…) gives ${shapeOf(dA)} for an argument that is ${shapeOf(A)}`, line);
    });
  };
  /**
   * Forward mode by reverse mode: the tangent is ∂/∂W of Σ⟨Wᵢ(W), dAᵢ⟩, which is linear in W. Only nodes that depend on W are
   * differentiated.
   */
  const jvp = (n: Node, d: readonly (Node | undefined)[]): Node => {
    const W = leaf(inputOp, `W of ${n.id}`, n, { level: n.level });
    const g = plus(
      adjoints(n, W).map((dA, i) => dA && d[i] && inner(dA, d[i])),
      { rows: 1, cols: 1 },
    );
    const withW = new Set<Node>();
    for (const A of reachable([g])) if (A === W || A.args.some((B) => withW.has(B))) withW.add(A);
    const [tangent] = gradients(g, [W], withW) as [Node];
    if (reachable([tangent]).includes(W)) fail(own.name, "adjoint(W, …) is not linear in W", line);
    return tangent;
  };
  return hostOperation({ name: own.name, vjp: adjoints, jvp, isOwn: true }, (args, detail) => {
    // rows and columns of the result are in the detail
    const [, rows, cols] = detail as number[];
    return entriesOf(own.name, own.value(...args), rows!, cols!, line);
  });
}

const isRows = (value: unknown): value is readonly (readonly number[])[] =>
  Array.isArray(value) && Array.isArray(value[0]) && typeof value[0][0] === "number";

function entriesOf(name: string, value: unknown, rows: number, cols: number, line: string): ArrayLike<number> {
  const refuse = (is: string): never => fail(name, `value(…) returns ${is}; it must be ${rows}×${cols}`, line);
  if (typeof value === "number") return rows * cols === 1 ? [value] : refuse("a number");
  if (isRows(value)) {
    const fits = value.length === rows && value.every((row) => row.length === cols);
    return fits ? value.flat() : refuse(`${value.length} rows of ${value[0]!.length}`);
  }
  if (isPromise(value) || typeof value !== "object" || value === null || !("data" in value))
    return refuse(described(value));
  const M = value as Matrix;
  return M.rows === rows && M.cols === cols && M.data.length === rows * cols ? M.data : refuse(shapeOf(M));
}
