import { polar } from "./linalg/polar.js";
import { orthonormalizer } from "./linalg/qr.js";
import { digits } from "./numbers.js";
import { fillNormal, random } from "./random.js";
import type { Engine, Matrix } from "./types.js";

/** Q of the QR factorization of a seeded Gaussian n×p matrix: uniform on the Stiefel manifold. */
export function randomStart(E: Engine, n: number, p: number, seed: number): Matrix {
  const [Q, Z] = [E.matrix(n, p), E.matrix(n, p)];
  fillNormal(Z, random(seed, "start"));
  orthonormalizer(E, n, p, Z)(Q, Z);
  return Q;
}

/** ‖XᵀX − I‖ from which X(3/2·I − 1/2·XᵀX) leaves ¾ of its square: nothing that could be seen. */
const ROUNDING = 1e-8;

/** A given start, made feasible where it is not; what was done is said in `notes`. */
export function givenStart(E: Engine, given: Matrix, n: number, p: number, notes: string[]): Matrix {
  if (given.rows !== n || given.cols !== p) {
    throw new RangeError(`start: it is ${given.rows}×${given.cols} but n×p is ${n}×${p}; give a matrix of that shape.`);
  }
  const [X, Y, K] = [E.matrix(n, p), E.matrix(n, p), E.matrix(p, p)];
  X.data.set(given.data);
  E.gram(K, X);
  E.addDiagonal(K, -1);
  const feasibility = Math.sqrt(E.dot(K, K));
  if (!Number.isFinite(feasibility)) requireFinite(given);
  if (feasibility <= ROUNDING) {
    // the polar factor to rounding
    E.addDiagonal(K, -2);
    E.mul(Y, X, K, -0.5);
    return Y;
  }
  const rank = polar(E, n, p)(Y, X);
  if (rank < p) {
    notes.push(`the start had rank ${rank} < p = ${p}; it was completed to orthonormal columns`);
    // an arbitrary completion may stand at a saddle: a seeded nudge does not
    const Z = E.matrix(n, p);
    fillNormal(Z, random(1, "completion"));
    E.combine(X, 1, Y, 1e-3 / Math.sqrt(n), Z);
    polar(E, n, p)(Y, X);
  } else if (!(feasibility <= 1e-6)) {
    notes.push(`the start was not orthonormal (‖XᵀX − I‖ = ${digits(feasibility)}); its polar factor was taken`);
  }
  return Y;
}

function requireFinite({ cols, data }: Matrix): void {
  const bad = data.findIndex((v) => !Number.isFinite(v));
  if (bad < 0) return;
  throw new RangeError(
    `start: entry (${Math.floor(bad / cols)}, ${bad % cols}) is ${data[bad]}; every entry must be finite.`,
  );
}
