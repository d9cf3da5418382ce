/** Equations of one's own, c(X) = 0: four sets, ours beside CDOpt and SciPy */

import type { Matrix, Tall } from "@expen/linalg";
import { type Manifold, minimize, ownManifold, random, type UserObjective, type View } from "expen";
import type { SetsRun } from "./results.js";
import type { Scipy } from "./scipy.js";

/** c as numbers of a program in another language: all are quadratic in X */
export type Equations = "ellipsoid" | "paraboloid" | "symplectic" | "frame";

export interface OwnPosed {
  readonly equations: Equations;
  readonly n: number;
  readonly p: number;
  /** f = ⟨A, X⟩, or ½‖X − A‖² */
  readonly isLinear: boolean;
  readonly A: readonly number[];
  readonly start: readonly number[];
}

/** ‖c‖ and ‖P∇f‖ of an end that counts as solved */
const [FEASIBLE, STATIONARY] = [1e-8, 1e-5];

/** Names as in tables */
export const ownProblems: readonly { name: string; make(seed: number): OwnPosed }[] = [
  { name: "ellipsoid 40, axes 1 to 0.1", make: (seed) => posed("ellipsoid", 40, 1, seed) },
  { name: "hyperbolic paraboloid 10", make: (seed) => posed("paraboloid", 10, 1, seed) },
  { name: "symplectic Stiefel 12×4", make: (seed) => posed("symplectic", 12, 4, seed) },
  { name: "Parseval frame 12×5, equal norms", make: (seed) => posed("frame", 12, 5, seed) },
];

function posed(equations: Equations, n: number, p: number, seed: number): OwnPosed {
  const draw = (what: string): number[] => Array.from({ length: n * p }, random(seed, what).normal);
  return { equations, n, p, isLinear: equations === "ellipsoid", A: draw(equations), start: draw("start") };
}

/** c(X) as numbers */
export function valuesAt({ equations, n, p }: OwnPosed, x: ArrayLike<number>): number[] {
  const at = (i: number, j: number): number => x[i * p + j]!;
  const sum = (count: number, entry: (i: number) => number): number =>
    Array.from({ length: count }, (_, i) => entry(i)).reduce((s, v) => s + v, 0);
  const pairs = Array.from({ length: p }, (_, a) => Array.from({ length: p }, (_, b) => [a, b] as const)).flat();
  switch (equations) {
    case "ellipsoid":
      return [sum(n, (i) => (at(i, 0) / (1 - (0.9 * i) / (n - 1))) ** 2) - 1];
    case "paraboloid":
      return [sum(n - 1, (i) => (i % 2 ? 1 : -1) * at(i, 0) ** 2) - at(n - 1, 0)];
    case "symplectic": {
      const [h, q] = [n / 2, p / 2];
      const unit = (a: number, b: number): number => (b === a + q ? 1 : a === b + q ? -1 : 0);
      return pairs.map(([a, b]) => sum(h, (i) => at(i, a) * at(i + h, b) - at(i + h, a) * at(i, b)) - unit(a, b));
    }
    case "frame": {
      const upper = pairs.filter(([a, b]) => a <= b);
      const columns = upper.map(([a, b]) => sum(n, (i) => at(i, a) * at(i, b)) - (a === b ? 1 : 0));
      return [...columns, ...Array.from({ length: n }, (_, i) => sum(p, (j) => at(i, j) ** 2) - p / n)];
    }
  }
}

/** The gradients of the equations: as c is quadratic, central differences of any length are exact. */
export function jacobianAt(problem: OwnPosed, x: ArrayLike<number>): number[][] {
  const columns = Array.from({ length: x.length }, (_, k) => {
    const moved = (t: number): number[] =>
      valuesAt(
        problem,
        Array.from(x, (v, i) => (i === k ? v + t : v)),
      );
    const [above, below] = [moved(1), moved(-1)];
    return above.map((v, i) => (v - below[i]!) / 2);
  });
  return columns[0]!.map((_, i) => columns.map((column) => column[i]!));
}

export function objective({ isLinear, A }: OwnPosed): UserObjective<View> {
  return {
    fg(G: Tall, X: Tall) {
      let value = 0;
      for (const [k, x] of X.data.entries()) {
        const gap = x - A[k]!;
        G.data[k] = isLinear ? A[k]! : gap;
        value += isLinear ? A[k]! * x : 0.5 * gap * gap;
      }
      return value;
    },
  } as unknown as UserObjective<View>;
}

/** All contenders start at the same feasible point, which our solver finds from random numbers. */
export async function ownRuns(
  name: string,
  given: OwnPosed,
  seed: number,
  scipy: Scipy | undefined,
): Promise<SetsRun[]> {
  const { n, p } = given;
  let jacobians = 0;
  const on = ownManifold({
    rows: n,
    cols: p,
    c: (X: Tall) => valuesAt(given, X.data),
    jacobian(X: Tall) {
      jacobians++;
      return jacobianAt(given, X.data);
    },
  }) as Manifold<View>;
  const options = { on, tol: 0.9 * STATIONARY, check: false, certificate: "stationary" } as const;
  const from = (data: ArrayLike<number>): Matrix => ({ rows: n, cols: p, data: Float64Array.from(data) });
  const first = await minimize(objective(given), { ...options, start: from(given.start), maxIterations: 0 });
  const problem = { ...given, start: [...(first.X as Matrix).data] };
  jacobians = 0;
  const result = await minimize(objective(problem), { ...options, start: from(problem.start) });
  const base = { group: "own", problem: name, seed, level: null, optimum: null } as const;
  const isSolved = result.feasibility <= FEASIBLE && result.stationarity <= STATIONARY;
  const runs: SetsRun[] = [
    {
      ...base,
      ...{ contender: "expen", status: result.status, f: result.fval, violation: result.feasibility },
      ...{ evaluations: result.evaluations.f, isSolved, jacobians },
    },
  ];
  for (const method of scipy ? (["cdopt", "slsqp-own"] as const) : []) {
    const { f, evaluations, violation, stationarity, status } = await scipy!.solve({ method, ...problem });
    const isSolved = violation !== null && violation <= FEASIBLE && (stationarity ?? 1) <= STATIONARY;
    const numbers = { f: f ?? Number.POSITIVE_INFINITY, violation: violation ?? Number.POSITIVE_INFINITY };
    runs.push({ ...base, ...numbers, contender: method.replace("-own", ""), status, evaluations, isSolved });
  }
  return runs;
}
