/** Programs of chains for assembly/map.ts: about a hundred numbers, written to the memory before each call. */
import type { Chain } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import {
  codeOf,
  derivatives,
  MOST_INSTRUCTIONS,
  MOST_SLOTS,
  type Owned,
  operations,
  type Place,
  planOf,
  type Step,
  TILE,
} from "@expen/linalg/engine";

/** Numbers of the head of a program, of an operand and of an instruction, as in assembly/map.ts */
const [HEAD, OPERAND, INSTRUCTION] = [4, 2, 5];
/** Largest number of inputs, outputs and constants together */
const MOST_OTHERS = 256;

/** Numbers of the longest program; a constant takes two more than its operand, for its pair of equal numbers */
export const PROGRAM: number =
  HEAD + INSTRUCTION * (MOST_INSTRUCTIONS + MOST_OTHERS) + (OPERAND + 2) * (MOST_SLOTS + MOST_OTHERS + 1);
/** Bytes of the tiles of a chain, and of two more for intermediate results of an operation */
export const SLOTS_BYTES: number = 8 * TILE * (MOST_SLOTS + 2);
/** Bytes of a pair for each operand that is a matrix */
export const SINGLES_BYTES: number = 16 * MOST_OTHERS;

/** codes of operands in the table that the module reads */
const kinds = { slot: 0, input: 1, output: 1, constant: 2 } as const;

/** A step with the place of a second result, if it has one */
interface DoubleStep extends Step {
  readonly also?: Place;
}

/** Functions that are computed together with their derivatives; the codes of these pairs follow those of single operations. */
const doubles = new Map(
  [...derivatives].map(([f, slope], i) => [codeOf(f), { slope: codeOf(slope), code: operations.length + i }]),
);
const stepsByChain = new WeakMap<Chain, DoubleStep[]>();

/** The steps of a chain; a function followed by its derivative at the same argument is one step */
function stepsOf(chain: Chain): DoubleStep[] {
  let steps = stepsByChain.get(chain);
  if (steps) return steps;
  steps = [];
  for (const step of planOf(chain).steps) {
    const before = steps.at(-1);
    const double = before && doubles.get(before.code);
    if (double?.slope === step.code && before && samePlace(before.from[0]!, step.from[0]!)) {
      steps[steps.length - 1] = { ...before, code: double.code, also: step.to };
    } else steps.push(step);
  }
  stepsByChain.set(chain, steps);
  return steps;
}

const samePlace = (a: Place, b: Place): boolean => a.kind === b.kind && a.at === b.at;

/** Programs without addresses and constants; operands in the order inputs, outputs, slots, constants. */
const templates = new WeakMap<Chain, Float64Array>();

function templateOf(chain: Chain): Float64Array {
  let words = templates.get(chain);
  if (!words) templates.set(chain, (words = Float64Array.from(programOf(chain))));
  return words;
}

function programOf(chain: Chain): number[] {
  const { sum, slots } = planOf(chain);
  const steps = stepsOf(chain);
  const { inputs, outputs, constants = [] } = chain;
  const others = inputs + outputs.length + constants.length;
  if (others > MOST_OTHERS) {
    throw new EngineError(
      `map: the chain has ${others} inputs, outputs and constants; ${MOST_OTHERS} are possible, so cut it in two.`,
    );
  }
  const first = {
    input: 0,
    output: inputs,
    slot: inputs + outputs.length,
    constant: inputs + outputs.length + slots,
  };
  const operand = ({ kind, at }: Place): number => first[kind] + at;
  const described = (count: number, kind: keyof typeof kinds, address = (_i: number) => 0): number[] =>
    Array.from({ length: count }, (_, i) => [address(i), kinds[kind]]).flat();
  return [
    ...[others + slots, steps.length, sum ? operand(sum) : -1, inputs],
    ...described(inputs, "input"),
    ...described(outputs.length, "output"),
    ...described(slots, "slot", (i) => 8 * TILE * i),
    ...described(constants.length, "constant"),
    // an operand that the operation does not have is replaced by the first one
    ...steps.flatMap(({ code, to, from: [x, y, w], also }) => [
      code,
      ...[to, x!, also ?? y ?? x!, w ?? x!].map(operand),
    ]),
    ...Array.from({ length: 2 * constants.length }, () => 0),
  ];
}

/** program ← the chain with the addresses of these matrices */
export function writeProgram(program: Owned, chain: Chain, inputs: readonly Owned[], outputs: readonly Owned[]): void {
  const words = program.data;
  const template = templateOf(chain);
  words.set(template);
  let k = HEAD;
  for (let i = 0; i < inputs.length; i++, k += OPERAND) words[k] = inputs[i]!.at;
  for (let i = 0; i < outputs.length; i++, k += OPERAND) words[k] = outputs[i]!.at;
  const { constants } = chain;
  if (!constants) return;
  k = HEAD + OPERAND * (template[0]! - constants.length);
  let pair = template.length - 2 * constants.length;
  for (let i = 0; i < constants.length; i++, k += OPERAND, pair += 2) {
    words[k] = program.at + 8 * pair;
    words[pair] = words[pair + 1] = constants[i]!;
  }
}
