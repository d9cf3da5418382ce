import { euclidean, minimize } from "expen";
import { add, type Expr, formula, inv, logm, mul, norm2, scale, sqrtm, t } from "expen/tape";
import { definite } from "./data.js";

// the mean P = LᵀL of definite matrices A_i, Σ½‖log(A_i^(−1/2)·P·A_i^(−1/2))‖² at its least; of A and A⁻¹ it is I
const A = definite(4);
const { X } = await minimize(
  formula((L: Expr) => {
    const P = mul(t(L), L);
    const root = sqrtm(A);
    const away = (R: Expr) => scale(0.5, norm2(logm(mul(R, P, R))));
    return add(away(root), away(inv(root)));
  }),
  { on: euclidean(4, 4), start: A.map((row, i) => row.map((_, j) => (i === j ? 2 : 0))), tol: 1e-9 },
);
const P = (i: number, j: number) => [0, 1, 2, 3].reduce((s, k) => s + X.data[4 * k + i]! * X.data[4 * k + j]!, 0);
console.log(P(0, 0) + P(1, 1) + Math.abs(P(0, 1)), 2);
