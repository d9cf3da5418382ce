/** Least values that are known by closed forms or by trying all: n = p, p = 1, n = 1, isolated points, one part, one group, full rank. */

import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  type Matrix,
  minimize,
  oblique,
  ownManifold,
  permutations,
  product,
  specialOrthogonal,
  sphere,
  stiefel,
} from "../src/index.js";
import { circle, fixedRank, flag, power, simplex } from "../src/manifolds.js";
import {
  add,
  type ComplexExpr,
  type Expr,
  entry,
  formula,
  im,
  inner,
  inv,
  log,
  mul,
  neg,
  norm2,
  pow,
  re,
  scale,
  square,
  sub,
  sum,
  t,
  trace,
} from "../src/tape.js";

type Rows = number[][];
const { normal } = random(3, "sizes");
const normals = (rows: number, cols: number): Rows =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, normal));
const symmetric = (n: number): Rows => {
  const A = normals(n, n);
  return A.map((row, i) => row.map((a, j) => a + A[j]![i]!));
};
const total = (values: Iterable<number>): number => [...values].reduce((s, x) => s + x, 0);
const E = jsEngine();
function singularValues(A: Rows): number[] {
  const n = A[0]!.length;
  const [K, V, w] = [E.small(n, n), E.small(n, n), new Float64Array(n)];
  E.gram(K, E.tall(A.length, n, A.flat()));
  E.factor.eigh(V, w, K);
  return [...w].map((x) => Math.sqrt(Math.max(0, x))).sort((a, b) => b - a);
}
function eigenvalues(A: Rows): number[] {
  const [V, w] = [E.small(A.length, A.length), new Float64Array(A.length)];
  E.factor.eigh(V, w, E.small(A.length, A.length, A.flat()));
  return [...w].sort((a, b) => a - b);
}
const nuclear = (A: Rows): number => total(singularValues(A));
/** [Re −Im; Im Re], whose singular values are those of Re + i·Im, twice each */
const embedded = (A: Rows, B: Rows): Rows => [
  ...A.map((row, i) => [...row, ...B[i]!.map((b) => -b)]),
  ...B.map((row, i) => [...row, ...A[i]!]),
];
const det3 = ([[a, b, c], [d, e, f], [g, h, i]]: Rows): number =>
  a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!);
const bySigns = (k: number, f: (signs: number[]) => number): number =>
  Math.min(
    ...Array.from({ length: 2 ** k }, (_, m) => f(Array.from({ length: k }, (_, i) => ((m >> i) & 1 ? 1 : -1)))),
  );
/** −⟨C, X⟩ as plain functions */
const linear = (C: Rows) => ({
  f: (X: Matrix) => -total(C.flat().map((c, k) => c * X.data[k]!)),
  grad: (G: Matrix) => void C.flat().forEach((c, k) => void (G.data[k] = -c)),
});
const ofAngle = (f: (c: number, s: number) => number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 1e5; k++) least = Math.min(least, f(Math.cos(k * 2e-5 * Math.PI), Math.sin(k * 2e-5 * Math.PI)));
  return least;
};

const [A3, A5, B54, row5] = [normals(3, 3), normals(5, 5), normals(5, 4), normals(1, 5)];
// det < 0, so that the nearest rotation is not the nearest orthogonal matrix
const reflected = det3(A3) < 0 ? A3 : A3.map((row, i) => (i === 0 ? row.map((a) => -a) : row));
const [s1, s2, s3] = singularValues(reflected) as [number, number, number];
const [S4, S6] = [symmetric(4), symmetric(6)];
const [e4, e6] = [eigenvalues(S4), eigenvalues(S6)];
const [re3, im3] = [normals(3, 3), normals(3, 3)];
const four = [0, 1, 2, 3].map(() => normals(3, 3));
const shifted = S4.map((row, i) => row.map((a, j) => a + (i === j ? 9 : 0)));
const s54 = singularValues(B54);
const diagonal = [[1, 0, 0], [0, 4, 0], [0, 0, 9]]; // biome-ignore format: a matrix
const scaledRows = A3.map((row, i) => row.map((a) => a / (i + 1)));
const ordered = [[3, 0, 0], [0, 2, 0], [0, 0, 1]]; // biome-ignore format: a matrix
type Manifolds = Parameters<typeof minimize>[1]["on"];

