/** Complex matrices of the size of gates, 2×2 and 4×4, in plain numbers. */

export interface Complex4 {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

export const fromParts = (re: Float64Array, im: Float64Array): Complex4 => ({ re, im });

const zeros = (entries: number): Complex4 => fromParts(new Float64Array(entries), new Float64Array(entries));
const permutation = (to: readonly number[]): Complex4 => {
  const P = zeros(16);
  to.forEach((j, i) => void (P.re[4 * i + j] = 1));
  return P;
};

export const IDENTITY = permutation([0, 1, 2, 3]);
/** The first qubit decides whether the second is turned. */
export const CNOT = permutation([0, 1, 3, 2]);

/** 4×4 */
export function times(P: Complex4, Q: Complex4): Complex4 {
  const R = zeros(16);
  for (let i = 0; i < 4; i++) {
    for (let k = 0; k < 4; k++) {
      const [a, b] = [P.re[4 * i + k]!, P.im[4 * i + k]!];
      for (let j = 0; j < 4; j++) {
        R.re[4 * i + j]! += a * Q.re[4 * k + j]! - b * Q.im[4 * k + j]!;
        R.im[4 * i + j]! += a * Q.im[4 * k + j]! + b * Q.re[4 * k + j]!;
      }
    }
  }
  return R;
}

export function adjoint(P: Complex4): Complex4 {
  const R = zeros(16);
  for (let k = 0; k < 16; k++) {
    const turned = 4 * (k % 4) + Math.floor(k / 4);
    R.re[k] = P.re[turned]!;
    R.im[k] = -P.im[turned]!;
  }
  return R;
}

export const traceOf = ({ re, im }: Complex4): [number, number] => [
  re[0]! + re[5]! + re[10]! + re[15]!,
  im[0]! + im[5]! + im[10]! + im[15]!,
];

/** (A⊗B)_(ia)(jb) = A_ij·B_ab for 2×2 matrices, the qubit of A first */
export function kronecker(A: Complex4, B: Complex4): Complex4 {
  const R = zeros(16);
  eachEntry((at, A_ij, B_ab) => {
    R.re[at] = A.re[A_ij]! * B.re[B_ab]! - A.im[A_ij]! * B.im[B_ab]!;
    R.im[at] = A.re[A_ij]! * B.im[B_ab]! + A.im[A_ij]! * B.re[B_ab]!;
  });
  return R;
}

/** T with tr M(A⊗B) = Σ T_ij·A_ij for a given B (side 0), or Σ T_ab·B_ab for a given A (side 1) */
export function partialTrace(M: Complex4, other: Complex4, side: 0 | 1): Complex4 {
  const T = zeros(4);
  eachEntry((at, A_ij, B_ab) => {
    const m = 4 * (at % 4) + Math.floor(at / 4);
    const [into, from] = side === 0 ? [A_ij, B_ab] : [B_ab, A_ij];
    T.re[into]! += M.re[m]! * other.re[from]! - M.im[m]! * other.im[from]!;
    T.im[into]! += M.re[m]! * other.im[from]! + M.im[m]! * other.re[from]!;
  });
  return T;
}

/** Every entry of A⊗B with the places of its two factors */
function eachEntry(visit: (at: number, A_ij: number, B_ab: number) => void): void {
  for (let at = 0; at < 16; at++) {
    const [row, column] = [Math.floor(at / 4), at % 4];
    visit(at, 2 * (row >> 1) + (column >> 1), 2 * (row & 1) + (column & 1));
  }
}
