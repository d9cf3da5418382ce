import { described } from "./check/contract.js";
import { stiefelConstraint } from "./constraints/stiefel.js";
import { isOf } from "./engines/own-matrix.js";
import { polar } from "./linalg/polar.js";
import { orthonormalizer } from "./linalg/qr.js";
import { digits } from "./numbers.js";
import { random } from "./random.js";
import type { Engine, Matrix, Tall } from "./types.js";

/** Q of the QR factorization of a seeded Gaussian n×p matrix: uniform on the Stiefel manifold. */
export function randomStart(E: Engine, n: number, p: number, seed: number): Tall {
  const [Q, Z] = [E.tall(n, p), E.tall(n, p)];
  E.write(Z, random(seed, "start").normal);
  orthonormalizer(E, n, p, Z)(Q, Z);
  return Q;
}

/** ‖XᵀX − I‖ from which X(3/2·I − 1/2·XᵀX) leaves ¾ of its square: nothing that could be seen. */
const ROUNDING = 1e-8;

/** A given start, of E or in host memory, made feasible where it is not; what was done is said in `notes`. */
export function givenStart(E: Engine, given: Matrix, n: number, p: number, notes: string[]): Tall {
  const own = isOf(E, Object(given));
  if (!own) requireNumbers(given);
  if (given.rows !== n || given.cols !== p) {
    throw new RangeError(`start: it is ${given.rows}×${given.cols} but n×p is ${n}×${p}; give a matrix of that shape.`);
  }
  if (!own && given.data.length !== n * p) {
    throw new RangeError(`start: its data has ${given.data.length} numbers; ${n}×${p} are ${n * p}.`);
  }
  const on = stiefelConstraint(E, n, p);
  const [X, Y, K] = [E.tall(n, p), E.tall(n, p), E.small(p, p)];
  if (own) E.copy(X, given);
  else E.write(X, given.data);
  const feasibility = on.dissolve(Y, X, K);
  if (!Number.isFinite(feasibility)) requireFinite(p, E.read(X));
  // A(X) is the polar factor to rounding
  if (feasibility <= ROUNDING) return Y;
  const rank = polar(E, n, p)(Y, X);
  if (rank < p) {
    notes.push(`the start had rank ${rank} < p = ${p}; it was completed to orthonormal columns`);
    // an arbitrary completion may stand at a saddle: a seeded nudge does not
    const Z = E.tall(n, p);
    E.write(Z, random(1, "completion").normal);
    E.combine(X, 1, Y, 1e-3 / Math.sqrt(n), Z);
    polar(E, n, p)(Y, X);
  } else if (!(feasibility <= 1e-6)) {
    notes.push(`the start was not orthonormal (‖XᵀX − I‖ = ${digits(feasibility)}); its polar factor was taken`);
  }
  return Y;
}

/** A start from JavaScript may be anything: rows of rows, a promise, a list of texts. */
function requireNumbers(given: unknown): void {
  const { rows, cols, data } = Object(given) as { rows?: unknown; cols?: unknown; data?: unknown };
  if (typeof rows !== "number" || typeof cols !== "number") {
    throw new RangeError(`start: it is ${described(given)}; give { rows, cols, data }, or asMatrix(start).matrix.`);
  }
  if (!ArrayBuffer.isView(data) && !Array.isArray(data)) {
    throw new RangeError(`start: its data is ${described(data)}; give a Float64Array of rows·cols numbers.`);
  }
  const odd = Array.isArray(data) ? data.findIndex((x: unknown) => typeof x !== "number") : -1;
  if (odd < 0) return;
  throw new RangeError(`start: number ${odd} of its data is ${described((data as unknown[])[odd])}; give numbers.`);
}

function requireFinite(cols: number, data: Float64Array): void {
  const bad = data.findIndex((v) => !Number.isFinite(v));
  if (bad < 0) return;
  throw new RangeError(
    `start: entry (${Math.floor(bad / cols)}, ${bad % cols}) is ${data[bad]}; every entry must be finite.`,
  );
}
