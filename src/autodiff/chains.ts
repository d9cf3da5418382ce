/** From a group of elementwise nodes to a chain for `map`. */
import { type ChainBuilder, chainBuilder, type Value } from "../engines/elementwise/chain.js";
import type { Chain } from "../types.js";
import { isScalar, type Node } from "./graph.js";
import { isLiteral, numberOf } from "./leaves.js";
import { termsOf } from "./lower.js";
import { combineOp } from "./machine.js";
import { type FunctionData, hadamardOp } from "./operations/elementwise.js";
import { fullOp } from "./operations/linear.js";
import { sumOp } from "./operations/reduce.js";

type Operand = Value | number;

interface GroupChain {
  readonly chain: Chain;
  readonly inputs: readonly Node[];
  readonly outputs: readonly Node[];
  /** constants that are c·s for a scalar s, which is known when the chain runs */
  readonly scalars: readonly { readonly place: number; readonly c: number; readonly s: Node }[];
}

/** `nodes`: those of the group to compute, arguments before results; `outputs`: those of them that others read; `sum`: to add up */
export function groupChain(nodes: readonly Node[], outputs: readonly Node[], sum: Node | undefined): GroupChain {
  const members = new Set(nodes);
  const matrices = [...nodes, ...(sum ? [sum] : [])].flatMap((n) => n.args).filter((A) => !isScalar(A));
  const inputs = [...new Set(matrices)].filter((A) => !members.has(A));
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

  function computed(n: Node): Operand {
    if (n.op === fullOp) return scalar(1, n.args[0]);
    if (n.op === combineOp) return combination(n);
    const args = n.args.map((A) => values.get(A)!);
    if (n.op === hadamardOp) return b.op.mul(...args);
    return applied(b, n.detail as FunctionData, args[0]!);
  }

  /** Σ c·s·A, beginning with a term that needs no multiplication if there is one */
  function combination(n: Node): Operand {
    const terms = termsOf(n).map(({ c, s, A }) => ({ c: scalar(c, s), x: values.get(A)! }));
    const plain = Math.max(
      0,
      terms.findIndex(({ c }) => c === 1),
    );
    const [first, ...rest] = [terms[plain]!, ...terms.toSpliced(plain, 1)];
    let sum = first!.c === 1 ? first!.x : first!.c === -1 ? b.op.neg(first!.x) : b.op.mul(first!.x, first!.c);
    for (const { c, x } of rest) {
      sum = c === 1 ? b.op.add(sum, x) : c === -1 ? b.op.sub(sum, x) : b.op.muladd(x, c, sum);
    }
    return sum;
  }

  for (const n of nodes) {
    const made = computed(n);
    values.set(n, typeof made === "number" ? b.constant(made) : made);
  }
  const [x, y] = sum ? sum.args.map((A) => values.get(A)!) : [];
  const total = sum && (sum.op === sumOp ? x! : b.op.mul(x!, y!));
  const chain = b.finish(
    outputs.map((n) => values.get(n)!),
    total,
  );
  return { chain, inputs, outputs, scalars };
}

function applied({ op }: ChainBuilder, [name, ...constants]: FunctionData, x: Value): Value {
  if (name === "pow") return op.pow(x, constants[0]!);
  if (name !== "quadratic") return op[name](x);
  const [c0, c1, c2] = constants as [number, number, number];
  if (c1 === 0) return op.muladd(op.square(x), c2, c0);
  return c0 === 0 ? op.mul(x, op.muladd(x, c2, c1)) : op.muladd(x, op.muladd(x, c2, c1), c0);
}
