/** An orthonormal basis of the orthogonal complement of a range, as a product of reflections that is not formed */
export interface Complement {
  /** z ← Q·z: from coordinates, after q zeros, to a vector of the complement */
  embed(z: Float64Array): void;
  /** y ← Qᵀ·y: its entries from q on are the coordinates of its projection to the complement */
  coordinates(y: Float64Array): void;
}

/**
 * T = Tᵀ, m×m in host memory, is an orthogonal projection to a space of dimension q; it is overwritten. Householder's QR factorization
 * T·Π = Q·R with column pivoting (Golub and Van Loan, 5.4.2) in q steps: the first q columns of Q span that space, the others the
 * complement. The largest remaining column has a squared norm of at least (q − k)/m.
 */
export function complementOf(T: Float64Array, m: number, q: number): Complement {
  const reflectors: Float64Array[] = [];
  for (let k = 0; k < q; k++) {
    let [pivot, largest] = [0, -1];
    for (let i = 0; i < m; i++) {
      let square = 0;
      for (let j = k; j < m; j++) square += T[i * m + j]! ** 2;
      if (square > largest) [pivot, largest] = [i, square];
    }
    // I − u·uᵀ with ‖u‖² = 2 takes the column to ∓‖x‖·e_k
    const u = T.slice(pivot * m, (pivot + 1) * m).fill(0, 0, k);
    const norm = Math.sqrt(largest);
    if (!(norm > 0)) break;
    const sigma = u[k]! >= 0 ? norm : -norm;
    const factor = 1 / Math.sqrt(sigma * (sigma + u[k]!));
    u[k]! += sigma;
    for (let j = k; j < m; j++) u[j]! *= factor;
    reflectors.push(u);
    for (let i = 0; i < m; i++) reflect(T, i * m, u, k);
  }
  return {
    embed(z) {
      for (let k = reflectors.length - 1; k >= 0; k--) reflect(z, 0, reflectors[k]!, k);
    },
    coordinates(y) {
      reflectors.forEach((u, k) => void reflect(y, 0, u, k));
    },
  };
}

/** y[at … at + m) ← (I − u·uᵀ)·y[at … at + m), where u is 0 before k */
function reflect(y: Float64Array, at: number, u: Float64Array, k: number): void {
  const m = u.length;
  let s = 0;
  for (let j = k; j < m; j++) s += u[j]! * y[at + j]!;
  for (let j = k; j < m; j++) y[at + j]! -= s * u[j]!;
}
