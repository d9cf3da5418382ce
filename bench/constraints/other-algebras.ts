/** Complex matrices, and unit columns. */
import type { ComplexMatrix } from "@expen/core";
import { complexStiefel, oblique } from "@expen/core";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { evenly, orthonormal, plain, planted, sum } from "./planted.js";
import type { ConstrainedProblem, Drawn } from "./problem.js";

type Complex = ComplexMatrix<Tall>;

/** Unitary: Q₁·Diag(e^{iθ})·Q₂, its real and imaginary parts */
export function unitary(E: Engine, n: number, seed: number, name: string): Matrix[] {
  const draw = random(seed, `${name} angles`);
  const angles = Float64Array.from({ length: n }, () => 2 * Math.PI * draw.uniform());
  const [P, Q] = [orthonormal(E, n, n, seed, `${name} P`), orthonormal(E, n, n, seed, `${name} Q`)];
  return [planted(E, P, angles.map(Math.cos), Q), planted(E, P, angles.map(Math.sin), Q)];
}

/** U·Diag(values)·Vᴴ of complex matrices by their parts */
export function complexPlanted(E: Engine, [Ur, Ui]: Matrix[], values: ArrayLike<number>, [Vr, Vi]: Matrix[]): Matrix[] {
  const small = (A: Matrix) => E.small(A.rows, A.cols, A.data);
  const times = (A: Matrix, B: Matrix): Float64Array => planted(E, small(A), values, small(B)).data as Float64Array;
  const n = Ur!.rows;
  const join = (A: Float64Array, B: Float64Array, sign: number): Matrix => ({
    rows: n,
    cols: n,
    data: A.map((a, k) => a + sign * B[k]!),
  });
  return [join(times(Ur!, Vr!), times(Ui!, Vi!), 1), join(times(Ui!, Vr!), times(Ur!, Vi!), -1)];
}

/** f = ½Re tr XᴴAX, A Hermitian */
export const hermitianEigenvalues: ConstrainedProblem = {
  name: "hermitian-eigenvalues",
  n: 200,
  p: 8,
  draw(E, n, p, seed): Drawn {
    const values = evenly(n, 1, 10);
    const U = unitary(E, n, seed, "U");
    const [Ar, Ai] = complexPlanted(E, U, values, U) as [Matrix, Matrix];
    return {
      on: complexStiefel(n, p),
      data: { Ar, Ai },
      optimum: 0.5 * sum(values.subarray(0, p)),
      f(E) {
        const [R, I] = [E.operator(Ar), E.operator(Ai)];
        return {
          fg(G: Complex, X: Complex) {
            R.apply(G.re, X.re);
            I.apply(G.re, X.im, -1, 1);
            I.apply(G.im, X.re);
            R.apply(G.im, X.im, 1, 1);
            return 0.5 * (E.dot(X.re, G.re) + E.dot(X.im, G.im));
          },
        } as unknown as ReturnType<Drawn["f"]>;
      },
    };
  },
};

/** f = −Re tr XᴴM, X unitary: the optimum is the sum of singular values */
export const nearestUnitary: ConstrainedProblem = {
  name: "nearest-unitary",
  n: 60,
  p: 60,
  draw(E, n, _p, seed): Drawn {
    const values = evenly(n, 1, 10);
    const [Mr, Mi] = complexPlanted(E, unitary(E, n, seed, "U"), values, unitary(E, n, seed, "V")) as [Matrix, Matrix];
    return {
      on: complexStiefel(n, n),
      data: { Mr, Mi },
      optimum: -sum(values),
      f(E) {
        const [re, im] = [E.tall(n, n, Mr.data), E.tall(n, n, Mi.data)];
        return {
          fg(G: Complex, X: Complex) {
            E.combine(G.re, -1, re, 0, re);
            E.combine(G.im, -1, im, 0, im);
            return E.dot(X.re, G.re) + E.dot(X.im, G.im);
          },
        } as unknown as ReturnType<Drawn["f"]>;
      },
    };
  },
};

/** f = ½tr XWXᵀ for a bipartite graph with weights: every edge is cut at the optimum, −½ΣW */
export const maxCut: ConstrainedProblem = {
  name: "max-cut",
  n: 20,
  p: 200,
  draw(E, n, p, seed): Drawn {
    const draw = random(seed, "graph");
    const w = new Float64Array(p * p);
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < i; j++) {
        if ((i - j) % 2 === 1 && draw.uniform() < 0.2) w[i * p + j] = w[j * p + i] = draw.uniform();
      }
    }
    return {
      on: oblique(n, p),
      data: { W: plain(E, E.small(p, p, w)) },
      optimum: -0.5 * sum(w),
      f(E) {
        const W = E.small(p, p, w);
        return {
          fg(G: Tall, X: Tall) {
            E.mul(G, X, W);
            return 0.5 * E.dot(X, G);
          },
        } as ReturnType<Drawn["f"]>;
      },
    };
  },
};
