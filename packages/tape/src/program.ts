/**
 * A program: an ordered list of instructions with their registers. Three phases, one for each level of dependence: on constants, on X,
 * on D; a later phase can be repeated without the earlier ones, whose results it uses.
 */

import type { Engine, Matrix } from "@expen/linalg";
import { kindless } from "@expen/linalg/engine";
import { groupChain } from "./chains.js";
import { reachable } from "./differentiate.js";
import { isScalar, type Kernel, type Level, type Node, type Registers } from "./graph.js";
import { isHost } from "./held.js";
import { constantOp, inputOp, isLiteral, numberOf } from "./leaves.js";
import { inPlace, lastUses } from "./lifetimes.js";
import { termsOf } from "./lower.js";
import { combineOp } from "./machine.js";
import { sumOp } from "./operations/reduce.js";
import { isPlaced } from "./place.js";
import { isLeaf, type Unit, unitsOf } from "./units.js";

export interface Program {
  /** runs the instructions of one level */
  run(level: Level): void;
  /** runs the instructions of level 1 that the scalar result needs; they are the first, so that the bits are those of a full run */
  runValue(): void;
  /** binds a matrix to "X i", "D i" or "destination i" */
  bind(name: string, M: Matrix): void;
  /** a new number for a scalar parameter */
  setScalar(leaf: Node, value: number): void;
  /** the scalar result */
  value(): number;
}

interface Request {
  /** the scalar result, if any */
  readonly value?: Node | undefined;
  /** the matrix results; result i goes to the matrix bound as "destination i" */
  readonly matrices: readonly Node[];
  /** the level of the matrix results' phase */
  readonly level: Level;
}

/** The environment of a program */
interface Surroundings extends Pick<Registers, "kind" | "operator"> {
  readonly E: Engine;
  /** the matrix of the engine for a placed constant or parameter */
  constant(leaf: Node): Matrix;
}

