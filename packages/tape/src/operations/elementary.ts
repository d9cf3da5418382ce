/** The elementary functions of one variable: value and derivative as an expression. */
import { LONGEST_POWER, logcosh, sigmoid, softplus } from "@expen/linalg/engine";
import type { Node } from "../graph.js";
import { literal } from "../leaves.js";
import { algebra, type Elementary } from "./algebra.js";
import { full, lin, minus, negative, plus } from "./linear.js";

interface Function1 {
  f(x: number, constants: readonly number[]): number;
  /** f' from the argument x and the value y = f(x) */
  slope(x: Node, y: Node, constants: readonly number[]): Node;
}

const zero = ({ rows, cols }: Node): Node => full(literal(0), rows, cols);
const clip = (x: number, low: number, high: number): number => Math.max(Math.min(x, high), low);
const hadamard: typeof algebra.hadamard = (...of) => algebra.hadamard(...of);
const apply: typeof algebra.apply = (...of) => algebra.apply(...of);

/** 1/√((1 − x)(1 + x)), in which nothing cancels near ±1 */
function inverseRoot(x: Node): Node {
  const ones = full(literal(1), x.rows, x.cols);
  return apply("pow", hadamard(minus(ones, x), plus([ones, x])), -0.5);
}

/**
 * xᵃ by products and roots, as in chains: these have the same rounding everywhere, while the last digits of Math.pow differ between
 * versions of V8 (Node 22 and 24).
 */
function power(x: number, a: number): number {
  if (!Number.isInteger(2 * a) || Math.abs(a) > LONGEST_POWER) return x ** a;
  const isWhole = Number.isInteger(a);
  if (a < 0) return isWhole ? power(1 / x, -a) : 1 / power(x, -a);
  if (a < 1) return a === 0 ? 1 : Math.sqrt(x);
  if (!isWhole || a % 2 === 1) return a === 1 ? x : power(x, a - 1) * x;
  return power(x, a / 2) ** 2;
}

export const elementary: Record<Elementary, Function1> = {
  exp: { f: Math.exp, slope: (_x, y) => y },
  log: { f: Math.log, slope: (x) => apply("pow", x, -1) },
  sqrt: { f: Math.sqrt, slope: (_x, y) => lin([[0.5, apply("pow", y, -1)]]) },
  sin: { f: Math.sin, slope: (x) => apply("cos", x) },
  cos: { f: Math.cos, slope: (x) => negative(apply("sin", x)) },
  tanh: { f: Math.tanh, slope: (_x, y) => apply("quadratic", y, 1, 0, -1) },
  asin: { f: Math.asin, slope: (x) => inverseRoot(x) },
  acos: { f: Math.acos, slope: (x) => negative(inverseRoot(x)) },
  atan: { f: Math.atan, slope: (x) => apply("pow", apply("quadratic", x, 1, 0, 1), -1) },
  sigmoid: { f: sigmoid, slope: (_x, y) => apply("quadratic", y, 0, 1, -1) },
  softplus: { f: softplus, slope: (x) => apply("sigmoid", x) },
  logcosh: { f: logcosh, slope: (x) => apply("tanh", x) },
  abs: { f: Math.abs, slope: (x) => apply("sign", x) },
  sign: { f: Math.sign, slope: zero },
  relu: { f: (x) => Math.max(x, 0), slope: (x) => apply("step", x) },
  /** 1 for x > 0, else 0 */
  step: { f: (x) => (x > 0 ? 1 : 0), slope: zero },
  clip: { f: (x, [low, high]) => clip(x, low!, high!), slope: (x, _y, ends) => apply("inside", x, ...ends) },
  /** 1 for low < x < high, else 0 */
  inside: { f: (x, [low, high]) => (x > low! && x < high! ? 1 : 0), slope: zero },
  huber: {
    f(x, [delta]) {
      const c = clip(x, -delta!, delta!);
      return c * (x - c / 2);
    },
    slope: (x, _y, [delta]) => apply("clip", x, -delta!, delta!),
  },
  // xᵃ/x if xᵃ⁻¹ would be another fractional power
  pow: {
    f: (x, [a]) => power(x, a!),
    slope: (x, y, [a]) =>
      lin([[a!, a! < 1 && !Number.isInteger(2 * a!) ? hadamard(y, apply("pow", x, -1)) : apply("pow", x, a! - 1)]]),
  },
  /** c₀ + c₁x + c₂x² */
  quadratic: {
    f: (x, [c0, c1, c2]) => c0! + x * (c1! + x * c2!),
    slope: (x, _y, [, c1, c2]) => plus([full(literal(c1!), x.rows, x.cols), lin([[2 * c2!, x]])]),
  },
};
