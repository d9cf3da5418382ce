/**
 * The units of a program: single instructions, and groups of elementwise ones that become one pass over their matrices (`map`). A
 * group has the elementwise nodes of one kind, shape, level and depth, where only nodes that are not elementwise, or of another shape,
 * increase the depth. Hence no path leads out of a group and back into it.
 */
import { reachable } from "./differentiate.js";
import { usesOf } from "./factor.js";
import { isScalar, type Node } from "./graph.js";
import { constantOp, inputOp, isLiteral, operatorOp, parameterOp } from "./leaves.js";
import { combineOp, dotOp } from "./machine.js";
import { type FunctionData, hadamardOp, mapOp } from "./operations/elementwise.js";
import { fullOp } from "./operations/linear.js";
import { sumOp } from "./operations/reduce.js";

export interface Unit {
  /** a single node, or the elementwise nodes of a group, arguments before results */
  readonly nodes: Node[];
  /** whether it is run as a chain */
  mapped: boolean;
  /** the total or inner product that the chain adds up */
  sum?: Node;
  /** the nodes outside of the unit that it reads, also through inlined terms */
  reads: Node[];
  /** its powers 1/y and 1/√y with a single product as user, where one division does both */
  divisors: ReadonlySet<Node>;
}

interface Units {
  /** in execution order, level by level */
  readonly units: readonly Unit[];
  /** terms of sums that are inlined */
  readonly fused: ReadonlySet<Node>;
  readonly leaves: ReadonlySet<Node>;
}

/** Operands of a group at most; a chain has a limited number of instructions and constants. */
const LARGEST = 60;
/** Operands that a function counts for, since some become several instructions */
const FUNCTION = 6;

export const isLeaf = (n: Node): boolean =>
  isLiteral(n) || n.op === inputOp || n.op === constantOp || n.op === parameterOp || n.op === operatorOp;

function isReciprocal({ op, detail }: Node): boolean {
  const [name, a] = op === mapOp ? (detail as FunctionData) : [];
  return name === "pow" && (a === -1 || a === -0.5);
}
const isSum = ({ op }: Node): boolean => op === sumOp || op === dotOp;
const isFull = (n: Node): boolean => n.op === fullOp && !isScalar(n);
/** Whether engines have the operation in chains only */
const needsChain = ({ op }: Node): boolean => op === mapOp || op === hadamardOp || op.inChain !== undefined;

