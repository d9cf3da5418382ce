/** Planted points of Brockett's function, of tridiagonal matrices, of those of low rank and of the five-point Laplacian of a grid. */

import { brockett, noeig } from "@expen/experiments/paper";
import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { constantTridiagonal, sparseFromTriplets } from "@expen/linalg/arrays";
import { type Instance, injections, type Planted, plain, rayleigh } from "./planted.js";

/** ½tr XᵀBXC at X = (e_{s(1)}, …), B and C diagonal: every assignment but the best is a saddle. */
export function* brockettTraps(): Generator<Planted> {
  const [b, c] = [
    [-2, -1, 0.5, 0.50001, 3],
    [3, 1, -1],
  ];
  const cost = (s: number[]): number => s.reduce((sum, i, j) => sum + 0.5 * b[i]! * c[j]!, 0);
  const all = injections(5, 3).sort((s, t) => cost(s) - cost(t));
  for (const [k, s] of all.entries()) {
    if (k > 3 && k % 4 !== 0) continue;
    const make = (E: Engine): Instance => {
      const { objective: f, optimum } = brockett(E, { n: 5, p: 3, B: diagonal(b), C: diagonal(c) });
      const X = E.tall(5, 3, plain(5, 3, (i, j) => (s[j] === i ? 1 : 0)).data);
      return { f, X, minimum: cost(all[0]!), size: 9, optimum: optimum! };
    };
    yield { name: `Brockett, assignment ${s} of rank ${k}`, provable: k === 0, make };
  }
}

const diagonal = (d: readonly number[]): Matrix => plain(d.length, d.length, (i, j) => (i === j ? d[i]! : 0));

/** The Laplacian of a line, declared tridiagonal: sines as eigenvectors; n large enough that nothing dense is tried */
export function* tridiagonalTraps(): Generator<Planted> {
  const sets = [[0], [1], [3], [0, 1, 2], [1, 2, 3], [0, 1, 3], [0, 2, 3], [0, 1, 2, 4], [0, 1, 2, 3]];
  for (const n of [50, 1000, 20000]) {
    for (const which of sets) {
      const p = which.length;
      const provable = which.every((k, j) => k === j);
      const make = (E: Engine): Instance => {
        const value = (k: number): number => 4 * Math.sin(((k + 1) * Math.PI) / (2 * n + 2)) ** 2;
        const X = sines(E, n, which);
        const T = constantTridiagonal(n, -1, 2, -1);
        const constant = (v: number): Matrix => plain(n, 1, () => v);
        const { apply } = E.operator({ lower: constant(-1), main: constant(2), upper: constant(-1) });
        const f = rayleigh(E, n, p, apply, "tridiagonal", { apply, matrix: T });
        const minimum = 0.5 * which.reduce((s, _, j) => s + value(j), 0);
        return { f, X, minimum, size: 4 * p };
      };
      yield { name: `Laplacian of a line, n = ${n}, eigenvectors ${which}`, provable, make };
    }
  }
  yield {
    name: "noeig without its quartic term, lowest",
    provable: true,
    make(E) {
      const X = sines(E, 200, [0, 1]);
      const { objective: f } = noeig(E, { n: 200, p: 2, alpha: 0 });
      return { f, X, minimum: f.f(X), size: 8 };
    },
  };
}

/** weight·TTᵀ, T n×6, its columns multiples of sines: their squares and n − 6 zeros; n large enough that nothing dense is tried */
export function* lowRankTraps(): Generator<Planted> {
  const spectra = {
    apart: [1, 2, 3, 5, 8, 13],
    close: [1, 1 + 1e-7, 1 + 2e-7, 1 + 3e-7, 2, 2 + 1e-9],
    poor: [0, 0, 0, 1, 1, 4],
  };
  const sets = [
    [5],
    [4],
    [3],
    [5, 4],
    [5, 3],
    [5, 4, 3],
    [2, 4, 5],
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 4, 5, 6, 7],
    [6],
    [6, 7],
    [5, 6],
  ];
  for (const n of [50, 5000]) {
    for (const [title, squares] of Object.entries(spectra)) {
      for (const weight of [-1, 0.5]) {
        for (const which of sets) {
          const value = (k: number): number => weight * (squares[k] ?? 0);
          const all = Array.from({ length: 20 }, (_, k) => value(k)).sort((a, b) => a - b);
          const own = which.map(value).sort((a, b) => a - b);
          const minimum = 0.5 * own.reduce((s, _, j) => s + all[j]!, 0);
          const make = (E: Engine): Instance => {
            const T = E.tall(n, 6, plain(n, 6, (i, k) => Math.sqrt(squares[k]!) * sine(n, i, k)).data);
            const apply = (Y: Tall, X: Tall): void => {
              const TX = E.small(6, X.cols);
              E.tmul(TX, T, X);
              E.mul(Y, T, TX, weight);
            };
            const lowRank = { weight, cols: 6, factor: () => T };
            const f = rayleigh(E, n, which.length, apply, "low rank", { apply, lowRank });
            return { f, X: sines(E, n, which), minimum, size: which.length * Math.max(...squares) };
          };
          const name = `rank 6, ${title}, weight ${weight}, n = ${n}, eigenvectors ${which}`;
          yield { name, provable: own.every((v, j) => v === all[j]), make };
        }
      }
    }
  }
}

