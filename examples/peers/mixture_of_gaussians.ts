import { euclidean, minimize, product, random } from "expen";
import { simplex } from "expen/manifolds";
import {
  add,
  formula,
  hstack,
  inv,
  log,
  logdet,
  mul,
  neg,
  rowLogSumExp,
  rowSums,
  scale,
  square,
  sub,
  sum,
  t,
} from "expen/tape";

// two clouds in the plane: weights w, means m, covariances LᵀL
const { normal, uniform } = random(1, "mixture");
const X = Array.from({ length: 200 }, () =>
  uniform() < 0.3 ? [6 + 0.5 * normal(), normal()] : [normal(), 3 * normal()],
);
const covariances = { L1: euclidean(2, 2), L2: euclidean(2, 2) };
const I = { rows: 2, cols: 2, data: Float64Array.of(1, 0, 0, 1) };
const column = (...data: number[]) => ({ rows: data.length, cols: 1, data });
const { status, X: found } = await minimize(
  formula(({ w, m1, m2, L1, L2 }) => {
    const term = (m: typeof w, L: typeof w) => {
      const S = mul(t(L), L);
      const D = sub(X, t(m));
      const distances = rowSums(square(mul(D, inv(L))));
      return neg(scale(0.5, add(distances, logdet(S))));
    };
    return neg(sum(rowLogSumExp(add(hstack(term(m1, L1), term(m2, L2)), t(log(w))))));
  }),
  {
    on: product({ w: simplex(2), m1: euclidean(2), m2: euclidean(2), ...covariances }),
    start: { w: column(0.5, 0.5), m1: column(4, 0), m2: column(-1, 0), L1: I, L2: I },
  },
);
const share = X.filter(([x]) => x! > 3).length / X.length;
console.log(status, Math.abs(found.w.data[0]! - share) < 0.02, Math.abs(found.m1.data[0]! - 6) < 0.3);
