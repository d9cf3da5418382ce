import type { Matrix, MatrixLike, Sparse } from "@expen/linalg";
import { bool, chosenOptions, digits } from "@expen/linalg";
import { columnsOption, type Description, describe, row, TOLERANCE } from "./description.js";
import { type EigsAnswer, eigs } from "./eigen/eigs.js";
import { type CountOptions, countSchema } from "./eigen/eigs-options.js";

/** Options of `generalizedEigen`: the number and the end of the eigenvalues, and limits */
export interface GeneralizedEigenOptions extends CountOptions {
  /** compute the largest eigenvalues instead of the smallest */
  largest?: boolean;
}

/** The answer of `eigs` for the pencil */
export interface GeneralizedEigenAnswer extends EigsAnswer {
  /** ‖AX − BX·Diag(values)‖ */
  residual: number;
}

/**
 * The p smallest or largest eigenvalues of A·x = λ·B·x, A symmetric, B symmetric positive definite, with eigenvectors, XᵀBX = I: `eigs`
 * of `expen/eigen`, for two matrices and in one word for each end of the spectrum.
 */
export async function generalizedEigen(
  A: MatrixLike,
  B: MatrixLike,
  options: GeneralizedEigenOptions = {} as GeneralizedEigenOptions,
): Promise<GeneralizedEigenAnswer> {
  const { largest = false, ...o } = chosenOptions("eigen", options, { ...countSchema, largest: bool });
  const answer = await eigs(A, { ...o, B, which: largest ? "largest" : "smallest" });
  return { ...answer, residual: Math.hypot(...answer.residuals) };
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
    TOLERANCE,
  ],
  isDirect: true,
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
