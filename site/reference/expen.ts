/** Examples of the reference for `expen`; site/build/examples.ts says how they are written. */
import {
  atMost,
  bounds,
  ContractError,
  certify,
  checkDerivatives,
  complexStiefel,
  constantTridiagonal,
  EngineError,
  equal,
  euclidean,
  FormError,
  GradientError,
  generalizedStiefel,
  grassmann,
  ManyError,
  type Matrix,
  MemoryError,
  minimize,
  minimizeMany,
  nearestPoint,
  nonnegative,
  ObjectiveError,
  oblique,
  openEngine,
  ownManifold,
  permutations,
  product,
  random,
  randomStart,
  sparseFromTriplets,
  specialOrthogonal,
  sphere,
  stiefel,
  stop,
  type Tall,
} from "expen";
import { asMatrix } from "expen/data";
import { objectiveOn } from "expen/methods";
import { entry, formula, inner, mul, norm2, sub, sum, t, trace } from "expen/tape";

// minimize, stiefel
{
  const { matrix: A } = asMatrix([[2, 1, 0], [1, 2, 0], [0, 0, 5]]); // biome-ignore format: a matrix
  // the sum of the two least eigenvalues, 1 and 3
  const f = formula((X) => trace(mul(t(X), A, X)));
  const { fval, certificate } = await minimize(f, { on: stiefel(3, 2) });
  console.log(fval.toFixed(6), certificate.level); // 4.000000 global
}

// minimizeMany, sphere
{
  // the unit vector nearest to each target
  const nearest = (b: Matrix) => formula((x) => norm2(sub(x, b)));
  const data = [asMatrix([[3], [4]]).matrix, asMatrix([[0], [2]]).matrix];
  const results = await Promise.all(data.map((b) => minimize(nearest(b), { on: sphere(2) })));
  console.log(results.map(({ X }) => Array.from(X.data, (v) => Math.round(1000 * v) / 1000).join(" ")).join("; ")); // 0.6 0.8; 0 1
  // the same function from four starts, in one call
  const { results: runs, hits, best } = await minimizeMany(nearest(data[0]!), { on: sphere(2), starts: 4 });
  console.log(hits, runs[best]!.fval.toFixed(3)); // 4 16.000
}

// sparseFromTriplets, constantTridiagonal
{
  // row 0 has a 2 in column 1, row 1 a 3 in column 0
  const S = sparseFromTriplets(2, 2, [0, 1], [1, 0], [2, 3]);
  console.log(S.rows, Array.from(S.values).join(" ")); // 2 2 3
  // −1, 2, −1: the least eigenvalue is 2 − 2·cos(π/(n + 1))
  const L = constantTridiagonal(9, -1, 2, -1);
  const { fval } = await minimize(
    formula((x) => trace(mul(t(x), L, x))),
    { on: stiefel(9, 1) },
  );
  console.log(fval.toFixed(6), (2 - 2 * Math.cos(Math.PI / 10)).toFixed(6)); // 0.097887 0.097887
}

// grassmann
{
  const { matrix: A } = asMatrix([[1, 0, 0], [0, 2, 0], [0, 0, 3]]); // biome-ignore format: a matrix
  const f = formula((X) => trace(mul(t(X), A, X)));
  const { fval } = await minimize(f, { on: grassmann(3, 2) });
  console.log(fval.toFixed(6)); // 3.000000
}

// oblique
{
  // unit columns nearest to (3, 4) and (0, 2)
  const { matrix: B } = asMatrix([[3, 0], [4, 2]]); // biome-ignore format: a matrix
  const { X } = await minimize(
    formula((X) => norm2(sub(X, B))),
    { on: oblique(2, 2) },
  );
  console.log(Array.from(X.data, (v) => Math.round(100 * v) / 100).join(" ")); // 0.6 0 0.8 1
}

// specialOrthogonal
{
  // the rotation nearest to M
  const { matrix: M } = asMatrix([[0.1, -2], [2, 0.1]]); // biome-ignore format: a matrix
  const { X } = await minimize(
    formula((R) => norm2(sub(R, M))),
    { on: specialOrthogonal(2) },
  );
  console.log(Array.from(X.data, (v) => Math.round(100 * v) / 100).join(" ")); // 0.05 -1 1 0.05
}

// generalizedStiefel
{
  const { matrix: A } = asMatrix([[1, 0], [0, 6]]); // biome-ignore format: a matrix
  const { matrix: B } = asMatrix([[4, 0], [0, 1]]); // biome-ignore format: a matrix
  // the least λ of Ax = λBx
  const { fval } = await minimize(
    formula((x) => trace(mul(t(x), A, x))),
    { on: generalizedStiefel(B, 1) },
  );
  console.log(fval.toFixed(6)); // 0.250000
}

// complexStiefel, nearestPoint
{
  // the unitary matrix nearest to 2·Diag(i, 1); for a sphere it is a multiple
  const re = asMatrix([[0, 0], [0, 2]]).matrix; // biome-ignore format: a matrix
  const im = asMatrix([[2, 0], [0, 0]]).matrix; // biome-ignore format: a matrix
  const { re: a, im: b } = nearestPoint(complexStiefel(2, 2), { re, im });
  console.log(Array.from(a.data, Math.round).join(" "), "and", Array.from(b.data, Math.round).join(" ")); // 0 0 0 1 and 1 0 0 0
  console.log(nearestPoint(sphere(2), asMatrix([[3], [4]]).matrix).data[0]!.toFixed(3)); // 0.600
}

