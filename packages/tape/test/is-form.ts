/** Whether f is ½⟨X, BXC⟩ + ⟨L, X⟩ + constant, worked out from the numbers of its Hessian. */

import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { svd } from "@expen/linalg/dense";
import type { TapeObjective } from "../src/index.js";

/** The numbers of ∂²f/∂x_ij∂x_kl at a random X of about this size, (i, k) by (j, l) */
function rearrangedHessian(E: Engine, { n, p, linearize }: TapeObjective, seed: number, size: number): Float64Array {
  const { normal } = random(seed, "odd forms");
  const [X, V, H] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  E.write(X, () => size * normal());
  const hessian = linearize(X);
  const K = new Float64Array(n * n * p * p);
  for (let k = 0; k < n; k++) {
    for (let l = 0; l < p; l++) {
      E.write(
        V,
        Float64Array.from({ length: n * p }, (_, at) => Number(at === k * p + l)),
      );
      hessian(H, V);
      const h = E.read(H);
      for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) K[(i * n + k) * p * p + j * p + l] = h[i * p + j]!;
    }
  }
  return K;
}

/** The Hessian is the same at two points, its matrix of (i, k) by (j, l) has rank one or none, and both sides are symmetric. */
export function isForm(E: Engine, f: TapeObjective, far = 1e3): boolean {
  const { n, p } = f;
  const [K, other] = [rearrangedHessian(E, f, 1, 1), rearrangedHessian(E, f, 2, far)];
  const largest = Math.max(...K.map(Math.abs));
  if (other.some((v, k) => Math.abs(v - K[k]!) > 1e-8 * largest)) return false;
  const q = p * p;
  /** (k, i) for (i, k) */
  const turned = (row: number): number => (row % n) * n + Math.floor(row / n);
  if (K.some((v, at) => Math.abs(v - K[turned(Math.floor(at / q)) * q + (at % q)]!) > 1e-10 * largest)) return false;
  const { s } = svd(E, E.small(n * n, q, K));
  return s.length < 2 || s[1]! <= 1e-10 * s[0]!;
}
