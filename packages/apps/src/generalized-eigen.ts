import { generalizedStiefel, type MetricMatrix, quadraticObjective } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { HostMatrix, Matrix, Operator, Sparse } from "@expen/linalg";
import { bool, checkData, checkSizes, checkSymmetric, digits, type MatrixLike, operatorOf, whole } from "@expen/linalg";
import { tallOf } from "@expen/linalg/engine";
import {
  type Application,
  type ApplicationOptions,
  CERTIFICATE_BUDGET,
  columns,
  image,
  optionsOf,
  ritz,
  runOn,
} from "./application.js";
import { columnsOption, type Description, describe, row } from "./description.js";
import { answerOf } from "./model/model.js";

/** Options of `generalizedEigen`: the number and the end of the eigenvalues, and the run */
export interface GeneralizedEigenOptions extends ApplicationOptions {
  /** number of eigenvalues */
  p: number;
  /** compute the largest eigenvalues instead of the smallest */
  largest?: boolean;
}

/** The eigenvalues and eigenvectors of `generalizedEigen` */
export interface GeneralizedEigenAnswer extends Application {
  /** increasing; decreasing for the largest */
  values: number[];
  /** n×p with XᵀBX = I: A·X = B·X·Diag(values) */
  vectors: HostMatrix;
  /** ‖AX − BX·Diag(values)‖ */
  residual: number;
}

/**
 * The p smallest or largest eigenvalues of A·x = λ·B·x, A symmetric, B symmetric positive definite, with eigenvectors: min ±½ tr XᵀAX over
 * XᵀBX = I. An evaluation takes one product with A and one with B, none with B⁻¹. Every second-order point is a global minimum.
 */
export async function generalizedEigen(
  ofA: MatrixLike,
  ofB: MatrixLike,
  user: GeneralizedEigenOptions = {} as GeneralizedEigenOptions,
): Promise<GeneralizedEigenAnswer> {
  const { p, largest = false, ...o } = optionsOf("eigen", user, { p: whole(1), largest: bool });
  const [A, B] = [operatorOf("eigen", "A", ofA), operatorOf("eigen", "B", ofB)];
  const n = A.rows;
  checkSizes("eigen", n, p);
  checkData("eigen", "A", A, n, n);
  checkSymmetric("eigen", "A", A);
  checkData("eigen", "B", B, n, n);
  return withEngine(o.engine, async (E) => {
    const [opA, opB]: Operator[] = [E.operator(A), E.operator(B)];
    const sign = largest ? -1 : 1;
    const f = quadraticObjective(E, n, p, { apply: (Y, X) => opA!.apply(Y, X, sign) });
    const options = { certificateBudget: CERTIFICATE_BUDGET, ...o };
    const run = await runOn(E, f, generalizedStiefel(B as MetricMatrix, p), options);
    const S = E.small(p, p);
    E.tmul(S, tallOf(E, run.X), image(E, opA!, run.X));
    const { basis, values: falling } = ritz(E, run.X, S);
    const order = Array.from({ length: p }, (_, j) => (largest ? j : p - 1 - j));
    const [vectors, values] = [columns(basis, order), order.map((j) => falling[j]!)];

    const R = image(E, opA!, vectors);
    const Λ = E.small(p, p);
    E.write(
      Λ,
      Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? values[k % p]! : 0)),
    );
    E.mul(R, image(E, opB!, vectors), Λ, -1, 1);
    return answerOf({ values, vectors, residual: Math.sqrt(E.dot(R, R)), run });
  });
}

export const description: Description = describe({
  name: "eigen",
  summary: "generalised eigenvalues, A·x = λ·B·x",
  files: [
    { name: "A", help: "symmetric, dense or sparse", holds: "operator" },
    { name: "B", help: "symmetric positive definite, dense or sparse", holds: "operator" },
  ],
  options: [
    columnsOption("number of eigenvalues"),
    { name: "largest", type: "boolean", help: "the largest instead of the smallest" },
  ],
  example: "A.mtx B.mtx --p 3 --out vectors.npy",
  parts: ["vectors"],
  solve: ([A, B]: [Matrix | Sparse, Matrix | Sparse], o: GeneralizedEigenOptions) => generalizedEigen(A, B, o),
  report: ({ values, vectors, residual }) => ({
    saved: { name: "eigenvectors", matrix: vectors },
    lines: [
      ["eigenvalues", row(values, 8)],
      ["residual ‖AX − BXΛ‖", digits(residual)],
    ],
    numbers: { values, residual },
  }),
});
