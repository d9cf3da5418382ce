import { chain, entrywiseProduct } from "../engines/elementwise/chain.js";
import type { Chain, Engine, Matrix, Objective, Precondition, Small, Tall } from "../types.js";
import { pairMetric } from "./pair-metric.js";

/** G with E G(ν) for a standard normal ν; the chain makes G, G' and G'' of y */
export const contrasts = {
  logcosh: {
    G: chain(1, ({ logcosh, tanh, mul, sub }, y) => {
      const g = tanh(y);
      return { outputs: [logcosh(y), g, sub(1, mul(g, g))] };
    }),
    gaussian: 0.374567207491438,
  },
  kurtosis: {
    G: chain(1, ({ mul }, y) => {
      const square = mul(y, y);
      return { outputs: [mul(square, square), mul(4, mul(y, square)), mul(12, square)] };
    }),
    gaussian: 3,
  },
} as const satisfies Record<string, { G: Chain; gaussian: number }>;

/** How the distances d_j of the sources from a Gaussian are added up: φ, φ', φ'' */
export const sums = {
  squares: (d: number) => [d * d, 2 * d, 2] as const,
  absolute: (d: number) => [Math.abs(d), Math.sign(d), 0] as const,
} as const;

/**
 * f(X) = −Σ_j φ(d_j),  d_j = mean G(y_j) − E G(ν),  Y = ZX, for white Z (ZᵀZ = m·I, m×p) and X orthogonal. With w_j = φ'(d_j):
 *
 *     ∇f(X) = −Zᵀg(Y)·Diag(w)/m,   ∇²f(X)[D] = −(Zᵀ(g'(Y)∘ZD)·Diag(w) + Zᵀg(Y)·Diag(φ''(d_j)·d'_j))/m,  d'_j = mean g(y_j)∘(ZD)_j
 *
 * Where the sources are independent the Hessian along X·A is Σ_ij A_ij²·(c_i + c_j)/2, c_j = −w_j(mean g'(y_j) − mean y_j·g(y_j)): its
 * preconditioner costs nothing, as the means are by-products of ∇f (Ablin, Cardoso, Gramfort: Picard, 2018).
 */
export function negentropy(
  E: Engine,
  Z: Matrix,
  contrast: keyof typeof contrasts,
  sum: keyof typeof sums,
): { f: Objective; precondition: Precondition; fixedPoint(Y: Tall, X: Tall): void } {
  const [m, p] = [Z.rows, Z.cols];
  const { G, gaussian } = contrasts[contrast];
  const phi = sums[sum];
  const { apply, applyT } = E.operator(Z);
  const [Y, value, g, slope] = [E.tall(m, p), E.tall(m, p), E.tall(m, p), E.tall(m, p)];
  const ones = E.tall(m, 1, new Float64Array(m).fill(1));
  const [row, W, U] = [E.small(1, p), E.small(p, p), E.small(p, p)];
  const [V, Q, T] = [E.tall(p, p), E.tall(p, p), E.tall(p, p)];
  const [d, weights, means, inner] = [0, 1, 2, 3].map(() => new Float64Array(p)) as [Floats, Floats, Floats, Floats];
  const [diagonal, square] = [new Float64Array(p * p), new Float64Array(p * p)];
  /** where `means` and `inner` belong to */
  const at = E.tall(p, p);

  /** out_j ← mean of column j */
  function columnMeans(out: Floats, M: Tall): void {
    E.tmul(row, ones, M, 1 / m);
    E.read(row, out);
  }

  /** out_j ← ⟨a_j, b_j⟩ of the columns of two p×p matrices */
  function innerProducts(out: Floats, A: Tall, B: Tall): void {
    E.tmul(U, A, B);
    E.read(U, square);
    for (let j = 0; j < p; j++) out[j] = square[j * (p + 1)]!;
  }

  /** D ← Diag(values) */
  function diagonalOf(D: Small, values: (j: number) => number): void {
    for (let j = 0; j < p; j++) diagonal[j * (p + 1)] = values(j);
    E.write(D, diagonal);
  }

  function evaluate(X: Tall): number {
    apply(Y, X);
    E.map([value, g, slope], G, [Y]);
    columnMeans(d, value);
    columnMeans(means, slope);
    let total = 0;
    for (let j = 0; j < p; j++) {
      const [f, w] = phi((d[j]! -= gaussian));
      total += f;
      weights[j] = w;
    }
    applyT(Q, g, 1 / m);
    innerProducts(inner, X, Q);
    E.copy(at, X);
    return -total;
  }

  function fg(Gradient: Tall, X: Tall): number {
    const f = evaluate(X);
    diagonalOf(W, (j) => -weights[j]!);
    E.mul(Gradient, Q, W);
    return f;
  }

  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    evaluate(X);
    const second = Array.from(d, (v) => phi(v)[2]);
    diagonalOf(W, (j) => -weights[j]!);
    held ??= { Q: E.tall(p, p), slope: E.tall(m, p), W: E.small(p, p) };
    const { Q: kept, slope: slopes, W: W0 } = held;
    E.copy(kept, Q);
    E.copy(slopes, slope);
    E.copy(W0, W);
    const along = new Float64Array(p);
    return (H, D) => {
      innerProducts(along, kept, D);
      apply(Y, D);
      E.map([value], entrywiseProduct, [slopes, Y]);
      applyT(T, value, 1 / m);
      E.mul(H, T, W0);
      diagonalOf(U, (j) => -second[j]! * along[j]!);
      E.mul(H, kept, U, 1, 1);
    };
  }

  /** what a linearization keeps, so that values taken in between do not disturb it */
  let held: { Q: Tall; slope: Tall; W: Small } | undefined;
  const moved = E.tall(p, p);
  const precondition = pairMetric(E, p, (h, X) => {
    E.combine(moved, 1, X, -1, at);
    if (E.dot(moved, moved) > 0) evaluate(X);
    const c = weights.map((w, j) => -w * (means[j]! - inner[j]!));
    for (let i = 0; i < p; i++) for (let j = 0; j < p; j++) h[i * p + j] = (c[i]! + c[j]!) / 2;
  });
  const f: Objective = { n: p, p, f: (X) => fg(V, X), fg, hvp: (H, X, D) => linearize(X)(H, D), linearize };

  /** Y ← (Zᵀg(Y)/m − X·Diag(mean g'(y_j)))·Diag(w), whose polar factor is the next point of symmetric FastICA */
  function fixedPoint(Y: Tall, X: Tall): void {
    evaluate(X);
    diagonalOf(W, (j) => weights[j]!);
    E.mul(Y, Q, W);
    diagonalOf(W, (j) => -weights[j]! * means[j]!);
    E.mul(Y, X, W, 1, 1);
  }
  return { f, precondition, fixedPoint };
}

type Floats = Float64Array;
