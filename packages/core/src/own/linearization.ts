/** The Jacobian J of c at a point, and solutions of JJᵀw = r. */

import type { Engine, Small, Tall } from "@expen/linalg";
import { isSame } from "@expen/linalg/engine";
import type { Equations } from "./equations.js";

/** Eigenvalues of JJᵀ below this part of the largest one belong to equations that follow from the others. */
const REDUNDANT = 1e-10;
/** Points whose Jacobians are kept: the current one and a trial point */
const CAPACITY = 2;

export interface Linearization {
  /** rows of J that are independent */
  readonly rank: number;
  /** ‖J‖₂ */
  readonly norm: number;
  /** w ← (JJᵀ)⁺w */
  solve(w: Float64Array): void;
  /** r ← JZ */
  multiply(r: Float64Array, Z: Tall): void;
  /** Z ← Jᵀw + b·Z */
  adjoint(Z: Tall, w: Float64Array, b?: number): void;
}

interface Slot extends Linearization {
  readonly X: Tall;
  /** forms J and the eigenvectors of JJᵀ; false where they are not finite */
  form(X: Tall): boolean;
}

export interface Linearizations {
  /** J(X), undefined where it is not finite. The last ones are kept: at a point with the same numbers it costs a pass. */
  at(X: Tall): Linearization | undefined;
  /** The same until the next call, for a point that is passed on the way */
  passing(X: Tall): Linearization | undefined;
}

export function linearizations(E: Engine, c: Equations, n: number, p: number): Linearizations {
  /** the newest first */
  const slots: Slot[] = [];
  let scratch: Slot | undefined;
  return {
    at(X) {
      const known = slots.findIndex((slot) => isSame(E, slot.X, X));
      const [slot = newSlot(E, c, n, p)] = slots.splice(known >= 0 ? known : CAPACITY - 1, 1);
      if (known < 0 && !slot.form(X)) return undefined;
      slots.unshift(slot);
      return slot;
    },
    passing(X) {
      scratch ??= newSlot(E, c, n, p);
      return scratch.form(X) ? scratch : undefined;
    },
  };
}

function newSlot(E: Engine, c: Equations, n: number, p: number): Slot {
  const m = c.size;
  const rows = Array.from({ length: m }, () => E.tall(n, p));
  const [V, S]: [Small, Small] = [E.small(m, m), E.small(m, m)];
  const [eigenvalues, products, vectors, inBasis] = [m, m * m, m * m, m].map((size) => new Float64Array(size)) as Four;
  const X = E.tall(n, p);
  let first = 0;
  return {
    X,
    get rank() {
      return m - first;
    },
    get norm() {
      return Math.sqrt(Math.max(0, eigenvalues[m - 1]!));
    },
    form(at) {
      c.jacobian(rows, at);
      for (let i = 0; i < m; i++) E.dots(products.subarray(i * m, (i + 1) * m), rows, m, rows[i]!);
      if (!products.every(Number.isFinite)) return false;
      E.copy(X, at);
      E.write(S, products);
      E.factor.eigh(V, eigenvalues, S);
      E.read(V, vectors);
      const least = REDUNDANT * eigenvalues[m - 1]!;
      first = eigenvalues.findIndex((value) => value > least);
      if (first < 0) first = m;
      return true;
    },
    solve(w) {
      inBasis.fill(0);
      for (let i = 0; i < m; i++) for (let k = first; k < m; k++) inBasis[k]! += vectors[i * m + k]! * w[i]!;
      for (let k = first; k < m; k++) inBasis[k]! /= eigenvalues[k]!;
      w.fill(0);
      for (let i = 0; i < m; i++) for (let k = first; k < m; k++) w[i]! += vectors[i * m + k]! * inBasis[k]!;
    },
    multiply: (r, Z) => E.dots(r, rows, m, Z),
    adjoint: (Z, w, b = 0) => E.combination(Z, w, rows, m, b),
  };
}

type Four = [Float64Array, Float64Array, Float64Array, Float64Array];
