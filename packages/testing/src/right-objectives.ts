/** Objectives whose gradients are right, and f hard to difference: noisy, badly scaled, nearly nonsmooth. */

import type { Objective } from "@expen/core";
import type { Matrix } from "@expen/linalg";
import { type Random, random } from "@expen/linalg";

/** φ and φ′ of a separable f(X) = Σ w_i·φ(x_i), w normal */
type Scalar = readonly [(x: number) => number, (x: number) => number];
const scalars: Record<string, Scalar> = {
  quadratic: [(x) => 0.5 * x * x, (x) => x],
  quartic: [(x) => x ** 4, (x) => 4 * x ** 3],
  exponential: [(x) => Math.exp(3 * x), (x) => 3 * Math.exp(3 * x)],
  "log cosh": [(x) => Math.log(Math.cosh(10 * x)), (x) => 10 * Math.tanh(10 * x)],
  "log with a domain": [(x) => Math.log(1.001 + x), (x) => 1 / (1.001 + x)],
  "√(x² + 1e-8)": [(x) => Math.sqrt(x * x + 1e-8), (x) => x / Math.sqrt(x * x + 1e-8)],
  "|x|^1.5": [(x) => Math.abs(x) ** 1.5, (x) => 1.5 * Math.sign(x) * Math.sqrt(Math.abs(x))],
  "cos(1e4·x)": [(x) => 1e-4 * Math.cos(1e4 * x), (x) => -Math.sin(1e4 * x)],
  "curvature 1e8": [(x) => 0.5e8 * x * x + Math.sin(x), (x) => 1e8 * x + Math.cos(x)],
  "large terms that cancel": [(x) => 1e8 * x * x + Math.sin(x) - 1e8 * x * x, Math.cos],
  "1e10 in and out of each term": [(x) => 1e10 + x * x - 1e10, (x) => 2 * x],
  linear: [(x) => x, () => 1],
};

function separable(n: number, p: number, r: Random, [phi, dphi]: Scalar): Objective {
  const w = Float64Array.from({ length: n * p }, () => r.normal());
  const f = ({ data }: Matrix): number => {
    let sum = 0;
    for (let i = 0; i < data.length; i++) sum += w[i]! * phi(data[i]!);
    return sum;
  };
  return {
    n,
    p,
    f,
    fg(G, X) {
      for (let i = 0; i < w.length; i++) G.data[i] = w[i]! * dphi(X.data[i]!);
      return f(X);
    },
  };
}

/** ψ(Σ s_i²/2), s = scale·(X − C): not separable */
function radial(n: number, p: number, r: Random, [psi, dpsi]: Scalar): Objective {
  const c = Float64Array.from({ length: n * p }, () => 0.1 * r.normal());
  const half = ({ data }: Matrix): number => data.reduce((sum, x, i) => sum + 0.5 * (x - c[i]!) ** 2, 0);
  return {
    n,
    p,
    f: (X) => psi(half(X)),
    fg(G, X) {
      const s = half(X);
      for (let i = 0; i < c.length; i++) G.data[i] = dpsi(s) * (X.data[i]! - c[i]!);
      return psi(s);
    },
  };
}

/** Σ over `count` terms of cos(a_k·x_{k mod np}) */
function manyTerms(n: number, p: number, r: Random, count: number): Objective {
  const a = Float64Array.from({ length: count }, () => 5 * r.normal());
  const f = ({ data }: Matrix): number => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += Math.cos(a[k]! * data[k % (n * p)]!);
    return sum;
  };
  return {
    n,
    p,
    f,
    fg(G, X) {
      G.data.fill(0);
      for (let k = 0; k < count; k++) G.data[k % (n * p)]! -= a[k]! * Math.sin(a[k]! * X.data[k % (n * p)]!);
      return f(X);
    },
  };
}

/** scale·f + shift */
function affine(f: Objective, scale: number, shift: number): Objective {
  return {
    n: f.n,
    p: f.p,
    f: (X) => scale * f.f(X) + shift,
    fg(G, X) {
      const value = f.fg(G, X);
      for (let i = 0; i < G.data.length; i++) G.data[i]! *= scale;
      return scale * value + shift;
    },
  };
}

/** The gradient in single precision */
function single(f: Objective): Objective {
  return {
    ...f,
    fg(G, X) {
      const value = f.fg(G, X);
      G.data.set(G.data.map(Math.fround));
      return value;
    },
  };
}

const SIZES = [
  [1, 1],
  [6, 6],
  [20, 3],
  [100, 5],
  [400, 2],
] as const;
const radials: Record<string, Scalar> = {
  "exp of ½‖X − C‖²": [Math.exp, Math.exp],
  "log of ½‖X − C‖²": [Math.log, (s) => 1 / s],
  "root of ½‖X − C‖²": [Math.sqrt, (s) => 0.5 / Math.sqrt(s)],
};

/** `count` of them and three sums of 1e6 terms; what they are is in the name. */
export function* rightObjectives(count: number): Generator<{ name: string; seed: number; f: Objective }> {
  const families: [string, (n: number, p: number, r: Random) => Objective][] = [
    ...Object.entries(scalars).map(([name, s]) => [name, (n, p, r) => separable(n, p, r, s)] as (typeof families)[0]),
    ...Object.entries(radials).map(([name, s]) => [name, (n, p, r) => radial(n, p, r, s)] as (typeof families)[0]),
    ["a sum of 1e4 terms", (n, p, r) => manyTerms(n, p, r, 1e4)],
  ];
  const changes: [string, (f: Objective) => Objective][] = [
    ["", (f) => f],
    ["·1e12", (f) => affine(f, 1e12, 0)],
    ["·1e-12", (f) => affine(f, 1e-12, 0)],
    [" + 1e10", (f) => affine(f, 1, 1e10)],
    [" + 1e10 − 1e10", (f) => affine(affine(f, 1, 1e10), 1, -1e10)],
    [", gradient in single precision", single],
  ];
  for (let k = 0; k < count; k++) {
    const [n, p] = SIZES[k % SIZES.length]!;
    const [name, make] = families[Math.floor(k / SIZES.length) % families.length]!;
    const [how, change] = changes[Math.floor(k / SIZES.length / families.length) % changes.length]!;
    yield { name: `${name}${how}, ${n}×${p}`, seed: k, f: change(make(n, p, random(k, "right objectives"))) };
  }
  for (let k = 0; k < 3; k++) {
    yield { name: "a sum of 1e6 terms", seed: k, f: manyTerms(100, 5, random(k, "many terms"), 1e6) };
  }
}
