/**
 * Rewrites sums of products with a common prefix: A·P + A·Q with a large A becomes A·(P + Q), one product with A instead of two. If other
 * nodes need the first product of both, as BX in BX·P + BX·Q, the prefix is that product.
 */
import { reachable } from "./differentiate.js";
import { type Node, withArguments } from "./graph.js";
import { coefficientsOf, joined, lin, linOp, split, type Term } from "./operations/linear.js";
import {
  chain,
  chainOp,
  colsOf,
  type Factor,
  factorsOf,
  hasEntries,
  keyOf,
  nameOfAll,
  rowsOf,
} from "./operations/product.js";

/** The number of uses of each node as an argument or root */
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
  /** the length of the prefix to factor out: 0 if there is none, 2 if other nodes need the product of two factors, otherwise 1 */
  const beginning = (A: Node): number => {
    const { base } = split(A);
    if (base.op !== chainOp || uses.get(A) !== 1 || uses.get(base) !== 1) return 0;
    return pairs.get(keyOf(factorsOf(base).slice(0, 2))) === 1 ? 1 : 2;
  };
  const rewritten = new Map<Node, Node>();
  for (const n of nodes) {
    const again = n.args.map((A) => rewritten.get(A)!);
    rewritten.set(n, n.op === linOp && n.args.length > 1 ? factoredSum(n, again, beginning) : rebuilt(n, again));
  }
  return roots.map((n) => rewritten.get(n)!);
}

/** Through the constructor, since factors of a product may have become products. */
function rebuilt(n: Node, args: readonly Node[]): Node {
  if (n.op !== chainOp || args.every((A, i) => A === n.args[i])) return withArguments(n, args);
  return chain(factorsOf(n).map(([, turned], i) => [args[i]!, turned]));
}

function factoredSum(n: Node, args: readonly Node[], beginning: (A: Node) => number): Node {
  const c = coefficientsOf(n);
  const groups = new Map<string, { length: number; terms: Term[] }>();
  const terms: Term[] = [];
  for (const [i, A] of args.entries()) {
    const term: Term = [c[i]!, A];
    const { base } = split(A);
    const length = base.op === chainOp ? beginning(n.args[i]!) : 0;
    const name = length > 0 ? commonName(factorsOf(base), length, n) : undefined;
    const group = name && groups.get(name);
    if (group) group.terms.push(term);
    else if (name) groups.set(name, { length, terms: [term] });
    else terms.push(term);
  }
  for (const { length, terms: alike } of groups.values()) {
    terms.push(...(alike.length > 1 ? [[1, together(alike, length)] as const] : alike));
  }
  return lin(terms);
}

/** The first factors of a product as a key, if the product with them is most of the work */
function commonName(factors: readonly Factor[], length: number, sum: Node): string | undefined {
  const [first, rest] = [factors.slice(0, length), factors.slice(length)];
  const size = rowsOf(first[0]!) * colsOf(first.at(-1)!);
  return hasEntries(rest) && size >= sum.rows * sum.cols ? nameOfAll(first) : undefined;
}

function together(group: readonly Term[], length: number): Node {
  const rests = group.map(([c, A]): Term => {
    const { c: k, s, base } = split(A);
    return [c, joined(k, s, chain(factorsOf(base).slice(length)))];
  });
  const first = factorsOf(split(group[0]![1]).base).slice(0, length);
  return chain([...first, [lin(rests), false]]);
}
