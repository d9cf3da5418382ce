/** Lowers formulas to instructions: brackets products, and turns sums and multiples into combinations Σ c·s·A. */
import type { Axes } from "./axes.js";
import { bracketing } from "./bracket.js";
import { reachable } from "./differentiate.js";
import { factored, usesOf } from "./factor.js";
import { isScalar, type Node, node, withArguments } from "./graph.js";
import { operatorOp } from "./leaves.js";
import { combineOp } from "./machine.js";
import { times } from "./operations/elementwise.js";
import { coefficientsOf, linOp, scaleOp } from "./operations/linear.js";
import { chainOp, traceOp } from "./operations/product.js";

export interface CombineTerm {
  readonly c: number;
  readonly s: Node | undefined;
  readonly A: Node;
}

/** The terms of a combination: data has the coefficients, then for each the index of its scalar among the arguments, or −1. */
export function termsOf(n: Node): CombineTerm[] {
  const data = n.detail as readonly number[];
  const size = data.length / 2;
  return Array.from({ length: size }, (_, i) => ({ c: data[i]!, s: n.args[data[size + i]!], A: n.args[i]! }));
}

export function lowered(formulas: readonly Node[], axes: Axes): Node[] {
  const roots = factored(formulas);
  const nodes = reachable(roots);
  const uses = usesOf(nodes, roots);
  const memo = new Map<Node, Node>();
  const brackets = bracketing(nodes, lower, axes);

  function lower(n: Node): Node {
    let result = memo.get(n);
    if (!result) memo.set(n, (result = instruction(n)));
    return result;
  }

  function instruction(n: Node): Node {
    if (n.op === operatorOp) return brackets.formed(n);
    if (n.op === chainOp) return brackets.product(n);
    if (n.op === traceOp) return brackets.trace(n);
    if ((n.op === linOp || n.op === scaleOp) && !isScalar(n)) return combination(n);
    return withArguments(n, n.args.map(lower));
  }

  function combination(n: Node): Node {
    const terms: CombineTerm[] = [];
    const collect = (c: number, s: Node | undefined, A: Node): void => {
      if (A.op === linOp && (A === n || A.args.length === 1 || uses.get(A) === 1)) {
        for (const [i, B] of A.args.entries()) collect(c * coefficientsOf(A)[i]!, s, B);
      } else if (A.op === scaleOp) collect(c, s ? times(s, A.args[0]!) : A.args[0]!, A.args[1]!);
      else terms.push({ c, s: s && lower(s), A: lower(A) });
    };
    collect(1, undefined, n);
    const scalars = terms.flatMap(({ s }) => (s ? [s] : []));
    let place = terms.length;
    const places = terms.map(({ s }) => (s ? place++ : -1));
    const data = [...terms.map(({ c }) => c), ...places];
    return node(combineOp, [...terms.map(({ A }) => A), ...scalars], n.rows, n.cols, data, n.symmetric);
  }

  // in this order recursion stays shallow
  for (const n of nodes) if (n.op !== linOp && n.op !== scaleOp) lower(n);
  return roots.map(lower);
}
