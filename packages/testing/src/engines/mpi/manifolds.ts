/** One f on each manifold, a convex one and one that starts at a saddle, in engine operations, for one rank and for several. */

import type { UserObjective } from "@expen/core";
import {
  type ComplexMatrix,
  complexStiefel,
  generalizedStiefel,
  grassmann,
  leaves,
  type Manifold,
  oblique,
  power,
  product,
  simplex,
  specialOrthogonal,
  sphere,
  stiefel,
  type View,
} from "@expen/core";
import type { Engine, Matrix, Sparse, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { minimize } from "@expen/solvers";

interface Case {
  on: Manifold<View>;
  f(E: Engine): UserObjective<never>;
  start?: Matrix;
}

export interface OnManifold {
  fval: number;
  stationarity: number;
  feasibility: number;
  level: string;
  text: string;
  saddles: number;
  evaluations: number;
  reductions: number;
  firstRow: number | null;
  X: number[][];
}

const normal = (rows: number, cols: number, name: string): Matrix => {
  const r = random(7, name);
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, r.normal) };
};
const tall = (E: Engine, { rows, cols, data }: Matrix): Tall => E.tall(rows, cols, data);

/** ½⟨X, AX⟩ for the sparse A = tridiag(−1, 2 + i/n, −1) */
function chainMatrix(n: number, shift: number): Sparse {
  const [i, j, v]: number[][] = [[], [], []];
  for (let k = 0; k < n; k++) {
    for (const to of [k - 1, k, k + 1]) {
      if (to < 0 || to >= n) continue;
      i!.push(k);
      j!.push(to);
      v!.push(to === k ? 2 + shift + k / n : -1);
    }
  }
  return sparseFromTriplets(n, n, i!, j!, v!);
}

const quadratic =
  (n: number) =>
  (E: Engine): UserObjective<Tall> => {
    const A = E.operator(chainMatrix(n, 0));
    return {
      fg(G, X) {
        A.apply(G, X);
        return 0.5 * E.dot(X, G);
      },
    };
  };

/** ½⟨X, Diag(1, …, n)·X⟩ */
const diagonal =
  (n: number) =>
  (E: Engine): UserObjective<Tall> => {
    const d = E.tall(
      n,
      1,
      Float64Array.from({ length: n }, (_, i) => i + 1),
    );
    return {
      fg(G, X) {
        E.scaleRows(G, d, X);
        return 0.5 * E.dot(X, G);
      },
    };
  };

/** The last p unit vectors, stationary and no minimum */
const lastUnits = (n: number, p: number): Matrix => {
  const data = new Float64Array(n * p);
  for (let j = 0; j < p; j++) data[(n - 1 - j) * p + j] = 1;
  return { rows: n, cols: p, data };
};

/** ½‖X − A‖² */
const distance =
  (n: number, p: number) =>
  (E: Engine): UserObjective<Tall> => {
    const A = tall(E, normal(n, p, "near"));
    return {
      convex: true,
      fg(G, X) {
        E.combine(G, 1, X, -1, A);
        return 0.5 * E.dot(G, G);
      },
    };
  };

const complexDistance =
  (n: number, p: number) =>
  (E: Engine): UserObjective<ComplexMatrix<Tall>> => {
    const [re, im] = [tall(E, normal(n, p, "re")), tall(E, normal(n, p, "im"))];
    return {
      fg(G, X) {
        E.combine(G.re, 1, X.re, -1, re);
        E.combine(G.im, 1, X.im, -1, im);
        return 0.5 * (E.dot(G.re, G.re) + E.dot(G.im, G.im));
      },
    };
  };

/** −⟨U·N, AV⟩, N = Diag(p, …, 1): the singular vectors of A in order */
const singularVectors =
  (m: number, n: number, p: number) =>
  (E: Engine): UserObjective<{ U: Tall; V: Tall }> => {
    const A = E.operator(normal(m, n, "svd"));
    const numbers = Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? p - k / (p + 1) : 0));
    const [N, W, Z] = [E.small(p, p, numbers), E.tall(m, p), E.tall(n, p)];
    return {
      fg(G, { U, V }) {
        A.apply(W, V);
        E.mul(G.U, W, N, -1);
        A.applyT(Z, U);
        E.mul(G.V, Z, N, -1);
        return E.dot(G.U, U);
      },
    };
  };

export const cases: Record<string, Case> = {
  convex: { on: stiefel(12, 3), f: distance(12, 3) },
  saddle: { on: stiefel(9, 3), f: diagonal(9), start: lastUnits(9, 3) },
  "complex-stiefel": { on: complexStiefel(11, 3), f: complexDistance(11, 3) },
  unitary: { on: complexStiefel(4, 4), f: complexDistance(4, 4) },
  "singular vectors": { on: product({ U: stiefel(12, 3), V: stiefel(9, 3) }), f: singularVectors(12, 9, 3) },
  "sparse B": { on: generalizedStiefel(chainMatrix(25, 1), 3), f: quadratic(25) },
  grassmann: { on: grassmann(25, 3), f: quadratic(25) },
  oblique: { on: oblique(10, 4), f: distance(10, 4) },
  sphere: { on: sphere(17), f: quadratic(17) },
  rotation: { on: specialOrthogonal(5), f: distance(5, 5) },
  "frames side by side": { on: power(stiefel(3, 2), 4), f: distance(12, 2) },
  "rotations side by side": { on: power(specialOrthogonal(3), 5), f: distance(15, 3) },
  "complex columns": { on: oblique(5, 4, { field: "complex" }), f: complexDistance(5, 4) },
  probabilities: { on: simplex(9), f: distance(9, 1) },
} as never;

export async function onManifold(E: Engine, name: string): Promise<OnManifold> {
  const { on, f, start } = cases[name]!;
  const given = start ? { start: start as never } : {};
  const r = await minimize(f as never, { on: on as never, engine: E, ...given });
  return {
    fval: r.fval,
    stationarity: r.stationarity,
    feasibility: r.feasibility,
    level: r.certificate.level,
    text: r.certificate.text,
    saddles: r.notes.filter((note) => note.startsWith("left a saddle")).length,
    evaluations: r.evaluations.f,
    reductions: r.communication?.reductionsPerEvaluation ?? 0,
    firstRow: r.firstRow ?? null,
    X: leaves(r.X as View).map(({ matrix }) => [...matrix.data]),
  };
}
