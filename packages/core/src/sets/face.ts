/** The tangent vectors along which the active constraints do not change */

import type { Engine, Tall } from "@expen/linalg";
import { norm } from "@expen/linalg/dense";
import type { Constraint } from "../contracts/constraint.js";
import type { Point } from "../contracts/point.js";
import { tangentProjector } from "../manifolds/tangent-projector.js";
import { type Active, type ActiveOf, addGradients, type Numbers } from "./active.js";
import { type FixedEntries, fixedEntries } from "./fixed-entries.js";

/** Gradients that are made orthonormal at most: more of them cost more than a run. */
const MOST = 400;
/** A gradient whose part outside of the span of those before it is below this is dependent on them. */
const DEPENDENT = 1e-8;
/** Change of the active constraints that a projection may leave, relative to the length of the vector */
const EXACT = 1e-9;

export interface Face {
  /** Z ← its part along which the active constraints do not change */
  project(Z: Tall): void;
  /** of the face, or more where entries are fixed */
  readonly dimension: number;
  /** the gradients that are made orthonormal, and their bounds, where those are fixed entries */
  readonly gradients: Gradients;
  readonly fixed: { readonly entries: FixedEntries; readonly of: readonly ActiveOf[] } | undefined;
  /** whether all projections so far were exact up to roundoff */
  isExact(): boolean;
}

/** Gradients ∇g_i of which 𝒥ᵀ∇g_i = Σ_j R_ji·Q_j; those that depend on others are left out */
export interface Gradients {
  readonly Q: readonly Tall[];
  /** the columns of R */
  readonly R: readonly (readonly number[])[];
  readonly of: readonly { readonly active: ActiveOf; readonly k: number; readonly i: number }[];
}

/**
 * The face of the active constraints with multipliers above 0 at x. Up to 400 gradients are made orthonormal; of more the bounds are taken
 * as fixed entries, of any number. undefined where more than 400 are left, or each process has constraints of its own.
 */
export function faceAt(E: Engine, on: Constraint, x: Point, { list }: Active): Face | undefined {
  if (E.ranks) return undefined;
  const { n, p } = on.shape;
  const toTangent = toTangentVectors(E, on, x);
  const entrywise = countOf(list) > MOST ? list.filter(({ block }) => block.along) : [];
  const others = list.filter((one) => !entrywise.includes(one));
  if (countOf(others) > MOST) return undefined;
  const M = countOf(entrywise) > 0 ? maskOf(E, n, p, x.X, entrywise) : undefined;
  const entries = M && fixedEntries(E, on, x, M);
  const free = M ? E.read(M).filter((m) => m === 0).length : Number.POSITIVE_INFINITY;
  const gradients = orthonormal(others);
  const { Q } = gradients;
  function project(Z: Tall): void {
    toTangent(Z);
    entries?.project(Z);
    deflate(E, Z, Q);
  }
  return {
    project,
    dimension: Math.min(on.dimension, free) - Q.length,
    gradients,
    fixed: entries && { entries, of: entrywise },
    isExact: () => !entries || entries.left <= EXACT,
  };

  /** Modified Gram–Schmidt, twice, on 𝒥ᵀ∇g_i, along the fixed entries */
  function orthonormal(list: readonly ActiveOf[]): Gradients {
    const [Q, R, of]: [Tall[], number[][], Gradients["of"][number][]] = [[], [], []];
    for (const active of list)
      for (const [k, numbers] of active.strong.entries())
        for (const i of numbers) {
          const Z = E.tall(n, p);
          addGradients(
            active,
            Z,
            x.X,
            active.strong.map((_, other) => (other === k ? [i] : [])),
          );
          on.dissolver.tangent(Z, x);
          const before = norm(E, Z);
          entries?.project(Z);
          const column = deflate(E, Z, Q);
          const after = norm(E, Z);
          if (!(after > DEPENDENT * before)) continue;
          E.combine(Z, 1 / after, Z, 0, Z);
          Q.push(Z);
          R.push([...column, after]);
          of.push({ active, k, i });
        }
    return { Q, R, of };
  }
}

const countOf = (list: readonly ActiveOf[]): number =>
  list.reduce((sum, { strong }) => sum + strong.reduce((s, numbers) => s + numbers.length, 0), 0);

/** Z ← Z − Q(QᵀZ), twice; returns QᵀZ */
function deflate(E: Engine, Z: Tall, Q: readonly Tall[]): number[] {
  const column = Q.map(() => 0);
  for (let pass = 0; pass < 2; pass++)
    for (const [j, q] of Q.entries()) {
      const c = E.dot(q, Z);
      column[j]! += c;
      E.combine(Z, 1, Z, -c, q);
    }
  return column;
}

/** The projection to all tangent vectors: a quotient of f's is none of the constraints'. */
function toTangentVectors(E: Engine, on: Constraint, x: Point): (Z: Tall) => void {
  const { parts, metric } = on.traits;
  if (!metric) return (Z) => on.dissolver.tangent(Z, x);
  const whole = (one: Constraint): Constraint => one.traits.quotient?.without ?? one;
  const list = parts?.list.map(({ E, on }) => ({ E, on: whole(on) }));
  return tangentProjector(E, { ...on, traits: { ...on.traits, ...(list && { parts: { ...parts!, list } }) } }, x);
}

/** 1 in the entries that active bounds fix */
function maskOf(E: Engine, n: number, p: number, X: Tall, list: readonly ActiveOf[]): Tall {
  const Z = E.tall(n, p);
  const mask = E.read(Z);
  for (const active of list)
    for (const k of active.strong.keys()) {
      E.fill(Z, 0);
      const own: Numbers = active.strong.map((numbers, other) => (other === k ? numbers : []));
      addGradients(active, Z, X, own);
      for (const [i, z] of E.read(Z).entries()) if (z !== 0) mask[i] = 1;
    }
  E.write(Z, mask);
  return Z;
}
