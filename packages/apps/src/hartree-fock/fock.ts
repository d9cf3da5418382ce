/** F(P) = h + G(P) in an orthonormal basis; one G(P) is one Fock build, the unit in which methods are compared. */

import { type Molecule, pair, pairs } from "@expen/data";
import type { Engine, Small, Tall } from "@expen/linalg";
import { digits, ProblemError } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import type { Part } from "@expen/linalg/memory";

/** λmin/λmax of S below which basis functions count as linearly dependent: S^(−1/2) would amplify rounding by more than 10⁵. */
const DEPENDENT = 1e-10;

export interface Fock {
  /** basis functions */
  readonly N: number;
  /** core Hamiltonian in the orthonormal basis */
  readonly h: Tall;
  /** X ↦ C = S^(−1/2)·X; absent if the basis is orthonormal */
  readonly L?: Tall;
  /** Fock builds so far */
  readonly builds: number;
  /** G ← 2J(P) − K(P) for a symmetric P: Σ_kl [2(ij|kl) − (ik|jl)]·P_kl */
  build(G: Tall, P: Tall): void;
}

/** Memory: M in host memory and in the engine, the integrals twice */
export const fockParts = (N: number): Part[] => [
  { count: 2, rows: pairs(N), cols: pairs(N), plain: 1 },
  { count: 1, rows: pairs(pairs(N)), cols: 1, plain: 1 },
];

/**
 * P and G are symmetric, so that G is one product with the pairs(N)×pairs(N) matrix M_ij,kl = 2(ij|kl) − ½(ik|jl) − ½(il|jk) of a vector
 * P_kl·(2 where k ≠ l). The basis functions overlap; with C = S^(−1/2)·X (Löwdin) CᵀSC = XᵀX.
 */
export function fockOperator(E: Engine, { size: N, S, h, integrals }: Molecule): Fock {
  const L = S && inverseRoot(E, smallOf(E, S));
  const M = E.operator({ rows: pairs(N), cols: pairs(N), data: pairMatrix(N, integrals) });
  const [p, g] = [E.tall(pairs(N), 1), E.tall(pairs(N), 1)];
  const [small, T] = [E.small(N, N), E.tall(N, N)];
  const packed = new Float64Array(pairs(N));
  const square = new Float64Array(N * N);
  let builds = 0;

  /** B ← L·A·L */
  function transform(B: Tall, A: Tall, { tall, small: right }: Roots): void {
    E.write(small, E.read(A, square));
    E.mul(T, tall, small);
    E.mul(B, T, right);
  }

  const core = E.tall(N, N);
  if (L) transform(core, tallOf(E, h), L);
  else E.write(core, E.read(tallOf(E, h)));
  const overlapping = E.tall(N, N);
  return {
    N,
    h: core,
    L: L?.tall,
    get builds() {
      return builds;
    },
    build(G, P) {
      builds++;
      if (L) transform(overlapping, P, L);
      E.read(L ? overlapping : P, square);
      for (let i = 0, at = 0; i < N; i++) {
        for (let j = 0; j <= i; j++) packed[at++] = (i === j ? 1 : 2) * square[i * N + j]!;
      }
      E.write(p, packed);
      M.apply(g, p);
      E.read(g, packed);
      for (let i = 0, at = 0; i < N; i++) {
        for (let j = 0; j <= i; j++) square[i * N + j] = square[j * N + i] = packed[at++]!;
      }
      E.write(L ? overlapping : G, square);
      if (L) transform(G, overlapping, L);
    },
  };
}

/** S^(−1/2), as a left and as a right factor */
interface Roots {
  readonly tall: Tall;
  readonly small: Small;
}

function inverseRoot(E: Engine, S: Small): Roots {
  const N = S.rows;
  const { values, vectors } = eigh(E, S);
  if (!(values[0]! > DEPENDENT * values[N - 1]!)) {
    throw new ProblemError(
      `hartree-fock: the overlap S has the eigenvalue ${digits(values[0]!)}; it must be positive definite, leave functions out.`,
    );
  }
  // S^(−1/2) = (V·w^(−1/4))·(V·w^(−1/4))ᵀ
  const V = E.read(vectors).map((v, k) => v / Math.sqrt(Math.sqrt(values[k % N]!)));
  const tall = E.tall(N, N);
  E.mulT(tall, E.tall(N, N, V), E.small(N, N, V));
  return { tall, small: E.small(N, N, E.read(tall)) };
}

function pairMatrix(N: number, integrals: Float64Array): Float64Array {
  const M = new Float64Array(pairs(N) ** 2);
  const at = (i: number, j: number, k: number, l: number): number => integrals[pair(pair(i, j), pair(k, l))]!;
  let entry = 0;
  for (let i = 0; i < N; i++) {
    for (let j = 0; j <= i; j++) {
      for (let k = 0; k < N; k++) {
        for (let l = 0; l <= k; l++) M[entry++] = 2 * at(i, j, k, l) - 0.5 * (at(i, k, j, l) + at(i, l, j, k));
      }
    }
  }
  return M;
}
