/** Examples of the reference for `expen/tape`; site/build/examples.ts says how they are written. */

import { minimize, sphere, stiefel } from "expen";
import { asMatrix } from "expen/data";
import { jsEngine } from "expen/engines";
import {
  abs,
  acos,
  add,
  asin,
  atan,
  atan2,
  block,
  blocks,
  clip,
  col,
  colNorms,
  colSums,
  cols,
  compile,
  complex,
  conj,
  cos,
  diag,
  div,
  entry,
  exp,
  expm,
  formula,
  H,
  hadamard,
  hstack,
  huber,
  identity,
  im,
  inner,
  inv,
  kron,
  log,
  logcosh,
  logdet,
  logm,
  logSumExp,
  mask,
  max,
  mean,
  min,
  mul,
  neg,
  norm,
  norm2,
  operation,
  parameter,
  pow,
  re,
  relu,
  reshape,
  row,
  rowLogSumExp,
  rowNorms,
  rowSoftmax,
  rowSums,
  rows,
  scale,
  sigmoid,
  sin,
  smoothAbs,
  softmax,
  softplus,
  solve,
  sqrt,
  sqrtm,
  square,
  sub,
  sum,
  TapeError,
  t,
  tanh,
  trace,
  vec,
  vstack,
  where,
} from "expen/tape";

// compile
{
  // value and gradient of a formula at a point
  const E = jsEngine();
  const f = compile(E, { n: 2, p: 1 }, (x) => norm2(x));
  const [X, G] = [E.tall(2, 1, [3, 4]), E.tall(2, 1)];
  console.log(f.fg(G, X), G.data.join(" ")); // 25 6 8
}

// formula, parameter
{
  const weight = parameter("weight", 1);
  const f = formula((x) => scale(weight, entry(x, 0, 0)));
  const { fval } = await minimize(f, { on: sphere(2) });
  console.log(fval.toFixed(4)); // -1.0000
}

// add, sub, neg, scale, mul, t, trace, inner, identity
{
  const E = jsEngine();
  const X = E.tall(2, 2, [1, 2, 3, 4]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 2, p: 2 }, build).f(X).toFixed(4));
  console.log(
    at((X) => trace(add(X, X))),
    at((X) => trace(sub(X, identity(2)))),
    at((X) => trace(neg(X))),
  ); // 10 3 -5
  console.log(
    at((X) => trace(scale(3, X))),
    at((X) => trace(mul(t(X), X))),
    at((X) => inner(X, X)),
  ); // 15 30 30
}

// sum, mean, rowSums, colSums, norm, norm2, rowNorms, colNorms, square, sqrt, pow
{
  const E = jsEngine();
  const X = E.tall(2, 2, [3, 4, 0, 2]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 2, p: 2 }, build).f(X).toFixed(4));
  console.log(
    at((X) => sum(X)),
    at((X) => mean(X)),
    at((X) => norm2(X)),
    at((X) => norm(X)),
  ); // 9 2.25 29 5.3852
  console.log(
    at((X) => entry(rowSums(X), 0, 0)),
    at((X) => entry(colSums(X), 0, 0)),
    at((X) => entry(rowNorms(X), 0, 0)),
  ); // 7 3 5
  console.log(
    at((X) => entry(colNorms(X), 0, 0)),
    at((X) => sum(square(X))),
    at((X) => sum(pow(X, 3))),
  ); // 3 29 99
  console.log(at((X) => sum(sqrt(add(X, 1))))); // 6.9681
}

// abs, relu, clip, huber, smoothAbs, max, min, where
{
  const E = jsEngine();
  const X = E.tall(3, 1, [-2, 0.5, 3]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 3, p: 1 }, build).f(X).toFixed(4));
  console.log(
    at((X) => sum(abs(X))),
    at((X) => sum(relu(X))),
    at((X) => sum(clip(X, -1, 1))),
  ); // 5.5 3.5 0.5
  console.log(
    at((X) => sum(huber(X, 1))),
    at((X) => sum(smoothAbs(X, 1e-3))),
  ); // 4.125 5.5
  console.log(
    at((X) => sum(max(X, 0))),
    at((X) => sum(min(X, 0))),
    at((X) => sum(where(X, X, 1))),
  ); // 3.5 -2 1.5
}

// exp, log, sin, cos, tanh, sigmoid, softplus, logcosh, atan, atan2, asin, acos
{
  const E = jsEngine();
  const X = E.tall(1, 1, [0.5]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 1, p: 1 }, build).f(X).toFixed(4));
  console.log(
    at((x) => sum(exp(x))),
    at((x) => sum(log(x))),
    at((x) => sum(sin(x))),
    at((x) => sum(cos(x))),
  ); // 1.6487 -0.6931 0.4794 0.8776
  console.log(
    at((x) => sum(tanh(x))),
    at((x) => sum(sigmoid(x))),
    at((x) => sum(softplus(x))),
    at((x) => sum(logcosh(x))),
  ); // 0.4621 0.6225 0.9741 0.1201
  console.log(
    at((x) => sum(atan(x))),
    at((x) => sum(atan2(x, 1))),
    at((x) => sum(asin(x))),
    at((x) => sum(acos(x))),
  ); // 0.4636 0.4636 0.5236 1.0472
}