export function makeProgram({ E: engine, kind, operator, constant }: Surroundings, request: Request): Program {
  const E = kindless(engine);
  const roots = [...(request.value ? [request.value] : []), ...request.matrices];
  const { units, fused, leaves } = unitsOf(roots, kind);
  const lastUse = lastUses(units, roots);
  const heir = inPlace(units, fused, lastUse, roots);

  const R: Matrix[] = [];
  const numbers: number[] = [];
  const place = new Map<Node, number>();
  const bound = new Map<string, number>();
  const loads: [Level, Kernel][] = [];

  const make = (n: Node): number => R.push(E[kind(n)](n.rows, n.cols)) - 1;
  /** results that are computed directly into their destination, with its index */
  const direct = new Map<Node, number>();
  for (const [i, n] of request.matrices.entries()) {
    const at = R.push(E.tall(0, 0)) - 1;
    bound.set(`destination ${i}`, at);
    const isDirect = !isLeaf(n) && kind(n) === "tall" && !isScalar(n) && n.level === request.level;
    if (isDirect && !direct.has(n)) direct.set(n, at);
  }
  for (const n of leaves) {
    if (isLiteral(n)) place.set(n, numbers.push(numberOf(n)) - 1);
    else if (n.op === inputOp) {
      const at = R.push(E.tall(0, 0)) - 1;
      bound.set(n.detail as string, at);
      if (kind(n) === "tall") place.set(n, at);
      else loads.push([n.level, copied(n, at)]);
    } else if (isScalar(n)) place.set(n, numbers.push(0) - 1);
    else if (n.op === constantOp && isPlaced(n)) place.set(n, R.push(constant(n)) - 1);
    else place.set(n, -1); // an operator
  }

  /** X or D as a small matrix or a number */
  function copied(n: Node, from: number): Kernel {
    const host = new Float64Array(n.rows * n.cols);
    const to = isScalar(n) ? numbers.push(0) - 1 : make(n);
    place.set(n, to);
    if (isScalar(n)) return () => void (registers.S[to] = E.read(R[from]!, host)[0]!);
    return () => E.write(R[to]!, E.read(R[from]!, host));
  }

  // a register for each result: that of a term which it reuses, its destination, a free one, or a new one
  const free = new Map<string, number[]>();
  const finalHeir = (n: Node): Node => (heir.has(n) ? finalHeir(heir.get(n)!) : n);
  const shapeKey = (n: Node): string => `${kind(n)} ${n.rows}×${n.cols}`;
  function assign(n: Node): void {
    if (isScalar(n)) place.set(n, numbers.push(0) - 1);
    else if (!place.has(n)) {
      const last = finalHeir(n);
      const at = place.get(last) ?? direct.get(last) ?? free.get(shapeKey(n))?.pop() ?? make(n);
      place.set(last, at);
      place.set(n, at);
    }
  }
  for (const [i, { nodes, sum, reads }] of units.entries()) {
    // inside a group only outputs need a register
    for (const n of nodes) if (nodes.length === 1 ? !(sum && !lastUse.has(n)) : lastUse.has(n)) assign(n);
    if (sum) assign(sum);
    for (const A of new Set(reads)) {
      if (lastUse.get(A) !== i || isScalar(A) || isLeaf(A) || heir.has(A)) continue;
      free.set(shapeKey(A), [...(free.get(shapeKey(A)) ?? []), place.get(A)!]);
    }
  }

  const registers: Registers = {
    E,
    host: isHost(engine),
    R,
    S: Float64Array.from(numbers),
    kind,
    operator,
    shared: new Map(),
  };
  const { S } = registers;
  const phases: [Kernel[], Kernel[], Kernel[]] = [[], [], []];
  /** the units of level 1 that the value needs */
  const valueSteps: Kernel[] = [];
  for (const [level, load] of loads) phases[level].push(load);
  valueSteps.push(...phases[1]);
  const forValue = new Set(request.value ? reachable([request.value]) : []);
  for (const unit of units) {
    const [n] = unit.nodes as [Node];
    const step = unit.mapped ? mapped(unit) : n.op === combineOp ? combine(n) : kernel(n, place.get(n)!);
    phases[n.level].push(step);
    const needed = [...unit.nodes, ...(unit.sum ? [unit.sum] : [])].filter((m) => forValue.has(m));
    if (n.level !== 1 || needed.length === 0) continue;
    valueSteps.push(
      unit.mapped && needed.length < unit.nodes.length + (unit.sum ? 1 : 0) ? mapped(unit, forValue) : step,
    );
  }
  for (const [i, n] of request.matrices.entries()) {
    const to = bound.get(`destination ${i}`)!;
    if (direct.get(n) !== to) phases[request.level].push(delivery(n, to));
  }

  /** the instructions outside of its unit that read n */
  function readers(n: Node): Node[] {
    return units.filter(({ reads }) => reads.includes(n)).flatMap(({ nodes, sum }) => (sum ? [...nodes, sum] : nodes));
  }

  /** A group, or its `needed` part, as one chain */
  function mapped({ nodes, sum, divisors }: Unit, needed?: ReadonlySet<Node>): Kernel {
    const only = (n: Node): boolean => !needed || needed.has(n);
    const total = sum ?? (nodes[0]!.op === sumOp ? nodes[0]! : undefined);
    const members = nodes.filter((n) => n !== total && only(n));
    const outputs = members.filter((n) => place.has(n) && (!needed || readers(n).some((m) => needed.has(m))));
    const group = groupChain(members, outputs, total && only(total) ? total : undefined, divisors);
    const { chain, scalars } = group;
    const constants = chain.constants as number[];
    const [out, inputs] = [outputs, group.inputs].map((list) => list.map((n) => place.get(n)!)) as [number[], number[]];
    if (inputs.length < chain.inputs) inputs.push(make(nodes[0]!));
    const at = total && only(total) ? place.get(total)! : -1;
    const factors = scalars.map(({ place: i, c, s }) => ({ i, c, s: place.get(s)! }));
    const [Y, X]: [Matrix[], Matrix[]] = [[], []];
    return () => {
      for (const { i, c, s } of factors) constants[i] = c * S[s]!;
      for (let i = 0; i < out.length; i++) Y[i] = R[out[i]!]!;
      for (let i = 0; i < inputs.length; i++) X[i] = R[inputs[i]!]!;
      const s = E.map(Y, chain, X);
      if (at >= 0) S[at] = s;
    };
  }

  function kernel(n: Node, out: number): Kernel {
    return n.op.kernel!(
      registers,
      n,
      out,
      n.args.map((A) => place.get(A)!),
    );
  }

  function delivery(n: Node, out: number): Kernel {
    const at = place.get(n)!;
    if (!isScalar(n) && kind(n) === "tall") return () => E.copy(R[out]!, R[at]!);
    const numbers = new Float64Array(n.rows * n.cols);
    if (isScalar(n)) return () => E.write(R[out]!, numbers.fill(S[at]!));
    return () => E.write(R[out]!, E.read(R[at]!, numbers));
  }

  /** Y ← Σ c·s·A, with terms accumulated without a register if possible; Y may start as one of the A. */
  function combine(n: Node): Kernel {
    const out = place.get(n)!;
    const all = termsOf(n).map(({ c, s, A }) => {
      const at = s && place.get(s)!;
      const coefficient = at === undefined ? () => c : () => c * S[at]!;
      const x = place.get(A)!;
      const run: Kernel = fused.has(A) ? kernel(A, out) : (a, b) => E.combine(R[out]!, a, R[x]!, b, R[out]!);
      return { A, coefficient, run, x };
    });
    const begin = all.findIndex(({ A }) => heir.get(A) === n);
    const [first, second, ...rest] = begin < 0 ? all : [all[begin]!, ...all.toSpliced(begin, 1)];
    const later = second ? [second, ...rest] : [];
    if (begin >= 0) {
      return () => {
        let b = first!.coefficient();
        for (const { run, coefficient } of later) {
          run(coefficient(), b);
          b = 1;
        }
      };
    }
    if (second && !fused.has(first!.A) && !fused.has(second.A)) {
      return () => {
        E.combine(R[out]!, first!.coefficient(), R[first!.x]!, second.coefficient(), R[second.x]!);
        for (const { run, coefficient } of rest) run(coefficient(), 1);
      };
    }
    return () => {
      first!.run(first!.coefficient(), 0);
      for (const { run, coefficient } of later) run(coefficient(), 1);
    };
  }

  return {
    run(level) {
      for (const step of phases[level]) step(1, 0);
    },
    runValue() {
      for (const step of valueSteps) step(1, 0);
    },
    bind(name, M) {
      const at = bound.get(name);
      if (at !== undefined) R[at] = M;
    },
    setScalar(n, value) {
      const at = place.get(n);
      if (at !== undefined) S[at] = value;
    },
    value: () => S[place.get(request.value!)!]!,
  };
}
