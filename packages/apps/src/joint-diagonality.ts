/**
 * f(X) = −½ Σ_k ‖diag(XᵀA_kX)‖² for symmetric A_k. With Δ_k = Diag(diag(XᵀA_kX)) and Δ'_k = Diag(diag(XᵀA_kD)):
 *
 *     ∇f(X) = −2 Σ_k A_kX·Δ_k,   ∇²f(X)[D] = −2 Σ_k (A_kD·Δ_k + 2A_kX·Δ'_k).
 *
 * For p = n minimising f is minimising Σ_k ‖off(XᵀA_kX)‖².
 */
import type { Objective, Precondition } from "@expen/core";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { entrywiseProduct } from "@expen/linalg/engine";
import { pairMetric } from "./pair-metric.js";

/** f for n×p matrices X, in operations of any engine: one product for each A_k */
export function jointDiagonality(E: Engine, matrices: readonly Matrix[], p: number): Objective {
  const n = matrices[0]!.rows;
  const A = matrices.map((M) => E.operator(M));
  const [W, V, S, I] = [E.tall(n, p), E.tall(n, p), E.small(p, p), E.small(p, p)];
  const [Dk, Dd] = [E.small(p, p), E.small(p, p)];
  E.addDiagonal(I, 1);
  // the linearization has its own A_kX and Δ_k, which later evaluations of f leave as they are
  const AX = A.map(() => E.tall(n, p));
  const delta = A.map(() => E.small(p, p));

  /** Δ ← Diag(diag(XᵀY)) */
  function diagonal(D: Small, X: Tall, Y: Tall): void {
    E.tmul(S, X, Y);
    E.map([D], entrywiseProduct, [S, I]);
  }

  function fg(G: Tall, X: Tall): number {
    let sum = 0;
    A.forEach((Ak, k) => {
      Ak.apply(W, X);
      diagonal(Dk, X, W);
      sum += E.dot(Dk, Dk);
      E.mul(G, W, Dk, -2, k === 0 ? 0 : 1);
    });
    return -0.5 * sum;
  }

  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    A.forEach((Ak, k) => {
      Ak.apply(AX[k]!, X);
      diagonal(delta[k]!, X, AX[k]!);
    });
    return (H, D) => {
      A.forEach((Ak, k) => {
        Ak.apply(W, D);
        E.mul(H, W, delta[k]!, -2, k === 0 ? 0 : 1);
        diagonal(Dd, AX[k]!, D);
        E.mul(H, AX[k]!, Dd, -4, 1);
      });
    };
  }

  return { n, p, f: (X) => fg(V, X), fg, hvp: (H, X, D) => linearize(X)(H, D), linearize };
}

/**
 * The same f for orthogonal X, with a preconditioner. [A_1; …; A_K]·X is one product, and δ_k = diag(XᵀA_kX) is computed in host memory.
 * If X diagonalises all A_k, the Hessian is diagonal in the rotations of columns i and j, with entries h_ij = Σ_k (δ_ki − δ_kj)²: the
 * preconditioner, as in qndiag (Ablin, Cardoso, Gramfort 2019).
 */
export function orthogonalJointDiagonality(
  E: Engine,
  matrices: readonly Matrix[],
): { f: Objective; precondition: Precondition } {
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
