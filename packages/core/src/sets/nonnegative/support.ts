/** The problem with fixed labels: nonnegative unit columns that are zero off their rows */

import type { Tall } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";
import type { Constraint } from "../../contracts/constraint.js";
import type { State } from "../../contracts/method.js";
import type { Objective } from "../../contracts/objective.js";
import { augmentedLagrangian } from "../augmented-lagrangian.js";
import { boundsBlock } from "../bounds-block.js";
import { lagrangian } from "../lagrangian.js";
import { gradientSize, type Setup } from "../setup.js";
import type { BoundsSubject } from "../subject.js";
import { countsOf, isSame, onLabels, type Size } from "./labels.js";

/** f on the matrices with given labels, whose tangent vectors are zero off the labels too */
export interface Support {
  readonly on: Constraint;
  readonly f: Objective;
  readonly labels: Int32Array;
}

/**
 * The product of spheres of the columns, without an algebra of its own: matrices that are zero off their labels have disjoint columns, so
 * XᵀG is diagonal for two of them, and the formulas of XᵀX = I are those of unit columns.
 */
export function supportOf({ E, F, on }: Pick<Setup, "E" | "F" | "on">, labels: Int32Array, { n, p }: Size): Support {
  const mask = E.tall(n, p, maskOf(labels, p));
  const [scratch, unused] = [E.tall(n, p), E.tall(n, p)];
  const clear = (Z: Tall): void => {
    E.copy(scratch, Z);
    E.map([Z], entrywiseProduct, [scratch, mask]);
  };
  const fg = (G: Tall, X: Tall): number => {
    const value = F.fg(G, X);
    clear(G);
    return value;
  };
  const spheres: Constraint = {
    ...on,
    name: "the support",
    dimension: countsOf(labels, p).reduce((sum, count) => sum + Math.max(count - 1, 0), 0),
    dissolver: {
      ...on.dissolver,
      tangent(Z, x, S) {
        clear(Z);
        on.dissolver.tangent(Z, x, S);
      },
    },
  };
  return { on: spheres, f: { n, p, f: (X) => fg(unused, X), fg }, labels };
}

/** 1 on the labels */
export function maskOf(labels: Int32Array, p: number): Float64Array {
  const mask = new Float64Array(labels.length * p);
  for (const [i, j] of labels.entries()) if (j >= 0) mask[i * p + j] = 1;
  return mask;
}

/** An entry up to this is on its bound 0. */
const ZERO = 1e-7;
/** Times that entries which reach their bound are set to 0 and the rest solved again */
const ROUNDS = 20;
/** Violation and complementarity of the bounds */
const BOUNDS = 1e-9;

/**
 * Minimises f over the nonnegative unit columns with the given labels from X, by the method for bounds on the product of spheres. Entries
 * that reach 0 lose their label, and the rest is solved again.
 */
export function* solveOnSupport(
  setup: Setup,
  size: Size,
  start: Labelled,
  tolerance: number,
): Generator<State, Labelled, void> {
  let { X, labels } = start;
  for (let round = 0; round < ROUNDS; round++) {
    const support = supportOf(setup, labels, size);
    if (support.on.dimension === 0) break;
    X = yield* minimizeOn(support, setup, X, tolerance);
    const rest = labels.map((j, i) => (j >= 0 && X[i * size.p + j]! <= ZERO ? -1 : j));
    const isSettled = isSame(rest, labels) || countsOf(rest, size.p).includes(0);
    if (isSettled) break;
    labels = rest;
    X = onLabels(X, labels, size);
  }
  return { X: onLabels(X, labels, size), labels };
}

/** A matrix with the labels of its rows */
export interface Labelled {
  readonly X: Float64Array;
  readonly labels: Int32Array;
}

function* minimizeOn(
  { on, f, labels }: Support,
  { E, work, place }: Setup,
  X: Float64Array,
  tolerance: number,
): Generator<State, Float64Array, void> {
  const { n, p } = f;
  const mask = maskOf(labels, p);
  const lower = { rows: n, cols: p, data: mask.map((m) => (m === 1 ? 0 : Number.NEGATIVE_INFINITY)) };
  const bounds: BoundsSubject = { kind: "bounds", text: "X ≥ 0", lower, upper: Number.POSITIVE_INFINITY };
  const blocks = [boundsBlock(place.bound, bounds)];
  const L = lagrangian(E, f, blocks);
  const start = E.tall(n, p, X);
  const unit = gradientSize(E, on, L, start);
  if (!(unit > tolerance)) return X;
  const { evaluations } = work;
  const options = { on, blocks, tolerance, constraintTolerance: BOUNDS, unit, evaluations };
  let end = start;
  for (const state of augmentedLagrangian(E, L, start, options)) {
    end = state.X;
    yield state;
  }
  return E.read(end).map((x, k) => mask[k]! * Math.max(x, 0));
}
