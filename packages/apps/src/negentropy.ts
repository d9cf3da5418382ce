import type { Objective, Precondition } from "@expen/core";
import type { Chain, Engine, Matrix, Small, Tall } from "@expen/linalg";
import { plain } from "@expen/linalg";
import { chain, entrywiseProduct } from "@expen/linalg/engine";
import { pairMetric } from "./pair-metric.js";
import { type RowBlocks, reusableRowBlocks, scratchBlocks } from "./row-blocks.js";

interface Contrast {
  /** G, G' and G'' of y */
  readonly G: Chain;
  /** G' and G'' */
  readonly slopes: Chain;
  /** E G(ν) for a standard normal ν */
  readonly gaussian: number;
}

export const contrasts: Readonly<Record<"logcosh" | "kurtosis", Contrast>> = {
  logcosh: {
    G: chain(1, ({ logcosh, tanh, mul, sub }, y) => {
      const g = tanh(y);
      return { outputs: [logcosh(y), g, sub(1, mul(g, g))] };
    }),
    slopes: chain(1, ({ tanh, mul, sub }, y) => {
      const g = tanh(y);
      return { outputs: [g, sub(1, mul(g, g))] };
    }),
    gaussian: 0.374567207491438,
  },
  kurtosis: {
    G: chain(1, ({ mul }, y) => {
      const square = mul(y, y);
      return { outputs: [mul(square, square), mul(4, mul(y, square)), mul(12, square)] };
    }),
    slopes: chain(1, ({ mul }, y) => {
      const square = mul(y, y);
      return { outputs: [mul(4, mul(y, square)), mul(12, square)] };
    }),
    gaussian: 3,
  },
};

/** φ, φ', φ'' for the sum Σ_j φ(d_j) of the distances of the sources from a Gaussian */
export const sums: Readonly<Record<"squares" | "absolute", (d: number) => readonly [number, number, number]>> = {
  squares: (d) => [d * d, 2 * d, 2],
  absolute: (d) => [Math.abs(d), Math.sign(d), 0],
};

interface Negentropy {
  readonly f: Objective;
  readonly precondition: Precondition;
  /** Y ← a matrix whose polar factor is the next iterate of symmetric FastICA, up to signs of columns */
  fixedPoint(Y: Tall, X: Tall): void;
  /** d_j at X */
  distances(X: Tall): Float64Array;
}

/**
 * f(X) = −Σ_j φ(d_j),  d_j = mean G(y_j) − E G(ν),  Y = ZX, for white Z (ZᵀZ = m·I, m×p) and X orthogonal. With w_j = φ'(d_j):
 *
 *     ∇f(X) = −Zᵀg(Y)·Diag(w)/m,   ∇²f(X)[D] = −(Zᵀ(g'(Y)∘ZD)·Diag(w) + Zᵀg(Y)·Diag(φ''(d_j)·d'_j))/m,  d'_j = mean g(y_j)∘(ZD)_j
 *
 * For independent sources the Hessian along X·A is Σ_ij A_ij²·(c_i + c_j)/2, c_j = −w_j(mean g'(y_j) − mean y_j·g(y_j)): its inverse, the
 * preconditioner, is free, as the means are by-products of ∇f (Ablin, Cardoso, Gramfort: Picard, 2018). Z is processed in blocks of rows
 * whose intermediate results stay in cache.
 */
