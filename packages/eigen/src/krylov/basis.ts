/** An orthonormal basis V that grows by blocks of b columns, in panels: tall matrices of some dozens of columns. */

import type { Engine, Tall } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { orthonormalizer, trace } from "@expen/linalg/dense";
import { MOST_PASSES, panels } from "../subspace/panels.js";

export interface KrylovBasis {
  /** columns so far; those of a panel beyond them are zero */
  readonly size: number;
  clear(): void;
  /** V ← [V, W]; W must stay as it is until two more blocks were appended */
  append(W: Tall): void;
  /**
   * Y = V·H + Q·R: returns Q, orthonormal and orthogonal to V; h are the numbers of H (size×b), r those of R (b×b). Y is
   * overwritten, and Q by the third call after this one. By the three-term recurrence, Y has parts along the last two blocks
   * and, after a restart, along the kept vectors. Those along the two blocks are removed first, the one along the last but
   * one, Rᵀ of the call before, without a product. Full reorthogonalization, one pass of Gram–Schmidt over V, then removes
   * rounding only; another pass follows where it has removed more.
   */
  orthogonalize(h: Float64Array, r: Float64Array, Y: Tall): Tall;
  /** Y ← V·S for the numbers s of S (size×cols), cols the columns of Y */
  multiply(Y: Tall, s: Float64Array): void;
  /** V ← V·S for S of size×k, k a multiple of b */
  rotate(s: Float64Array, k: number): void;
}

/** Part of ‖Y‖ removed by a pass of Gram–Schmidt, above which another pass follows; below it Y is orthogonal to rounding. */
const REORTHOGONALIZE = 0.01;
/** Largest ‖R‖_F²/det R, a bound of the condition number of a 2×2 factor, for which R⁻¹ is used: it loses less than two digits. */
const CONDITION = 8;

/** `w`: columns of a panel, a multiple of b */
export function krylovBasis(E: Engine, n: number, b: number, w: number): KrylovBasis {
  const V = panels(E, n, w);
  const [R, A, gram] = [E.small(b, b), E.small(b, b), E.small(b, b)];
  const orthonormalize = orthonormalizer(E, n, b);
  const small = new Float64Array(b * b);
  /** the numbers of the last R */
  const coupling = new Float64Array(b * b);
  const blocks = [E.tall(n, b), E.tall(n, b), E.tall(n, b)];
  /** the last two blocks, the last one first; after a restart those since then */
  let recent: Tall[] = [];

  /** Y = Q·R for YᵀY = `gram`, g and r the numbers of gram and R: by Cholesky QR for two well-conditioned columns */
  function factor(Q: Tall, r: Float64Array, Y: Tall, g: Float64Array): void {
    if (b === 2 && cholesky2(r, g)) {
      const [r00, r01, , r11] = r as unknown as [number, number, number, number];
      E.write(R, r);
      E.write(A, [1 / r00, -r01 / (r00 * r11), 0, 1 / r11]);
      E.mul(Q, Y, A);
    } else {
      orthonormalize(Q, Y, R);
      E.read(R, r);
    }
  }

  /** min |r_kk| */
  function smallest(r: Float64Array): number {
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < b; k++) least = Math.min(least, Math.abs(r[k * (b + 1)]!));
    return least;
  }

  return {
    get size() {
      return V.size;
    },
    clear() {
      V.clear();
      recent = [];
    },
    append(W) {
      V.append(W);
      recent = recent.length > 0 ? [W, recent[0]!] : [W];
    },
    orthogonalize(h, r, Y) {
      const Q = blocks.find((Z) => !recent.includes(Z))!;
      const [last, before] = recent;
      const { size } = V;
      h.fill(0, 0, size * b);
      if (before) {
        E.mulT(Y, before, R, -1, 1);
        for (let i = 0; i < b; i++) for (let j = 0; j < b; j++) h[(size - 2 * b + i) * b + j] = coupling[j * b + i]!;
      }
      if (last) {
        E.tmul(A, last, Y);
        E.mul(Y, last, A, -1, 1);
        addTo(h, E.read(A, small), (size - b) * b, b * b);
      }
      for (let pass = 0; pass < MOST_PASSES; pass++) {
        const removed = V.projectOut(Y, h);
        E.gram(gram, Y);
        if (removed <= REORTHOGONALIZE ** 2 * trace({ rows: b, cols: b, data: E.read(gram, small) })) break;
      }
      factor(Q, r, Y, small);
      coupling.set(r);
      // columns of roundoff, or random ones after a breakdown
      const isLost = smallest(r) <= 1e-8 * Math.sqrt(sumOfSquares(h, size * b));
      for (let pass = 0; isLost && pass < MOST_PASSES && V.projectOut(Q) > b * (100 * EPS) ** 2; pass++) {
        E.copy(Y, Q);
        orthonormalize(Q, Y);
      }
      return Q;
    },
    multiply: V.multiply,
    rotate(s, k) {
      V.rotate(s, k);
      recent = [];
    },
  };
}

/** r ← the factor of the 2×2 matrix g; false if g is not positive definite or R is too ill-conditioned */
function cholesky2(r: Float64Array, g: Float64Array): boolean {
  const r00 = Math.sqrt(g[0]!);
  const r01 = g[1]! / r00;
  const r11 = Math.sqrt(g[3]! - r01 * r01);
  r.set([r00, r01, 0, r11]);
  // false for NaN
  return r00 > 0 && r11 > 0 && sumOfSquares(r, 4) <= CONDITION * r00 * r11;
}

function addTo(h: Float64Array, numbers: Float64Array, at: number, count: number): void {
  for (let k = 0; k < count; k++) h[at + k]! += numbers[k]!;
}

function sumOfSquares(h: Float64Array, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += h[k]! ** 2;
  return sum;
}
