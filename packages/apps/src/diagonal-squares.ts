import type { Objective, Precondition } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { pairMetric } from "./pair-metric.js";

/**
 * f(X) = −½ Σ_k ‖diag(XᵀA_kX)‖² over orthogonal X, with all A_k in one product: of the stack A = [A_1; …; A_K] comes AX, and with
 * δ_kj = ⟨x_j, A_kx_j⟩ and δ'_kj = ⟨d_j, A_kx_j⟩
 *
 *     ∇f(X) = −2 Σ_k A_kX·Diag(δ_k),   ∇²f(X)[D] = −2 Σ_k (A_kD·Diag(δ_k) + 2A_kX·Diag(δ'_k)).
 *
 * If X diagonalises all A_k, the Hessian is diagonal in the plane rotations of columns i and j, with entries h_ij = Σ_k (δ_ki − δ_kj)²:
 * the preconditioner, as in qndiag (Ablin, Cardoso, Gramfort 2019).
 */
export function diagonalSquares(E: Engine, matrices: readonly Matrix[]): { f: Objective; precondition: Precondition } {
  const [K, n] = [matrices.length, matrices[0]!.rows];
  const size = n * n;
  const stack = new Float64Array(K * size);
  matrices.forEach(({ data }, k) => void stack.set(data, k * size));
  const { apply } = E.operator({ rows: K * n, cols: n, data: stack });
  const [AX, V] = [E.tall(K * n, n), E.tall(n, n)];
  const [products, gradient, delta] = [new Float64Array(K * size), new Float64Array(size), new Float64Array(K * n)];
  const scaled = new Float64Array(n);
  /** the X of `delta` */
  const at = new Float64Array(size).fill(Number.NaN);

  /** δ_kj ← ⟨a_j, (block k)_j⟩ of the columns */
  function columnProducts(delta: Float64Array, a: Float64Array, blocks: Float64Array): void {
    delta.fill(0);
    for (let k = 0; k < K; k++) {
      const [d, block] = [delta.subarray(k * n, (k + 1) * n), blocks.subarray(k * size, (k + 1) * size)];
      for (let at = 0; at < size; at += n) for (let j = 0; j < n; j++) d[j]! += a[at + j]! * block[at + j]!;
    }
  }

  /** out ← out + c Σ_k (block k)·Diag(δ_k) */
  function addScaled(out: Float64Array, c: number, blocks: Float64Array, delta: Float64Array): void {
    for (let k = 0; k < K; k++) {
      const block = blocks.subarray(k * size, (k + 1) * size);
      for (let j = 0; j < n; j++) scaled[j] = c * delta[k * n + j]!;
      for (let at = 0; at < size; at += n) for (let j = 0; j < n; j++) out[at + j]! += scaled[j]! * block[at + j]!;
    }
  }

  function evaluate(X: Tall): number {
    E.read(X, at);
    apply(AX, X);
    E.read(AX, products);
    columnProducts(delta, at, products);
    let sum = 0;
    for (const v of delta) sum += v * v;
    return -0.5 * sum;
  }

  function fg(G: Tall, X: Tall): number {
    const f = evaluate(X);
    gradient.fill(0);
    addScaled(gradient, -2, products, delta);
    E.write(G, gradient);
    return f;
  }

  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    evaluate(X);
    const [atX, diagonals, along] = [products.slice(), delta.slice(), new Float64Array(K * n)];
    return (H, D) => {
      apply(AX, D);
      gradient.fill(0);
      addScaled(gradient, -2, E.read(AX), diagonals);
      columnProducts(along, E.read(D), atX);
      addScaled(gradient, -4, atX, along);
      E.write(H, gradient);
    };
  }

  const precondition = pairMetric(E, n, (h, X) => {
    if (E.read(X).some((v, i) => v !== at[i])) evaluate(X);
    h.fill(0);
    for (let k = 0; k < K; k++) {
      const d = delta.subarray(k * n, (k + 1) * n);
      for (let i = 1, row = n; i < n; i++, row += n) {
        const own = d[i]!;
        for (let j = 0; j < i; j++) h[row + j]! += (own - d[j]!) * (own - d[j]!);
      }
    }
    for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) h[j * n + i] = h[i * n + j]!;
  });
  const f: Objective = { n, p: n, f: (X) => fg(V, X), fg, hvp: (H, X, D) => linearize(X)(H, D), linearize };
  return { f, precondition };
}
