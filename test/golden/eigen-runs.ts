/** Quadratic forms of which each way is taken: Krylov spaces of B and of an inverse, dense eigenvectors, subspaces with P, the whole space. */

import { quadraticObjective } from "@expen/core";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { grid } from "@expen/testing/solvers/krylov";
import {
  constantTridiagonal,
  type Engine,
  generalizedStiefel,
  type Matrix,
  minimize,
  type Result,
  random,
  type Sparse,
  stiefel,
} from "expen";
import { jsEngine } from "expen/engines";
import type { QuadraticForm, Tridiagonal } from "expen/types";

type Options = Record<string, unknown>;
export type EigenRun = readonly [name: string, run: (E: Engine) => Promise<Result<unknown>>, open?: () => Engine];

const normals = (rows: number, cols: number, stream: string): Matrix => {
  const { normal } = random(5, stream);
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, normal) };
};
/** QᵀDiag(values)Q for a reflection Q */
function reflected(n: number, values: (i: number) => number): Matrix {
  const { data: u } = normals(n, 1, "reflection");
  const scale = 2 / u.reduce((sum, v) => sum + v * v, 0);
  const inner = u.reduce((sum, v, i) => sum + v * v * values(i), 0);
  const data = Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    const outer = scale * u[i]! * u[j]! * (scale * inner - values(i) - values(j));
    return outer + (i === j ? values(i) : 0);
  });
  return { rows: n, cols: n, data };
}
function diagonal(values: readonly number[]): Matrix {
  const n = values.length;
  const data = new Float64Array(n * n);
  for (const [i, value] of values.entries()) data[i * (n + 1)] = value;
  return { rows: n, cols: n, data };
}

/** rows, columns and values: 4 on the diagonal, −1 for each neighbour of k×k points */
function planeTriplets(k: number): [number[], number[], number[]] {
  const entries = Array.from({ length: k * k }, (_, i) =>
    [i, ...(i % k > 0 ? [i - 1] : []), ...(i % k < k - 1 ? [i + 1] : []), i - k, i + k]
      .filter((j) => j >= 0 && j < k * k)
      .map((j) => [i, j, i === j ? 4 : -1] as const),
  ).flat();
  return [entries.map(([i]) => i), entries.map(([, j]) => j), entries.map(([, , v]) => v)];
}

interface Form {
  B: Matrix | Sparse | Tridiagonal;
  /** the matrix of B is declared */
  declared?: boolean;
  C?: Matrix;
  L?: Matrix;
}

/** ½⟨X, BXC⟩ + ⟨L, X⟩ on the Stiefel manifold */
function form(name: string, p: number, { B, declared, C, L }: Form, more: (E: Engine) => Options = () => ({})) {
  const run = async (E: Engine): Promise<Result<unknown>> => {
    const { apply, flops, rows: n } = E.operator(B);
    const quadratic: QuadraticForm = {
      apply: (Y, X) => apply(Y, X),
      flops,
      ...(declared && { matrix: B }),
      ...(C && { C: E.small(p, p, C.data) }),
      ...(L && { L: E.tall(n, p, L.data) }),
    };
    return minimize(quadraticObjective(E, n, p, quadratic), { on: stiefel(n, p), engine: E, seed: 1, ...more(E) });
  };
  return [`${name}, p = ${p}`, run] as const;
}

/** Calls take long beside all else, as on a device. */
const slowCalls = (): Engine => ({
  ...jsEngine(),
  device: { capacity: 1e11, speeds: { flops: 1e10, bytes: 1e11, call: 1e-4 } },
});

const { A: laplacian } = grid(7);
/** The Laplacian of 30×30 points */
const plane = sparseFromTriplets(900, 900, ...planeTriplets(30));
const manyTimes = Array.from({ length: 400 }, (_, i) => (i % 13 === 0 ? -1 : 1 + i / 400));
const places = manyTimes.map((_, i) => i);
const multiple = sparseFromTriplets(400, 400, places, places, manyTimes);
/** 1e-6 to 1 in equal ratios, as products: the last digits of powers differ between versions of V8 */
const spectrum = new Float64Array(260).fill(1e-6);
for (let i = 1; i < spectrum.length; i++) spectrum[i] = spectrum[i - 1]! * 1.0548;
const logarithmic = reflected(260, (i) => spectrum[i]!);
const small = reflected(48, (i) => i / 48);
const inverseDiagonal = (E: Engine): Options => {
  const D = E.tall(
    343,
    1,
    Float64Array.from({ length: 343 }, (_, i) => 1 / (1 + (i % 7))),
  );
  return { precondition: (Z: never, _X: never, G: never) => E.scaleRows(Z, D, G) };
};

export const eigenRuns: readonly EigenRun[] = [
  form("Krylov spaces of a grid with multiple eigenvalues", 8, { B: laplacian }),
  form("Krylov spaces of a grid with multiple eigenvalues", 3, { B: laplacian }, () => ({ tol: 1e-9, seed: 2 })),
  [...form("wide blocks for slow calls", 13, { B: laplacian }), slowCalls],
  form("Krylov spaces, both ends by C", 5, { B: laplacian, C: diagonal([-2, -1, 0.5, 1, 3]) }),
  form("an eigenvalue of multiplicity 31", 20, { B: multiple }),
  form("Krylov spaces of an inverse, sparse B", 12, { B: plane, declared: true }),
  form("Krylov spaces of an inverse, tridiagonal B", 4, { B: constantTridiagonal(600, -1, 2, -1), declared: true }),
  form("dense eigenvectors, B by products", 4, { B: logarithmic }, () => ({ tol: 1e-12 })),
  form("dense eigenvectors, B declared", 90, { B: logarithmic, declared: true }),
  form("dense eigenvectors, both ends by C", 90, {
    B: logarithmic,
    C: diagonal(places.slice(0, 90).map((i) => i - 45.5)),
  }),
  form("subspaces of three blocks", 5, { B: small }),
  form("subspaces of three blocks, C", 4, { B: small, C: diagonal([-1, 1, 2, 3]) }),
  form("subspaces of three blocks, L", 4, { B: small, declared: true, L: normals(48, 4, "L") }),
  form("Davidson's spaces", 6, { B: laplacian }, inverseDiagonal),
  form("subspaces with P, L", 4, { B: laplacian, L: normals(343, 4, "L") }, (E) => ({
    ...inverseDiagonal(E),
    tol: 1e-4,
  })),
  ...([undefined, diagonal([-1, 1, 2])] as const).map(
    (C) =>
      [
        `the whole space${C ? ", C" : ""}`,
        async (E: Engine) => {
          const on = generalizedStiefel(
            reflected(40, (i) => 1 + i / 40),
            3,
          );
          const { apply, flops } = E.operator(reflected(40, (i) => Math.cos(i)));
          const quadratic = { apply, flops, ...(C && { C: E.small(3, 3, C.data) }) } as QuadraticForm;
          return (await minimize((E) => quadraticObjective(E, 40, 3, quadratic), { on, engine: E })) as Result<unknown>;
        },
      ] as const,
  ),
];
