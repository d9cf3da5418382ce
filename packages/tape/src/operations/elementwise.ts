/** Functions entry by entry, their products and quotients; on scalars the same names are arithmetic of numbers. */
import { fail, type Node, node, type Operation } from "../graph.js";
import { type Arg, isLiteral, lift, literal, numberOf } from "../leaves.js";
import { algebra, type Elementary } from "./algebra.js";
import { elementary } from "./elementary.js";
import { alike, dense, full, fullOp, joined, lin, multiple, plus, split } from "./linear.js";

/** A∘B */
export const hadamardOp: Operation = {
  name: "hadamard",
  vjp: (n, W) => [hadamard(W, n.args[1]!), hadamard(W, n.args[0]!)],
  jvp: (n, [dA, dB]) => plus([dA && hadamard(dA, n.args[1]!), dB && hadamard(n.args[0]!, dB)]),
  // of scalars: matrices go into chains
  kernel:
    ({ S }, _n, out, [x, y]) =>
    () =>
      void (S[out] = S[x!]! * S[y!]!),
};

/** the name of a function and its constants */
export type FunctionData = readonly [Elementary, ...number[]];

/** f(A_ij) in every entry, f one of the elementary functions with its constants */
export const mapOp: Operation = {
  name: "map",
  vjp: (n, W) => [hadamard(W, slope(n))],
  jvp: (n, [d]) => hadamard(d!, slope(n)),
  // of scalars: matrices go into chains
  kernel({ S }, n, out, [x]) {
    const [name, ...constants] = n.detail as FunctionData;
    const { f } = elementary[name];
    return () => void (S[out] = f(S[x!]!, constants));
  },
  logarithm: (n) => ((n.detail as FunctionData)[0] === "exp" ? n.args[0]! : plainLog(n)),
};

/** f'(A) as an expression in A and f(A) */
function slope(n: Node): Node {
  const [name, ...constants] = n.detail as FunctionData;
  return elementary[name].slope(n.args[0]!, n, constants);
}

const plainLog = (A: Node): Node => node(mapOp, [A], A.rows, A.cols, ["log"], A.symmetric);

export const apply = (name: Elementary, A: Node, ...constants: number[]): Node => {
  if (isLiteral(A)) return literal(elementary[name].f(numberOf(A), constants));
  if (A.op === fullOp) return full(apply(name, A.args[0]!, ...constants), A.rows, A.cols);
  if (name === "pow" && constants[0] === 1) return A;
  if (name === "pow" && constants[0] === 0) return full(literal(1), A.rows, A.cols);
  if (name === "pow" && constants[0] === 2) {
    const { c, s, base } = split(A);
    const squared = withoutRoot(base);
    if (squared) return joined(c * c, s && apply("pow", s, 2), squared);
  }
  if (name === "log" && A.op.logarithm) return A.op.logarithm(A);
  // √x² = |x|, which is x if x is built of squares
  if (name === "sqrt" && A.op === mapOp && (A.detail as FunctionData).join() === "pow,2")
    return apply("abs", A.args[0]!);
  if (name === "abs" && algebra.isSquares(A)) return A;
  return node(mapOp, [A], A.rows, A.cols, [name, ...constants], A.symmetric);
};

/** The square of a length or of |·|, which is differentiable at 0, where these are not */
function withoutRoot({ op, args: [A], detail }: Node): Node | undefined {
  if (op !== mapOp) return undefined;
  const [name] = detail as FunctionData;
  if (name === "sqrt" && algebra.isSquares(A!)) return A;
  return name === "abs" ? apply("pow", A!, 2) : undefined;
}

/** a·b for scalars */
export function times(a: Node, b: Node): Node {
  if (isLiteral(a)) return lin([[numberOf(a), b]]);
  if (isLiteral(b)) return lin([[numberOf(b), a]]);
  return hadamard(a, b);
}

/** A∘B for nodes of one shape */
export function hadamard(A: Node, B: Node): Node {
  if (isLiteral(A)) return lin([[numberOf(A), B]]);
  if (isLiteral(B)) return lin([[numberOf(B), A]]);
  const [a, b] = [split(A), split(B)];
  if (a.base.op === fullOp) return joined(a.c, a.s, multiple(a.base.args[0]!, B));
  if (b.base.op === fullOp) return joined(b.c, b.s, multiple(b.base.args[0]!, A));
  const s = a.s && b.s ? times(a.s, b.s) : (a.s ?? b.s);
  const [x, y] = a.base.id <= b.base.id ? [a.base, b.base] : [b.base, a.base];
  return joined(a.c * b.c, s, baseProduct(x, y));
}

