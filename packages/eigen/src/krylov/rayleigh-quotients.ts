import type { Engine, Tall } from "@expen/linalg";

/**
 * The Rayleigh quotients of the columns of X, of length 1, ascending, and the norms of their residuals: θ = xᵀBx and ‖Bx − θx‖.
 * `product` has B·X, and is overwritten.
 */
export function rayleighQuotients(
  E: Engine,
  X: Tall,
  product: Tall,
): { readonly theta: Float64Array; readonly residual: Float64Array } {
  const p = X.cols;
  const S = E.small(p, p);
  const diagonal = (): Float64Array => {
    const numbers = E.read(S);
    return Float64Array.from({ length: p }, (_, j) => numbers[j * (p + 1)]!);
  };
  E.tmul(S, X, product);
  const quotients = diagonal();
  const Θ = new Float64Array(p * p);
  quotients.forEach((value, j) => void (Θ[j * (p + 1)] = value));
  E.write(S, Θ);
  E.mul(product, X, S, -1, 1);
  E.gram(S, product);
  const squares = diagonal();
  const order = Array.from(quotients.keys()).sort((i, j) => quotients[i]! - quotients[j]!);
  return {
    theta: Float64Array.from(order, (j) => quotients[j]!),
    residual: Float64Array.from(order, (j) => Math.sqrt(squares[j]!)),
  };
}