export function unitsOf(roots: readonly Node[], placeOf: (n: Node) => string): Units {
  const kindOf = (n: Node, level = n.level): string => `${level} ${placeOf(n)} ${n.rows}×${n.cols}`;
  const nodes = reachable(roots);
  const fused = inlinedTerms(nodes, roots);
  const isElementwise = (n: Node): boolean => {
    if (isScalar(n) || isLeaf(n)) return false;
    return n.op === combineOp ? n.args.length <= LARGEST && !n.args.some((A) => fused.has(A)) : needsChain(n);
  };
  /** s·11ᵀ is a number in a chain, and a matrix only for other readers */
  const formed = new Set(roots.filter(isFull));
  for (const n of nodes) if (!isElementwise(n)) for (const A of n.args) if (isFull(A)) formed.add(A);

  const depth = new Map<Node, number>();
  const unitOf = new Map<Node, Unit>();
  const groups = new Map<string, { unit: Unit; size: number }>();
  const all: Unit[] = [];
  const joins = (A: Node, kind: string): boolean => isElementwise(A) && kindOf(A) === kind;
  /** the depth of a reader of these nodes, as a member of a group of this kind */
  const below = (reads: readonly Node[], kind = ""): number =>
    Math.max(0, ...reads.map((A) => (isLeaf(A) ? 0 : depth.get(A)! + (joins(A, kind) ? 0 : 1))));

  function started(n: Node, mapped: boolean): Unit {
    const unit: Unit = { nodes: [n], mapped, reads: [], divisors: new Set() };
    all.push(unit);
    return unit;
  }

  function grouped(n: Node, at: number): Unit {
    const size = n.op === mapOp || n.op.inChain ? FUNCTION * n.args.length : n.args.length;
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

  /** The group that computes the argument of the sum n, if it has no sum yet */
  function summing(n: Node, reads: readonly Node[]): Unit | undefined {
    if (!isSum(n)) return undefined;
    const kind = kindOf(reads[0]!, n.level);
    const at = below(reads, kind);
    const latest = reads.filter((A) => joins(A, kind) && depth.get(A) === at).map((A) => unitOf.get(A)!);
    const [unit] = latest;
    if (!unit || unit.sum || latest.some((other) => other !== unit)) return undefined;
    unit.sum = n;
    depth.set(n, at);
    return unit;
  }

  const uses = usesOf(nodes, roots);
  /** the second, if both factors are reciprocals */
  function divisorsOf(unit: Unit): Set<Node> {
    const can = (n: Node): boolean => isReciprocal(n) && uses.get(n) === 1 && unitOf.get(n) === unit;
    return new Set(unit.nodes.filter(({ op }) => op === hadamardOp).flatMap(({ args }) => args.findLast(can) ?? []));
  }

  for (const n of nodes) {
    if (isLeaf(n) || fused.has(n) || (isFull(n) && !formed.has(n))) continue;
    const within = isElementwise(n) ? isFull : (A: Node): boolean => fused.has(A);
    const reads = n.args.flatMap((A) => (within(A) ? A.args : [A]));
    let unit = summing(n, reads);
    if (!unit) {
      depth.set(n, below(reads, isElementwise(n) ? kindOf(n) : ""));
      unit = isElementwise(n) ? grouped(n, depth.get(n)!) : started(n, n.op === sumOp);
    }
    unit.reads.push(...reads);
    unitOf.set(n, unit);
  }
  for (const unit of all) {
    const [n] = unit.nodes as [Node];
    unit.mapped &&=
      unit.nodes.length > 1 || unit.sum !== undefined || n.op === sumOp || needsChain(n) || n.args.some(isFull);
    unit.divisors = divisorsOf(unit);
    unit.reads = unit.reads.filter((A) => unitOf.get(A) !== unit);
  }
  return { units: scheduled(all, unitOf), fused, leaves: new Set(nodes.filter(isLeaf)) };
}

/**
 * A product whose only use is as a term of a sum is inlined: it is accumulated into the sum. A single one is not if the sum belongs to a
 * chain, which adds it without another pass.
 */
function inlinedTerms(nodes: readonly Node[], roots: readonly Node[]): Set<Node> {
  const uses = usesOf(nodes, roots);
  const inChains = new Set(nodes.filter((n) => needsChain(n) || isSum(n)).flatMap((n) => n.args));
  const fused = new Set<Node>();
  for (const n of nodes) {
    if (n.op !== combineOp) continue;
    const can = n.args.filter(
      (A) => A.op.accumulates === true && !isScalar(A) && uses.get(A) === 1 && A.level === n.level,
    );
    if (can.length > 1 || !inChains.has(n)) for (const A of can) fused.add(A);
  }
  return fused;
}

/** A topological order, level by level, in the given order where possible */
function scheduled(all: readonly Unit[], unitOf: ReadonlyMap<Node, Unit>): Unit[] {
  const scheduledUnits = new Set<Unit>();
  const waiting = [...all].reverse();
  while (waiting.length > 0) {
    const unit = waiting.at(-1)!;
    const missing = unit.reads.flatMap((A) => unitOf.get(A) ?? []).filter((other) => !scheduledUnits.has(other));
    if (missing.length === 0 || scheduledUnits.has(unit)) {
      scheduledUnits.add(unit);
      waiting.pop();
    } else waiting.push(...missing);
  }
  return [...scheduledUnits].sort((a, b) => a.nodes[0]!.level - b.nodes[0]!.level);
}