function baseProduct(x: Node, y: Node): Node {
  if (x === y) return apply("pow", x, 2);
  // as in the derivative of x·log x, whose limit at 0 exists while 0·∞ is NaN
  const [name, a] = y.op === mapOp && y.args[0] === x ? (y.detail as FunctionData) : [];
  if (name === "pow" && a === -1) return full(literal(1), x.rows, x.cols);
  return node(hadamardOp, [x, y], x.rows, x.cols, "", x.symmetric && y.symmetric);
}

/** A∘B∘…, entry by entry; a scalar multiplies every entry */
export function entrywise(...args: Arg[]): Node {
  if (args.length === 0) fail("hadamard", "there are no factors");
  return alike("hadamard", args).reduce(hadamard);
}

/** A_ij / B_ij */
export function div(A: Arg, B: Arg): Node {
  const [a, b] = alike("div", [A, B]) as [Node, Node];
  return hadamard(a, apply("pow", b, -1));
}

type Unary = (A: Arg) => Node;

const unary =
  /* @__NO_SIDE_EFFECTS__ */
    (name: Elementary, ...constants: number[]): Unary =>
    (A) =>
      apply(name, dense(name, lift(name, A)), ...constants);

/** eˣ of every entry */
export const exp: Unary = unary("exp");
/** natural logarithm; NaN for negative numbers */
export const log: Unary = unary("log");
/** √x of every entry; NaN for negative numbers */
export const sqrt: Unary = unary("sqrt");
/** sin x of every entry, in radians */
export const sin: Unary = unary("sin");
/** cos x of every entry, in radians */
export const cos: Unary = unary("cos");
/** tanh x of every entry */
export const tanh: Unary = unary("tanh");
/** in [−π/2, π/2], NaN outside of |x| ≤ 1; its derivative is infinite at ±1 */
export const asin: Unary = unary("asin");
/** in [0, π], NaN outside of |x| ≤ 1; its derivative is infinite at ±1 */
export const acos: Unary = unary("acos");
/** arctan x of every entry, in (−π/2, π/2) */
export const atan: Unary = unary("atan");
/** 1/(1 + e⁻ˣ) */
export const sigmoid: Unary = unary("sigmoid");
/** log(1 + eˣ) */
export const softplus: Unary = unary("softplus");
/** log cosh x, a smooth |x| for ICA */
export const logcosh: Unary = unary("logcosh");
/** |x|; its derivative is taken as 0 at 0, where there is none: for a smooth one see `smoothAbs` */
export const abs: Unary = unary("abs");
/** x² of every entry */
export const square: Unary = unary("pow", 2);
/** max(x, 0); its derivative is taken as 0 at 0, where there is none */
export const relu: Unary = unary("relu");

/** xᵃ for a number a; a fractional a needs x ≥ 0 */
export function pow(A: Arg, a: number): Node {
  if (typeof a !== "number" || !Number.isFinite(a)) fail("pow", `the exponent is ${a}; it must be a finite number`);
  return apply("pow", dense("pow", lift("pow", A)), a);
}

/** √(x² + ε²) */
export function smoothAbs(A: Arg, epsilon: number): Node {
  if (!(epsilon > 0)) fail("smoothAbs", `epsilon is ${epsilon}; it must be positive`);
  const a = dense("smoothAbs", lift("smoothAbs", A));
  return apply("sqrt", plus([hadamard(a, a), full(literal(epsilon * epsilon), a.rows, a.cols)]));
}

/** x where it lies between two numbers, else the nearer one: min(max(x, low), high) */
export function clip(A: Arg, low: number, high: number): Node {
  if (!(low <= high)) fail("clip", `the ends are ${low} and ${high}; the first must not be larger`);
  return apply("clip", dense("clip", lift("clip", A)), low, high);
}

/** ½x² for |x| ≤ δ, beyond δ·(|x| − ½δ) */
export function huber(A: Arg, delta: number): Node {
  if (!(delta > 0)) fail("huber", `delta is ${delta}; it must be positive`);
  return apply("huber", dense("huber", lift("huber", A)), delta);
}

algebra.times = times;
algebra.hadamard = hadamard;
algebra.apply = apply;
