/** The matrices of the suite: grids, finite elements, a graph, random ones with a given spectrum. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readMatrixMarket, readNpy } from "@expen/data";
import type { Matrix, Sparse } from "@expen/linalg";
import { random, unitSymmetric } from "@expen/linalg";
import { isSparse, sparseFromTriplets } from "@expen/linalg/arrays";
import { geometric, withEigenvalues } from "../any-f/draw.js";
import { ROOT } from "../peers.js";

export interface EigenMatrix {
  readonly name: string;
  readonly what: string;
  /** symmetric; drawn or read on each call */
  matrix(): Matrix | Sparse;
  /** all eigenvalues, ascending, where a formula gives them */
  eigenvalues?(): Float64Array;
}

/** Files that `npm run bench:setup` writes */
const file = (name: string): string => join(ROOT, ".expen/data", name);

/** Whether the data of a matrix is there, if it needs any. */
export const available = ({ name }: EigenMatrix): boolean => {
  const needed: Record<string, string> = {
    graph: "digits.npy",
    elasticity: "elasticity.mtx",
    anisotropic: "anisotropic.mtx",
  };
  return !(name in needed) || existsSync(file(needed[name]!));
};

/** −Δ by differences on `side`^d points inside a cube: 2d on the diagonal, −1 for each neighbour */
function grid(side: number, d: 2 | 3): EigenMatrix {
  const n = side ** d;
  return {
    name: `grid-${d}d`,
    what: `${2 * d + 1}-point Laplacian, ${Array.from({ length: d }, () => side).join("×")}`,
    matrix() {
      const [i, j, values]: number[][] = [[], [], []];
      const entry = (row: number, column: number, value: number): void => {
        i!.push(row);
        j!.push(column);
        values!.push(value);
      };
      for (let at = 0; at < n; at++) {
        entry(at, at, 2 * d);
        for (let step = 1; step < n; step *= side) {
          const place = Math.floor(at / step) % side;
          if (place > 0) entry(at, at - step, -1);
          if (place < side - 1) entry(at, at + step, -1);
        }
      }
      return sparseFromTriplets(n, n, i!, j!, values!);
    },
    /** Σ over the axes of 4·sin²(kπ/(2(side + 1))) */
    eigenvalues() {
      const line = Array.from({ length: side }, (_, k) => 4 * Math.sin(((k + 1) * Math.PI) / (2 * (side + 1))) ** 2);
      let all = line;
      for (let axis = 1; axis < d; axis++) all = all.flatMap((a) => line.map((b) => a + b));
      return Float64Array.from(all).sort();
    },
  };
}

function elements(name: "elasticity" | "anisotropic", what: string): EigenMatrix {
  return { name, what, matrix: () => readMatrixMarket(readFileSync(file(`${name}.mtx`), "utf8")).matrix };
}

/** Nearest neighbours of a digit in the graph. */
const NEIGHBOURS = 10;

/** D − W of the graph in which two digits are joined where one is among the ten nearest of the other */
function neighbours(images: number): EigenMatrix {
  return {
    name: "graph",
    what: `Laplacian of the graph of ${NEIGHBOURS} nearest neighbours of ${images} digits`,
    matrix() {
      const { cols, data } = readNpy(readFileSync(file("digits.npy"))).matrix;
      const joined = new Set<number>();
      for (let a = 0; a < images; a++) {
        const distance = Float64Array.from({ length: images }, (_, b) => {
          let sum = a === b ? Number.POSITIVE_INFINITY : 0;
          for (let k = 0; k < cols; k++) sum += (data[a * cols + k]! - data[b * cols + k]!) ** 2;
          return sum;
        });
        const nearest = Array.from(distance.keys()).sort((b, c) => distance[b]! - distance[c]!);
        for (const b of nearest.slice(0, NEIGHBOURS)) joined.add(Math.min(a, b) * images + Math.max(a, b));
      }
      const edges = [...joined].map((key) => [Math.floor(key / images), key % images] as const);
      const ends = edges.flat();
      const others = edges.flatMap(([a, b]) => [b, a]);
      const ones = ends.map(() => 1);
      return sparseFromTriplets(
        images,
        images,
        [...ends, ...ends],
        [...ends, ...others],
        [...ones, ...ones.map((v) => -v)],
      );
    },
  };
}

const orthogonallyInvariant = (n: number): EigenMatrix => ({
  name: "goe",
  what: `Gaussian, symmetric, of norm 1, n = ${n}`,
  matrix: () => unitSymmetric(n, random(1, "goe")),
});

function spectrum(name: string, what: string, n: number, value: (i: number) => number): EigenMatrix {
  return { name, what: `${what}, n = ${n}`, matrix: () => withEigenvalues(n, random(1, name), value) };
}

/** Eigenvalues of a cluster. */
const CLUSTER = 15;

export function matricesOf(quick: boolean): EigenMatrix[] {
  const n = quick ? 300 : 1000;
  return [
    grid(quick ? 30 : 200, 2),
    grid(quick ? 10 : 30, 3),
    ...(quick ? [] : [elements("elasticity", "plane strain, bilinear elements, of pyamg")]),
    ...(quick
      ? []
      : [elements("anisotropic", "diffusion 1000 times stronger along lines, bilinear elements, of pyamg")]),
    neighbours(quick ? 400 : 1797),
    orthogonallyInvariant(quick ? 300 : 2000),
    spectrum("logarithmic", "eigenvalues 10⁻⁶ … 1 in equal ratios", n, geometric(1e-6, 1, n)),
    spectrum("clustered", `eigenvalues −1/k in clusters of ${CLUSTER}, 10⁻⁴ wide`, n, (i) => {
      return -(1 + (1e-4 * (i % CLUSTER)) / CLUSTER) / (1 + Math.floor(i / CLUSTER));
    }),
  ];
}

/** Letters → numbers, as .npy files know them */
export function lettersOf(B: Matrix | Sparse): Record<string, Matrix> {
  if (!isSparse(B)) return { B };
  const column = (numbers: ArrayLike<number>): Matrix => ({
    rows: numbers.length,
    cols: 1,
    data: Float64Array.from(numbers),
  });
  return { pointers: column(B.pointers), indices: column(B.indices), entries: column(B.values) };
}
