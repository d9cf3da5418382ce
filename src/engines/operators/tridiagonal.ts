import { type Diagonals, factorDiagonals, transposeDiagonals } from "../../arrays/tridiagonal.js";
import type { Operator, Tridiagonal } from "../../types.js";
import type { OperatorHost } from "./host.js";

/** T by its diagonals. Its factors and its transpose are made when they are first needed. */
export function tridiagonalOperator(host: OperatorHost, T: Tridiagonal): Operator {
  const n = T.main.rows;
  const plain: Diagonals = { lower: T.lower.data.slice(), main: T.main.data.slice(), upper: T.upper.data.slice() };
  const inside = ({ lower, main, upper }: Diagonals): Tridiagonal => ({
    lower: host.make(n, 1, lower),
    main: host.make(n, 1, main),
    upper: host.make(n, 1, upper),
  });
  const D = inside(plain);
  let transposed: Tridiagonal | undefined;
  let factors: Tridiagonal | undefined;
  /** D with another main diagonal */
  let raised: Tridiagonal | undefined;
  return {
    rows: n,
    cols: n,
    flops: 5 * n,
    apply: (Y, X, a, b) => host.tridiagonal(Y, D, X, a, b),
    applyT: (Y, X, a, b) => host.tridiagonal(Y, (transposed ??= inside(transposeDiagonals(plain))), X, a, b),
    solve: (Y, X) => host.tridiagonalSolve(Y, (factors ??= inside(factorDiagonals(plain))), X),
    applyWithDiagonal(Y, r, X) {
      raised ??= { ...D, main: host.make(n, 1, plain.main) };
      host.combine(raised.main, 1, D.main, 1, r);
      host.tridiagonal(Y, raised, X);
    },
  };
}
