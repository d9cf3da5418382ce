/** Rewrites sums of products with a common large factor: A·P + A·Q becomes A·(P + Q), one product with A instead of two. */
import { reachable } from "./differentiate.js";
import { type Node, withArguments } from "./graph.js";
import { coefficientsOf, joined, lin, linOp, split, type Term } from "./operations/linear.js";
import { chain, chainOp, type Factor, factorsOf, hasEntries, keyOf } from "./operations/product.js";

/** The number of nodes that have each node as argument. */
export function usesOf(nodes: readonly Node[], roots: readonly Node[]): Map<Node, number> {
  const uses = new Map<Node, number>();
  for (const A of [...roots, ...nodes.flatMap((n) => n.args)]) count(uses, A);
  return uses;
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function factored(roots: readonly Node[]): Node[] {
  const nodes = reachable(roots);
  const uses = usesOf(nodes, roots);
  const pairs = new Map<string, number>();
  for (const n of nodes) {
    const factors = n.op === chainOp ? factorsOf(n) : [];
    for (let i = 1; i < factors.length; i++) count(pairs, keyOf(factors.slice(i - 1, i + 1)));
  }
  /** a product that nothing else needs, nor its first step */
  const lone = (A: Node): boolean => {
    const { base } = split(A);
    if (base.op !== chainOp || uses.get(A) !== 1 || uses.get(base) !== 1) return false;
    return pairs.get(keyOf(factorsOf(base).slice(0, 2))) === 1;
  };
  const made = new Map<Node, Node>();
  for (const n of nodes) {
    const again = n.args.map((A) => made.get(A)!);
    made.set(n, n.op === linOp && n.args.length > 1 ? factoredSum(n, again, lone) : rebuilt(n, again));
  }
  return roots.map((n) => made.get(n)!);
}

/** Through the constructor, for products of what has become a product. */
function rebuilt(n: Node, args: readonly Node[]): Node {
  if (n.op !== chainOp || args.every((A, i) => A === n.args[i])) return withArguments(n, args);
  return chain(factorsOf(n).map(([, turned], i) => [args[i]!, turned]));
}

function factoredSum(n: Node, args: readonly Node[], lone: (A: Node) => boolean): Node {
  const c = coefficientsOf(n);
  const groups = new Map<string, Term[]>();
  const terms: Term[] = [];
  for (const [i, A] of args.entries()) {
    const term: Term = [c[i]!, A];
    const { base } = split(A);
    const name = base.op === chainOp && lone(n.args[i]!) ? commonName(base, n) : undefined;
    const group = name && groups.get(name);
    if (group) group.push(term);
    else if (name) groups.set(name, [term]);
    else terms.push(term);
  }
  for (const group of groups.values()) terms.push(...(group.length > 1 ? [[1, together(group)] as const] : group));
  return lin(terms);
}

/** The first factor of a product, if to multiply with it is the larger part of the work. */
function commonName(product: Node, sum: Node): string | undefined {
  const [[F, turned], ...rest] = factorsOf(product) as [Factor, ...Factor[]];
  return hasEntries(rest) && F.rows * F.cols >= sum.rows * sum.cols ? `${F.id}${turned}` : undefined;
}

function together(group: readonly Term[]): Node {
  const rests = group.map(([c, A]): Term => {
    const { c: k, s, base } = split(A);
    return [c, joined(k, s, chain(factorsOf(base).slice(1)))];
  });
  const first: Factor = factorsOf(split(group[0]![1]).base)[0]!;
  return chain([first, [lin(rests), false]]);
}
