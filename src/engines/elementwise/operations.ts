/**
 * The elementwise operations and their definitions. The place in `operations` is the code of an operation in assembly/map-loops.ts.
 * Loops write z[k + i] from x[l + i], y[m + i], w[o + i], i < size; z may be one of them.
 */

type Numbers = Float64Array;
type Loop = (
  size: number,
  z: Numbers,
  k: number,
  x: Numbers,
  l: number,
  y: Numbers,
  m: number,
  w: Numbers,
  o: number,
) => void;

const loop1 =
  (f: (x: number) => number): Loop =>
  (size, z, k, x, l) => {
    for (let i = 0; i < size; i++) z[k + i] = f(x[l + i]!);
  };

const loop2 =
  (f: (x: number, y: number) => number): Loop =>
  (size, z, k, x, l, y, m) => {
    for (let i = 0; i < size; i++) z[k + i] = f(x[l + i]!, y[m + i]!);
  };

/** log cosh x without overflow and without cancelling digits: log(1 + 2·sinh²(x/2)) near 0 */
export function logcosh(x: number): number {
  const a = Math.abs(x);
  if (a < 0.85) return Math.log1p(2 * Math.sinh(0.5 * a) ** 2);
  return a - Math.LN2 + Math.log1p(Math.exp(-2 * a));
}

export const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

export function sigmoid(x: number): number {
  const t = Math.exp(-Math.abs(x));
  return (x < 0 ? t : 1) / (1 + t);
}

interface Elementwise {
  readonly name: string;
  /** how many operands */
  readonly arity: 1 | 2 | 3;
  readonly loop: Loop;
}

/** Arithmetic has loops of its own, which V8 compiles without calls. */
export const operations = [
  { name: "copy", arity: 1, loop: loop1((x) => x) },
  { name: "neg", arity: 1, loop: loop1((x) => -x) },
  { name: "abs", arity: 1, loop: loop1(Math.abs) },
  { name: "sign", arity: 1, loop: loop1(Math.sign) },
  {
    name: "square",
    arity: 1,
    loop(size, z, k, x, l) {
      for (let i = 0; i < size; i++) z[k + i] = x[l + i]! * x[l + i]!;
    },
  },
  {
    name: "reciprocal",
    arity: 1,
    loop(size, z, k, x, l) {
      for (let i = 0; i < size; i++) z[k + i] = 1 / x[l + i]!;
    },
  },
  {
    name: "sqrt",
    arity: 1,
    loop(size, z, k, x, l) {
      for (let i = 0; i < size; i++) z[k + i] = Math.sqrt(x[l + i]!);
    },
  },
  { name: "exp", arity: 1, loop: loop1(Math.exp) },
  { name: "expm1", arity: 1, loop: loop1(Math.expm1) },
  { name: "log", arity: 1, loop: loop1(Math.log) },
  { name: "log1p", arity: 1, loop: loop1(Math.log1p) },
  { name: "tanh", arity: 1, loop: loop1(Math.tanh) },
  { name: "logcosh", arity: 1, loop: loop1(logcosh) },
  { name: "softplus", arity: 1, loop: loop1(softplus) },
  { name: "sigmoid", arity: 1, loop: loop1(sigmoid) },
  { name: "sin", arity: 1, loop: loop1(Math.sin) },
  { name: "cos", arity: 1, loop: loop1(Math.cos) },
  { name: "atan", arity: 1, loop: loop1(Math.atan) },
  {
    name: "add",
    arity: 2,
    loop(size, z, k, x, l, y, m) {
      for (let i = 0; i < size; i++) z[k + i] = x[l + i]! + y[m + i]!;
    },
  },
  {
    name: "sub",
    arity: 2,
    loop(size, z, k, x, l, y, m) {
      for (let i = 0; i < size; i++) z[k + i] = x[l + i]! - y[m + i]!;
    },
  },
  {
    name: "mul",
    arity: 2,
    loop(size, z, k, x, l, y, m) {
      for (let i = 0; i < size; i++) z[k + i] = x[l + i]! * y[m + i]!;
    },
  },
  {
    name: "div",
    arity: 2,
    loop(size, z, k, x, l, y, m) {
      for (let i = 0; i < size; i++) z[k + i] = x[l + i]! / y[m + i]!;
    },
  },
  { name: "max", arity: 2, loop: loop2(Math.max) },
  { name: "min", arity: 2, loop: loop2(Math.min) },
  { name: "less", arity: 2, loop: loop2((x, y) => (x < y ? 1 : 0)) },
  { name: "pow", arity: 2, loop: loop2(Math.pow) },
  {
    name: "muladd",
    arity: 3,
    loop(size, z, k, x, l, y, m, w, o) {
      for (let i = 0; i < size; i++) z[k + i] = x[l + i]! * y[m + i]! + w[o + i]!;
    },
  },
  {
    name: "select",
    arity: 3,
    loop(size, z, k, x, l, y, m, w, o) {
      for (let i = 0; i < size; i++) z[k + i] = x[l + i] === 0 ? w[o + i]! : y[m + i]!;
    },
  },
] as const satisfies readonly Elementwise[];

export type ElementwiseName = (typeof operations)[number]["name"];

const codes = new Map<string, number>(operations.map(({ name }, i) => [name, i]));

/** The place of an operation, undefined if there is none of that name */
export const codeOf = (name: string): number | undefined => codes.get(name);
