import { numericalRank } from "../arrays/rank.js";
import { maxAbs } from "../arrays/scale.js";
import type { Engine } from "../contracts/engine.js";
import type { Small, Tall } from "../contracts/matrix.js";
import { random } from "../random.js";
import { EPS } from "../rounding.js";

/** Orthogonalizations of a column at most; usually two suffice. */
const PASSES = 5;
/** Factors, one of which keeps squares of entries from over- and underflow; 1 suffices except for extreme columns. */
const SCALES = [1, 2 ** -540, 2 ** 540];
/** Range of a computed ‖v‖² in which no square has overflowed and those that underflow are far below rounding */
const SAFE = { least: 2 ** -900, most: 2 ** 1000 };

/**
 * A = Q·R for A n×p, n ≥ p, of any rank: Q has orthonormal columns, R is upper triangular with a diagonal ≥ 0.
 * Returns the numerical rank. NaN and infinity are an error.
 *
 * Gram–Schmidt with reorthogonalization until a pass changes the column little (Daniel, Gragg, Kaufman and Stewart 1976), on any
 * engine. A column whose remainder is roundoff is replaced in Q by a random one. Each column is scaled by a power of two to
 * about 1: Q does not change, and no square overflows or underflows.
 */
export function gramSchmidt(E: Engine, n: number, p: number): (Q: Tall, R: Small, A: Tall) => number {
  const v = E.tall(n, 1);
  const [e, c, row] = [E.small(p, 1), E.small(p, 1), E.small(1, p)];
  const [unit, coefficients, r] = [new Float64Array(p), new Float64Array(p), new Float64Array(p * p)];
  const length = (): number => Math.sqrt(E.dot(v, v));

  /** v ← t·(column j of A) */
  function take(A: Tall, j: number, t: number): void {
    unit.fill(0);
    unit[j] = t;
    E.write(e, unit);
    E.mul(v, A, e);
  }

  /** The power of two that brings column j of A to a length in [1, 2); 1 for a zero column */
  function columnScale(A: Tall, j: number): number {
    for (const t of SCALES) {
      take(A, j, t);
      const square = E.dot(v, v);
      if (t < 1 && !Number.isFinite(square)) throw notFinite(E, A);
      const last = t > 1;
      if ((square >= SAFE.least && square <= SAFE.most) || (last && square > 0)) {
        return t * 2 ** Math.min(480, -Math.floor(0.5 * Math.log2(square)));
      }
    }
    return 1;
  }

  /** v ← v − Q·Qᵀv; adds the coefficients Qᵀv to column j of R if j is given */
  function subtract(Q: Tall, j?: number): void {
    E.tmul(c, Q, v);
    E.mul(v, Q, c, -1, 1);
    if (j === undefined) return;
    E.read(c, coefficients);
    for (let i = 0; i < j; i++) r[i * p + j]! += coefficients[i]!;
  }

  /** v ← its component orthogonal to Q; returns the length; `j` as above */
  function orthogonalize(Q: Tall, j?: number): number {
    const start = length();
    let before = start;
    for (let pass = 0; pass < PASSES; pass++) {
      subtract(Q, j);
      const left = length();
      if (!(left > EPS * start)) return 0;
      if (left > 0.5 * before) return left;
      before = left;
    }
    return before;
  }

  return (Q, R, A) => {
    const rng = random(1, "Gram–Schmidt");
    const scales = new Float64Array(p);
    r.fill(0);
    E.fill(Q, 0);
    for (let j = 0; j < p; j++) {
      scales[j] = columnScale(A, j);
      take(A, j, scales[j]!);
      let left = orthogonalize(Q, j);
      r[j * p + j] = left;
      while (!(left > 0)) {
        E.write(v, rng.normal);
        left = orthogonalize(Q);
      }
      unit.fill(0);
      unit[j] = 1 / left;
      E.write(row, unit);
      E.mul(Q, v, row, 1, 1);
    }
    const rank = numericalRank(r, p, n * EPS);
    for (let i = 0; i < p; i++) for (let j = i; j < p; j++) r[i * p + j]! /= scales[j]!;
    E.write(R, r);
    return rank;
  };
}

/** Throws an error that names the first entry that is not finite. */
function notFinite(E: Engine, A: Tall): never {
  maxAbs(E.read(A), A.cols, "orthonormalizer");
  throw new Error("unreachable: a sum of squares is not finite while all entries are");
}
