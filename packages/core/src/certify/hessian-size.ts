import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { UNIT_ROUNDOFF } from "@expen/linalg/arrays";
import { norm } from "@expen/linalg/dense";
import type { Hessian } from "../objective/differences.js";

/**
 * √m·‖H[Z]‖ for a random unit Z of m numbers, which is ‖H‖_F in the mean of squares, what the engine counted of that product, and m
 */
export function sizeOfHessian(E: Engine, n: number, p: number, H: Hessian, seed: number) {
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
  /** of ∇²f on all matrices, tangent or not */
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
 * Rounding of a curvature, at most, for matrices of m numbers. A product ∇²f[D] is rounded relative to all that it is made of, and
 * so is the tangent part of it, however small: f is taken to be no worse than 16√m·u of it. Forward differences are off by the third
 * derivative, taken for no larger than the second one and the gradient, and by the rounding of gradients over the step. Where all
 * products are known, what they lack of symmetry is twice the skew half of the error: the other half is taken for no larger than that.
 */
export function curvatureRounding(m: number, exact: boolean, of: Sizes): number {
  const { hessian, raw, scale, gradient, asymmetry } = of;
  if (!exact) return 1e-6 * (raw + gradient) + 1e-7 * hessian + asymmetry;
  return 1e-10 * scale + 1e-13 * gradient + 16 * Math.sqrt(m) * UNIT_ROUNDOFF * (hessian + raw) + asymmetry;
}
