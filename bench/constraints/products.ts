/** Several matrices at once. */
import { euclidean, product, stiefel } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { diagonal, evenly, orthonormal, plain, planted, sum } from "./planted.js";
import type { ConstrainedProblem, Drawn } from "./problem.js";

/** f = −tr UᵀAVN, N = Diag(p, …, 1): singular vectors in their order */
export const singularVectors: ConstrainedProblem = {
  name: "singular-vectors",
  n: 300,
  p: 10,
  draw(E, n, p, seed): Drawn {
    const m = Math.ceil((2 * n) / 3);
    const values = evenly(m, 10, 1).map((s) => s ** 2);
    const A = planted(E, orthonormal(E, n, m, seed, "P"), values, orthonormal(E, m, m, seed, "Q"));
    const weights = evenly(p, p, 1);
    return {
      on: product({ U: stiefel(n, p), V: stiefel(m, p) }),
      data: { A },
      optimum: -sum(weights.map((w, i) => w * values[i]!)),
      f(E) {
        const [operator, N, AV, AU] = [E.operator(A), diagonal(E, weights), E.tall(n, p), E.tall(m, p)];
        return {
          fg(G: { U: Tall; V: Tall }, X: { U: Tall; V: Tall }) {
            operator.apply(AV, X.V);
            operator.applyT(AU, X.U);
            E.mul(G.U, AV, N, -1);
            E.mul(G.V, AU, N, -1);
            return E.dot(X.U, G.U);
          },
        } as ReturnType<Drawn["f"]>;
      },
    };
  },
};

/** f = ½‖US − M‖², U orthonormal, S any: the optimum is half the sum of squares of the other singular values */
export const lowRank: ConstrainedProblem = {
  name: "low-rank",
  n: 300,
  p: 10,
  draw(E, n, p, seed): Drawn {
    const m = Math.ceil(n / 3);
    const values = evenly(m, 5, 1).map((s, i) => (i < p ? s : s / 2));
    const M = planted(E, orthonormal(E, n, m, seed, "P"), values, orthonormal(E, m, m, seed, "Q"));
    return {
      on: product({ U: stiefel(n, p), S: euclidean(p, m) }),
      data: { M },
      optimum: 0.5 * sum(values.subarray(p).map((s) => s * s)),
      f(E) {
        const [target, R, S, T] = [E.tall(n, m, M.data), E.tall(n, m), E.small(p, m), E.small(p, m)];
        const s = new Float64Array(p * m);
        return {
          fg(G: { U: Tall; S: Tall }, X: { U: Tall; S: Tall }) {
            E.write(S, E.read(X.S, s));
            E.copy(R, target);
            E.mul(R, X.U, S, 1, -1);
            E.mulT(G.U, R, S);
            E.tmul(T, X.U, R);
            E.write(G.S, E.read(T, s));
            return 0.5 * E.dot(R, R);
          },
        } as ReturnType<Drawn["f"]>;
      },
    };
  },
};

type Factors = { U: Tall; V: Tall; W: Tall };

/** f = −½‖T ×₁Uᵀ ×₂Vᵀ ×₃Wᵀ‖² for a T of rank (p, p, p): the optimum is −½‖T‖² */
export const tucker: ConstrainedProblem = {
  name: "tucker",
  n: 60,
  p: 5,
  draw(E, n, p, seed): Drawn {
    const core = E.small(p, p * p);
    E.write(core, random(seed, "core").normal);
    const [U, V, W] = ["U", "V", "W"].map((name) => orthonormal(E, n, p, seed, name));
    // a(bc) → i(bc), b(ci) → j(ci), c(ij) → k(ij) → (ij)k
    const [first, second, third] = [E.small(n, p * p), E.small(n, n * p), E.small(n, n * n)];
    E.mul(first, U!, core);
    E.mul(second, V!, E.small(p, n * p, turned(E.read(first), n, p, p)));
    E.mul(third, W!, E.small(p, n * n, turned(E.read(second), n, p, n)));
    const T = turned(E.read(third), n, n, n);
    const data = { T: plain(E, E.small(n, n * n, T)) };
    return {
      on: product({ U: stiefel(n, p), V: stiefel(n, p), W: stiefel(n, p) }),
      data,
      optimum: -0.5 * E.dot(core, core),
      f: (E) => contraction(E, n, p, T) as ReturnType<Drawn["f"]>,
    };
  },
};

/** x[i, j, k] → y[j, k, i], the first index becomes the last */
function turned(x: Float64Array, a: number, b: number, c: number): Float64Array {
  const y = new Float64Array(x.length);
  const rest = b * c;
  for (let i = 0; i < a; i++) for (let r = 0; r < rest; r++) y[r * a + i] = x[i * rest + r]!;
  return y;
}

/** x[i, j, k] → y[k, i, j], the last index becomes the first */
const turnedBack = (x: Float64Array, a: number, b: number, c: number): Float64Array => turned(x, a * b, c, 1);

function contraction(E: Engine, n: number, p: number, T: Float64Array) {
  const T1 = E.tall(n, n * n, T);
  const T3 = E.tall(n, n * n, turnedBack(T, n, n, n));
  const [wide, w] = [E.small(p, n * n), new Float64Array(p * n * n)];
  /** of each a or c, n×n */
  const slices = Array.from({ length: p }, () => E.tall(n, n));
  const [thin, flat, x] = [E.tall(n, p), E.small(p, n), new Float64Array(n * p)];
  const [Vs, Ws, core] = [E.small(n, p), E.small(n, p), E.small(p, p * p)];
  /** T contracted with two factors, for the gradient of the third, n×p² */
  const [part, rows] = [E.tall(n, p * p), new Float64Array(n * p * p)];

  /** slice a ← (XᵀT)_a */
  function contract(X: Tall, along: Tall): void {
    E.tmul(wide, X, along);
    E.read(wide, w);
    for (const [a, slice] of slices.entries()) E.write(slice, w.subarray(a * n * n, (a + 1) * n * n));
  }
  /** rows[i, a, b] ← x[i, b], or x[b, i] where `turned` */
  function place(a: number, turned: boolean): void {
    for (let i = 0; i < n; i++) {
      for (let b = 0; b < p; b++) rows[(i * p + a) * p + b] = turned ? x[b * n + i]! : x[i * p + b]!;
    }
  }
  /** G ← −P·(XᵀP)ᵀ; returns −½‖XᵀP‖² */
  function finish(G: Tall, X: Tall): number {
    E.write(part, rows);
    E.tmul(core, X, part);
    E.mulT(G, part, core, -1);
    return -0.5 * E.dot(core, core);
  }
  /** rows of slices times S */
  function right(S: Small): void {
    for (const [a, slice] of slices.entries()) {
      E.mul(thin, slice, S);
      E.read(thin, x);
      place(a, false);
    }
  }
  return {
    fg(G: Factors, { U, V, W }: Factors) {
      E.write(Vs, E.read(V, x));
      E.write(Ws, E.read(W, x));
      contract(W, T3);
      right(Vs);
      const value = finish(G.U, U);
      contract(U, T1);
      right(Ws);
      finish(G.V, V);
      for (const [a, slice] of slices.entries()) {
        E.tmul(flat, V, slice);
        E.read(flat, x);
        place(a, true);
      }
      finish(G.W, W);
      return value;
    },
  };
}