export function negentropy(E: Engine, Z: Matrix, contrast: keyof typeof contrasts, sum: keyof typeof sums): Negentropy {
  const [m, p] = [Z.rows, Z.cols];
  const { G, slopes, gaussian } = contrasts[contrast];
  const phi = sums[sum];
  const blocks = reusableRowBlocks(E, [Z]);
  const [S, D, Q, row, rowOfSlopes] = [E.small(p, p), E.small(p, p), E.small(p, p), E.small(1, p), E.small(1, p)];
  const [d, weights, means] = [new Float64Array(p), new Float64Array(p), new Float64Array(p)];
  const [at, q, out] = [new Float64Array(p * p), new Float64Array(p * p), new Float64Array(p * p)];
  /** converts tall p×p matrices, X and gradients, to small ones and back, by products */
  const I = E.tall(p, p);
  E.write(
    I,
    Float64Array.from(q, (_, k) => (k % (p + 1) === 0 ? 1 : 0)),
  );
  /** whether d, weights, means and q are those of `at` */
  let isCurrent = false;

  /** Q ← ZᵀM/m and means of columns, where `make` computes M in scratch from a block of Z and of the other matrices of `through` */
  function pass(make: Make, through = blocks): void {
    let beside = 0;
    through(([z, ...others]) => {
      const [ones, ...scratch] = scratchBlocks(E, z!.rows, [1, p, p, p, p]);
      const { M, value, slope } = make(z!, scratch as Scratch, others[0]!);
      E.fill(ones!, 1);
      if (value) E.tmul(row, ones!, value, 1 / m, beside);
      if (slope) E.tmul(rowOfSlopes, ones!, slope, 1 / m, beside);
      E.tmul(Q, z!, M, 1 / m, beside);
      beside = 1;
    });
  }

  /** The entries of a tall p×p matrix; S ← X */
  function numbersOf(into: Floats, S: Small, X: Tall): Floats {
    E.tmul(S, I, X);
    return E.read(S, into);
  }

  function evaluate(X: Tall): number {
    numbersOf(at, S, X);
    pass((z, [Y, value, g, slope]) => {
      E.mul(Y, z, S);
      E.map([value, g, slope], G, [Y]);
      return { M: g, value, slope };
    });
    E.read(row, d);
    E.read(rowOfSlopes, means);
    E.read(Q, q);
    let total = 0;
    for (let j = 0; j < p; j++) {
      const [f, w] = phi((d[j]! -= gaussian));
      total += f;
      weights[j] = w;
    }
    isCurrent = true;
    return -total;
  }

  function evaluateOnce(X: Tall): void {
    if (!isCurrent || numbersOf(out, D, X).some((x, k) => x !== at[k])) evaluate(X);
  }

  /** out ← a·Diag(factors) + b·Diag(others), written to M */
  function writeScaled(M: Tall, a: Float64Array, factors: Floats, b?: Float64Array, others?: Floats): void {
    for (let k = 0; k < out.length; k++) {
      const j = k % p;
      out[k] = a[k]! * factors[j]! + (b ? b[k]! * others![j]! : 0);
    }
    E.write(D, out);
    E.mul(M, I, D);
  }

  /** ⟨a_j, b_j⟩ of columns */
  function innerProducts(a: Float64Array, b: Float64Array): Floats {
    const inner = new Float64Array(p);
    for (let k = 0; k < a.length; k++) inner[k % p]! += a[k]! * b[k]!;
    return inner;
  }

  function fg(Gradient: Tall, X: Tall): number {
    const f = evaluate(X);
    writeScaled(Gradient, q, weights.map(minus));
    return f;
  }

  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    evaluate(X);
    const [saved, w] = [q.slice(), weights.map(minus)];
    const second = d.map((v) => phi(v)[2]);
    const withSlopes = (linearizationBlocks ??= reusableRowBlocks(E, [Z, plain(m, p)]));
    pass((z, [Y, , g, slope], slopesHere) => {
      E.mul(Y, z, S);
      E.map([g, slope], slopes, [Y]);
      E.copy(slopesHere, slope);
      return { M: g };
    }, withSlopes);
    return (H, direction) => {
      const along = innerProducts(saved, numbersOf(out, D, direction));
      pass((z, [Y, , g, slope], slopesHere) => {
        E.mul(Y, z, D);
        E.copy(slope, slopesHere);
        E.map([g], entrywiseProduct, [slope, Y]);
        return { M: g };
      }, withSlopes);
      const others = second.map((v, j) => -v * along[j]!);
      writeScaled(H, E.read(Q), w, saved, others);
    };
  }

  /** blocks of Z and of g'(Y) at the point of the linearization, which later evaluations of f leave as they are */
  let linearizationBlocks: RowBlocks | undefined;
  const precondition = pairMetric(E, p, (h, X) => {
    evaluateOnce(X);
    const inner = innerProducts(at, q);
    const c = weights.map((w, j) => -w * (means[j]! - inner[j]!));
    for (let i = 0; i < p; i++) for (let j = 0; j < p; j++) h[i * p + j] = (c[i]! + c[j]!) / 2;
  });
  let V: Tall | undefined;
  const f: Objective = {
    ...{ n: p, p, fg, linearize },
    f: (X) => fg((V ??= E.tall(p, p)), X),
    hvp: (H, X, D) => linearize(X)(H, D),
  };

  /** Y ← (Zᵀg(Y)/m − X·Diag(mean g'(y_j)))·Diag(w); for "absolute" w = ±1 is omitted, which changes signs only */
  function fixedPoint(Y: Tall, X: Tall): void {
    if (sum === "squares") evaluate(X);
    else {
      isCurrent = false;
      numbersOf(at, S, X);
      pass((z, [Y, , g, slope]) => {
        E.mul(Y, z, S);
        E.map([g, slope], slopes, [Y]);
        return { M: g, slope };
      });
      E.read(rowOfSlopes, means);
      E.read(Q, q);
      weights.fill(1);
    }
    writeScaled(
      Y,
      q,
      weights,
      at,
      weights.map((w, j) => -w * means[j]!),
    );
  }

  function distances(X: Tall): Float64Array {
    evaluateOnce(X);
    return d.slice();
  }
  return { f, precondition, fixedPoint, distances };
}

type Floats = Float64Array;
type Scratch = [Tall, Tall, Tall, Tall];
type Make = (z: Tall, scratch: Scratch, beside: Tall) => { M: Tall; value?: Tall; slope?: Tall };
const minus = (v: number): number => -v;
