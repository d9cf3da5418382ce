/** eigs and svds on the device and on `blas`: the same residuals asked for, nothing counted. */
import { type EigsAnswer, eigs, type SvdsAnswer, svds } from "@expen/apps/eigen";
import { type Engine, gaussian, type Matrix, random, type Sparse } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";

export interface EigenCase {
  readonly name: string;
  run(engine: Engine): Promise<EigsAnswer | SvdsAnswer>;
}

/** G + Gᵀ over 2√n for normal G: eigenvalues between −√2 and √2 */
function wigner(n: number): Matrix {
  const { data } = gaussian(n, n, random(1, "wigner"));
  const size = 1 / (2 * Math.sqrt(n));
  return {
    rows: n,
    cols: n,
    data: data.map((v, k) => size * (v + data[(k % n) * n + Math.floor(k / n)]!)),
  };
}

/** The seven-point Laplacian of a cube of m³ places, and a hill off its centre, whose states are the largest eigenvalues: all simple */
function cube(m: number): Sparse {
  const n = m ** 3;
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const add = (a: number, b: number, value: number): void => {
    i.push(a);
    j.push(b);
    values.push(value);
  };
  for (let k = 0; k < n; k++) {
    const [x, y, z] = [k % m, Math.floor(k / m) % m, Math.floor(k / m ** 2)];
    const distance2 = (x - m / 3) ** 2 + 2 * (y - m / 2) ** 2 + 3 * (z - (2 * m) / 3) ** 2;
    add(k, k, 6 + 40 / (1 + distance2 / 50));
    for (const [step, place] of [
      [1, x],
      [m, y],
      [m * m, z],
    ] as const) {
      if (place === m - 1) continue;
      add(k, k + step, -1);
      add(k + step, k, -1);
    }
  }
  return sparseFromTriplets(n, n, i, j, values);
}

const LIMITS = { tolerance: 1e-8, proof: false, maxSeconds: 60 };

/** Matrices are made when their case runs. */
export const eigenCases: readonly EigenCase[] = [
  {
    name: "eigs, 20 largest, dense 12000×12000",
    run: (engine) => eigs(wigner(12_000), { p: 20, which: "largest", engine, ...LIMITS }),
  },
  {
    name: "eigs, 10 largest, sparse 10⁶×10⁶",
    run: (engine) => eigs(cube(100), { p: 10, which: "largest", engine, ...LIMITS }),
  },
  {
    name: "svds, 20 largest, dense 40000×4000",
    run: (engine) => svds(gaussian(40_000, 4000, random(2, "svds")), { p: 20, engine, ...LIMITS }),
  },
];
