import type { Space } from "../../space.js";
import type { Geometry, Precondition, Tall } from "../../types.js";
import { onTangentSpace } from "../precondition/tangent.js";
import type { Watch } from "../precondition/watch.js";

/** A step s = t·D and the change y of the gradient along it, with ⟨D, D⟩ and ⟨D, y⟩. */
export interface Pair {
  readonly t: number;
  readonly D: Tall;
  readonly y: Tall;
  readonly dd: number;
  readonly dy: number;
}

/** A trial step along D; `change` makes y, the change of the gradient along it. */
export interface Trial extends Pick<Pair, "t" | "D"> {
  change(): Tall;
}

/** The first matrix H₀ of a quasi-Newton method: what is known of the inverse Hessian without the pairs that are kept. */
export interface FirstMatrix {
  /** its size is known too, so that 1 is a good step before there are pairs */
  readonly scaled: boolean;
  /** where H₀ = c·I: gives c, which may take a sum; then nothing is applied */
  readonly multiple?: () => number;
  /** R ← H₀·Q at the point X */
  apply(R: Tall, X: Tall, Q: Tall): void;
  /** To be called at X when a run starts there, without a pair, and when a step has led there. */
  learn(X: Tall, pair?: Pair): void;
  /** Where sums over rows are messages: asks ahead for those of `learn`, should this trial point be accepted and learning be due. */
  foresee?(trial: Trial): void;
  /** Back to the identity, until it learns again; false where it was that already. */
  forget(): boolean;
}

/** A number that is measured when it is first asked for, with other sums of the same matrices. */
export function measuredWhenAsked(first: number): { value(): number; is(measure: () => number): void } {
  let value = first;
  let measure: (() => number) | undefined;
  return {
    value() {
      if (measure) value = measure();
      measure = undefined;
      return value;
    },
    is(by) {
      measure = by;
    },
  };
}

/** γ·I with γ = ⟨s, y⟩/⟨y, y⟩ of the newest pair */
export function scaledIdentity(E: Space): FirstMatrix {
  const gamma = measuredWhenAsked(1);
  return {
    scaled: false,
    multiple: gamma.value,
    apply: (R, _X, Q) => E.combine(R, gamma.value(), Q, 0, Q),
    learn(_X, pair) {
      if (pair && pair.dy > 0) gamma.is(() => (pair.t * pair.dy) / E.dot(pair.y, pair.y));
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
  let trusted = true;
  return {
    scaled: false,
    apply(R, X, Q) {
      if (!trusted) return E.copy(R, Q);
      tangent(Z, X, Q);
      E.combine(R, gamma, Z, 0, Z);
    },
    learn(X, pair) {
      trusted = true;
      if (!pair || !(pair.dy > 0)) return;
      learn?.(pair, X);
      tangent(Z, X, pair.y);
      const [sy, yPy] = [pair.t * pair.dy, E.dot(pair.y, Z)];
      watch?.requirePositive(yPy);
      watch?.see(pair.t, pair.D, pair.y, Z);
      gamma = sy / yPy;
    },
    forget() {
      const before = trusted;
      trusted = false;
      return before;
    },
  };
}
