/** eigs, eigh, svds and svd of this library on an engine. */
import { eigh, eigs, svd, svds } from "@expen/apps/eigen";
import type { Engine, Matrix } from "@expen/linalg";
import { type Clock, clocks } from "../contender.js";
import type { EigsCase } from "./cases.js";
import { stacked } from "./stacked.js";

export interface Answer {
  readonly seconds: number;
  /** eigenvectors, or (u; v)/√2 */
  readonly X: Matrix;
  readonly products?: number;
  readonly solves?: number;
  /** the level of the certificate, and the values with their bounds */
  readonly proof?: { readonly level: string; readonly values: readonly number[]; readonly bounds: readonly number[] };
}

/** Largest residual over ‖A‖ that is asked for, the default of eigs and svds */
export const TOLERANCE = 1e-9;

/** `proof: false` leaves the count of eigenvalues out, which the others do not make. */
export async function ours(
  engine: Engine,
  one: EigsCase,
  { limit, clock, proof }: { limit: number; clock: Clock; proof: boolean },
): Promise<Answer | undefined> {
  const { A, B, p, which, sigma } = one;
  const now = clocks[clock];
  const began = now();
  const timed = <T extends object>(answer: T): T & { seconds: number } => ({ ...answer, seconds: now() - began });
  const least = Math.min(A.rows, A.cols);
  if (!proof && p === least) return undefined;
  const o = { p, engine, maxSeconds: limit, tolerance: TOLERANCE, ...(!proof && { proof }) };
  if (one.kind === "singular values") {
    if (p === least) {
      const { U, V, seconds } = timed(await svd(A as Matrix, { engine }));
      return { seconds, X: stacked(U, V) };
    }
    const { U, V, products, values, bounds, certificate, seconds } = timed(await svds(A, o));
    return { seconds, X: stacked(U, V), products, proof: { level: certificate.level, values, bounds } };
  }
  if (p === least) {
    const { vectors, seconds } = timed(await eigh(A as Matrix, { engine }));
    return { seconds, X: vectors };
  }
  const answer = timed(await eigs(A, { ...o, which, ...(sigma !== undefined && { sigma }), ...(B && { B }) }));
  const { vectors, products, solves, values, bounds = [], certificate, seconds } = answer;
  return { seconds, X: vectors, products, solves, proof: { level: certificate.level, values, bounds } };
}
