import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";
import { orthonormalizer } from "./qr.js";

/** The thin decomposition A = U·Diag(s)·Vᵀ by `E.factor.svd`, in new matrices; U has the kind of A. */
export function svd<M extends Tall | Small>(E: Engine, A: M): { U: M; s: Float64Array; V: Small };
export function svd(E: Engine, A: Tall | Small): { U: Tall | Small; s: Float64Array; V: Small } {
  if (A.kind === "tall") return tallSvd(E, A);
  const k = Math.min(A.rows, A.cols);
  const [U, s, V] = [E.small(A.rows, k), new Float64Array(k), E.small(A.cols, k)];
  E.factor.svd(U, s, V, A);
  return { U, s, V };
}

/** U = Q·W from A = Q·R and R = W·Diag(s)·Vᵀ */
function tallSvd(E: Engine, A: Tall): { U: Tall; s: Float64Array; V: Small } {
  const { rows: n, cols: p } = A;
  const [Q, U] = [E.tall(n, p), E.tall(n, p)];
  const [R, W, V, s] = [E.small(p, p), E.small(p, p), E.small(p, p), new Float64Array(p)];
  orthonormalizer(E, n, p, U)(Q, A, R);
  E.factor.svd(W, s, V, R);
  E.mul(U, Q, W);
  return { U, s, V };
}
