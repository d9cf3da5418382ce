/** Ten formulas of the applications, f and ∇f: the tape against the same formula in NumPy, one thread each. */

import type { Engine, Matrix } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import {
  type Arg,
  add,
  colSums,
  compile,
  diagOf as diag,
  type Expr,
  exp,
  entrywise as hadamard,
  identity,
  dot as inner,
  logcosh,
  mean,
  mul,
  neg,
  norm2,
  pow,
  rowLogSumExp,
  rowSums,
  scale,
  smoothAbs,
  sqrt,
  square,
  sub,
  sum,
  t,
  trace,
} from "@expen/tape";
import { openNumPy } from "./numpy.js";
import { race, runner } from "./timing.js";

/** X is n×p, data are m×n */
interface Sizes {
  readonly m: number;
  readonly n: number;
  readonly p: number;
}

interface Formula extends Sizes {
  /** with data A (m×n), a symmetric B (n×n), L (n×p), T (m×p), a row c (1×p) and squares (m×1) */
  readonly tape: (X: Expr, data: Data) => Arg;
  /** the same names in NumPy, which set f and G */
  readonly numpy: string;
}

export type Data = Record<"A" | "B" | "L" | "T" | "c" | "squares", Matrix> & { m: number; p: number };

const samples = { m: 5000, n: 100, p: 20 };
const square20 = { m: 5000, n: 20, p: 20 };
const operator = { m: 1, n: 1000, p: 20 };

export const formulas: Record<string, Formula> = {
  "ICA, log cosh": {
    ...square20,
    tape: (X, { A, c, m }) => neg(norm2(sub(scale(1 / m, colSums(logcosh(mul(A, X)))), c))),
    numpy: `
Y = A @ X
a = np.abs(Y)
d = (a + np.log1p(np.exp(-2 * a)) - log2).mean(0) - c
f = -(d * d).sum()
G = A.T @ (np.tanh(Y) * (-2 / m * d))`,
  },
  "ICA, Gauss": {
    ...square20,
    tape: (X, { A, c, m }) => neg(norm2(sub(scale(-1 / m, colSums(exp(scale(-0.5, square(mul(A, X)))))), c))),
    numpy: `
Y = A @ X
e = np.exp(-0.5 * (Y * Y))
d = -e.mean(0) - c
f = -(d * d).sum()
G = A.T @ (Y * e * (-2 / m * d))`,
  },
  "dictionary, Σ(AX)⁴": {
    ...samples,
    tape: (X, { A, m }) => scale(-0.25 / m, sum(pow(mul(A, X), 4))),
    numpy: `
Y = A @ X
Y2 = Y * Y
f = -0.25 / m * np.vdot(Y2, Y2)
G = A.T @ (Y2 * Y)
G *= -1 / m`,
  },
  "smooth ℓ₁": {
    ...samples,
    tape: (X, { A }) => sum(smoothAbs(mul(A, X), 0.01)),
    numpy: `
Y = A @ X
r = np.sqrt(Y * Y + 1e-4)
f = r.sum()
G = A.T @ (Y / r)`,
  },
  "robust PCA": {
    ...samples,
    tape: (X, { A, squares, m, p }) => {
      const W = mul(A, X);
      const inside = hadamard(W, mul(W, sub(mul(t(X), X), scale(2, identity(p)))));
      return scale(1 / m, sum(sqrt(add(rowSums(inside), squares))));
    },
    numpy: `
W = A @ X
M = X.T @ X - 2 * np.eye(p)
V = W @ M
r = np.sqrt((W * V).sum(1) + squares[:, 0])
f = r.sum() / m
u = (0.5 / m) / r
U = u[:, None] * W
G = A.T @ (2 * u[:, None] * V) + 2 * X @ (W.T @ U)`,
  },
  "softmax, log Σ exp": {
    ...samples,
    tape: (X, { A, T }) => {
      const S = mul(A, X);
      return sub(mean(rowLogSumExp(S)), scale(1e-3, inner(T, S)));
    },
    numpy: `
S = A @ X
top = S.max(1, keepdims=True)
e = np.exp(S - top)
z = e.sum(1, keepdims=True)
f = (np.log(z) + top).mean() - 1e-3 * np.vdot(T, S)
G = A.T @ (e / (m * z) - 1e-3 * T)`,
  },
  "PCA, tr": {
    ...operator,
    tape: (X, { B }) => scale(-0.5, trace(mul(t(X), B, X))),
    numpy: `
G = B @ X
f = -0.5 * np.vdot(X, G)
G *= -1`,
  },
  "quadratic + linear": {
    ...operator,
    tape: (X, { B, L }) => add(scale(0.5, trace(mul(t(X), B, X))), inner(L, X)),
    numpy: `
G = B @ X
f = 0.5 * np.vdot(X, G) + np.vdot(L, X)
G += L`,
  },
  "joint diagonalisation": {
    ...operator,
    n: 300,
    tape: (X, { B }) => scale(-0.5, norm2(diag(mul(t(X), B, X)))),
    numpy: `
W = B @ X
d = (X * W).sum(0)
f = -0.5 * (d * d).sum()
G = W * (-2 * d)`,
  },
  Procrustes: {
    ...samples,
    tape: (X, { A, T }) => scale(0.5, norm2(sub(mul(A, X), T))),
    numpy: `
R = A @ X - T
f = 0.5 * np.vdot(R, R)
G = A.T @ R`,
  },
};

