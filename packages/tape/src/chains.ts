/** Compiles a group of elementwise nodes to a chain for `map`. */

import type { Chain } from "@expen/linalg";
import { type ChainBuilder, chainBuilder, type Value } from "@expen/linalg/engine";
import { isScalar, type Node } from "./graph.js";
import { isLiteral, numberOf } from "./leaves.js";
import { type CombineTerm, termsOf } from "./lower.js";
import { combineOp } from "./machine.js";
import { type FunctionData, hadamardOp } from "./operations/elementwise.js";
import { fullOp } from "./operations/linear.js";
import { sumOp } from "./operations/reduce.js";

type Operand = Value | number;

interface GroupChain {
  readonly chain: Chain;
  readonly inputs: readonly Node[];
  readonly outputs: readonly Node[];
  /** constants c·s for scalars s, whose values are set when the chain runs */
  readonly scalars: readonly { readonly place: number; readonly c: number; readonly s: Node }[];
}

/**
 * `nodes`: the nodes to compute, arguments before results; `outputs`: those that others read; `sum`: the node to add up;
 * `divisors`: the nodes that are divisors
 */
export function groupChain(
  nodes: readonly Node[],
  outputs: readonly Node[],
  sum: Node | undefined,
  divisors: ReadonlySet<Node>,
): GroupChain {
  const members = new Set(nodes);
  const matrices = [...nodes, ...(sum ? [sum] : [])].flatMap((n) => n.args).filter((A) => !isScalar(A));
  const inputs = [...new Set(matrices)].filter((A) => !members.has(A) && A.op !== fullOp);
  // a sum of constants alone needs a matrix for its shape
  const b = chainBuilder(Math.max(inputs.length, outputs.length === 0 ? 1 : 0));
  const values = new Map<Node, Value>(inputs.map((A, i) => [A, b.inputs[i]!]));
  const scalars: { place: number; c: number; s: Node }[] = [];

  /** c·s as an operand */
  function scalar(c: number, s: Node | undefined): Operand {
    if (!s) return c;
    if (isLiteral(s)) return c * numberOf(s);
    const { value, place } = b.variable();
    scalars.push({ place, c, s });
    return value;
  }

  /** s·11ᵀ is a constant of the chain */
  function entry(A: Node): Value {
    if (A.op !== fullOp) return values.get(A)!;
    const number = scalar(1, A.args[0]);
    return typeof number === "number" ? b.constant(number) : number;
  }

  function computed(n: Node): Value {
    if (n.op === combineOp) return combination(n);
    if (n.op.inChain) return n.op.inChain(b, n, n.args.map(entry));
    if (n.op !== hadamardOp) return applied(b, n.detail as FunctionData, entry(n.args[0]!));
    const [x, y] = n.args as [Node, Node];
    if (divisors.has(y)) return quotient(x, y);
    return divisors.has(x) ? quotient(y, x) : b.op.mul(entry(x), entry(y));
  }

  /** x·yᵃ for a = −1 or −½ */
  function quotient(x: Node, power: Node): Value {
    const [, a] = power.detail as FunctionData;
    return b.op.div(entry(x), b.op.pow(entry(power.args[0]!), -a!));
  }

  /** c·s·A; for A = s'·11ᵀ a number or a constant of the chain */
  function term({ c, s, A }: CombineTerm): { c: Operand; x: Operand } {
    if (A.op !== fullOp) return { c: scalar(c, s), x: values.get(A)! };
    const [inside] = A.args as [Node];
    return isLiteral(inside) ? { c: 1, x: scalar(c * numberOf(inside), s) } : { c: scalar(c, s), x: scalar(1, inside) };
  }

  /** Σ c·s·A, beginning with a term without multiplication if possible */
  function combination(n: Node): Value {
    const terms = termsOf(n).map(term);
    const plain = Math.max(
      0,
      terms.findIndex(({ c }) => c === 1),
    );
    const [first, ...rest] = [terms[plain]!, ...terms.toSpliced(plain, 1)];
    let sum = first!.c === 1 ? first!.x : first!.c === -1 ? b.op.neg(first!.x) : b.op.mul(first!.x, first!.c);
    for (const { c, x } of rest) {
      sum = c === 1 ? b.op.add(sum, x) : c === -1 ? b.op.sub(sum, x) : b.op.muladd(x, c, sum);
    }
    return typeof sum === "number" ? b.constant(sum) : sum;
  }

  for (const n of nodes) if (!divisors.has(n)) values.set(n, computed(n));
  const [x, y] = sum ? sum.args.map(entry) : [];
  const total = sum && (sum.op === sumOp ? x! : b.op.mul(x!, y!));
  const chain = b.finish(
    outputs.map((n) => values.get(n)!),
    total,
  );
  return { chain, inputs, outputs, scalars };
}

function applied({ op }: ChainBuilder, [name, ...constants]: FunctionData, x: Value): Value {
  const [a, b, c] = constants as [number, number, number];
  const clipped = (low: number, high: number): Value => op.max(op.min(x, high), low);
  switch (name) {
    case "pow":
      return op.pow(x, a);
    case "relu":
      return op.max(x, 0);
    case "step":
      return op.less(0, x);
    case "clip":
      return clipped(a, b);
    case "inside":
      return op.mul(op.less(a, x), op.less(x, b));
    case "asin":
      return op.mul(2, op.atan(op.div(x, op.add(1, op.sqrt(op.mul(op.sub(1, x), op.add(1, x)))))));
    case "acos":
      return op.mul(2, op.atan(op.sqrt(op.div(op.sub(1, x), op.add(1, x)))));
    case "huber":
      return op.mul(clipped(-a, a), op.muladd(clipped(-a, a), -0.5, x));
    case "quadratic":
      if (b === 0) return op.muladd(op.square(x), c, a);
      return a === 0 ? op.mul(x, op.muladd(x, c, b)) : op.muladd(x, op.muladd(x, c, b), a);
    default:
      return op[name](x);
  }
}
