/** Lifetimes of results: the last unit that reads each, and sums that reuse the register of a term */
import type { Node } from "./graph.js";
import { termsOf } from "./lower.js";
import { combineOp } from "./machine.js";
import { isLeaf, type Unit } from "./units.js";

/** The index of the last unit that reads each node; infinite if a later phase reads it or if it is a result */
export function lastUses(units: readonly Unit[], roots: readonly Node[]): Map<Node, number> {
  const last = new Map<Node, number>();
  for (const [i, { nodes, reads }] of units.entries()) {
    for (const A of reads) {
      const later = nodes[0]!.level > A.level || last.get(A) === Number.POSITIVE_INFINITY;
      last.set(A, later ? Number.POSITIVE_INFINITY : Math.max(i, last.get(A) ?? 0));
    }
  }
  for (const root of roots) last.set(root, Number.POSITIVE_INFINITY);
  return last;
}

/** For sums: a term with its last use here, whose register the sum reuses */
export function inPlace(
  units: readonly Unit[],
  fused: ReadonlySet<Node>,
  lastUse: ReadonlyMap<Node, number>,
  roots: readonly Node[],
): Map<Node, Node> {
  const heir = new Map<Node, Node>();
  for (const [i, { nodes, mapped, reads }] of units.entries()) {
    const [n] = nodes as [Node];
    if (n.op !== combineOp || mapped) continue;
    const terms = termsOf(n);
    if (terms.length < 2) continue;
    const term = terms.find(
      ({ A }) =>
        !fused.has(A) &&
        !isLeaf(A) &&
        A.level === n.level &&
        lastUse.get(A) === i &&
        !roots.includes(A) &&
        !heir.has(A) &&
        reads.filter((B) => B === A).length === 1,
    );
    if (term) heir.set(term.A, n);
  }
  return heir;
}
