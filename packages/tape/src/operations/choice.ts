/** Choices entry by entry: `where`, masks, the larger and the smaller of two; and atan2, whose formula has them. */
import type { Value } from "@expen/linalg/engine";
import { fail, type Node, node, type Operation } from "../graph.js";
import { type Arg, isLiteral, literal, numberOf } from "../leaves.js";
import type { Elementary } from "./algebra.js";
import { apply, type FunctionData, hadamard, hadamardOp, mapOp } from "./elementwise.js";
import { alike, full, fullOp, linOp, minus, negative, plus, scaleOp } from "./linear.js";

const zeros = ({ rows, cols }: Node): Node => full(literal(0), rows, cols);

/** A_ij where C_ij ≠ 0, B_ij elsewhere; of C only the zeros count, so that nothing is differentiated through it */
const whereOp: Operation = {
  name: "where",
  vjp: ({ args: [C] }, W) => [undefined, choose(C!, W, zeros(W)), choose(C!, zeros(W), W)],
  jvp: (n, [, dA, dB]) => (dA || dB) && choose(n.args[0]!, dA ?? zeros(n), dB ?? zeros(n)),
  inChain: (b, _n, [c, x, y]) => b.op.select(c!, x!, y!),
  kernel:
    ({ S }, _n, out, [c, x, y]) =>
    () =>
      void (S[out] = S[c!] === 0 ? S[y!]! : S[x!]!),
};

export function choose(C: Node, A: Node, B: Node): Node {
  if (A === B) return A;
  const value = C.op === fullOp ? C.args[0]! : C;
  if (isLiteral(value)) return numberOf(value) === 0 ? B : A;
  return node(whereOp, [C, A, B], A.rows, A.cols, "", C.symmetric && A.symmetric && B.symmetric);
}

/** A point at which every elementary function and its derivatives are finite */
const HARMLESS = 0.5;
const POLES: readonly Elementary[] = ["log", "sqrt", "pow", "asin", "acos", "exp"];
const isEntrywise = ({ op }: Node): boolean =>
  op === mapOp || op === hadamardOp || op === linOp || op === scaleOp || op === whereOp || op === atan2Op;
const hasPole = ({ op, detail }: Node): boolean =>
  op === atan2Op || (op === mapOp && POLES.includes((detail as FunctionData)[0]));

/**
 * A where C ≠ 0, and at other entries the same functions of harmless numbers: an entry that is not chosen may be a pole, log 0 say, and its
 * derivative would be 0·∞ = NaN.
 */
function harmless(C: Node, A: Node): Node {
  const memo = new Map<Node, Node>();
  const known = new Map<Node, boolean>();
  const over = (n: Node): boolean => {
    let is = known.get(n);
    if (is === undefined) known.set(n, (is = isEntrywise(n) && (hasPole(n) || n.args.some(over))));
    return is;
  };
  const inside = (n: Node): Node => {
    if (n.rows !== A.rows || n.cols !== A.cols || n.op === fullOp) return n;
    let result = memo.get(n);
    if (!result)
      memo.set(n, (result = isEntrywise(n) ? again(n) : choose(C, n, full(literal(HARMLESS), n.rows, n.cols))));
    return result;
  };
  const again = (n: Node): Node => node(n.op, n.args.map(inside), n.rows, n.cols, n.detail as number[]);
  return over(A) ? inside(A) : A;
}

/**
 * A_ij where C_ij is not 0, B_ij elsewhere. An entry that is not chosen may be NaN or infinite, its derivatives too. C counts as a
 * constant.
 */
export function where(C: Arg, A: Arg, B: Arg): Node {
  const [c, a, b] = alike("where", [C, A, B]) as [Node, Node, Node];
  const not = apply("quadratic", apply("abs", apply("sign", c)), 1, -1, 0);
  return choose(c, harmless(c, a), harmless(not, b));
}

/** A_ij where M_ij is not 0, and 0 elsewhere, whatever A_ij is there: entrywise(M, A) would be NaN where A is infinite */
export const mask = (M: Arg, A: Arg): Node => where(M, A, 0);

/** The larger or the smaller of two numbers; where they are equal the second one has the derivative. */
const extremeOp: Operation = {
  name: "extreme",
  vjp: (n, W) => {
    const first = isFirst(n);
    return [choose(first, W, zeros(W)), choose(first, zeros(W), W)];
  },
  jvp: (n, [dA, dB]) => choose(isFirst(n), dA ?? zeros(n), dB ?? zeros(n)),
  inChain: (b, n, [x, y]) => b.op[(n.detail as ["max" | "min"])[0]](x!, y!),
  kernel({ S }, n, out, [x, y]) {
    const of = Math[(n.detail as ["max" | "min"])[0]];
    return () => void (S[out] = of(S[x!]!, S[y!]!));
  },
};

/** 1 where the first argument is taken */
function isFirst({ args: [A, B], detail }: Node): Node {
  return apply("step", (detail as string[])[0] === "max" ? minus(A!, B!) : minus(B!, A!));
}

function extreme(name: "max" | "min", args: readonly Arg[]): Node {
  if (args.length < 2) {
    const are = args.length === 1 ? "is one argument" : "are no arguments";
    fail(name, `there ${are}; give two or more, which are compared entry by entry`);
  }
  const larger = (A: Node, B: Node): Node =>
    A === B ? A : node(extremeOp, [A, B], A.rows, A.cols, [name], A.symmetric && B.symmetric);
  return alike(name, args).reduce(larger);
}

/** The largest of the A_ij, B_ij, …, entry by entry; where two are equal the later one has the derivative */
export const max = (...args: Arg[]): Node => extreme("max", args);
/** The smallest of the A_ij, B_ij, … */
export const min = (...args: Arg[]): Node => extreme("min", args);

/** The angle of (x, y): d = (x·dy − y·dx)/(x² + y²) */
const atan2Op: Operation = {
  name: "atan2",
  vjp: ({ args: [Y, X] }, W) => [hadamard(W, part(X!, Y!, X!)), negative(hadamard(W, part(Y!, Y!, X!)))],
  jvp: ({ args: [Y, X] }, [dY, dX]) =>
    plus([dY && hadamard(dY, part(X!, Y!, X!)), dX && negative(hadamard(dX, part(Y!, Y!, X!)))]),
  inChain({ op }, _n, [y, x]) {
    const acute = op.atan(op.div(op.abs(y!), op.max(op.abs(x!), Number.MIN_VALUE)));
    const above: Value = op.select(op.less(x!, 0), op.sub(Math.PI, acute), acute);
    return op.select(op.less(y!, 0), op.neg(above), above);
  },
  kernel:
    ({ S }, _n, out, [y, x]) =>
    () =>
      void (S[out] = Math.atan2(S[y!]!, S[x!]!)),
};

/** A/(x² + y²) */
const part = (A: Node, Y: Node, X: Node): Node => hadamard(A, apply("pow", plus([hadamard(X, X), hadamard(Y, Y)]), -1));

/** The angle of the point (x, y) from the axis of x, in (−π, π]; 0 at the origin, where its derivative is NaN */
export function atan2(Y: Arg, X: Arg): Node {
  const [y, x] = alike("atan2", [Y, X]) as [Node, Node];
  return node(atan2Op, [y, x], y.rows, y.cols, "", y.symmetric && x.symmetric);
}
