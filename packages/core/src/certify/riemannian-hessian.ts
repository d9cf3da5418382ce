import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { UNIT_ROUNDOFF, unitScale } from "@expen/linalg/arrays";
import { type Lowest, norm } from "@expen/linalg/dense";
import type { Measured } from "../contracts/certificate.js";
import type { Constraint } from "../contracts/constraint.js";
import type { Objective } from "../contracts/objective.js";
import { pointOf } from "../manifolds/point.js";
import { tangentProjector } from "../manifolds/tangent-projector.js";
import { forwardHessian, type Hessian, hessianAt } from "../objective/hessian-at.js";

/** Curvatures within 1/SQUARES … SQUARES have squares that neither over- nor underflow; others are scaled. */
const SQUARES = 1e100;

/** unit·P_X(∇²f[D] − D·S) after `project`, for B ≠ I unit·A'ᵀ∘(∇²f − B·S)∘A', which has as many negative eigenvalues */
export interface RiemannianHessian {
  apply(Y: Tall, D: Tall): void;
  project(Z: Tall): void;
  /** a power of two, which rounds no number; known after the first product */
  readonly unit: number;
  /** of f itself, not of differences of its gradient */
  readonly exact: boolean;
  /** Measures the size of ∇²f by a product with a random matrix, and returns its flops; 0 where f does not use the engine. */
  measure(): number;
  /** numbers of a matrix */
  readonly m: number;
  /** Bound of the roundoff of an eigenvalue */
  roundingOf(ends: Lowest): number;
}

/** The Hessian at X. Its size is that of `measure`, or of the first product, which must then be one with a random tangent matrix. */
export function riemannianHessian(
  E: Engine,
  f: Objective,
  on: Constraint,
  point: Measured,
  seed: number,
): RiemannianHessian {
  const { S, lambda, measures } = point;
  const { n, p } = f;
  const { H, exact } = hessianOf(E, f, on, point);
  const m = point.R.size ?? n * p;
  const multiplier = Math.max(Math.abs(lambda[0] ?? 0), Math.abs(lambda.at(-1) ?? 0));
  let [size, unit] = [Number.NaN, 1];
  /** of a random unit matrix in a space of this dimension the mean of ‖H[Z]‖² is ‖H‖_F² over the dimension */
  function setSize(HZ: Tall, dimension: number): void {
    size = Math.sqrt(dimension) * norm(E, HZ);
    const largest = Math.max(size, multiplier);
    unit = largest > 1 / SQUARES && largest < SQUARES ? 1 : unitScale(largest);
  }
  const { dissolver, traits } = on;
  const J = traits.metric && E.tall(n, p);
  const isTangentSpace = !(traits.metric ?? traits.quotient ?? traits.parts);
  const along = pointOf(E, on);
  /** ‖∇²f[A'D] − BA'DS‖ before A'ᵀ */
  let inner = 0;
  return {
    project: isTangentSpace ? (Z) => dissolver.tangent(Z, point) : tangentProjector(E, on, point),
    get unit() {
      return unit;
    },
    exact,
    m,
    measure() {
      const [Z, HZ] = [E.tall(n, p), E.tall(n, p)];
      E.write(Z, random(seed, "size of the Hessian").normal);
      E.combine(Z, 1 / Math.sqrt(E.dot(Z, Z)), Z, 0, Z);
      const { flops, entries } = E.counters;
      H(HZ, Z);
      const work = E.counters.flops - flops + E.counters.entries - entries;
      setSize(HZ, m);
      // a difference of gradients itself makes three passes, which are no flops of f
      return exact || work > 3 * m ? work : 0;
    },
    apply(Y, D) {
      if (J) dissolver.direction(J, point, along(D));
      H(Y, J ?? D);
      if (Number.isNaN(size)) setSize(Y, on.dimension);
      dissolver.shift(Y, along(J ?? D), point, S);
      if (unit !== 1) E.combine(Y, unit, Y, 0, Y);
      if (!J) return;
      inner = Math.max(inner, norm(E, Y));
      dissolver.tangent(Y, point);
    },
    /**
     * The roundoff of ∇²f[D], and of its tangent part, is relative to its terms; the assumption is 16√m·u of them. Forward differences have
     * the error of the third derivative, assumed no larger than the second one and the gradient, and the roundoff of gradients over the
     * step. The asymmetry ‖K − Kᵀ‖ of all products is twice the skew part of the error; the symmetric part is assumed no larger.
     */
    roundingOf({ raw: tangent, scale, asymmetry }) {
      const raw = Math.max(inner, tangent) + multiplier * unit;
      const gradient = measures.gradient * unit;
      if (!exact) return 1e-6 * (raw + gradient) + 1e-7 * size * unit + asymmetry;
      return 1e-10 * scale + 1e-13 * gradient + 16 * Math.sqrt(m) * UNIT_ROUNDOFF * (size * unit + raw) + asymmetry;
    },
  };
}

/** f's own Hessian, or forward differences from ∇f(X) = R + BXS; never the Hessian of a declared form, which may not belong to f */
function hessianOf(E: Engine, f: Objective, on: Constraint, point: Measured): { H: Hessian; exact: boolean } {
  const own = hessianAt(f, point.X);
  // those of c along a direction are differences
  if (own) return { H: own, exact: !on.traits.singularity };
  const G = E.tall(f.n, f.p);
  E.copy(G, point.R);
  on.dissolver.normal(G, point, point.S);
  return { H: forwardHessian(E, f, point.X, G), exact: false };
}
