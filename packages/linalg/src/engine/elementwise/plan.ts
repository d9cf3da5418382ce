/** The plan of a chain: checks, and register allocation for one tile. Computed once for each chain. */

import type { ElementwiseName } from "../../contracts/elementwise.js";
import type { Chain } from "../../contracts/engine.js";
import { EngineError } from "../engine.js";
import { codeOf, operations } from "./operations.js";

/** Entries that pass through a chain at a time: 4 KiB, so that several registers fit into the L1 cache */
export const TILE = 512;
/** Instructions of a chain at most: engines copy them into tables of fixed size. */
export const MOST_INSTRUCTIONS = 256;
/** Live registers at most: 64 tiles of 4 KiB take 256 KiB. */
export const MOST_SLOTS = 64;

/** Functions, with derivatives that an engine may compute together with them */
export const derivatives: ReadonlyMap<ElementwiseName, ElementwiseName> = new Map([
  ["logcosh", "tanh"],
  ["softplus", "sigmoid"],
]);

/** The location of an operand: the i-th input, output, tile of scratch, or constant */
export interface Place {
  readonly kind: "input" | "output" | "slot" | "constant";
  readonly at: number;
}

export interface Step {
  readonly code: number;
  readonly to: Place;
  readonly from: readonly Place[];
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly sum: Place | undefined;
  readonly slots: number;
}

const plans = new WeakMap<Chain, Plan>();

export function planOf(chain: Chain): Plan {
  let plan = plans.get(chain);
  if (!plan) plans.set(chain, (plan = laidOut(chain)));
  return plan;
}

function laidOut(chain: Chain): Plan {
  check(chain);
  const { inputs, code, outputs, sum } = chain;
  const order = derivativesBeside(chain);
  const last = lastUses(chain, order);
  const places: Place[] = Array.from({ length: inputs }, (_, at) => ({ kind: "input", at }));
  const free: number[] = [];
  let slots = 0;
  const place = (operand: number): Place => (operand < 0 ? { kind: "constant", at: -1 - operand } : places[operand]!);
  const steps = order.map((index, i): Step => {
    const { op, args } = code[index]!;
    const from = args.map(place);
    // the result may take over the tile of an operand whose last use this is
    for (const r of new Set(args)) if (last.get(r) === i && place(r).kind === "slot") free.push(place(r).at);
    const r = inputs + index;
    const output = outputs.indexOf(r);
    const to: Place = output >= 0 ? { kind: "output", at: output } : { kind: "slot", at: free.pop() ?? slots++ };
    places[r] = to;
    if (to.kind === "slot" && !last.has(r)) free.push(to.at);
    return { code: codeOf(op)!, to, from };
  });
  // outputs that are inputs, or repeat a register
  for (const [at, r] of outputs.entries()) {
    const { kind, at: home } = places[r]!;
    if (kind !== "output" || home !== at) steps.push({ code: 0, to: { kind: "output", at }, from: [places[r]!] });
  }
  if (slots > MOST_SLOTS)
    refuse(`${slots} registers are alive at a time; ${MOST_SLOTS} are possible, so cut it in two`);
  return { steps, sum: sum === undefined ? undefined : places[sum]!, slots };
}

/** The order of the instructions, with each derivative directly after its function of the same argument */
function derivativesBeside({ code }: Chain): number[] {
  const order = new Set<number>();
  const find = (op: string | undefined, x: number): number => code.findIndex((c) => c.op === op && c.args[0] === x);
  for (const [i, { op, args }] of code.entries()) {
    const [function0] = [...derivatives].find(([, slope]) => slope === op) ?? [];
    for (const at of [find(function0, args[0]!), i, find(derivatives.get(op), args[0]!)]) if (at >= 0) order.add(at);
  }
  return [...order];
}

/** The last instruction that reads each register; ∞ for outputs and the sum */
function lastUses({ code, outputs, sum }: Chain, order: readonly number[]): Map<number, number> {
  const last = new Map<number, number>();
  for (const [i, index] of order.entries()) for (const r of code[index]!.args) last.set(r, i);
  for (const r of outputs) last.set(r, Number.POSITIVE_INFINITY);
  if (sum !== undefined) last.set(sum, Number.POSITIVE_INFINITY);
  return last;
}

function check({ inputs, constants = [], code, outputs, sum }: Chain): void {
  if (code.length > MOST_INSTRUCTIONS) {
    refuse(`it has ${code.length} instructions; ${MOST_INSTRUCTIONS} are possible, so cut it in two`);
  }
  const known = (r: number, upTo: number): boolean => Number.isInteger(r) && r >= 0 && r < upTo;
  for (const [i, { op, args }] of code.entries()) {
    const at = codeOf(op);
    if (at === undefined)
      refuse(`instruction ${i} is '${op}'; there are ${operations.map(({ name }) => name).join(", ")}`);
    const { arity } = operations[at]!;
    if (args.length !== arity) refuse(`instruction ${i}, ${op}, has ${args.length} operands; it needs ${arity}`);
    for (const r of args) {
      if (!known(r, inputs + i) && !known(-1 - r, constants.length)) {
        refuse(`instruction ${i}, ${op}, reads ${r}, which is no register before it and no constant`);
      }
    }
  }
  for (const r of sum === undefined ? outputs : [...outputs, sum]) {
    if (!known(r, inputs + code.length)) refuse(`${r} is an output or the sum, but no register`);
  }
}

function refuse(problem: string): never {
  throw new EngineError(`map: the chain is wrong: ${problem}.`);
}
