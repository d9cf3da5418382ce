/** Pairs of a metric B and a plain f on XᵀBX = I. */

import type { Engine, Matrix, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { random } from "@expen/linalg";
import { constantTridiagonal, sparseFromTriplets } from "@expen/linalg/arrays";
import type { UserObjective } from "expen";

export interface MetricPair {
  readonly name: string;
  readonly B: Matrix | Sparse | Tridiagonal;
  readonly p: number;
  readonly f: UserObjective<Tall> & { fg(G: Tall, X: Tall): number };
}

/** The symmetric matrix with these eigenvalues and random eigenvectors */
export function drawn(E: Engine, n: number, seed: string, eigenvalue: (i: number) => number): Matrix {
  const [M, U, V, S] = [E.small(n, n), E.small(n, n), E.small(n, n), E.small(n, n)];
  E.write(M, random(2, seed).normal);
  E.factor.svd(U, new Float64Array(n), V, M);
  const scaled = E.read(U).map((u, k) => u * eigenvalue(k % n));
  E.mulT(S, E.small(n, n, scaled), U);
  E.symmetrize(S);
  return { rows: n, cols: n, data: Float64Array.from(E.read(S)) };
}

/** Eigenvalues from 1 to `condition` */
export const conditioned = (E: Engine, n: number, seed: string, condition: number): Matrix =>
  drawn(E, n, seed, (i) => condition ** (i / (n - 1)));

function symmetric(E: Engine, n: number, seed: number): Matrix {
  const S = E.small(n, n);
  E.write(S, random(seed, "symmetric").normal);
  E.symmetrize(S);
  return { rows: n, cols: n, data: E.read(S) };
}

/** Five-point Laplacian on an m×m grid + shift·I */
function laplacian(m: number, shift: number): Sparse {
  const entries: [number, number, number][] = [];
  for (let a = 0; a < m; a++) {
    for (let b = 0; b < m; b++) {
      entries.push([a * m + b, a * m + b, 4 + shift]);
      if (a > 0) entries.push([a * m + b, a * m + b - m, -1], [a * m + b - m, a * m + b, -1]);
      if (b > 0) entries.push([a * m + b, a * m + b - 1, -1], [a * m + b - 1, a * m + b, -1]);
    }
  }
  const [rows, cols, values] = [0, 1, 2].map((k) => entries.map((entry) => entry[k]!)) as [
    number[],
    number[],
    number[],
  ];
  return sparseFromTriplets(m * m, m * m, rows, cols, values);
}

/** Data with n signals of heavy tails, mixed by `mixing`; −mean of log cosh, and the covariance */
function signals(E: Engine, mixing: Matrix, p: number, samples: number) {
  const n = mixing.rows;
  const r = random(6, "signals");
  const [sources, Y, C] = [E.small(samples, n), E.small(samples, n), E.small(n, n)];
  E.write(sources, () => r.normal() ** 3);
  E.mul(Y, sources, E.small(n, n, mixing.data), 0.25);
  E.gram(C, Y);
  const B = { rows: n, cols: n, data: E.read(C).map((c) => c / samples) };
  const y = E.operator({ rows: samples, cols: n, data: E.read(Y) });
  const Z = E.tall(samples, p);
  const f = {
    fg(G: Tall, X: Tall): number {
      y.apply(Z, X);
      const z = E.read(Z);
      let sum = 0;
      for (const v of z) sum += Math.abs(v) + Math.log1p(Math.exp(-2 * Math.abs(v)));
      E.write(Z, z.map(Math.tanh));
      y.applyT(G, Z, 1 / samples);
      return sum / samples;
    },
  };
  return { B, f };
}

/** ½⟨X, AX⟩·c + ¼k·Σ‖row of X‖⁴ + l·⟨L, X⟩ */
function form(E: Engine, A: Matrix | Sparse | Tridiagonal, p: number, { c = 1, k = 0, l = 0 } = {}): MetricPair["f"] {
  const a = E.operator(A);
  const L = E.tall(a.rows, p);
  E.write(L, random(4, "L").normal);
  const [r, kX] = [E.tall(a.rows, 1), E.tall(a.rows, p)];
  return {
    fg(G: Tall, X: Tall): number {
      a.apply(G, X, c);
      E.rowDots(r, X, X);
      E.scaleRows(kX, r, X, k);
      const value = 0.5 * E.dot(G, X) + 0.25 * E.dot(kX, X) + l * E.dot(L, X);
      E.combine(G, 1, G, 1, kX);
      E.combine(G, 1, G, l, L);
      return value;
    },
  } as MetricPair["f"];
}

/** ½⟨X, AX⟩ + ¾Σ‖row of X‖⁴ for a random A, and a B with n > 128p, which is not formed where its action alone is given */
export function largePair(E: Engine, condition: number): MetricPair {
  const [n, p] = [400, 3];
  const B = conditioned(E, n, "large", condition);
  return { name: `n = 400, condition ${condition}`, B, p, f: form(E, symmetric(E, n, 1), p, { k: 3 }) };
}

/** Ten pairs: what makes B and the Hessian of f alike, unrelated, or ill-conditioned each by itself */
export function metricPairs(E: Engine): MetricPair[] {
  /** ½ tr XᵀAXC, C = Diag(1, …, p) */
  function brockett(A: Matrix, p: number): MetricPair["f"] {
    const [a, AX] = [E.operator(A), E.tall(A.rows, p)];
    const C = E.small(
      p,
      p,
      Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? 1 + k / (p + 1) : 0)),
    );
    return {
      fg(G: Tall, X: Tall): number {
        a.apply(AX, X);
        E.mul(G, AX, C);
        return 0.5 * E.dot(G, X);
      },
    } as MetricPair["f"];
  }
  const chain = (n: number) => constantTridiagonal(n, -1, 2, -1);
  const mixed = signals(E, conditioned(E, 12, "mixing", 30), 4, 300);
  const alike = (i: number): number => 1e4 ** (i / 59);
  return [
    { name: "Manopt's generalized eigenvalues", B: chain(128), p: 3, f: form(E, symmetric(E, 128, 1), 3) },
    {
      name: "dominant ones",
      B: conditioned(E, 60, "B1", 1e3),
      p: 4,
      f: form(
        E,
        drawn(E, 60, "A1", (i) => i),
        4,
        { c: -1 },
      ),
    },
    { name: "ordered ones", B: conditioned(E, 50, "B2", 1e4), p: 3, f: brockett(symmetric(E, 50, 2), 3) },
    { name: "quartic, sparse B", B: laplacian(9, 0.01), p: 3, f: form(E, symmetric(E, 81, 3), 3, { k: 5 }) },
    { name: "linear term", B: conditioned(E, 50, "B3", 1e6), p: 3, f: form(E, symmetric(E, 50, 4), 3, { l: 3 }) },
    { name: "log cosh and covariance", ...mixed, p: 4 },
    { name: "Gross–Pitaevskii, mass", B: constantTridiagonal(60, 1, 4, 1), p: 2, f: form(E, chain(60), 2, { k: 0.1 }) },
    {
      name: "Gross–Pitaevskii, energy",
      B: constantTridiagonal(60, -1, 2.1, -1),
      p: 2,
      f: form(E, chain(60), 2, { k: 9 }),
    },
    {
      name: "A like B",
      B: drawn(E, 60, "B4", alike),
      p: 4,
      f: form(
        E,
        drawn(E, 60, "B4", (i) => alike(i) * (1 + (i % 7))),
        4,
      ),
    },
    {
      name: "A and B by themselves",
      B: conditioned(E, 60, "B5", 1e4),
      p: 3,
      f: form(E, conditioned(E, 60, "A5", 30), 3),
    },
  ] as MetricPair[];
}
