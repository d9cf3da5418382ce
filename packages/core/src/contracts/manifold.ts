/** A manifold in words: data that a run binds to its engine. */

import type { Engine, HostMatrix, Matrix, NumericLike, Tall } from "@expen/linalg";
import type { Constraint } from "./constraint.js";
import type { Objective } from "./objective.js";

/** A complex matrix by its parts */
export type ComplexMatrix<M extends Matrix = Matrix> = { readonly re: M; readonly im: M };

/** A point as f sees it: a matrix, its two parts if it is complex, or an object of such by name */
export type View = Matrix | { readonly [name: string]: View };

/** The same point in plain numbers: the type of an answer */
export type Plain<P> = P extends Matrix ? HostMatrix : { readonly [K in keyof P]: Plain<P[K]> };
/** A point as a user may write it, as a start: each matrix in a form that `numericMatrix` reads */
export type PointLike<P> = P extends Matrix ? NumericLike : { readonly [K in keyof P]: PointLike<P[K]> };

/** Plain data until a run binds it to an engine; one serves any number of runs. `P`: the points that f gets and fills. */
export interface Manifold<P extends View = Tall> {
  /** stiefel(100, 5) */
  readonly text: string;
  /** rows and columns; of a product nominal ones, with the sum of all columns as p */
  readonly n: number;
  readonly p: number;
  /** the matrices of a point, before there is an engine */
  readonly shapes: readonly Shape[];
  bind(E: Engine): Domain<P>;
  /** entries of `subjectTo` that belong to it beside K(X) = 0: a set for `minimize`, which nothing else takes */
  readonly subjectTo?: readonly object[];
}

/** A matrix of a point. `name`: "U", "W.U"; "" where the point is one matrix. A complex one is two of this size, { re, im }. */
export interface Shape {
  readonly name: string;
  readonly n: number;
  readonly p: number;
  readonly complex: boolean;
}

/** A manifold on an engine. */
export interface Domain<P extends View = Tall> {
  /** the engine of the matrices that f sees */
  readonly base: Engine;
  /** the algebra of points, in which solvers work; `base` itself for real orthonormal columns */
  readonly E: Engine;
  readonly on: Constraint;
  /** the point as f sees it, the matrices themselves and no copies, where there is no chart */
  view(X: Tall): P;
  /** Present where f sees a function of X, as X∘X; `view` copies it then. */
  readonly chart?: Chart;
}

/** A manifold, and the same on an engine */
export interface Place {
  readonly on: Manifold<View>;
  readonly bound: Domain<View>;
}

/** φ of f(φ(X)), where f sees Y = φ(X) and a method X, with its derivatives. Results go to the first argument. */
export interface Chart {
  /** Y ← φ(X) */
  image(Y: Tall, X: Tall): void;
  /** X ← a point with φ(X) = Y */
  read(X: Tall, Y: Tall): void;
  /** T ← φ'(X)[D] */
  push(T: Tall, X: Tall, D: Tall): void;
  /** G ← φ'(X)ᵀ[W], the gradient of f∘φ for W = ∇f(Y) */
  pull(G: Tall, X: Tall, W: Tall): void;
  /** H ← φ'(X)ᵀ[V] + (φ''(X)[D])ᵀ[W], its Hessian along D for V = ∇²f(Y)[φ'(X)[D]] */
  bend(H: Tall, X: Tall, V: Tall, W: Tall, D: Tall): void;
  /** Y as f sees it */
  view(Y: Tall): View;
  /** f∘φ with its derivatives, for f on matrices Y of E */
  objective(E: Engine, f: Objective): Objective;
}
