/** −½⟨X, CX⟩ with C = AᵀA/(m − 1) through A, for the judge: not the code that is judged. */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";

export function covarianceForm(E: Engine, A: Matrix): QuadraticForm {
  const { apply, applyT } = E.operator(A);
  return {
    apply(Y, X) {
      const AX = E.tall(A.rows, X.cols);
      apply(AX, X);
      applyT(Y, AX, -1 / (A.rows - 1));
    },
  };
}
