/** The operations that are timed, on any engine. */

import type { Engine, Matrix, Operator, Small, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { chain } from "@expen/linalg/engine";

function filled<M extends Matrix>(M: M, stream: string): M {
  fillNormal(M, random(1, stream));
  return M;
}
const normal = (E: Engine, n: number, p: number, stream: string): Tall => filled(E.tall(n, p), stream);
const square = (E: Engine, p: number, stream: string): Small => filled(E.small(p, p), stream);

const times = chain(2, ({ mul }, x, y) => ({ outputs: [mul(x, y)] }));

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
  const S = square(E, p, "S");
  const Y = normal(E, n, p, "Y");
  if (kind === "gram") return () => E.gram(S, X);
  if (kind === "tmul") return () => E.tmul(S, X, Y);
  if (kind === "mul") return () => E.mul(Y, X, S);
  const B = E.operator(square(E, n, "B"));
  return () => B.apply(Y, X);
}

/** The calls whose cost at 4×4 is all overhead. */
export function smallCalls(E: Engine): Record<string, () => void> {
  const [X, S, Y, Z] = [normal(E, 4, 4, "X"), square(E, 4, "S"), normal(E, 4, 4, "Y"), E.tall(4, 4)];
  const sums = new Float64Array(2);
  return {
    gram: () => E.gram(S, X),
    tmul: () => E.tmul(S, X, Y),
    mul: () => E.mul(Y, X, S),
    dot: () => E.dot(X, Y),
    dots: () => E.dots(sums, [X, Y], 2, X),
    "combine in place": () => E.combine(Y, 0.5, X, 0.5, Y),
    "map X∘Y": () => E.map([Z], times, [X, Y]),
    symmetrize: () => E.symmetrize(S),
  };
}

/** Everything that touches each entry of an n×p matrix once or a few times. */
export function entrywise(E: Engine, n: number, p: number): Record<string, () => void> {
  const [X, Y, Z] = [normal(E, n, p, "X"), normal(E, n, p, "Y"), normal(E, n, p, "Z")];
  const [r, x, y] = [normal(E, n, 1, "r"), normal(E, n * p, 1, "x"), normal(E, n * p, 1, "y")];
  const [T, t] = [n, n * p].map((size) => E.operator(constantTridiagonal(size, -1, 2.5, -1))) as [Operator, Operator];
  return {
    dot: () => E.dot(X, Y),
    copy: () => E.copy(Y, X),
    fill: () => E.fill(Y, 1),
    "combine in place": () => E.combine(Y, 0.5, X, 0.5, Y),
    combine: () => E.combine(Z, 0.5, X, 0.5, Y),
    "map X∘Y": () => E.map([Z], times, [X, Y]),
    rowDots: () => E.rowDots(r, X, Y),
    scaleRows: () => E.scaleRows(Z, r, X),
    tridiagonal: () => T.apply(Z, X),
    tridiagonalSolve: () => T.solve!(Z, X),
    "tridiagonal p=1": () => t.apply(y, x),
    "tridiagonalSolve p=1": () => t.solve!(y, x),
  };
}
