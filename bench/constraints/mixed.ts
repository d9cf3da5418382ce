/** Unitary matrices, unit columns and factors together. */
import type { ComplexMatrix } from "@expen/core";
import { complexStiefel, euclidean, oblique, product, sphere, stiefel } from "@expen/core";
import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { complexPlanted, unitary } from "./other-algebras.js";
import { diagonal, evenly, orthonormal, planted, sum } from "./planted.js";
import type { ConstrainedProblem, Drawn } from "./problem.js";

type Complex = ComplexMatrix<Tall>;

/** Hermitian with these eigenvalues: its parts, and (Gr, Gi) ← A·(Xr, Xi) */
function hermitian(E: Engine, n: number, values: Float64Array, seed: number) {
  const U = unitary(E, n, seed, "U");
  const [Ar, Ai] = complexPlanted(E, U, values, U) as [Matrix, Matrix];
  const apply = (E: Engine) => {
    const [R, I] = [E.operator(Ar), E.operator(Ai)];
    return (G: Complex, X: Complex): void => {
      R.apply(G.re, X.re);
      I.apply(G.re, X.im, -1, 1);
      I.apply(G.im, X.re);
      R.apply(G.im, X.im, 1, 1);
    };
  };
  return { data: { Ar, Ai }, apply };
}

/** f = ½Re tr XᴴAXN, X unitary, N = Diag(n, …, 1): eigenvectors in their order */
export const unitaryBrockett: ConstrainedProblem = {
  name: "unitary-brockett",
  n: 24,
  p: 24,
  draw(E, n, _p, seed): Drawn {
    const [values, weights] = [evenly(n, 1, 10), evenly(n, n, 1)];
    const { data, apply } = hermitian(E, n, values, seed);
    return {
      on: complexStiefel(n, n),
      data,
      optimum: 0.5 * sum(weights.map((w, i) => w * values[i]!)),
      f(E) {
        const [times, N, re, im] = [apply(E), diagonal(E, weights), E.tall(n, n), E.tall(n, n)];
        return {
          fg(G: Complex, X: Complex) {
            times({ re, im }, X);
            E.mul(G.re, re, N);
            E.mul(G.im, im, N);
            return 0.5 * (E.dot(X.re, G.re) + E.dot(X.im, G.im));
          },
        } as unknown as ReturnType<Drawn["f"]>;
      },
    };
  },
};

/** f = Re tr UᴴAU·Diag(s), U unitary, ‖s‖ = 1: −‖λ(A)‖ */
export const spectrumOnSphere: ConstrainedProblem = {
  name: "spectrum-on-sphere",
  n: 16,
  p: 17,
  draw(E, _n, p, seed): Drawn {
    const m = p - 1;
    const values = evenly(m, 1, 4);
    const { data, apply } = hermitian(E, m, values, seed);
    return {
      on: product({ U: complexStiefel(m, m), s: sphere(m) }),
      data,
      optimum: -Math.sqrt(sum(values.map((v) => v * v))),
      f(E) {
        const [times, re, im, D] = [apply(E), E.tall(m, m), E.tall(m, m), E.small(m, m)];
        const d = new Float64Array(m * m);
        return {
          fg(G: { U: Complex; s: Tall }, { U, s }: { U: Complex; s: Tall }) {
            const numbers = E.read(s);
            for (let j = 0; j < m; j++) d[j * (m + 1)] = numbers[j]!;
            E.write(D, d);
            times({ re, im }, U);
            E.mul(G.U.re, re, D, 2);
            E.mul(G.U.im, im, D, 2);
            const [xr, xi, yr, yi] = [E.read(U.re), E.read(U.im), E.read(re), E.read(im)];
            const g = new Float64Array(m);
            for (let k = 0; k < m * m; k++) g[k % m]! += xr[k]! * yr[k]! + xi[k]! * yi[k]!;
            E.write(G.s, g);
            return E.dot(s, G.s);
          },
        } as unknown as ReturnType<Drawn["f"]>;
      },
    };
  },
};

type Columns = { U: Tall; X: Tall };

/** f = −tr UᵀAX, U orthonormal, X of unit columns: −√(p·Σσ²) of the p largest */
export const columnLengths: ConstrainedProblem = {
  name: "column-lengths",
  n: 200,
  p: 6,
  draw(E, n, p, seed): Drawn {
    const m = n / 2;
    const values = evenly(m, 10, 1);
    const A = planted(E, orthonormal(E, n, m, seed, "P"), values, orthonormal(E, m, m, seed, "Q"));
    return {
      on: product({ U: stiefel(n, p), X: oblique(m, p) }),
      data: { A },
      optimum: -Math.sqrt(p * sum(values.subarray(0, p).map((s) => s * s))),
      f(E) {
        const operator = E.operator(A);
        return {
          fg(G: Columns, { U, X }: Columns) {
            operator.apply(G.U, X, -1);
            operator.applyT(G.X, U, -1);
            return E.dot(U, G.U);
          },
        } as ReturnType<Drawn["f"]>;
      },
    };
  },
};

type Three = { U: Tall; S: Tall; V: Tall };

/** f = ½‖USVᵀ − M‖², U and V orthonormal, S any: the optimum is half the sum of squares of the other singular values */
export const threeFactors: ConstrainedProblem = {
  name: "three-factors",
  n: 150,
  p: 6,
  draw(E, n, p, seed): Drawn {
    const m = (2 * n) / 3;
    const values = evenly(m, 5, 1).map((s, i) => (i < p ? s : s / 3));
    const M = planted(E, orthonormal(E, n, m, seed, "P"), values, orthonormal(E, m, m, seed, "Q"));
    return {
      on: product({ U: stiefel(n, p), S: euclidean(p, p), V: stiefel(m, p) }),
      data: { M },
      optimum: 0.5 * sum(values.subarray(p).map((s) => s * s)),
      f(E) {
        const [operator, square] = [E.operator(M), E.dot(E.tall(n, m, M.data), E.tall(n, m, M.data))];
        const [MV, MU, s, T, W] = [E.tall(n, p), E.tall(m, p), E.small(p, p), E.small(p, p), E.small(p, p)];
        const [UU, VV] = [E.small(p, p), E.small(p, p)];
        const copy = (to: Small, from: Tall): void => E.write(to, E.read(from));
        return {
          fg(G: Three, { U, S, V }: Three) {
            copy(s, S);
            operator.apply(MV, V);
            operator.applyT(MU, U);
            E.gram(UU, U);
            E.gram(VV, V);
            // G_U = US·VᵀV·Sᵀ − MVSᵀ
            E.mul(T, s, VV);
            E.mulT(W, T, s);
            E.mul(G.U, U, W);
            E.mulT(G.U, MV, s, -1, 1);
            // G_V = VSᵀ·UᵀU·S − MᵀUS
            E.mul(W, UU, s);
            E.tmul(T, s, W);
            E.mul(G.V, V, T);
            E.mul(G.V, MU, s, -1, 1);
            // G_S = UᵀUSVᵀV − UᵀMV
            E.mul(T, W, VV);
            const quartic = E.dot(s, T);
            E.tmul(W, U, MV);
            const cross = E.dot(s, W);
            E.combine(T, 1, T, -1, W);
            E.write(G.S, E.read(T));
            return 0.5 * (quartic - 2 * cross + square);
          },
        } as ReturnType<Drawn["f"]>;
      },
    };
  },
};
