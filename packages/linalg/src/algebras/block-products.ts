/** Products of blocks in host memory: k blocks of rows, one below the other, row-major. */

/** C_i ← a·A_iᵀB_i + b·C_i for blocks A_i n×p and B_i n×q */
export function blockTmul(
  [k, n, p, q]: readonly [number, number, number, number],
  C: Float64Array,
  A: Float64Array,
  B: Float64Array,
  a: number,
  b: number,
): void {
  for (let i = 0; i < k; i++) {
    const [x, y, z] = [i * n * p, i * n * q, i * p * q];
    for (let r = 0; r < p; r++) {
      for (let c = 0; c < q; c++) {
        let sum = 0;
        for (let l = 0; l < n; l++) sum += A[x + l * p + r]! * B[y + l * q + c]!;
        const at = z + r * q + c;
        C[at] = b === 0 ? a * sum : a * sum + b * C[at]!;
      }
    }
  }
}

/** C_i ← a·A_i·B_i + b·C_i, or a·A_i·B_iᵀ + b·C_i where `turned`, for blocks A_i n×p and B_i p×p */
export function blockMul(
  [k, n, p]: readonly [number, number, number],
  C: Float64Array,
  A: Float64Array,
  B: Float64Array,
  turned: boolean,
  a: number,
  b: number,
): void {
  // steps in B along the inner side and along the columns of C
  const [inner, across] = turned ? [1, p] : [p, 1];
  for (let i = 0; i < k; i++) {
    const z = i * p * p;
    for (let row = i * n * p; row < (i + 1) * n * p; row += p) {
      for (let c = 0; c < p; c++) {
        let sum = 0;
        for (let l = 0; l < p; l++) sum += A[row + l]! * B[z + l * inner + c * across]!;
        C[row + c] = b === 0 ? a * sum : a * sum + b * C[row + c]!;
      }
    }
  }
}

/** S_i ← (S_i + S_iᵀ)/2 */
export function blockSymmetrize([k, p]: readonly [number, number], S: Float64Array): void {
  for (let z = 0; z < k * p * p; z += p * p) {
    for (let r = 0; r < p; r++) {
      for (let c = 0; c < r; c++) {
        const mean = (S[z + r * p + c]! + S[z + c * p + r]!) / 2;
        S[z + r * p + c] = mean;
        S[z + c * p + r] = mean;
      }
    }
  }
}

/** r_i ← ⟨A_i, B_i⟩ for k blocks */
export function blockDots(k: number, r: Float64Array, A: Float64Array, B: Float64Array): void {
  const size = A.length / k;
  for (let i = 0, at = 0; i < k; i++) {
    let sum = 0;
    for (const end = at + size; at < end; at++) sum += A[at]! * B[at]!;
    r[i] = sum;
  }
}

/** C_i ← c_i·A_i + b·C_i for k blocks */
export function blockAdd(k: number, C: Float64Array, c: Float64Array, A: Float64Array, b: number): void {
  const size = C.length / k;
  for (let i = 0, at = 0; i < k; i++) {
    const a = c[i]!;
    for (const end = at + size; at < end; at++) C[at] = b === 0 ? a * A[at]! : a * A[at]! + b * C[at]!;
  }
}
