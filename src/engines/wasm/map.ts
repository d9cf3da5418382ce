/** Chains as programs for assembly/map.ts, written into the memory before each call: a hundred numbers or so. */
import type { Chain } from "../../types.js";
import { codeOf, operations } from "../elementwise/operations.js";
import {
  derivatives,
  MOST_INSTRUCTIONS,
  MOST_SLOTS,
  type Place,
  planOf,
  type Step,
  TILE,
} from "../elementwise/plan.js";
import { EngineError, type Owned } from "../engine.js";

const HEAD = 4;
const OPERAND = 2;
const INSTRUCTION = 5;
/** Operands that are no instructions' results: inputs, outputs, constants (pairs of numbers). */
const MOST_OTHERS = 256;

/** Numbers of the longest program; one place is used by no operand */
export const PROGRAM =
  HEAD + INSTRUCTION * (MOST_INSTRUCTIONS + MOST_OTHERS) + (OPERAND + 2) * (MOST_SLOTS + MOST_OTHERS + 1);
/** and two tiles that operations use on their way */
export const SLOTS_BYTES = 8 * TILE * (MOST_SLOTS + 2);
/** A pair for each operand that is a matrix */
export const SINGLES_BYTES = 16 * MOST_OTHERS;

const kinds = { slot: 0, input: 1, output: 1, constant: 2 } as const;

/** A step, perhaps with a second result */
interface DoubleStep extends Step {
  readonly also?: Place;
}

/** Codes of a function with its derivative, beyond those of single operations */
const doubles = new Map(
  [...derivatives].map(([f, slope], i) => [codeOf(f), { slope: codeOf(slope), code: operations.length + i }]),
);
const known = new WeakMap<Chain, DoubleStep[]>();

/** The steps of a chain; a function and then its derivative at the same argument are one */
function stepsOf(chain: Chain): DoubleStep[] {
  let steps = known.get(chain);
  if (steps) return steps;
  steps = [];
  for (const step of planOf(chain).steps) {
    const before = steps.at(-1);
    const double = before && doubles.get(before.code);
    if (double?.slope === step.code && before && samePlace(before.from[0]!, step.from[0]!)) {
      steps[steps.length - 1] = { ...before, code: double.code, also: step.to };
    } else steps.push(step);
  }
  known.set(chain, steps);
  return steps;
}

const samePlace = (a: Place, b: Place): boolean => a.kind === b.kind && a.at === b.at;

/** Writes the chain on these matrices to `program`. Operands in the order inputs, outputs, slots, constants. */
export function writeProgram(program: Owned, chain: Chain, inputs: readonly Owned[], outputs: readonly Owned[]): void {
  const { sum, slots } = planOf(chain);
  const steps = stepsOf(chain);
  const { constants = [] } = chain;
  const others = inputs.length + outputs.length + constants.length;
  if (others > MOST_OTHERS) {
    throw new EngineError(
      `map: the chain has ${others} inputs, outputs and constants; ${MOST_OTHERS} are possible, so cut it in two.`,
    );
  }
  const first = {
    input: 0,
    output: inputs.length,
    slot: inputs.length + outputs.length,
    constant: inputs.length + outputs.length + slots,
  };
  const operand = ({ kind, at }: Place): number => first[kind] + at;
  const words = program.data;
  const operands = others + slots;
  words[0] = operands;
  words[1] = steps.length;
  words[2] = sum ? operand(sum) : -1;
  words[3] = inputs.length;
  let k = HEAD;
  const describe = (kind: keyof typeof kinds, address: number): void => {
    words[k++] = address;
    words[k++] = kinds[kind];
  };
  const pairs = HEAD + OPERAND * operands + INSTRUCTION * steps.length;
  for (const A of inputs) describe("input", A.at);
  for (const A of outputs) describe("output", A.at);
  for (let i = 0; i < slots; i++) describe("slot", 8 * TILE * i);
  for (let i = 0; i < constants.length; i++) describe("constant", program.at + 8 * (pairs + 2 * i));
  for (const { code, to, from, also } of steps) {
    words[k++] = code;
    words[k++] = operand(to);
    words[k++] = operand(from[0]!);
    // places without an operand repeat the first one
    words[k++] = operand(also ?? from[1] ?? from[0]!);
    words[k++] = operand(from[2] ?? from[0]!);
  }
  for (let i = 0; i < constants.length; i++) {
    words[k++] = constants[i]!;
    words[k++] = constants[i]!;
  }
}
