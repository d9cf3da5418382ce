/** Problems with known answers on every manifold. */

import type { Engine, Matrix, Small, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { eigh, svd } from "@expen/linalg/dense";
import {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  type Manifold,
  minimize,
  oblique,
  product,
  type Result,
  specialOrthogonal,
  sphere,
  stiefel,
  type UserObjective,
  type View,
} from "expen";
import { jsEngine } from "expen/engines";
import { circle, fixedRank, flag, type LowRankFactors, ofProducts, power, simplex } from "expen/manifolds";
import type { ComplexMatrix } from "expen/types";

export const host = jsEngine();
export const normals = (rows: number, cols: number, stream: string): Matrix => {
  const r = random(7, stream);
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, () => r.normal()) };
};
/** AᵀA/n + shift·I */
export function definite(n: number, stream: string, shift = 1): Matrix {
  const [A, S] = [host.small(n, n, normals(n, n, stream).data), host.small(n, n)];
  host.tmul(S, A, A, 1 / n);
  host.addDiagonal(S, shift);
  return { rows: n, cols: n, data: host.read(S) };
}
export const small = (A: Matrix): Small => host.small(A.rows, A.cols, A.data);
const sum = (xs: ArrayLike<number>): number => Array.from(xs).reduce((a, b) => a + b, 0);

export interface Case<P extends View> {
  on: Manifold<P>;
  f: (E: Engine) => UserObjective<P>;
  optimum: number;
}
export const given = <P extends View>(one: Case<P>): Case<View> => one as unknown as Case<View>;

/** ½tr XᵀAX, whose minimum over XᵀBX = I is half the sum of the p smallest eigenvalues of R⁻ᵀAR⁻¹, B = RᵀR */
export function generalizedEigenproblem(n: number, p: number): Case<Tall> {
  const [A, B] = [definite(n, "A"), definite(n, "B", 0.2)];
  const [R, M, T] = [host.small(n, n), small(A), host.small(n, n)];
  host.factor.cholesky(R, small(B));
  host.factor.divide(M, R);
  const I = host.small(n, n);
  host.addDiagonal(I, 1);
  host.tmul(T, M, I);
  host.factor.divide(T, R);
  return {
    on: generalizedStiefel(B, p),
    optimum: 0.5 * sum(eigh(host, T).values.slice(0, p)),
    f: (E) => {
      const a = E.operator(A);
      return {
        fg(G, X) {
          a.apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => a.apply(H, D),
      };
    },
  };
}

/** ½tr XᴴAX for A = Re + i·Im Hermitian; its eigenvalues are those of [[Re, −Im], [Im, Re]], each twice */
export function hermitianEigenproblem(
  n: number,
  p: number,
  on: Manifold<ComplexMatrix<Tall>> = complexStiefel(n, p),
): Case<ComplexMatrix<Tall>> {
  const [re, skew] = [definite(n, "Re"), normals(n, n, "Im").data];
  const im = Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    return (skew[i * n + j]! - skew[j * n + i]!) / n;
  });
  const N = 2 * n;
  const big = Float64Array.from({ length: N * N }, (_, k) => {
    const [i, j] = [Math.floor(k / N), k % N];
    const at = (i % n) * n + (j % n);
    if (i < n === j < n) return re.data[at]!;
    return i < n ? -im[at]! : im[at]!;
  });
  return {
    on,
    optimum:
      0.5 *
      sum(
        eigh(host, host.small(N, N, big))
          .values.slice(0, 2 * p)
          .filter((_, j) => j % 2 === 0),
      ),
    f: (E) => {
      const [a, b] = [E.operator(re), E.operator({ rows: n, cols: n, data: im })];
      const apply = (G: ComplexMatrix<Tall>, X: ComplexMatrix<Tall>): void => {
        a.apply(G.re, X.re);
        b.apply(G.re, X.im, -1, 1);
        a.apply(G.im, X.im);
        b.apply(G.im, X.re, 1, 1);
      };
      return {
        fg(G, X) {
          apply(G, X);
          return 0.5 * (E.dot(G.re, X.re) + E.dot(G.im, X.im));
        },
        hvp: (H, _X, D) => apply(H, D),
      };
    },
  };
}

