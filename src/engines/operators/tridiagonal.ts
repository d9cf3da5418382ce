import { type Diagonals, factorDiagonals, transposeDiagonals } from "../../arrays/tridiagonal.js";
import type { Operator, Tall, Tridiagonal } from "../../types.js";
import type { OwnDiagonals } from "../checked/tridiagonals.js";
import type { OperatorHost } from "./operator-host.js";

/** T by its diagonals. Its factors and its transpose are made when they are first needed. */
export function tridiagonalOperator(host: OperatorHost, T: Tridiagonal): Operator {
  const n = T.main.rows;
  const plain: Diagonals = { lower: T.lower.data.slice(), main: T.main.data.slice(), upper: T.upper.data.slice() };
  const inside = ({ lower, main, upper }: Diagonals): OwnDiagonals => ({
    lower: host.tall(n, 1, lower),
    main: host.tall(n, 1, main),
    upper: host.tall(n, 1, upper),
  });
  const D = inside(plain);
  let transposed: OwnDiagonals | undefined;
  let factors: OwnDiagonals | undefined;
  /** D with another main diagonal */
  let raised: OwnDiagonals | undefined;
  return {
    rows: n,
    cols: n,
    flops: 5 * n,
    apply: (Y, X, a, b) => host.tridiagonal("apply", Y, D, X, a, b),
    applyT: (Y, X, a, b) => host.tridiagonal("applyT", Y, (transposed ??= inside(transposeDiagonals(plain))), X, a, b),
    solve: (Y, X) => host.tridiagonalSolve(Y, (factors ??= inside(factorDiagonals(plain))), X),
    applyWithDiagonal(Y, r, X) {
      raised ??= { ...D, main: host.tall(n, 1, plain.main) };
      host.combine(raised.main, 1, D.main, 1, r as Tall);
      host.tridiagonal("applyWithDiagonal", Y, raised, X);
    },
  };
}