// logSumExp, softmax, rowLogSumExp, rowSoftmax
{
  const E = jsEngine();
  const X = E.tall(2, 2, [0, 0, 0, Math.log(3)]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 2, p: 2 }, build).f(X).toFixed(4));
  console.log(
    at((X) => logSumExp(X)),
    at((X) => entry(softmax(X), 1, 1)),
  ); // 1.7918 0.5
  console.log(
    at((X) => entry(rowLogSumExp(X), 1, 0)),
    at((X) => entry(rowSoftmax(X), 1, 1)),
  ); // 1.3863 0.75
}

// hadamard, div, diag, mask
{
  const E = jsEngine();
  const X = E.tall(2, 2, [1, 2, 3, 4]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 2, p: 2 }, build).f(X).toFixed(4));
  const { matrix: W } = asMatrix([[1, 0], [0, 2]]); // biome-ignore format: a matrix
  console.log(
    at((X) => sum(hadamard(W, X))),
    at((X) => sum(div(X, 2))),
    at((X) => sum(diag(X))),
    at((X) => sum(mask(W, X))),
  ); // 9 5 5 5
}

// expm, logm, sqrtm
{
  const E = jsEngine();
  const X = E.tall(2, 2, [5, 4, 4, 5]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 2, p: 2 }, build).f(X).toFixed(4));
  console.log(
    at((X) => entry(sqrtm(X), 0, 1)),
    at((X) => trace(logm(X))),
    at((X) => entry(expm(logm(X)), 0, 1)),
  ); // 1 2.1972 4
}

// inv, solve, logdet, kron
{
  const E = jsEngine();
  const X = E.tall(2, 2, [2, 1, 1, 3]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 2, p: 2 }, build).f(X).toFixed(4));
  const { matrix: b } = asMatrix([[5], [10]]);
  console.log(
    at((X) => trace(inv(X))),
    at((X) => sum(solve(X, b))),
    at((X) => logdet(X)),
    at((X) => trace(kron(X, X))),
  ); // 1 4 1.6094 25
}

// row, col, rows, cols, entry, block, blocks, hstack, vstack, reshape, vec
{
  const E = jsEngine();
  const X = E.tall(2, 3, [1, 2, 3, 4, 5, 6]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 2, p: 3 }, build).f(X).toFixed(4));
  console.log(
    at((X) => sum(row(X, 1))),
    at((X) => sum(col(X, 0))),
    at((X) => entry(X, 1, 2)),
    at((X) => sum(block(X, 0, 1, 2, 2))),
  ); // 15 5 6 16
  console.log(
    at((X) => sum(rows(X, 0, 1))),
    at((X) => sum(cols(X, [0, 2]))),
    at((X) => entry(reshape(X, 3, 2), 2, 0)),
  ); // 6 14 5
  console.log(
    at((X) => entry(vec(X), 1, 0)),
    at((X) => sum(hstack(X, X))),
    at((X) => sum(vstack(X, X))),
    at((X) => sum(blocks([[X, X]]))),
  ); // 4 42 42 42
}

// complex, re, im, conj, H
{
  const E = jsEngine();
  const X = E.tall(1, 2, [3, 4]);
  const at = (build: Parameters<typeof compile>[2]) => Number(compile(E, { n: 1, p: 2 }, build).f(X).toFixed(4));
  // z = 3 + 4i
  console.log(at((X) => sum(re(mul(H(complex(col(X, 0), col(X, 1))), complex(col(X, 0), col(X, 1))))))); // 25
  console.log(at((X) => sum(im(conj(complex(col(X, 0), col(X, 1))))))); // -4
}

// TapeError
{
  try {
    await minimize(
      formula((X) => mul(X, X) as never),
      { on: stiefel(3, 2) },
    );
  } catch (error) {
    console.log(error instanceof TapeError); // true
  }
}

// operation
{
  // the cube of each entry, with its derivative
  const cube = operation({
    name: "cube",
    value: ({ rows, cols, data }) => ({ rows, cols, data: data.map((x) => x ** 3) }),
    adjoint: (W, _Y, A) => hadamard(W, scale(3, square(A))),
  });
  const E = jsEngine();
  const [X, G] = [E.tall(2, 1, [1, 2]), E.tall(2, 1)];
  console.log(compile(E, { n: 2, p: 1 }, (x) => sum(cube(x))).fg(G, X), G.data.join(" ")); // 9 3 12
}
