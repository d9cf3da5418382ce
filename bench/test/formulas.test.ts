/** The ten formulas of the comparison with NumPy: values by plain loops over rows, slopes by differences of these. */

import type { Matrix } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { map, type Rows, rowsOf, times, total, turned } from "@expen/testing/autodiff/rows";
import { describe, expect, test } from "vitest";
import { compiled, type Data, dataOf, formulas } from "../formulas.js";

type Plain = Record<"A" | "B" | "L" | "T" | "c" | "squares", Rows> & { m: number; p: number };
const sizes = { m: 30, n: 8, p: 3 };
const sum = (list: readonly number[]): number => list.reduce((s, x) => s + x, 0);
const dot = (X: Rows, Y: Rows): number => total(map(X, (x, i, j) => x * Y[i]![j]!));
/** Σ_j (c_j − mean of column j)² with the sign of ICA */
const contrast = (Y: Rows, { c, m }: Plain): number =>
  -sum(turned(Y).map((column, j) => (sum(column) / m - c[0]![j]!) ** 2));

const plain: Record<string, (X: Rows, data: Plain) => number> = {
  "ICA, log cosh": (X, d) => contrast(map(times(d.A, X), (y) => Math.log(Math.cosh(y))), d),
  "ICA, Gauss": (X, d) => contrast(map(times(d.A, X), (y) => -Math.exp(-(y * y) / 2)), d),
  "dictionary, Σ(AX)⁴": (X, { A, m }) => (-0.25 / m) * total(map(times(A, X), (y) => y ** 4)),
  "smooth ℓ₁": (X, { A }) => total(map(times(A, X), (y) => Math.sqrt(y * y + 1e-4))),
  "robust PCA": (X, { A, squares, m }) => {
    const [W, S] = [times(A, X), times(turned(X), X)];
    const V = map(times(W, S), (v, i, j) => v - 2 * W[i]![j]!);
    return sum(W.map((w, i) => Math.sqrt(sum(w.map((x, j) => x * V[i]![j]!)) + squares[i]![0]!))) / m;
  },
  "softmax, log Σ exp": (X, { A, T, m }) => {
    const Y = times(A, X);
    return sum(Y.map((y) => Math.log(sum(y.map(Math.exp))))) / m - 1e-3 * dot(T, Y);
  },
  "PCA, tr": (X, { B }) => -0.5 * dot(X, times(B, X)),
  "quadratic + linear": (X, { B, L }) => 0.5 * dot(X, times(B, X)) + dot(L, X),
  "joint diagonalisation": (X, { B }) => -0.5 * sum(times(turned(X), times(B, X)).map((row, j) => row[j]! ** 2)),
  "Procrustes": (X, { A, T }) => 0.5 * total(map(times(A, X), (y, i, j) => (y - T[i]![j]!) ** 2)),
}; // biome-ignore format: a table

const inRows = ({ m, p, ...matrices }: Data): Plain =>
  ({ m, p, ...Object.fromEntries(Object.entries(matrices).map(([name, M]) => [name, rowsOf(M as Matrix)])) }) as Plain;

describe("formulas of the comparison with NumPy", () => {
  test.each(Object.keys(formulas))("%s", (name) => {
    const E = jsEngine();
    const { f, X } = compiled(E, formulas[name]!, sizes);
    const [data, x] = [inRows(dataOf(sizes).data), rowsOf(X)];
    const G = E.tall(sizes.n, sizes.p);
    const value = f.fg(G, X);
    expect(Math.abs(value - plain[name]!(x, data))).toBeLessThanOrEqual(1e-13 * (1 + Math.abs(value)));
    const D = map(x, (_, i, j) => Math.sin(1 + i + 5 * j));
    const at = (h: number): number => plain[name]!(map(x, (v, i, j) => v + h * D[i]![j]!), data); // biome-ignore format: short
    const slope = (8 * (at(1e-5) - at(-1e-5)) - (at(2e-5) - at(-2e-5))) / 12e-5;
    const size = Math.sqrt(E.dot(G, G) * dot(D, D));
    expect(Math.abs(dot(rowsOf(G), D) - slope)).toBeLessThanOrEqual(1e-6 * (1 + size));
  });
});
