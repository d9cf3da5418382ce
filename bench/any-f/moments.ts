/** Functions of the moments of the columns of W = YX. */

import type { Engine, Tall } from "@expen/linalg";
import { chain } from "@expen/linalg/engine";
import { entries } from "./draw.js";
import type { Data, ValueAndGradient } from "./family.js";

const talls = (E: Engine, m: number, p: number): [Tall, Tall, Tall] => [E.tall(m, p), E.tall(m, p), E.tall(m, p)];

/** The means of the columns of an m×p matrix, as numbers */
function columnMeans(E: Engine, m: number, p: number): (A: Tall) => Float64Array {
  const [ones, sums, means] = [E.tall(m, 1), E.small(1, p), new Float64Array(p)];
  E.fill(ones, 1);
  return (A) => {
    E.tmul(sums, ones, A, 1 / m);
    return E.read(sums, means);
  };
}

/** The numbers of Diag(d) */
const diagonal = (d: Float64Array): Float64Array => entries(d.length, d.length, (i, j) => (i === j ? d[i]! : 0)).data;

const cubesAndFourth = chain(1, ({ mul, square }, w) => {
  const w2 = square(w);
  return { outputs: [mul(w2, w), square(w2)] };
});
const cubesAndSquares = chain(1, ({ mul, square }, w) => {
  const w2 = square(w);
  return { outputs: [mul(w2, w), w2], sum: square(w2) };
});

/** −½Σ (mean w_j⁴ − 3)² */
export function kurtosis(E: Engine, n: number, p: number, { Y }: Data): ValueAndGradient {
  const m = Y!.rows;
  const [A, [W, cubes, fourth]] = [E.operator(Y!), talls(E, m, p)];
  const [k, D, H] = [columnMeans(E, m, p), E.small(p, p), E.tall(n, p)];
  return (G, X) => {
    A.apply(W, X);
    E.map([cubes, fourth], cubesAndFourth, [W]);
    const excess = k(fourth).map((mean) => mean - 3);
    A.applyT(H, cubes, -4 / m);
    E.write(D, diagonal(excess));
    E.mul(G, H, D);
    return -0.5 * excess.reduce((sum, v) => sum + v * v, 0);
  };
}

/** −¼Σ (mean w_j⁴ − (mean w_j²)²) */
export function varimax(E: Engine, _n: number, p: number, { Y }: Data): ValueAndGradient {
  const m = Y!.rows;
  const [A, [W, cubes, squares]] = [E.operator(Y!), talls(E, m, p)];
  const [c, D] = [columnMeans(E, m, p), E.small(p, p)];
  return (G, X) => {
    A.apply(W, X);
    const fourth = E.map([cubes, squares], cubesAndSquares, [W]) / m;
    const means = c(squares);
    E.write(D, diagonal(means));
    // w(w² − c)
    E.mul(cubes, W, D, -1, 1);
    A.applyT(G, cubes, -1 / m);
    return -0.25 * (fourth - means.reduce((sum, v) => sum + v * v, 0));
  };
}
