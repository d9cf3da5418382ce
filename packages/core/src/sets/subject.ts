/** The entries of `subjectTo`: plain data until a run binds them to an engine. */

import type { Matrix, NumericLike, Tall } from "@expen/linalg";
import {
  chosenOptions,
  described,
  isForeignMatrix,
  list,
  numericMatrix,
  requireNoMore,
  type SchemaOf,
  text,
} from "@expen/linalg";
import type { View } from "../contracts/manifold.js";
import type { Formula } from "../contracts/user-objective.js";
import { isFormula } from "../objective/objective.js";

/** A function with `size` values and its Jacobian J, known by products with Jᵀ */
export interface VectorFunction<P extends View = Tall> {
  readonly size: number;
  /** out ← g(X) */
  value(out: Float64Array, X: P): void;
  /** G ← G + J(X)ᵀw */
  adjoint(G: P, X: P, w: Float64Array): void;
}

/** g as a formula, whose value is a number or a matrix, or as functions */
export type ConstraintFunction<P extends View = Tall> = Formula | VectorFunction<P>;

/** Entries that a bound is about; left out: all */
export interface Selection {
  /** a factor of a product, by its name */
  part?: string;
  /** numbers of columns */
  columns?: readonly number[];
}

/** An entry of `subjectTo` */
export type Subject = FunctionSubject | BoundsSubject;

export interface FunctionSubject {
  readonly kind: "atMost" | "equal";
  readonly text: string;
  readonly g: ConstraintFunction<never>;
  /** g − bound takes the place of g */
  readonly bound: number;
}

export interface BoundsSubject extends Selection {
  readonly kind: "bounds" | "nonnegative";
  readonly text: string;
  readonly lower: number | Matrix;
  readonly upper: number | Matrix;
}

/**
 * g(X) ≤ bound in every value of g, for `subjectTo`:
 *
 *     minimize(f, { on: stiefel(30, 3), subjectTo: [atMost(formula((X) => rowSums(square(X))), 0.25)] })
 */
export function atMost<P extends View = Tall>(g: ConstraintFunction<P>, bound = 0, ...more: never[]): Subject {
  requireNoMore("atMost(g, bound)", more);
  return ofFunction("atMost", g as ConstraintFunction<never>, bound);
}

/**
 * h(X) = value in every value of h, for `subjectTo`:
 *
 *     minimize(f, { on: oblique(4, 30), subjectTo: [equal(formula((X) => rowSums(X)))] })
 */
export function equal<P extends View = Tall>(h: ConstraintFunction<P>, value = 0, ...more: never[]): Subject {
  requireNoMore("equal(h, value)", more);
  return ofFunction("equal", h as ConstraintFunction<never>, value);
}

/**
 * lower ≤ X_ij ≤ upper, for `subjectTo`; numbers or matrices, ±Infinity where there is no bound:
 *
 *     minimize(f, { on: sphere(10), subjectTo: [bounds(-0.2, 0.5)] })
 */
export function bounds(low: number | NumericLike, high: number | NumericLike, selection?: Selection): Subject {
  const [lower, upper] = [boundOf("lower", low), boundOf("upper", high)];
  const { part, columns } = chosenOptions("bounds", selection, SELECTION);
  return { kind: "bounds", text: `bounds(${shownBound(lower)}, ${shownBound(upper)})`, lower, upper, part, columns };
}

/**
 * X ≥ 0 in every entry, for `subjectTo`. With orthonormal columns, XᵀX = I, each row then has one positive entry at most, and a method of
 * its own gives an answer that is nonnegative and orthonormal exactly:
 *
 *     minimize(f, { on: stiefel(60, 5), subjectTo: [nonnegative()] })
 */
export function nonnegative(selection?: Selection): Subject {
  const { part, columns } = chosenOptions("nonnegative", selection, SELECTION);
  return { kind: "nonnegative", text: "nonnegative()", lower: 0, upper: Number.POSITIVE_INFINITY, part, columns };
}

const SELECTION: SchemaOf<Selection> = { part: text, columns: list };

function ofFunction(kind: FunctionSubject["kind"], g: ConstraintFunction<never>, bound: number): Subject {
  if (!Number.isFinite(bound)) {
    throw new RangeError(`${kind}: the constant is ${described(bound)}; give a finite number.`);
  }
  if (!isFormula(g)) requireVectorFunction(kind, g);
  return { kind, text: `${kind}(g, ${bound})`, g, bound };
}

function requireVectorFunction(kind: string, g: unknown): void {
  const advice = "give formula((X) => …), or { size, value(out, X), adjoint(G, X, w) }";
  if (typeof g !== "object" || g === null) throw new TypeError(`${kind}: it is ${described(g)}; ${advice}.`);
  const { size, value, adjoint } = g as Partial<VectorFunction>;
  if (!Number.isInteger(size) || size! < 1) {
    throw new RangeError(`${kind}: size is ${described(size)}; it must be a whole number, 1 or more: ${advice}.`);
  }
  for (const [name, member] of Object.entries({ value, adjoint })) {
    if (typeof member !== "function") throw new TypeError(`${kind}: ${name} is ${described(member)}; ${advice}.`);
  }
}

function boundOf(name: string, value: number | NumericLike): number | Matrix {
  if (typeof value === "number" && !Number.isNaN(value)) return value;
  const isObject = typeof value === "object" && value !== null;
  if (isObject && isForeignMatrix(value)) {
    try {
      return numericMatrix(value);
    } catch (error) {
      throw new RangeError(`bounds: ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  if (isObject && "rows" in value && "data" in value) return value;
  throw new TypeError(`bounds: ${name} is ${described(value)}; give a number, ±Infinity, or a matrix.`);
}

const shownBound = (value: number | Matrix): string =>
  typeof value === "number" ? String(value) : `${value.rows}×${value.cols}`;
