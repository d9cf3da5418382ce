/** The operations that are timed, on any engine. */
import { constantTridiagonal, tridiagonalFactor } from "../src/linalg/tridiagonal.js";
import { fillNormal, random } from "../src/random.js";
import type { Engine, Matrix } from "../src/types.js";

function normal(E: Engine, rows: number, cols: number, stream: string): Matrix {
  const M = E.matrix(rows, cols);
  fillNormal(M, random(1, stream));
  return M;
}

export type Kind = "gram" | "tmul" | "mul" | "apply";
export interface Product {
  kind: Kind;
  n: number;
  p: number;
  title: string;
  flops: number;
}

const product = (kind: Kind, title: string, n: number, p: number): Product => {
  const inner = { gram: n * p * (p + 1), tmul: 2 * n * p * p, mul: 2 * n * p * p, apply: 2 * n * n * p };
  return { kind, n, p, title, flops: inner[kind] };
};

export const PRODUCTS: Product[] = [
  ...[
    [1000, 50],
    [20000, 100],
  ].flatMap(([n, p]) => [
    product("gram", `XᵀX  ${n}×${p}`, n!, p!),
    product("tmul", `XᵀY  ${n}×${p}`, n!, p!),
    product("mul", `X·S  ${n}×${p}`, n!, p!),
  ]),
  product("apply", "B·X  1000×1000·1000×50", 1000, 50),
];

export function productOn(E: Engine, { kind, n, p }: Product): () => void {
  const X = normal(E, n, p, "X");
  const S = normal(E, p, p, "S");
  const Y = normal(E, n, p, "Y");
  if (kind === "gram") return () => E.gram(S, X);
  if (kind === "tmul") return () => E.tmul(S, X, Y);
  if (kind === "mul") return () => E.mul(Y, X, S);
  const B = normal(E, n, n, "B");
  return () => E.apply(Y, B, X);
}

/** The calls whose cost at 4×4 is all overhead. */
export function smallCalls(E: Engine): Record<string, () => void> {
  const [X, S, Y] = [normal(E, 4, 4, "X"), normal(E, 4, 4, "S"), normal(E, 4, 4, "Y")];
  return {
    gram: () => E.gram(S, X),
    tmul: () => E.tmul(S, X, Y),
    mul: () => E.mul(Y, X, S),
    dot: () => E.dot(X, Y),
    axpby: () => E.axpby(Y, 0.5, X, 0.5),
    symmetrize: () => E.symmetrize(S),
  };
}

/** Everything that touches each entry of an n×p matrix once or a few times. */
export function entrywise(E: Engine, n: number, p: number): Record<string, () => void> {
  const [X, Y, Z] = [normal(E, n, p, "X"), normal(E, n, p, "Y"), normal(E, n, p, "Z")];
  const [r, x, y] = [normal(E, n, 1, "r"), normal(E, n * p, 1, "x"), normal(E, n * p, 1, "y")];
  const T = constantTridiagonal(E, n, -1, 2.5, -1);
  const F = tridiagonalFactor(E, T);
  const t = constantTridiagonal(E, n * p, -1, 2.5, -1);
  const f = tridiagonalFactor(E, t);
  return {
    dot: () => E.dot(X, Y),
    copy: () => E.copy(Y, X),
    fill: () => E.fill(Y, 1),
    axpby: () => E.axpby(Y, 0.5, X, 0.5),
    combine: () => E.combine(Z, 0.5, X, 0.5, Y),
    hadamard: () => E.hadamard(Z, X, Y),
    rowDots: () => E.rowDots(r, X, Y),
    scaleRows: () => E.scaleRows(Z, r, X),
    tridiagonal: () => E.tridiagonal(Z, T, X),
    tridiagonalSolve: () => E.tridiagonalSolve(Z, F, X),
    "tridiagonal p=1": () => E.tridiagonal(y, t, x),
    "tridiagonalSolve p=1": () => E.tridiagonalSolve(y, f, x),
  };
}
