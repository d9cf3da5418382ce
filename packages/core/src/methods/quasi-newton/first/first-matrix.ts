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

/** The first matrix H₀ of a quasi-Newton method: the inverse Hessian as far as it is known without the stored pairs */
export interface FirstMatrix<V = Tall> {
  /** its size is known too: 1 is a good first step, also without pairs */
  readonly scaled: boolean;
  /** where H₀ = γ·I: gives γ, which may take an inner product; then `apply` is not called */
  readonly multiple?: (() => number) | undefined;
  /** R ← H₀·Q at the point X */
  apply(R: V, X: Tall, Q: V): void;
  /** To be called at X when a run starts there, without a pair, and when a step has led there. */
  learn(X: Tall, pair?: CurvaturePair<V>): void;
  /** Where rows are spread over processes: makes the inner products of `learn` ahead, should this trial point be accepted. */
  foresee?(trial: Trial<V>): void;
  /** Back to the identity, until it learns again; false where it was that already. */
  forget(): boolean;
}

/** A number that is computed at its first use: its inner products are then made with others of the same matrices. */
export function lazyNumber(first: number): { value(): number; set(compute: () => number): void } {
  let value = first;
  let compute: (() => number) | undefined;
  return {
    value() {
      if (compute) value = compute();
      compute = undefined;
      return value;
    },
    set(by) {
      compute = by;
    },
  };
}

/** γ·I with γ = ⟨s, y⟩/⟨y, y⟩ of the newest pair */
export function scaledIdentity(E: Space): FirstMatrix {
  const gamma = lazyNumber(1);
  return {
    scaled: false,
    multiple: gamma.value,
    apply: (R, _X, Q) => E.combine(R, gamma.value(), Q, 0, Q),
    learn(_X, pair) {
      if (pair && pair.dy > 0) gamma.set(() => (pair.t * pair.dy) / E.dot(pair.y, pair.y));
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