/** −tr UᵀAVD with D = Diag(p, …, 1): the p largest singular values, weighted */
export function truncatedSvd(m: number, n: number, p: number): Case<{ U: Tall; V: Tall }> {
  const A = normals(m, n, "A of U, V");
  const { s } = svd(host, small(A));
  const weights = Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? p - Math.floor(k / p) : 0));
  return {
    on: product({ U: stiefel(m, p), V: stiefel(n, p) }),
    optimum: -sum(s.slice(0, p).map((v, j) => v * (p - j))),
    f: (E) => {
      const [a, D] = [E.operator(A), E.small(p, p, weights)];
      const [UD, VD] = [E.tall(m, p), E.tall(n, p)];
      const fg = (G: { U: Tall; V: Tall }, X: { U: Tall; V: Tall }): number => {
        E.mul(VD, X.V, D);
        a.apply(G.U, VD, -1);
        E.mul(UD, X.U, D);
        a.applyT(G.V, UD, -1);
        return E.dot(G.U, X.U);
      };
      return {
        fg,
        hvp(H, _X, D) {
          fg(H, D);
        },
      };
    },
  };
}

/** ½tr YAYᵀ with columns of length 1 for A = sᵀ-signed: −Σ s_i·s_j⟨y_i, y_j⟩, whose minimum −½(Σ|s|)² has y_i = ±y */
function signedCut(k: number, n: number): Case<Tall> {
  const s = normals(n, 1, "signs").data;
  return {
    on: oblique(k, n),
    optimum: -0.5 * sum(s.map(Math.abs)) ** 2,
    f: (E) => {
      const [c, v] = [E.small(n, 1, s), E.tall(k, 1)];
      const apply = (G: Tall, X: Tall): void => {
        E.mul(v, X, c);
        E.mulT(G, v, c, -1);
      };
      return {
        fg(G, X) {
          apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => apply(H, D),
      };
    },
  };
}

/** ½xᵀAx on the sphere, or ½tr XᵀAX over subspaces */
export function smallestEigenvalues(on: Manifold): Case<Tall> {
  const { n, p } = on;
  const A = definite(n, "A of sphere");
  return {
    on,
    optimum: 0.5 * sum(eigh(host, small(A)).values.slice(0, p)),
    f: (E) => {
      const a = E.operator(A);
      return {
        fg(G, X) {
          a.apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => a.apply(H, D),
      };
    },
  };
}

/** ½tr XᵀAXN with N = Diag(2, 1, 1): flags of a line in a space of three dimensions */
export function nestedSubspaces(n: number): Case<Tall> {
  const A = definite(n, "A of flags");
  const [w0, w1, w2] = eigh(host, small(A)).values as unknown as [number, number, number];
  return {
    on: flag(n, [1, 2]),
    optimum: w0 + 0.5 * (w1 + w2),
    f: (E) => {
      const [a, N, AX] = [E.operator(A), E.small(3, 3, [2, 0, 0, 0, 1, 0, 0, 0, 1]), E.tall(n, 3)];
      const apply = (G: Tall, X: Tall): void => {
        a.apply(AX, X);
        E.mul(G, AX, N);
      };
      return {
        fg(G, X) {
          apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => apply(H, D),
      };
    },
  };
}

/** ½‖AX − C‖², at whose minimum AᵀA·X = AᵀC */
function leastSquares(m: number, n: number, q: number): Case<Tall> {
  const [A, C] = [normals(m, n, "A of squares"), normals(m, q, "C")];
  const [M, R, X] = [host.small(n, n), host.small(n, q), host.small(n, q)];
  host.tmul(M, small(A), small(A));
  host.tmul(R, small(A), small(C));
  host.factor.solve(X, M, R);
  const rest = small(C);
  host.mul(rest, small(A), X, -1, 1);
  return {
    on: euclidean(n, q),
    optimum: 0.5 * host.dot(rest, rest),
    f: (E) => {
      const [a, c, Y] = [E.operator(A), E.tall(m, q, C.data), E.tall(m, q)];
      return {
        fg(G, X) {
          E.copy(Y, c);
          a.apply(Y, X, 1, -1);
          a.applyT(G, Y);
          return 0.5 * E.dot(Y, Y);
        },
        hvp(H, _X, D) {
          a.apply(Y, D);
          a.applyT(H, Y);
        },
      };
    },
  };
}

/** −⟨A, X⟩ over rotations, for an A whose nearest orthogonal matrix is a reflection: the last singular value counts with its sign */
export function nearestRotation(n: number): Case<Tall> {
  const A = normals(n, n, "rotation");
  const { U, s, V } = svd(host, small(A));
  const Q = host.small(n, n);
  host.mulT(Q, U, V);
  const reflects = determinant(host.read(Q), n) < 0;
  // so that it is one
  if (!reflects) for (let j = 0; j < n; j++) A.data[j]! *= -1;
  return {
    on: specialOrthogonal(n),
    optimum: -(sum(s) - 2 * s[n - 1]!),
    f: (E) => {
      const L = E.tall(n, n, A.data);
      return {
        fg(G, X) {
          E.combine(G, -1, L, 0, L);
          return E.dot(G, X);
        },
        hvp: (H) => E.fill(H, 0),
      };
    },
  };
}

/** −½‖Zc‖² with columns of complex numbers of length 1: −½(Σ|c_j|)², where they differ by signs alone */
function complexCut(on: Manifold<ComplexMatrix<Tall>>): Case<ComplexMatrix<Tall>> {
  const { n: k, p: n } = on;
  const c = normals(n, 1, "weights").data;
  return {
    on,
    optimum: -0.5 * sum(c.map(Math.abs)) ** 2,
    f: (E) => {
      const [w, v] = [E.small(n, 1, c), E.tall(k, 1)];
      const apply = (G: ComplexMatrix<Tall>, X: ComplexMatrix<Tall>): void => {
        for (const part of ["re", "im"] as const) {
          E.mul(v, X[part], w);
          E.mulT(G[part], v, w, -1);
        }
      };
      return {
        fg(G, X) {
          apply(G, X);
          return 0.5 * (E.dot(G.re, X.re) + E.dot(G.im, X.im));
        },
        hvp: (H, _X, D) => apply(H, D),
      };
    },
  };
}

/** ½‖Z‖² − Re⟨C, Z⟩ over complex matrices: −½‖C‖² */
function complexSquares(n: number, p: number): Case<ComplexMatrix<Tall>> {
  const C = { re: normals(n, p, "re of C"), im: normals(n, p, "im of C") };
  return {
    on: euclidean(n, p, { field: "complex" }),
    optimum: -0.5 * sum([...C.re.data, ...C.im.data].map((x) => x * x)),
    f: (E) => {
      const own = { re: E.tall(n, p, C.re.data), im: E.tall(n, p, C.im.data) };
      return {
        fg(G, X) {
          let f = 0;
          for (const part of ["re", "im"] as const) {
            E.combine(G[part], 1, X[part], -1, own[part]);
            f += 0.5 * (E.dot(G[part], X[part]) - E.dot(own[part], X[part]));
          }
          return f;
        },
        hvp(H, _X, D) {
          E.copy(H.re, D.re);
          E.copy(H.im, D.im);
        },
      };
    },
  };
}

/** ½‖x − c‖² on the simplex: x_i = max(c_i − λ, 0) with the λ for which they add up to 1 */
export function simplexProjection(n: number): Case<Tall> {
  const c = normals(n, 1, "c of simplex").data;
  const sorted = c.slice().sort().reverse();
  let [k, lambda, total] = [0, 0, 0];
  for (; k < n; k++) {
    total += sorted[k]!;
    if (sorted[k]! <= (total - 1) / (k + 1)) break;
    lambda = (total - 1) / (k + 1);
  }
  return {
    on: simplex(n),
    optimum: 0.5 * sum(c.map((ci) => (Math.max(ci - lambda, 0) - ci) ** 2)),
    f: (E) => {
      const own = E.tall(n, 1, c);
      return {
        fg(G, x) {
          E.combine(G, 1, x, -1, own);
          return 0.5 * E.dot(G, G);
        },
        hvp: (H, _x, D) => E.copy(H, D),
      };
    },
  };
}

/** ½‖USVᵀ − A‖²: half the sum of the squares of the singular values beyond r */
export function lowRankApproximation(m: number, n: number, r: number): Case<LowRankFactors> {
  const A = normals(m, n, "A of low rank");
  const { s } = svd(host, small(A));
  return {
    on: fixedRank(m, n, r),
    optimum: 0.5 * sum(s.slice(r).map((x) => x * x)),
    f: (E) => {
      const a = E.operator(A);
      const [S, M, T] = [E.small(r, r), E.small(r, r), E.tall(m, r)];
      const f = ofProducts(({ U, S: sigma, V }) => {
        E.write(S, E.read(sigma));
        a.apply(T, V);
        E.tmul(M, U, T);
        // ½‖USVᵀ‖² − ⟨A, USVᵀ⟩ + ½‖A‖² for orthonormal U and V, and with their Gram matrices near the manifold
        const [gu, gv] = [E.small(r, r), E.small(r, r)];
        E.gram(gu, U);
        E.gram(gv, V);
        const [left, right] = [E.small(r, r), E.small(r, r)];
        E.mul(left, gu, S);
        E.mul(right, S, gv);
        const value = 0.5 * E.dot(left, right) - E.dot(M, S) + 0.5 * sum(s.map((x) => x * x));
        const products = (Y: Tall, P: Tall, Q: Tall, B: Small, turned: boolean): void => {
          // Y ← Q·S·PᵀB − A·B for the factor B
          const [G, SG] = [E.small(r, r), E.small(r, r)];
          E.tmul(G, P, B as unknown as Tall);
          if (turned) E.tmul(SG, S, G);
          else E.mul(SG, S, G);
          if (turned) a.applyT(Y, B as unknown as Tall, -1);
          else a.apply(Y, B as unknown as Tall, -1);
          E.mul(Y, Q, SG, 1, 1);
        };
        return {
          f: value,
          W: {
            apply: (Y, X) => products(Y, V, U, X as unknown as Small, false),
            applyT: (Z, X) => products(Z, U, V, X as unknown as Small, true),
          },
        };
      })(E);
      return f;
    },
  };
}

/** −Σ⟨A_i, X_i⟩ over k matrices of orthonormal columns, whose minimum is −Σ‖A_i‖_* */
export function manyProcrustes(k: number, n: number, p: number): Case<Tall> {
  const A = normals(k * n, p, "A of power");
  const blocks = Array.from({ length: k }, (_, i) => A.data.slice(i * n * p, (i + 1) * n * p));
  return {
    on: power(stiefel(n, p), k),
    optimum: -sum(blocks.map((data) => sum(svd(host, host.small(n, p, data)).s))),
    f: (E) => {
      const L = E.tall(k * n, p, A.data);
      return {
        fg(G, X) {
          E.combine(G, -1, L, 0, L);
          return E.dot(G, X);
        },
        hvp: (H) => E.fill(H, 0),
      };
    },
  };
}

/** ½Σ tr X_iᵀA_iX_i over k subspaces: half the p smallest eigenvalues of each A_i */
export function manySubspaces(k: number, n: number, p: number): Case<Tall> {
  const As = Array.from({ length: k }, (_, i) => definite(n, `A ${i} of power`));
  const data = new Float64Array((k * n) ** 2);
  for (const [i, A] of As.entries())
    for (let r = 0; r < n; r++) data.set(A.data.subarray(r * n, (r + 1) * n), (i * n + r) * k * n + i * n);
  return {
    on: power(grassmann(n, p), k),
    optimum: 0.5 * sum(As.map((A) => sum(eigh(host, small(A)).values.slice(0, p)))),
    f: (E) => {
      const a = E.operator({ rows: k * n, cols: k * n, data });
      return {
        fg(G, X) {
          a.apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => a.apply(H, D),
      };
    },
  };
}

export function determinant(q: Float64Array, n: number): number {
  if (n === 1) return q[0]!;
  return sum(
    Array.from({ length: n }, (_, j) => {
      const minor = Float64Array.from({ length: (n - 1) ** 2 }, (_, k) => {
        const column = k % (n - 1);
        return q[(Math.floor(k / (n - 1)) + 1) * n + (column < j ? column : column + 1)]!;
      });
      return (j % 2 === 0 ? 1 : -1) * q[j]! * determinant(minor, n - 1);
    }),
  );
}

export const cases: [string, Case<View>][] = [
  ["generalized eigenvalues", given(generalizedEigenproblem(24, 4))],
  ["Hermitian eigenvalues", given(hermitianEigenproblem(20, 3))],
  ["a truncated SVD", given(truncatedSvd(15, 12, 3))],
  ["a signed cut", given(signedCut(4, 12))],
  ["an eigenvector", given(smallestEigenvalues(sphere(20)))],
  ["a subspace", given(smallestEigenvalues(grassmann(20, 3)))],
  ["a flag", given(nestedSubspaces(14))],
  ["least squares", given(leastSquares(30, 8, 2))],
  ["a rotation", given(nearestRotation(3))],
  ["a complex subspace", given(hermitianEigenproblem(12, 2, grassmann(12, 2, { field: "complex" })))],
  ["a complex eigenvector", given(hermitianEigenproblem(10, 1, sphere(10, { field: "complex" })))],
  ["phases", given(complexCut(circle(9)))],
  ["complex columns", given(complexCut(oblique(3, 7, { field: "complex" })))],
  ["complex numbers without a constraint", given(complexSquares(5, 2))],
  ["probabilities", given(simplexProjection(7))],
  ["a matrix of low rank", given(lowRankApproximation(9, 7, 2))],
  ["matrices side by side", given(manyProcrustes(5, 4, 2))],
  ["subspaces side by side", given(manySubspaces(3, 6, 2))],
];

export const solved = (one: Case<View>, more: object = {}): Promise<Result<View>> =>
  minimize(one.f, { on: one.on, engine: jsEngine(), optimum: one.optimum, tol: 1e-6, ...more });
