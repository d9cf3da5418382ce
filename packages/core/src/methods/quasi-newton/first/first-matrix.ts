import type { Space, Tall } from "@expen/linalg";
import type { Geometry, Precondition } from "../../../contracts/method.js";
import { onTangentSpace } from "../../precondition/tangent.js";
import type { Watch } from "../../precondition/watch.js";

/** A curvature pair: a step s = t·D and the change y of the gradient along it, with ⟨D, D⟩ and ⟨D, y⟩ */
export interface CurvaturePair<V> {
  readonly t: number;
  readonly D: V;
  readonly y: V;
  readonly dd: number;
  readonly dy: number;
}

/** A curvature pair in ℝⁿˣᵖ */
export type Pair = CurvaturePair<Tall>;

/** A trial step along D; `change` makes y, the change of the gradient along it. */
export interface Trial<V> extends Pick<CurvaturePair<V>, "t" | "D"> {
  change(): V;
}

/** The pairs i ≥ start of the block update, with M = SᵀY of them; until the memory changes */
export interface NewestPairs<V> {
  readonly start: number;
  /** y_start, … */
  readonly ys: readonly V[];
  /** r_i ← (M⁻¹q)_i for i ≥ start; r may be q */
  solve(r: Float64Array, q: Float64Array): void;
}

/** The first matrix H₀ of a quasi-Newton method: the inverse Hessian as far as it is known without the stored pairs */
export interface FirstMatrix<V = Tall> {
  /** its size is known too: 1 is a good first step, also without pairs */
  readonly scaled: boolean;
  /** γ if H₀ = γ·I; `apply` is not called then */
  readonly multiple?: LazyNumber | undefined;
  /** R ← H₀·Q at the point X */
  apply(R: V, X: Tall, Q: V): void;
  /** To be called at X when a run starts there, without a pair, and when a step has led there. */
  learn(X: Tall, pair?: CurvaturePair<V>): void;
  /** Requests the inner products of `learn` at a trial point, so that they travel with its slope. */
  prepare?(trial: Trial<V>): void;
  /** Compares candidates for H₀ on the newest pairs, after `learn` of a pair that was stored; `scratch` is written. */
  compare?(X: Tall, newest: () => NewestPairs<V>, scratch: V): void;
  /** Back to the identity, until it learns again; false where it was that already. */
  forget(): boolean;
}

/** A number that is computed at its first use, from ⟨y, y⟩ of the newest pair if that is known there */
export interface LazyNumber {
  readonly isPending: boolean;
  value(yy?: number): number;
}

export function lazyNumber(first: number): LazyNumber & { set(by: number | ((yy?: number) => number)): void } {
  let value = first;
  let compute: ((yy?: number) => number) | undefined;
  return {
    get isPending() {
      return compute !== undefined;
    },
    value(yy) {
      if (compute) value = compute(yy);
      compute = undefined;
      return value;
    },
    set(by) {
      if (typeof by === "number") [value, compute] = [by, undefined];
      else compute = by;
    },
  };
}

/** γ·I with γ = ⟨s, y⟩/⟨y, y⟩ of the newest pair */
export function scaledIdentity(E: Space): FirstMatrix {
  const gamma = lazyNumber(1);
  return {
    scaled: false,
    multiple: gamma,
    apply: (R, _X, Q) => E.combine(R, gamma.value(), Q, 0, Q),
    learn(_X, pair) {
      if (pair && pair.dy > 0) gamma.set((yy = E.dot(pair.y, pair.y)) => (pair.t * pair.dy) / yy);
    },
    forget: () => false,
  };
}

/**
 * γ·ΠPΠᵀ with γ = ⟨s, y⟩/⟨y, ΠPΠᵀ·y⟩ of the newest pair, Π the projector to the tangent space. `learn`: of a P that learns on the way;
 * `watch`: judges P. Holds 2 n×p matrices.
 */
export function scaledPreconditioner(
  E: Space,
  n: number,
  p: number,
  geometry: Geometry,
  precondition: Precondition,
  { learn, watch }: { learn?: ((pair: Pair, X: Tall) => void) | undefined; watch?: Watch | undefined } = {},
): FirstMatrix {
  const Z = E.tall(n, p);
  const tangent = onTangentSpace(E, n, p, geometry, precondition);
  let gamma = 1;
  let isTrusted = true;
  return {
    scaled: false,
    apply(R, X, Q) {
      if (!isTrusted) return E.copy(R, Q);
      tangent(Z, X, Q);
      E.combine(R, gamma, Z, 0, Z);
    },
    learn(X, pair) {
      isTrusted = true;
      if (!pair || !(pair.dy > 0)) return;
      learn?.(pair, X);
      tangent(Z, X, pair.y);
      const [sy, yPy] = [pair.t * pair.dy, E.dot(pair.y, Z)];
      watch?.requirePositive(yPy);
      watch?.see(pair.t, pair.D, pair.y, Z);
      gamma = sy / yPy;
    },
    forget() {
      const before = isTrusted;
      isTrusted = false;
      return before;
    },
  };
}