test.each<[string, unknown, unknown, number]>([
  ["±1", formula((X) => scale(3, sum(X))), stiefel(1, 1), -3],
  ["±1, plain", linear([[-3]]), stiefel(1, 1), -3],
  ["±1, a cubic", formula((x) => add(pow(x, 3), scale(0.5, x))), sphere(1), -1.5],
  ["the one rotation of a line", formula((X) => sum(X)), specialOrthogonal(1), 1],
  ["±1 divided by √B", linear([[-1]]), generalizedStiefel([[4]], 1), -0.5],
  ["signs", formula((X) => inner(row5, X)), oblique(1, 5), -total(row5[0]!.map(Math.abs))],
  [
    "two points by an equation",
    formula((x) => norm2(x)),
    ownManifold({ rows: 1, cols: 1, c: formula((x) => sub(square(x), 4)) }),
    4,
  ],
  ["one permutation", formula((X) => sum(X)), permutations(1), 1],
  ["one probability", formula((x) => scale(2, sum(x))), simplex(1), 2],
  ["the whole line", formula((X) => norm2(X)), grassmann(1, 1), 1],
  [
    "a quartic of the plane's rotations",
    formula((X) => add(pow(entry(X, 0, 0), 4), mul(entry(X, 0, 0), entry(X, 0, 1)))),
    specialOrthogonal(2),
    ofAngle((c, s) => c ** 4 - c * s),
  ],
  ["orthogonal, linear", formula((X) => neg(inner(A5, X))), stiefel(5, 5), -nuclear(A5)],
  ["orthogonal, linear, plain", linear(A5), stiefel(5, 5), -nuclear(A5)],
  ["rotations, linear, det < 0", formula((X) => neg(inner(reflected, X))), specialOrthogonal(3), s3 - s1 - s2],
  ["rotations, plain, det < 0", linear(reflected), specialOrthogonal(3), s3 - s1 - s2],
  ["n = p with a metric", linear(A3), generalizedStiefel(diagonal, 3), -nuclear(scaledRows)],
  ["all of the space", formula((X) => trace(mul(t(X), S4, X))), grassmann(4, 4), total(e4)],
  [
    "inverse of a part",
    formula((X) => trace(inv(mul(t(X), shifted, X)))),
    stiefel(4, 2),
    1 / (9 + e4[3]!) + 1 / (9 + e4[2]!),
  ],
  [
    "unit columns",
    formula((X) => inner(A5, X)),
    oblique(5, 5),
    -total(A5[0]!.map((_, j) => Math.hypot(...A5.map((row) => row[j]!)))),
  ],
  [
    "groups of one column",
    formula((X) => trace(mul(t(X), S6, X, ordered))),
    flag(6, [1, 1, 1]),
    3 * e6[0]! + 2 * e6[1]! + e6[2]!,
  ],
  ["one group of all columns", formula((X) => trace(mul(t(X), S6, X))), flag(6, [6]), total(e6)],
  [
    "four rotations, linear",
    formula((X) => neg(inner(four.flat(), X))),
    power(specialOrthogonal(3), 4),
    -total(
      four.map((A) => {
        const s = singularValues(A);
        return s[0]! + s[1]! + Math.sign(det3(A)) * s[2]!;
      }),
    ),
  ],
  ["powers with two components each", linear(four.flat()), power(stiefel(3, 3), 4), -total(four.map(nuclear))],
  [
    "rank 1",
    formula(({ U, S, V }) => norm2(sub(mul(U, S, t(V)), B54))),
    fixedRank(5, 4, 1),
    total(s54.slice(1).map((s) => s * s)),
  ],
  ["full rank", formula(({ U, S, V }) => norm2(sub(mul(U, S, t(V)), B54))), fixedRank(5, 4, 4), 0],
  ["1×1 of rank 1", formula(({ U, S, V }) => norm2(sub(mul(U, S, t(V)), [[-2]]))), fixedRank(1, 1, 1), 0],
  ["rank 0 from rank 1", formula(({ U, S, V }) => norm2(mul(U, S, t(V)))), fixedRank(3, 2, 1), 0],
  ["a corner of the simplex", formula((x) => inner([[3], [1], [2], [5]], x)), simplex(4), 1],
  [
    "entropy",
    formula((x) => add(inner([[3], [1], [2], [5]], x), inner(x, log(x)))),
    simplex(4),
    -Math.log(total([3, 1, 2, 5].map((c) => Math.exp(-c)))),
  ],
  ["one part", formula(({ x }) => sum(x)), product({ x: sphere(4) }), -2],
  [
    "singular vectors",
    formula(({ U, V }) => neg(trace(mul(t(U), B54, V)))),
    product({ U: stiefel(5, 4), V: stiefel(4, 4) }),
    -total(s54),
  ],
  [
    "signs that belong together",
    formula(({ a, b, c }) => add(mul(a, b), mul(b, c), neg(mul(a, c)), scale(0.1, a))),
    product({ a: sphere(1), b: sphere(1), c: sphere(1) }),
    bySigns(3, ([a, b, c]) => a! * b! + b! * c! - a! * c! + 0.1 * a!),
  ],
  ["a phase", formula((z: ComplexExpr) => sub(scale(2, re(z)), im(z))), complexStiefel(1, 1), -Math.sqrt(5)],
  [
    "phases",
    formula((z: ComplexExpr) => add(inner([[1, 2, -3]], re(z)), inner([[0.5, -1, 2]], im(z)))),
    circle(3),
    -Math.hypot(1, 0.5) - Math.hypot(2, 1) - Math.hypot(3, 2),
  ],
  [
    "unitary, linear",
    formula((Z: ComplexExpr) => neg(add(inner(re3, re(Z)), inner(im3, im(Z))))),
    complexStiefel(3, 3),
    -nuclear(embedded(re3, im3)) / 2,
  ],
  [
    "powers of unitary matrices",
    formula((Z: ComplexExpr) => add(inner([...re3, ...im3], re(Z)), inner([...im3, ...re3], im(Z)))),
    power(complexStiefel(3, 3), 2),
    -nuclear(embedded(re3, im3)) / 2 - nuclear(embedded(im3, re3)) / 2,
  ],
  [
    "a complex point",
    formula((z: ComplexExpr) => add(norm2(sub(re(z), [[1], [2]])), norm2(sub(im(z), [[3], [4]])))),
    euclidean(2, 1, { field: "complex" }),
    0,
  ],
  [
    "det X = 1",
    formula((X: Expr) => norm2(X)),
    ownManifold({
      rows: 2,
      cols: 2,
      c: formula((X) => sub(sub(mul(entry(X, 0, 0), entry(X, 1, 1)), mul(entry(X, 0, 1), entry(X, 1, 0))), 1)),
    }),
    2,
  ],
])("%s", async (_, f, on, least) => {
  for (const seed of [1, 2, 3]) {
    const { fval, status } = await minimize(f as never, { on: on as Manifolds, seed } as never);
    expect([seed, status]).toEqual([seed, "converged"]);
    expect(Math.abs(fval - least), `seed ${seed}: ${fval}, not ${least}`).toBeLessThan(1e-6 * (1 + Math.abs(least)));
  }
});