// euclidean, product
{
  // a line through points: its unit normal x and its distance d from the origin
  const { matrix: points } = asMatrix([[0, 1], [1, 1], [2, 1]]); // biome-ignore format: a matrix
  const { matrix: ones } = asMatrix([[1], [1], [1]]);
  const f = formula(({ x, d }) => norm2(sub(mul(points, x), mul(ones, d))));
  const { X, fval } = await minimize(f, { on: product({ x: sphere(2), d: euclidean(1) }) });
  console.log(fval < 1e-9, Math.abs(X.d.data[0]!).toFixed(4)); // true 1.0000
}

// openEngine, randomStart
{
  const E = await openEngine("js");
  const X = randomStart(E, 5, 2, 1);
  console.log(randomStart(sphere(3), 1).rows); // 3
  console.log(E.dot(X, X).toFixed(6)); // 2.000000
  E.dispose();
}

// random
{
  const [r, again] = [random(1, "my stream"), random(1, "my stream")];
  console.log(r.uniform() === again.uniform(), r.normal() === again.normal(), r.integer(6) === again.integer(6)); // true true true
}

// checkDerivatives, certify, stop
{
  const E = await openEngine("js");
  const on = stiefel(3, 1);
  const square = {
    f: (x: Tall) => x.data[0]! ** 2,
    grad: (G: Tall, x: Tall) => {
      G.data.set([2 * x.data[0]!, 0, 0]);
    },
  };
  console.log(checkDerivatives(E, square, { on }).passed); // true
  // certifies a point that something else has found
  const domain = on.bind(E);
  const { certificate } = await certify(E, objectiveOn(domain, square), E.tall(3, 1, [0, 1, 0]), {
    on: domain.on,
    tolerance: 1e-6,
  });
  console.log(certificate.level); // second-order
  const { reason } = await minimize(square, {
    on,
    events: { iteration: () => stop },
  });
  console.log(reason.kind); // gradient
  E.dispose();
}

// GradientError, ObjectiveError, ContractError, FormError, EngineError, MemoryError, ManyError
{
  const brick = undefined as never as { wall: number };
  // the gradient is half the right one
  const half = { f: (x: Tall) => x.data[0]! ** 2, grad: (G: Tall, x: Tall) => void G.data.set([x.data[0]!, 0, 0]) };
  const nothing = { f: () => brick.wall, grad: (G: Tall) => void G.data.fill(0) };
  const classes = [ContractError, EngineError, FormError, GradientError, ManyError, MemoryError, ObjectiveError];
  const mistakes = [
    () => minimize(half, { on: stiefel(3, 1) }),
    () => minimize(nothing, { on: stiefel(3, 1) }),
    () => openEngine("blas", { library: "/no/such/library.so" }),
    () => minimize(half, { on: stiefel(10_000_000, 1000) }),
  ];
  const names = mistakes.map((act) => act().catch((error) => classes.find((one) => error instanceof one)?.name));
  console.log((await Promise.all(names)).join(" ")); // GradientError  EngineError MemoryError
}

// atMost, bounds, equal, nonnegative
{
  // the unit vector nearest to (3, −4, 1) with constraints of each kind
  const { matrix: b } = asMatrix([[3], [-4], [1]]);
  const f = formula((x) => norm2(sub(x, b)));
  const first = formula((x) => entry(x, 0, 0));
  const constraints = [nonnegative(), bounds(-0.5, 1), atMost(first, 0.5), equal(first, 0.5)];
  const answers = await Promise.all(constraints.map((one) => minimize(f, { on: sphere(3), subjectTo: [one] })));
  console.log(answers.map(({ X }) => Array.from(X.data, (v) => Math.round(100 * v) / 100).join(" ")).join("; ")); // 0.95 0 0.32; 0.82 -0.5 0.27; 0.5 -0.84 0.21; 0.5 -0.84 0.21
}

// permutations
{
  // the permutation of (3, 1, 2) that is nearest to (1, 2, 3)
  const [x, b] = [asMatrix([[3], [1], [2]]).matrix, asMatrix([[1], [2], [3]]).matrix];
  const { X } = await minimize(
    formula((P) => norm2(sub(mul(P, x), b))),
    { on: permutations(3) },
  );
  console.log(Array.from(X.data, (v) => Math.round(v) + 0).join(" ")); // 0 1 0 0 0 1 1 0 0
}

// ownManifold
{
  // the least x + y on the ellipse x² + 4y² = 1
  const on = ownManifold({
    rows: 2,
    cols: 1,
    c: formula((x) =>
      sub(
        inner(
          x,
          mul(
            [
              [1, 0],
              [0, 4],
            ],
            x,
          ),
        ),
        1,
      ),
    ),
  });
  const { fval } = await minimize(
    formula((x) => sum(x)),
    { on },
  );
  console.log(fval.toFixed(4)); // -1.1180
}
