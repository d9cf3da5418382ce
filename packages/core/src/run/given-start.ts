/** Points that a user gives: read, checked and made feasible */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { digits, numericMatrix, random } from "@expen/linalg";
import { isOf } from "@expen/linalg/engine";
import type { Domain, View } from "../contracts/manifold.js";
import { isMatrix, leaves } from "../manifolds/view.js";

/** ‖K(X)‖ up to which A(X) is the nearest point to roundoff, as ‖K(A(X))‖ ≤ ¾‖K(X)‖² */
const ROUNDING = 1e-8;

/** A feasible start from a given point, of the engine or in host memory; `notes` gets a sentence about a change. */
export function startAt({ base, E, on, view, chart }: Domain<View>, value: View, notes: string[]): Tall {
  const { n, p } = on.shape;
  const { orthonormal, inComponent } = on.traits;
  const [x, y, K] = [on.point(), on.point(), E.small(p, p)];
  const [X, Y] = [x.X, y.X];
  const image = chart ? E.tall(n, p) : X;
  load(base, chart ? chart.view(image) : view(X), value, "start");
  chart?.read(X, image);
  on.update(x);
  const feasibility = on.dissolver.A(Y, x, K);
  if (!Number.isFinite(feasibility)) requireFinite(base, view(X), "start");
  const isInComponent = inComponent?.(X) ?? true;
  if (feasibility <= ROUNDING && isInComponent) return Y;
  const rank = on.project(y, X);
  if (rank < p) {
    notes.push(`the start had rank ${rank} < p = ${p}; it was completed to orthonormal columns`);
    // an arbitrary completion may be a saddle: a seeded perturbation leaves it
    const Z = E.tall(n, p);
    E.write(Z, random(1, "completion").normal);
    E.combine(X, 1, Y, (1e-3 * on.size) / Math.sqrt(n * p), Z);
    on.project(y, X);
  } else if (!isInComponent) {
    notes.push("the start was a reflection, det X < 0; the nearest rotation was taken");
  } else if (!(feasibility <= 1e-6)) {
    const near = on.traits.singularity ? "a feasible point near it" : "the nearest feasible point";
    const done = orthonormal ? "its polar factor was taken" : `${near} was taken`;
    const how = orthonormal ? "orthonormal (‖XᵀX − I‖" : `on the manifold (‖K‖`;
    notes.push(`the start was not ${how} = ${digits(feasibility)}); ${done}`);
  }
  return Y;
}

/** A matrix of the engine with the numbers of a given point of ℝⁿˣᵖ; `what` names it in sentences. */
export function readPoint({ base, on, view }: Domain<View>, given: View, what: string): Tall {
  const { X } = on.point();
  load(base, view(X), given, what);
  requireFinite(base, view(X), what);
  return X;
}

/** The matrices of `view` ← those of a given point, of the engine or in host memory */
function load(E: Engine, view: View, given: View, what: string): void {
  if (!isMatrix(view)) {
    const names = Object.keys(view);
    for (const name of names) {
      const part = (Object(given) as { [name: string]: View })[name];
      if (part === undefined) throw new RangeError(`${what}: it has no ${name}; give { ${names.join(", ")} }.`);
      load(E, view[name]!, part, `${what}.${name}`);
    }
    return;
  }
  const own = isOf(E, Object(given));
  const { rows: n, cols: p } = view;
  const { rows, cols, data } = own ? { ...(given as Matrix), data: undefined } : plainOf(given, what);
  if (rows !== n || cols !== p) {
    throw new RangeError(`${what}: it is ${rows}×${cols} but n×p is ${n}×${p}; give a matrix of that shape.`);
  }
  const X = view as Tall;
  if (data) E.write(X, data);
  else E.copy(X, given as Tall);
}

/** A matrix in any form: rows of numbers, { rows, cols, data }, … */
function plainOf(source: unknown, what: string): Matrix {
  try {
    return numericMatrix(source);
  } catch (error) {
    throw new RangeError(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

function requireFinite(E: Engine, view: View, what: string): void {
  for (const { name, matrix } of leaves(view)) {
    const data = E.read(matrix as Tall);
    const bad = data.findIndex((v) => !Number.isFinite(v));
    if (bad < 0) continue;
    const at = `(${Math.floor(bad / matrix.cols)}, ${bad % matrix.cols})${name && ` of ${name}`}`;
    throw new RangeError(`${what}: entry ${at} is ${data[bad]}; every entry must be finite.`);
  }
}
