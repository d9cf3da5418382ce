/**
 * What a program runs one after the other: single instructions, and groups of elementwise ones that become one pass over their
 * matrices (`map`). A group holds the elementwise nodes of one kind, shape, level and depth, where only what is not elementwise, or of
 * another shape, makes the depth grow. So no way leads out of a group and back into it.
 */
import { reachable } from "./differentiate.js";
import { usesOf } from "./factor.js";
import { isScalar, type Node } from "./graph.js";
import { constantOp, inputOp, isLiteral, operatorOp, parameterOp } from "./leaves.js";
import { combineOp, dotOp } from "./machine.js";
import { hadamardOp, mapOp } from "./operations/elementwise.js";
import { fullOp } from "./operations/linear.js";
import { sumOp } from "./operations/reduce.js";

export interface Unit {
  /** one instruction, or the elementwise nodes of a group, arguments before results */
  readonly nodes: Node[];
  /** whether it is run as a chain */
  mapped: boolean;
  /** the total or inner product that the chain adds up */
  sum?: Node;
  /** what it reads from outside, also through terms computed on the spot */
  reads: Node[];
}

interface Units {
  /** in an order in which they can run, level by level */
  readonly units: readonly Unit[];
  /** terms of sums that are computed on the spot */
  readonly fused: ReadonlySet<Node>;
  readonly leaves: ReadonlySet<Node>;
}

/** The most operands of a group: a chain has room for so many instructions and constants. */
const LARGEST = 60;
/** What a function counts, since some become several instructions. */
const FUNCTION = 6;

export const isLeaf = (n: Node): boolean =>
  isLiteral(n) || n.op === inputOp || n.op === constantOp || n.op === parameterOp || n.op === operatorOp;

const isElementwiseOp = ({ op }: Node): boolean => op === mapOp || op === hadamardOp || op === fullOp;
/** Elementwise operations that engines have in chains only */
const needsChain = ({ op }: Node): boolean => op === mapOp || op === hadamardOp;

export function unitsOf(roots: readonly Node[], placeOf: (n: Node) => string): Units {
  const kindOf = (n: Node, level = n.level): string => `${level} ${placeOf(n)} ${n.rows}×${n.cols}`;
  const nodes = reachable(roots);
  const fused = computedOnTheSpot(nodes, roots);
  const isElementwise = (n: Node): boolean => {
    if (isScalar(n) || isLeaf(n)) return false;
    return n.op === combineOp ? n.args.length <= LARGEST && !n.args.some((A) => fused.has(A)) : isElementwiseOp(n);
  };

  const depth = new Map<Node, number>();
  const unitOf = new Map<Node, Unit>();
  const groups = new Map<string, { unit: Unit; size: number }>();
  const all: Unit[] = [];
  const joins = (A: Node, kind: string): boolean => isElementwise(A) && kindOf(A) === kind;
  /** the depth of what reads these, as a member of a group of this kind */
  const below = (reads: readonly Node[], kind = ""): number =>
    Math.max(0, ...reads.map((A) => (isLeaf(A) ? 0 : depth.get(A)! + (joins(A, kind) ? 0 : 1))));

  function started(n: Node, mapped: boolean): Unit {
    const unit: Unit = { nodes: [n], mapped, reads: [] };
    all.push(unit);
    return unit;
  }

  function grouped(n: Node, at: number): Unit {
    const size = n.op === mapOp ? FUNCTION : n.args.length;
    const key = `${kindOf(n)} ${at}`;
    const group = groups.get(key);
    if (group && group.size + size <= LARGEST) {
      group.size += size;
      group.unit.nodes.push(n);
      return group.unit;
    }
    const unit = started(n, true);
    groups.set(key, { unit, size });
    return unit;
  }

  /** The group that computes what n adds up, if it has no sum yet */
  function summing(n: Node, reads: readonly Node[]): Unit | undefined {
    if (n.op !== sumOp && n.op !== dotOp) return undefined;
    const kind = kindOf(reads[0]!, n.level);
    const at = below(reads, kind);
    const latest = reads.filter((A) => joins(A, kind) && depth.get(A) === at).map((A) => unitOf.get(A)!);
    const [unit] = latest;
    if (!unit || unit.sum || latest.some((other) => other !== unit)) return undefined;
    unit.sum = n;
    depth.set(n, at);
    return unit;
  }

  for (const n of nodes) {
    if (isLeaf(n) || fused.has(n)) continue;
    const reads = n.args.flatMap((A) => (fused.has(A) ? A.args : [A]));
    let unit = summing(n, reads);
    if (!unit) {
      depth.set(n, below(reads, isElementwise(n) ? kindOf(n) : ""));
      unit = isElementwise(n) ? grouped(n, depth.get(n)!) : started(n, n.op === sumOp);
    }
    unit.reads.push(...reads);
    unitOf.set(n, unit);
  }
  for (const unit of all) {
    unit.mapped &&=
      unit.nodes.length > 1 || unit.sum !== undefined || unit.nodes[0]!.op === sumOp || needsChain(unit.nodes[0]!);
    unit.reads = unit.reads.filter((A) => unitOf.get(A) !== unit);
  }
  return { units: scheduled(all, unitOf), fused, leaves: new Set(nodes.filter(isLeaf)) };
}

/** A term of a sum that is used there alone is computed on the spot, if one of its terms is a product of matrices or the like. */
function computedOnTheSpot(nodes: readonly Node[], roots: readonly Node[]): Set<Node> {
  const uses = usesOf(nodes, roots);
  const fused = new Set<Node>();
  for (const n of nodes) {
    if (n.op !== combineOp) continue;
    const can = n.args.filter(
      (A) => A.op.accumulates === true && !isScalar(A) && uses.get(A) === 1 && A.level === n.level,
    );
    if (can.some((A) => !isElementwiseOp(A))) for (const A of can) fused.add(A);
  }
  return fused;
}

/** Level by level, in each as they come, but each after all that it reads. */
function scheduled(all: readonly Unit[], unitOf: ReadonlyMap<Node, Unit>): Unit[] {
  const done = new Set<Unit>();
  const waiting = [...all].reverse();
  while (waiting.length > 0) {
    const unit = waiting.at(-1)!;
    const missing = unit.reads.flatMap((A) => unitOf.get(A) ?? []).filter((other) => !done.has(other));
    if (missing.length === 0 || done.has(unit)) {
      done.add(unit);
      waiting.pop();
    } else waiting.push(...missing);
  }
  return [...done].sort((a, b) => a.nodes[0]!.level - b.nodes[0]!.level);
}
