/**
 * Chains written as functions:
 *
 *     const c = chain(1, ({ tanh, logcosh }, x) => ({ outputs: [tanh(x)], sum: logcosh(x) }));
 *     const f = E.map([T], c, [Y]); // T ← tanh Y, f ← Σ log cosh Y_ij
 *
 * Equal operations on equal operands are computed once.
 */

import type { ElementwiseName } from "../../contracts/elementwise.js";
import { arities } from "../../contracts/elementwise.js";
import type { Chain, Engine, Instruction } from "../../contracts/engine.js";
import type { Tall } from "../../contracts/matrix.js";
import { EngineError } from "../../errors.js";
import { operations } from "./operations.js";

/** The result of an operation: a register of the chain, or one of its constants */
export interface Value {
  readonly operand: number;
}

type Operand = Value | number;
/** The elementwise operations that the function of a chain gets, by name */
export type ChainOperations = Record<ElementwiseName, (...operands: Operand[]) => Value>;

export interface ChainBuilder {
  readonly inputs: readonly Value[];
  /** a constant that is not merged with equal ones, so that `constants[place]` of the chain may change between calls */
  variable(): { value: Value; place: number };
  constant(c: number): Value;
  readonly op: ChainOperations;
  finish(outputs: readonly Value[], sum?: Value): Chain;
}

const refuse = (problem: string): never => {
  throw new EngineError(`chain: ${problem}.`);
};

/** Operands have no numbers while a chain is recorded; without this error 2 * x would silently be NaN. */
const withoutNumbers = {
  [Symbol.toPrimitive]: (): never => refuse("+, *, <, Math.exp and the like know no operands; write add, mul, exp, …"),
};
const valueAt = (operand: number): Value => Object.assign(Object.create(withoutNumbers), { operand });

/** The largest |exponent| computed by products; longer ones lose digits, so Math.pow is used. */
export const LONGEST_POWER = 16;

export function chainBuilder(inputs: number): ChainBuilder {
  const constants: number[] = [];
  const code: Instruction[] = [];
  const known = new Map<string, Value>();

  function constant(c: number): Value {
    const name = `constant ${Object.is(c, -0) ? "-0" : c}`;
    let value = known.get(name);
    if (!value) known.set(name, (value = valueAt(-constants.push(c))));
    return value;
  }

  function emit(op: ElementwiseName, operands: readonly Operand[]): Value {
    if (operands.length !== arities[op]) refuse(`${op} has ${operands.length} operands; it needs ${arities[op]}`);
    const args = operands.map((v) => (typeof v === "number" ? constant(v) : v)?.operand);
    if (args.some((r) => r === undefined)) refuse(`${op} has an operand that is neither a number nor one of the chain`);
    const name = `${op} ${args}`;
    let value = known.get(name);
    if (!value) known.set(name, (value = valueAt(inputs + code.push({ op, args }) - 1)));
    return value;
  }

  /** xᵃ: integer parts by squaring, halves by a square root, other fractions by a fractional power */
  function power(x: Operand, a: number): Value {
    const [whole, half] = [Number.isInteger(a), !Number.isInteger(a) && Number.isInteger(2 * a)];
    if (!(Math.abs(a) <= LONGEST_POWER) || (a < 0 && !whole && !half)) return emit("pow", [x, a]);
    // several powers of x then share 1/x, and those whose exponents differ by an integer share a fractional one
    if (a < 0) return whole ? power(emit("reciprocal", [x]), -a) : emit("reciprocal", [power(x, -a)]);
    if (a === 0.5) return emit("sqrt", [x]);
    if (a === 1) return typeof x === "number" ? constant(x) : x;
    if (a < 1) return emit("pow", [x, a]);
    if (!whole) return emit("mul", [power(x, a - 1), x]);
    if (a === 2) return emit("square", [x]);
    return a % 2 === 0 ? emit("square", [power(x, a / 2)]) : emit("mul", [power(x, a - 1), x]);
  }

  const op = Object.fromEntries(
    operations.map(({ name }) => [name, (...operands: Operand[]) => emit(name, operands)]),
  ) as ChainOperations;
  op.pow = (x, a) => (typeof a === "number" ? power(x!, a) : emit("pow", [x!, a!]));

  return {
    inputs: Array.from({ length: inputs }, (_, i) => valueAt(i)),
    variable() {
      const place = constants.push(Number.NaN) - 1;
      return { value: valueAt(-1 - place), place };
    },
    constant,
    op,
    finish(outputs, sum) {
      // a constant as a result needs a register
      const register = (v: Value): number => (v.operand < 0 ? emit("copy", [v]) : v).operand;
      const results = outputs.map(register);
      return { inputs, constants, code, outputs: results, ...(sum && { sum: register(sum) }) };
    },
  };
}

const KNOWN = `there are ${Object.keys(arities).join(", ")}`;
const RETURN = "its function returns { outputs: [results], sum: a result }, or one of both";
const isValue = (v: unknown): boolean => typeof (v as Value | undefined)?.operand === "number";

/** Elementwise operations in one pass, for `E.map`: `build` gets operations and entries, and returns results and a sum. */
/* @__NO_SIDE_EFFECTS__ */ export function chain(
  inputs: number,
  build: (op: ChainOperations, ...x: Value[]) => { outputs?: readonly Value[]; sum?: Value },
): Chain {
  const builder = chainBuilder(inputs);
  const op = new Proxy(builder.op, {
    get: (known, name) => known[name as ElementwiseName] ?? refuse(`there is no '${String(name)}'; ${KNOWN}`),
  });
  const { outputs = [], sum } = build(op, ...builder.inputs) ?? refuse(RETURN);
  if (!(Array.isArray(outputs) && outputs.every(isValue) && (sum === undefined || isValue(sum)))) refuse(RETURN);
  return builder.finish(outputs, sum);
}

/** x·y, entry by entry */
export const entrywiseProduct: Chain = chain(2, ({ mul }, x, y) => ({ outputs: [mul(x, y)] }));

/** Σ|x − y|: a difference of doubles does not underflow to 0 */
const difference: Chain = chain(2, ({ sub, abs }, x, y) => ({ outputs: [], sum: abs(sub(x, y)) }));

/** Have X and Y the same numbers? NaN is none. */
export const isSame = (E: Pick<Engine, "map">, X: Tall, Y: Tall): boolean => E.map([], difference, [X, Y]) === 0;
