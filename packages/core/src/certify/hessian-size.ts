import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { UNIT_ROUNDOFF } from "@expen/linalg/arrays";
import { norm } from "@expen/linalg/dense";
import type { Hessian } from "../objective/hessian-at.js";

/** √m·‖H[Z]‖ for a random unit Z of m numbers, whose mean square is ‖H‖_F²; the flops and entries counted in that product; and m */
export function sizeOfHessian(
  E: Engine,
  n: number,
  p: number,
  H: Hessian,
  seed: number,
): { size: number; counted: number; m: number } {
  const [Z, HZ] = [E.tall(n, p), E.tall(n, p)];
  E.write(Z, random(seed, "size of the Hessian").normal);
  E.combine(Z, 1 / Math.sqrt(E.dot(Z, Z)), Z, 0, Z);
  const m = E.read(Z).length;
  const { flops, entries } = E.counters;
  H(HZ, Z);
  const counted = E.counters.flops - flops + E.counters.entries - entries;
  return { size: Math.sqrt(m) * norm(E, HZ), counted, m };
}

interface Sizes {
  /** ‖∇²f‖ on ℝⁿˣᵖ */
  readonly hessian: number;
  /** the largest ‖∇²f[D] − DS‖ of a unit D, before its projection to the tangent space, and ‖S‖ */
  readonly raw: number;
  /** the largest |Ritz value| */
  readonly scale: number;
  /** ‖∇f‖ */
  readonly gradient: number;
  /** ‖K − Kᵀ‖ of the matrix of all products */
  readonly asymmetry: number;
}

/**
 * Bound of the roundoff of a curvature, for matrices of m numbers. The roundoff of ∇²f[D], and of its tangent part, is relative to its
 * terms; the assumption is 16√m·u of them. Forward differences have the error of the third derivative, assumed no larger than the second
 * one and the gradient, and the roundoff of gradients over the step. If all products are known, their asymmetry is twice the skew part of
 * the error; the symmetric part is assumed no larger.
 */
export function curvatureRounding(m: number, exact: boolean, of: Sizes): number {
  const { hessian, raw, scale, gradient, asymmetry } = of;
  if (!exact) return 1e-6 * (raw + gradient) + 1e-7 * hessian + asymmetry;
  return 1e-10 * scale + 1e-13 * gradient + 16 * Math.sqrt(m) * UNIT_ROUNDOFF * (hessian + raw) + asymmetry;
}
