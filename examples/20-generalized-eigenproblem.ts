// Vibrations of a string by finite elements: K·x = λ·M·x with a mass matrix M, as a minimum over XᵀMX = I.
import { generalizedStiefel, minimize } from "expen";
import { type Expr, formula, mul, t, trace } from "expen/tape";

const [n, p] = [40, 3];
const h = 1 / (n + 1);
const tridiagonal = (side: number, main: number) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => [main, side][Math.abs(i - j)] ?? 0));
const K = tridiagonal(-1 / h, 2 / h);
const M = { rows: n, cols: n, data: Float64Array.from(tridiagonal(h / 6, (4 * h) / 6).flat()) };

// the formula is recognised as a quadratic form and solved in closed form; its certificate may take 100 evaluations
const on = generalizedStiefel(M, p);
const f = formula((X: Expr) => trace(mul(t(X), K, X)));
const { fval, certificate } = await minimize(f, { on, certificateBudget: 100 });

// known: λ_k = (6/h²)·(1 − cos kπh)/(2 + cos kπh), nearly (kπ)²
const known = [1, 2, 3].map((k) => ((6 / h ** 2) * (1 - Math.cos(k * Math.PI * h))) / (2 + Math.cos(k * Math.PI * h)));
console.log(`λ₁ + λ₂ + λ₃ = ${fval.toFixed(6)}, known ${known.reduce((s, v) => s + v, 0).toFixed(6)}`);
console.log(`certificate: ${certificate.level}`);
