/** Eigenpairs of a pencil by the method that suits it. */
import type { Result } from "@expen/core";
import { digits, ProblemError } from "@expen/linalg";
import type { Target } from "./completeness.js";
import { type CheckedOptions, NAME } from "./eigs-options.js";
import { fromRows } from "./own-rows.js";
import { type Pencil, requireScale } from "./pencil.js";
import { type RitzPairs, ritzPairs } from "./ritz.js";
import type { RunOptions, SolveOptions } from "./run-options.js";
import { nearestPairs, shiftBelow } from "./shift-invert.js";
import { type ShiftedPencil, shiftedPencil } from "./shifted-pencil.js";
import { endOfSpectrum, nearestByProducts, negative } from "./spectrum-end.js";
import { wholeSpectrum } from "./whole.js";

/** Size up to which all eigenpairs take milliseconds, share of them from which all take as long, and size up to which memory holds all */
const [SMALL, SHARE, LARGEST] = [256, 1 / 3, 4000];
export interface Solution {
  readonly pairs: RitzPairs;
  readonly method: string;
  readonly solves?: number;
  readonly run?: Result;
  readonly notes?: string[];
  /** of this pencil, where a run has analysed it */
  readonly shifted?: ShiftedPencil | undefined;
}

export async function eigenpairs(
  pencil: Pencil,
  target: Target,
  o: CheckedOptions,
  residual: number,
): Promise<Solution> {
  const { E, n, B } = pencil;
  const { p } = o;
  if (!E.ranks && n <= LARGEST && (n <= SMALL || p > SHARE * n)) {
    return {
      pairs: ritzPairs(pencil, wholeSpectrum(NAME, pencil)),
      method: "all eigenvectors, by a dense factorization",
    };
  }
  requireScale(NAME, "A", pencil.A.norm);
  const { seed, signal: stop, maxSeconds, maxEvaluations } = o;
  const limits: SolveOptions = Object.fromEntries(
    Object.entries({ seed, signal: stop, maxSeconds, maxEvaluations }).filter(([, value]) => value !== undefined),
  );
  const options: RunOptions = { ...limits, tol: residual, precondition: o.preconditioner };
  const fromRun = (run: Result, method: string): Solution => ({
    pairs: ritzPairs(pencil, fromRows(E, n, run.X)),
    run,
    method,
  });
  if (target.which !== "nearest" && !B) {
    const run = await endOfSpectrum(pencil, p, target.which === "largest", options);
    return fromRun(run, `${run.run.method}: ${run.run.why}`);
  }
  // the largest are the smallest of −A − λB
  const turned = target.which === "largest" ? turn(pencil) : pencil;
  const shifted = shiftedPencil(turned);
  const sigma = target.which === "nearest" ? target.sigma : shifted && shiftBelow(shifted);
  if (shifted && sigma !== undefined) {
    const near = await nearestPairs(NAME, turned, shifted, sigma, p, { ...limits, residual });
    const method = `Krylov spaces of (A − σB)⁻¹ by a factorization, σ = ${digits(turned === pencil ? near.sigma : -near.sigma, 6)}`;
    if (turned === pencil) return { ...near, method, shifted };
    return { ...near, pairs: mirrored(near.pairs), method };
  }
  if (target.which !== "nearest") {
    const run = await endOfSpectrum(pencil, p, target.which === "largest", options);
    return fromRun(run, `${run.run.method}: ${run.run.why}`);
  }
  if (B)
    throw new ProblemError(
      `${NAME}: A − σB cannot be factorized here: ${reasonAgainst(pencil)}; ask for the smallest or the largest.`,
    );
  const run = await nearestByProducts(pencil, p, target.sigma, { ...options, tol: residual * pencil.A.norm });
  const notes = [
    `A − σI cannot be factorized here (${reasonAgainst(pencil)}): the eigenvectors are those of (A − σI)², which converge slowly`,
  ];
  return { ...fromRun(run, "products with (A − σI)²"), notes };
}

const turn = ({ A, ...rest }: Pencil): Pencil => ({
  ...rest,
  A: {
    ...A,
    ...(A.matrix && { matrix: negative(A.matrix) }),
    apply(Y, X) {
      A.apply(Y, X);
      rest.E.combine(Y, -1, Y, 0, Y);
    },
  },
});

/** Pairs of A from those of −A, ascending again */
function mirrored({ theta, X, residual, defect }: RitzPairs): RitzPairs {
  const { rows, cols, data } = X;
  const x = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) x[i * cols + j] = data[i * cols + cols - 1 - j]!;
  const values = theta.map((v) => -v).reverse();
  return { theta: values, X: { rows, cols, data: x }, residual: residual.slice().reverse(), defect };
}

/** Why A − σB cannot be factorized, in words */
export function reasonAgainst({ E, A, B }: Pencil): string {
  if (E.ranks) return "rows are distributed";
  if (A.matrix && B && !B.matrix) return "B is a function, and no matrix that could be factorized";
  return A.matrix ? "its factors would be too large" : "A is a function, and no matrix that could be factorized";
}
