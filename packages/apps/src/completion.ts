import type { UserObjective } from "@expen/core";
import { grassmann } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Sparse } from "@expen/linalg";
import { checkData, digits, type MatrixLike, operatorOf, ProblemError, positive, whole } from "@expen/linalg";
import { choleskyInPlace, isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import { numbersOf } from "@expen/linalg/engine";
import { type Application, type ApplicationOptions, isAborted, optionsOf, runOn } from "./application.js";
import { columnsOption, type Description, describe } from "./description.js";
import { svds } from "./eigen/svds.js";
import { answerOf } from "./model/model.js";
import { requireRank } from "./truncated-svd.js";

/** Residual of the start, singular vectors of the known entries, over their norm: it is far from the answer */
const START_TOLERANCE = 1e-3;

/** Options of `completion`: the rank, the regularisation, and the run */
export interface CompletionOptions extends ApplicationOptions {
  /** rank of the matrix */
  p: number;
  /** regularisation: λ is `ridge` times the mean square of the known entries */
  ridge?: number;
}

/** The matrix of low rank that `completion` finds, with its factors */
export interface CompletionAnswer extends Application {
  /** n×p orthonormal, the span of the rows */
  basis: HostMatrix;
  /** m×p: M ≈ coefficients·basisᵀ */
  coefficients: HostMatrix;
  /** m×n, with all entries */
  completed: HostMatrix;
  /** root mean square residual at the known entries, relative to that of the entries */
  relativeResidual: number;
}

/**
 * A matrix of low rank from some of its entries: the stored ones of a sparse M, those other than NaN of a dense M. The span U of the rows
 * is a point of a Grassmannian; the coefficients of each row solve least squares at its known entries [Dai, Milenkovic, Kerman 2011]:
 *
 *     f(U) = ½Σ_i min_c ( ‖(U·c − m_i) at the known‖² + λ‖c‖² ),   ∇f(U) = Σ_i (U·c_i − m_i at the known)·c_iᵀ.
 */
export async function completion(
  source: MatrixLike,
  options: CompletionOptions = {} as CompletionOptions,
): Promise<CompletionAnswer> {
  const { p, ridge = 1e-8, ...o } = optionsOf("completion", options, { p: whole(1), ridge: positive });
  const M = operatorOf("completion", "M", source);
  const { rows: m, cols: n } = M;
  requireRank("completion", p, { m, n });
  if (!(ridge > 0)) throw new ProblemError(`completion: ridge is ${ridge}; it must be a positive number.`);
  return withEngine(o.engine, async (E) => {
    const known = isSparse(M) ? M : knownEntries(m, n, numbersOf(E, M));
    checkData("completion", "M", known, m, n);
    const square = known.values.reduce((s, v) => s + v * v, 0);
    if (square === 0) throw new ProblemError("completion: no entry is known, or all are zero; give some.");
    const rows = rowByRow(known, p, (ridge * square) / known.values.length);
    const start = isAborted(o) ? {} : { start: await startOf(E, known, p, o.signal) };
    const run = await runOn(E, onSubspaces(E, n, p, rows), grassmann(n, p), o, start);

    const U = numbersOf(E, run.X);
    rows.solve(U);
    const { c } = rows;
    const completed = new Float64Array(m * n);
    for (let k = 0; k < m * n; k++) {
      for (let j = 0; j < p; j++) completed[k]! += c[Math.floor(k / n) * p + j]! * U[(k % n) * p + j]!;
    }
    const left = rows.residuals.reduce((s, v) => s + v * v, 0);
    return answerOf({
      basis: run.X,
      coefficients: { rows: m, cols: p, data: c.slice() },
      completed: { rows: m, cols: n, data: completed },
      relativeResidual: Math.sqrt(left / square),
      run,
    });
  });
}

/** Right singular vectors of the known entries */
async function startOf(E: Engine, known: Sparse, p: number, stop: AbortSignal | undefined): Promise<Matrix> {
  const options = { p, engine: E, tolerance: START_TOLERANCE, proof: false, ...(stop && { signal: stop }) };
  return (await svds(known, options)).V;
}

function onSubspaces(E: Engine, n: number, p: number, rows: RowByRow): UserObjective {
  const [u, g] = [new Float64Array(n * p), new Float64Array(n * p)];
  return {
    f: (U) => rows.solve(E.read(U, u)),
    fg(G, U) {
      const value = rows.solve(E.read(U, u));
      rows.gradient(g);
      E.write(G, g);
      return value;
    },
  };
}

interface RowByRow {
  /** coefficients, m×p, and residuals U·c − m at the known entries, for the last U */
  readonly c: Float64Array;
  readonly residuals: Float64Array;
  /** f(U) */
  solve(U: Float64Array): number;
  gradient(G: Float64Array): void;
}

/** (U_ΩᵀU_Ω + λI)·c = U_Ωᵀm for the known entries Ω of each row */
function rowByRow({ rows: m, pointers, indices, values }: Sparse, p: number, λ: number): RowByRow {
  const [c, residuals, R] = [new Float64Array(m * p), new Float64Array(values.length), new Float64Array(p * p)];
  return {
    c,
    residuals,
    solve(U) {
      let f = 0;
      c.fill(0);
      for (let i = 0; i < m; i++) {
        const [from, to, x] = [pointers[i]!, pointers[i + 1]!, c.subarray(i * p, (i + 1) * p)];
        R.fill(0);
        for (let j = 0; j < p; j++) R[j * (p + 1)] = λ;
        for (let k = from; k < to; k++) {
          const row = indices[k]! * p;
          for (let s = 0; s < p; s++) {
            x[s]! += U[row + s]! * values[k]!;
            for (let t = s; t < p; t++) R[s * p + t]! += U[row + s]! * U[row + t]!;
          }
        }
        choleskyInPlace(R, p);
        // Rᵀy = x, then R·c = y
        for (let s = 0; s < p; s++) {
          for (let t = 0; t < s; t++) x[s]! -= R[t * p + s]! * x[t]!;
          x[s]! /= R[s * p + s]!;
        }
        for (let s = p - 1; s >= 0; s--) {
          for (let t = s + 1; t < p; t++) x[s]! -= R[s * p + t]! * x[t]!;
          x[s]! /= R[s * p + s]!;
          f += 0.5 * λ * x[s]! ** 2;
        }
        for (let k = from; k < to; k++) {
          let r = -values[k]!;
          for (let s = 0; s < p; s++) r += U[indices[k]! * p + s]! * x[s]!;
          residuals[k] = r;
          f += 0.5 * r * r;
        }
      }
      return f;
    },
    gradient(G) {
      G.fill(0);
      for (let i = 0; i < m; i++) {
        for (let k = pointers[i]!; k < pointers[i + 1]!; k++) {
          for (let s = 0; s < p; s++) G[indices[k]! * p + s]! += residuals[k]! * c[i * p + s]!;
        }
      }
    },
  };
}

/** The entries other than NaN */
function knownEntries(m: number, n: number, numbers: Float64Array): Sparse {
  const at = Array.from(numbers.keys()).filter((k) => !Number.isNaN(numbers[k]!));
  return sparseFromTriplets(
    m,
    n,
    at.map((k) => Math.floor(k / n)),
    at.map((k) => k % n),
    at.map((k) => numbers[k]!),
  );
}

export const description: Description = describe({
  name: "completion",
  summary: "a matrix of low rank from some of its entries",
  files: [{ name: "matrix", help: "unknown entries are nan, or absent from a sparse file", holds: "operator" }],
  options: [columnsOption("the rank")],
  example: "holes.csv --p 2 --out completed.csv",
  parts: ["completed", "basis", "coefficients"],
  solve: ([M]: [Matrix | Sparse], o: CompletionOptions) => completion(M, o),
  report: ({ completed, relativeResidual }) => ({
    saved: { name: "the completed matrix", matrix: completed },
    lines: [["relative residual at known entries", digits(relativeResidual)]],
    numbers: { relativeResidual },
  }),
});
