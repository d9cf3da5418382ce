/**
 * Computes which sides of the matrices of a formula are distributed over processes: the n rows of X, the m rows of A·X for data A. A
 * side is spread (distributed) if products and sums, by the `axes` of operations, identify it with a spread side; otherwise it is whole.
 */
import { reachable } from "./differentiate.js";
import { isScalar, type Node } from "./graph.js";
import { constantOp, inputOp, operatorOf, operatorOp, parameterOp } from "./leaves.js";
import { fullOp } from "./operations/linear.js";

/** 0: rows, 1: columns */
type Side = 0 | 1;

/**
 * The choice for data A in A·X whose rows nothing else determines: spread ("spread rows": A is an operator), or whole ("whole rows": A·X is
 * small). "nothing": all matrices are whole, X included.
 */
export type Spreading = "spread rows" | "whole rows" | "nothing";

export interface Axes {
  readonly spreading: Spreading;
  spread(n: Node, side: Side): boolean;
}

/** A formula cannot run on an engine with distributed rows; the message has the reason. */
export class Unplaced extends Error {}

const sizes = ({ rows, cols }: Node): [number, number] => [rows, cols];

/** The letters of the arguments and of the result, two each; none for scalars */
function lettersOf(n: Node): { args: string[]; result: string } {
  const { axes } = n.op;
  if (!axes) return { args: n.args.map((A) => (isScalar(A) ? "" : "ij")), result: isScalar(n) ? "" : "ij" };
  const [args, result = ""] = (typeof axes === "string" ? axes : axes(n)).split("->");
  return { args: args!.split(","), result };
}

export function axesOf(roots: readonly Node[], spreading: Spreading): Axes {
  const nodes = reachable(roots);
  const parents = new Map<string, string>();
  const keyOf = (n: Node, side: Side): string => `${n.id} ${side}`;
  function find(key: string): string {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    // path compression
    for (let at = key; at !== root; ) {
      const next = parents.get(at)!;
      parents.set(at, root);
      at = next;
    }
    return root;
  }

  for (const n of nodes) {
    const { args, result } = lettersOf(n);
    const first = new Map<string, string>();
    for (const [A, letters] of [...n.args.map((A, i) => [A, args[i] ?? ""] as const), [n, result] as const]) {
      // s·11ᵀ is made for each reader separately
      if (A.op === fullOp && A !== n) continue;
      for (const side of [0, 1] as const) {
        const letter = letters[side];
        if (letter === undefined || letter === "1" || sizes(A)[side] === 1) continue;
        const key = find(keyOf(A, side));
        const other = first.get(letter);
        if (other === undefined) first.set(letter, key);
        else if (find(other) !== key) parents.set(key, find(other));
      }
    }
  }

  /** true: spread, false: whole */
  const spreads = new Map<string, boolean>();
  function mark(n: Node, side: Side, spread: boolean): boolean {
    if (sizes(n)[side] === 1) return false;
    const key = find(keyOf(n, side));
    const before = spreads.get(key);
    if (before !== undefined && before !== spread)
      throw new Unplaced("rows of X stand where columns of X or numbers of p×p matrices do");
    spreads.set(key, spread);
    return before === undefined;
  }
  if (spreading !== "nothing") {
    const inputs = nodes.filter(({ op }) => op === inputOp);
    for (const n of inputs) mark(n, 1, false);
    const several = inputs.filter(({ level }) => level === 1).length > 1;
    for (const n of inputs) {
      // a factor between others, as R in U·R, is whole
      const whole = several && spreads.get(find(keyOf(n, 0))) === false;
      if (!whole) mark(n, 0, true);
    }
    const data = nodes.filter(({ op }) => op === constantOp || op === parameterOp || op === operatorOp);
    for (let more = true; more; ) {
      more = false;
      for (const A of data) {
        const [rows, cols] = ([0, 1] as const).map((side) => spreads.get(find(keyOf(A, side))));
        const both = A.op === operatorOp && !(spreading === "whole rows" && operatorOf(A).isSelector);
        if (cols === true && rows === undefined) more = mark(A, 0, both || spreading === "spread rows") || more;
        if (both && rows === true && cols === undefined) more = mark(A, 1, true) || more;
      }
    }
  }
  return {
    spreading,
    spread: (n, side) => sizes(n)[side] !== 1 && spreads.get(find(keyOf(n, side))) === true,
  };
}
