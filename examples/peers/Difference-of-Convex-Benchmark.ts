import { euclidean, minimize } from "expen";
import { formula, logdet, mul, pow, square, sub, t } from "expen/tape";
import { normals } from "./data.js";

// (log det P)⁴ − (log det P)² for P = LᵀL
const { fval } = await minimize(
  formula((L) => {
    const z = logdet(mul(t(L), L));
    return sub(pow(z, 4), square(z));
  }),
  { on: euclidean(5, 5), start: normals(5, 5) },
);
console.log(fval, -0.25);