const names = Object.keys(formulas);

/** Data are made by NumPy's own generator: times do not depend on the numbers. */
export const server = `
import sys, time
import numpy as np
g = np.random.default_rng(1)
log2 = np.log(2)
codes = [${names.map((name) => JSON.stringify(formulas[name]!.numpy)).join(", ")}]
sizes = [${names.map((name) => `(${formulas[name]!.m}, ${formulas[name]!.n}, ${formulas[name]!.p})`).join(", ")}]
print("numpy " + np.__version__, flush=True)
made = {}
def build(k):
    m, n, p = sizes[k]
    B = g.standard_normal((n, n))
    data = dict(np=np, log2=log2, m=m, n=n, p=p, A=g.standard_normal((m, n)), B=B + B.T, L=g.standard_normal((n, p)),
        T=g.standard_normal((m, p)), c=np.full(p, 0.3), X=np.linalg.qr(g.standard_normal((n, p)))[0])
    data["squares"] = (data["A"] ** 2).sum(1, keepdims=True) + 0.01
    body = codes[k].replace("\\n", "\\n    ")
    exec("def fg(A, B, L, T, c, squares, X, m, n, p, np, log2):" + body + "\\n    return f, G", data)
    return data["fg"], {k: data[k] for k in ("A", "B", "L", "T", "c", "squares", "X", "m", "n", "p", "np", "log2")}
for line in sys.stdin:
    word = line.split()
    k = int(word[1])
    if k not in made:
        made[k] = build(k)
    fg, data = made[k]
    start = time.perf_counter()
    for _ in range(int(word[4])):
        fg(**data)
    print(time.perf_counter() - start, flush=True)
`;

/** Seeded data of a formula, in host memory, and a point X */
export function dataOf({ m, n, p }: Sizes): { data: Data; X: Matrix } {
  const filled = (rows: number, cols: number, name: string): Matrix => gaussian(rows, cols, random(1, name));
  const [A, half, L, T, X] = [
    filled(m, n, "A"),
    filled(n, n, "B"),
    filled(n, p, "L"),
    filled(m, p, "T"),
    filled(n, p, "X"),
  ];
  const B = { ...half, data: half.data.map((b, k) => (b + half.data[(k % n) * n + Math.floor(k / n)]!) / 2) };
  const c = { rows: 1, cols: p, data: new Float64Array(p).fill(0.3) };
  const rows = Array.from({ length: m }, (_, i) => A.data.subarray(i * n, (i + 1) * n));
  const squares = { rows: m, cols: 1, data: Float64Array.from(rows, (a) => a.reduce((s, x) => s + x * x, 0.01)) };
  return {
    data: { A, B, L, T, c, squares, m, p },
    X: { ...X, data: X.data.map((x) => x / Math.sqrt(n)) },
  };
}

/** f of a formula on these data, compiled */
export function compiled(E: Engine, formula: Formula, sizes: Sizes = formula) {
  const { n, p } = sizes;
  const { data, X } = dataOf(sizes);
  return { f: compile(E, { n, p }, (Y) => formula.tape(Y, data)), X: E.tall(n, p, X.data) };
}

/** Prints microseconds of one f and ∇f of each, and how many times faster the tape is. */
export async function formulaTable(E: Engine): Promise<void> {
  const numpy = await openNumPy(undefined, server);
  if (typeof numpy === "string") return console.log(`formulas: ${numpy}`);
  console.log(`\n${E.name} against ${numpy.version}: f and ∇f, microseconds, one thread, best of many`);
  const ratios: number[] = [];
  for (const [k, name] of names.entries()) {
    const formula = formulas[name]!;
    const { f, X } = compiled(E, formula);
    const G = E.tall(formula.n, formula.p);
    const ours = runner("tape", () => void f.fg(G, X));
    const best = await race([ours, { ...numpy.runner(String(k), formula.n, formula.p), name: "numpy" }], 1.5, 0.004);
    const [a, b] = [best.get("tape")! * 1e6, best.get("numpy")! * 1e6];
    ratios.push(b / a);
    const times = [a, b].map((time) => time.toFixed(0).padStart(8)).join("");
    console.log(`${name.padEnd(24)}${times}   ${(b / a).toFixed(2)} times as fast`);
  }
  const mean = Math.exp(ratios.reduce((s, r) => s + Math.log(r), 0) / ratios.length);
  console.log(`geometric mean ${mean.toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}`);
  numpy.end();
}
