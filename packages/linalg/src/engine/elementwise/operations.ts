/**
 * The definitions of the elementwise operations (contracts/elementwise.ts). Loops compute z[k + i] from x[l + i], y[m + i], w[o + i],
 * i < size; z may be one of them.
 */
import { arities, type ElementwiseName } from "../../contracts/elementwise.js";

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

/** log cosh x without overflow or cancellation: log(1 + 2·sinh²(x/2)) near 0 */
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

/** Arithmetic has loops of its own, which V8 compiles without calls. */
const loops: Record<ElementwiseName, Loop> = {
  copy: loop1((x) => x),
  neg: loop1((x) => -x),
  abs: loop1(Math.abs),
  sign: loop1(Math.sign),
  square(size, z, k, x, l) {
    for (let i = 0; i < size; i++) z[k + i] = x[l + i]! * x[l + i]!;
  },
  reciprocal(size, z, k, x, l) {
    for (let i = 0; i < size; i++) z[k + i] = 1 / x[l + i]!;
  },
  sqrt(size, z, k, x, l) {
    for (let i = 0; i < size; i++) z[k + i] = Math.sqrt(x[l + i]!);
  },
  exp: loop1(Math.exp),
  expm1: loop1(Math.expm1),
  log: loop1(Math.log),
  log1p: loop1(Math.log1p),
  tanh: loop1(Math.tanh),
  logcosh: loop1(logcosh),
  softplus: loop1(softplus),
  sigmoid: loop1(sigmoid),
  sin: loop1(Math.sin),
  cos: loop1(Math.cos),
  atan: loop1(Math.atan),
  add(size, z, k, x, l, y, m) {
    for (let i = 0; i < size; i++) z[k + i] = x[l + i]! + y[m + i]!;
  },
  sub(size, z, k, x, l, y, m) {
    for (let i = 0; i < size; i++) z[k + i] = x[l + i]! - y[m + i]!;
  },
  mul(size, z, k, x, l, y, m) {
    for (let i = 0; i < size; i++) z[k + i] = x[l + i]! * y[m + i]!;
  },
  div(size, z, k, x, l, y, m) {
    for (let i = 0; i < size; i++) z[k + i] = x[l + i]! / y[m + i]!;
  },
  max: loop2(Math.max),
  min: loop2(Math.min),
  less: loop2((x, y) => (x < y ? 1 : 0)),
  pow: loop2(Math.pow),
  muladd(size, z, k, x, l, y, m, w, o) {
    for (let i = 0; i < size; i++) z[k + i] = x[l + i]! * y[m + i]! + w[o + i]!;
  },
  select(size, z, k, x, l, y, m, w, o) {
    for (let i = 0; i < size; i++) z[k + i] = x[l + i] === 0 ? w[o + i]! : y[m + i]!;
  },
};

interface Elementwise {
  readonly name: ElementwiseName;
  readonly arity: 1 | 2 | 3;
  readonly loop: Loop;
}

/** The operations; the index of each is its code. */
export const operations: readonly Elementwise[] = (Object.keys(arities) as ElementwiseName[]).map((name) => ({
  name,
  arity: arities[name],
  loop: loops[name],
}));

const codes = new Map<string, number>(operations.map(({ name }, i) => [name, i]));

/** The code of an operation by name; undefined for an unknown name */
export const codeOf = (name: string): number | undefined => codes.get(name);