function sines(E: Engine, n: number, which: readonly number[]): Tall {
  return E.tall(n, which.length, plain(n, which.length, (i, j) => sine(n, i, which[j]!)).data);
}

/** Entry i of eigenvector k */
const sine = (n: number, i: number, k: number): number =>
  Math.sqrt(2 / (n + 1)) * Math.sin(((i + 1) * (k + 1) * Math.PI) / (n + 1));

/** The Laplacian of an m×m grid by its action, m = 66 is beyond what is formed, and declared sparse: products of sines */
export function* gridTraps(): Generator<Planted> {
  for (const m of [8, 20, 66]) {
    for (const sets of [
      [[0, 0]],
      [[1, 1]],
      [[2, 0]],
      [
        [0, 0],
        [0, 1],
        [1, 0],
      ],
      [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
      [
        [0, 0],
        [1, 1],
        [2, 1],
        [3, 0],
      ],
    ]) {
      const p = sets.length;
      const lowest = p === 1 ? sets[0]![0] === 0 && sets[0]![1] === 0 : p === 3 && sets[2]![1] === 0;
      const vectors = `eigenvectors ${sets.map(([a, b]) => `(${a},${b})`).join(" ")}`;
      for (const sparse of [false, true]) {
        yield {
          name: `Laplacian of a ${m}×${m} grid${sparse ? ", declared sparse" : ""}, ${vectors}`,
          provable: lowest && (m < 66 || sparse),
          make: (E) => grid(E, m, sets as [number, number][], sparse),
        };
      }
    }
  }
}

function grid(E: Engine, m: number, sets: [number, number][], sparse: boolean): Instance {
  const [n, p] = [m * m, sets.length];
  const at = (i: number, [a, b]: [number, number]): number => sine(m, Math.floor(i / m), a) * sine(m, i % m, b);
  const X = E.tall(n, p, plain(n, p, (i, j) => at(i, sets[j]!)).data);
  const apply = (Y: Tall, Z: Tall): void => {
    const [y, z, w] = [new Float64Array(n * Z.cols), E.read(Z), Z.cols];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < w; j++) {
        let s = 4 * z[i * w + j]!;
        if (i >= m) s -= z[(i - m) * w + j]!;
        if (i + m < n) s -= z[(i + m) * w + j]!;
        if (i % m > 0) s -= z[(i - 1) * w + j]!;
        if ((i + 1) % m > 0) s -= z[(i + 1) * w + j]!;
        y[i * w + j] = s;
      }
    }
    E.write(Y, y);
  };
  const value = (k: number): number => 4 * Math.sin(((k + 1) * Math.PI) / (2 * m + 2)) ** 2;
  const all: number[] = [];
  for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) all.push(value(a) + value(b));
  all.sort((x, y) => x - y);
  const top = Math.max(...sets.map(([a, b]) => value(a) + value(b)));
  const free = [...all];
  for (const [a, b] of sets)
    free.splice(
      free.findIndex((v) => Math.abs(v - value(a) - value(b)) < 1e-12),
      1,
    );
  const curvature = Math.min(p > 1 ? 0 : Number.POSITIVE_INFINITY, free[0]! - top);
  const minimum = 0.5 * all.slice(0, p).reduce((s, v) => s + v, 0);
  const form = sparse && { apply, matrix: gridMatrix(m) };
  const f = form ? rayleigh(E, n, p, apply, "sparse", form) : rayleigh(E, n, p, apply, "apply");
  return { f, X, minimum, size: 8 * p, curvature };
}

function gridMatrix(m: number): Sparse {
  const [i, j, v]: [number[], number[], number[]] = [[], [], []];
  const add = (row: number, col: number, value: number): void => {
    i.push(row);
    j.push(col);
    v.push(value);
  };
  for (let row = 0; row < m * m; row++) {
    add(row, row, 4);
    if (row >= m) add(row, row - m, -1);
    if (row + m < m * m) add(row, row + m, -1);
    if (row % m > 0) add(row, row - 1, -1);
    if ((row + 1) % m > 0) add(row, row + 1, -1);
  }
  return sparseFromTriplets(m * m, m * m, i, j, v);
}
