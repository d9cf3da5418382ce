import { constantTridiagonal, grassmann, minimize } from "expen";
import { add, formula, inner, mul, rowSums, scale, solve, square, t, trace } from "expen/tape";

const L = constantTridiagonal(60, -1, 2, -1);
const { status, certificate } = await minimize(
  formula((X) => {
    const density = rowSums(square(X));
    return add(scale(0.5, trace(mul(t(X), L, X))), scale(0.25, inner(density, solve(L, density))));
  }),
  { on: grassmann(60, 4), certificate: "second-order" },
);
console.log(status, certificate.level);
