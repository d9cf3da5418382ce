/** What every rank runs in the tests of threads.test.ts; each job returns plain data. */

import { type EigsAnswer, eigs, svds } from "@expen/apps/eigen";
import { stiefel, sumOf, sumOverRanks } from "@expen/core";
import { cudaEngineOn } from "@expen/engines/cuda";
import { dataEngine, mpiEngine, summing, type Wire } from "@expen/engines/mpi";
import { problems } from "@expen/experiments/problems";
import type { Engine, Matrix, Operator, Sparse, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { constantTridiagonal, sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine, rowsOf } from "@expen/linalg/engine";
import { minimize, solveStiefel } from "@expen/solvers";
import { emulatedCuda } from "../cuda/emulated.js";
import { onManifold } from "./manifolds.js";
import { threadWire } from "./threads.js";

/** A wire of undefined is a plain engine. */
const engine = (wire: Wire | undefined, device = false): Engine =>
  wire ? mpiEngine(wire, device ? cudaEngineOn(emulatedCuda()) : jsEngine()) : jsEngine();

export interface Solved {
  fval: number;
  stationarity: number;
  feasibility: number;
  level: string;
  /** the way in which the certificate shows its level */
  proof: string;
  evaluations: number;
  rows: number;
  reductions: number;
  X: number[];
}

export interface Eigenpairs {
  values: number[];
  residuals: number[];
  level: string;
  /** of this rank */
  rows: number;
  X: number[];
}

/** places on a side */
const GRID = 12;

/** The Laplacian of a square grid with a potential that splits its multiple eigenvalues */
function grid(): Sparse {
  const [i, j, values]: [number[], number[], number[]] = [[], [], []];
  const add = (a: number, b: number, value: number): void => {
    i.push(a);
    j.push(b);
    values.push(value);
  };
  for (let k = 0; k < GRID ** 2; k++) {
    add(k, k, 4 + Math.sin(k));
    for (const step of k % GRID === GRID - 1 ? [GRID] : [1, GRID]) {
      if (k + step >= GRID ** 2) continue;
      add(k, k + step, -1);
      add(k + step, k, -1);
    }
  }
  return sparseFromTriplets(GRID ** 2, GRID ** 2, i, j, values);
}

type Answer = Omit<Eigenpairs, "X" | "rows"> & { vectors: Matrix };
const eigenproblems = {
  smallest: (engine: Engine): Promise<Answer> => pairs(eigs(grid(), { p: 3, engine })),
  largest: (engine: Engine): Promise<Answer> => pairs(eigs(grid(), { p: 2, which: "largest", engine })),
  nearest: (engine: Engine): Promise<Answer> => pairs(eigs(grid(), { p: 2, sigma: 4.2, tolerance: 1e-8, engine })),
  singular: async (engine: Engine): Promise<Answer> => {
    const { values, residuals, U, certificate } = await svds(grid(), { p: 3, engine });
    return { values, residuals, vectors: U, level: certificate.level };
  },
};

async function pairs(run: ReturnType<typeof eigs>): Promise<Answer> {
  const { values, residuals, vectors, certificate } = (await run) as EigsAnswer;
  return { values, residuals, vectors, level: certificate.level };
}

const PROOFS = /Cholesky|Sturm count|closed form|constant|all curvatures|Lanczos|not stationary|stationary/;

/** `of`: options of the problem; `shows`: for the test alone */
async function solved(
  E: Engine,
  { problem, n, p, of = {}, shows, ...options }: Record<string, unknown>,
): Promise<Solved> {
  const [rows, cols] = [n as number, p as number];
  const made = problems.get(problem as string)!.make(E, { n: rows, p: cols, seed: 1, ...(of as object) });
  const known = made.optimum === undefined ? {} : { optimum: made.optimum };
  const r = await minimize(made.objective, { on: stiefel(rows, cols), engine: E, check: false, ...known, ...options });
  const all = E.ranks ? E.ranks.collect(r.X.data, rows, cols) : [r.X];
  return {
    fval: r.fval,
    stationarity: r.stationarity,
    feasibility: r.feasibility,
    level: r.certificate.level,
    proof: PROOFS.exec(r.certificate.text)?.[0] ?? "",
    evaluations: r.evaluations.f + r.evaluations.hvp,
    rows: r.X.rows,
    reductions: r.communication?.reductionsPerEvaluation ?? 0,
    X: [...(all ?? [])].flatMap(({ data }) => [...data]),
  };
}

/** Sums over ranks for an evaluation, between two iterations of a run */
async function messages(E: Engine, { problem, n, p, from, to, ...options }: Record<string, never>): Promise<number> {
  const { objective } = problems.get(problem as string)!.make(E, { n, p, seed: 1 });
  const seen = { reductions: 0, evaluations: 0 };
  for (const { k, evaluations } of await solveStiefel(E, objective, {
    tol: 0,
    maxIterations: to,
    ...(options as object),
  })) {
    const [reductions, count] = [E.ranks!.traffic.reductions, evaluations.f + evaluations.hvp];
    if (k === from) Object.assign(seen, { reductions, evaluations: count });
    if (k === to) return (reductions - seen.reductions) / (count - seen.evaluations);
  }
  return Number.NaN;
}

/** The same of an f that loops over its rows: ½Σ_i w_i·‖x_i‖² + ¼Σx⁴, its parts added by sumOverRanks or, if not `together`, by itself */
async function messagesByRows(E: Engine, { together }: { together: boolean }): Promise<number> {
  const part = (G: Tall, X: Tall): number => {
    const [x, g] = [rowsOf(E, X), rowsOf(E, G)];
    let f = 0;
    for (let k = 0; k < x.data.length; k++) {
      const [weight, t] = [1 + x.firstRow + Math.floor(k / x.cols), x.data[k]!];
      f += 0.5 * weight * t * t + 0.25 * t ** 4;
      g.data[k] = weight * t + t ** 3;
    }
    return f;
  };
  const f = together ? sumOverRanks(E, { fg: part }) : { fg: (G: Tall, X: Tall) => sumOf(E, part(G, X)) };
  const r = await minimize(f, { on: stiefel(200, 3), engine: E });
  return r.communication!.reductionsPerEvaluation;
}

/** B·X and what else an operator has, read back; the same on one rank and on several */
function operators(E: Engine, n: number): number[][] {
  const r = random(3, "operators");
  const normal = (rows: number, cols: number): Matrix => ({
    rows,
    cols,
    data: Float64Array.from({ length: rows * cols }, r.normal),
  });
  const m = n + 2;
  const entries = Array.from({ length: 4 * n }, () => [r.integer(m), r.integer(n), r.normal()] as const);
  const sparse = sparseFromTriplets(
    m,
    n,
    entries.map((e) => e[0]),
    entries.map((e) => e[1]),
    entries.map((e) => e[2]),
  );
  const lists: number[][] = [];
  const applied = (B: Operator): void => {
    for (const [rows, cols, op] of [
      [B.rows, B.cols, B.apply],
      [B.cols, B.rows, B.applyT],
    ] as const) {
      const [X, Y] = [E.tall(cols, 3, normal(cols, 3).data), E.tall(rows, 3, normal(rows, 3).data)];
      op(Y, X, 2, -0.5);
      lists.push([...E.read(Y)]);
    }
  };
  applied(E.operator(normal(m, n)));
  applied(E.operator(sparse));
  const T = E.operator(constantTridiagonal(n, -1, 2.5, -0.5));
  applied(T);
  const [X, Y, d] = [E.tall(n, 3, normal(n, 3).data), E.tall(n, 3), E.tall(n, 1, normal(n, 1).data)];
  T.solve!(Y, X);
  lists.push([...E.read(Y)]);
  E.combine(T.main!, 1, T.main!, 1, d);
  T.apply(Y, X);
  lists.push([...E.read(Y)]);
  return lists;
}

/** ½‖A − AXXᵀ‖² of the samples of this rank: ∇f = −AᵀA·X summed over ranks */
async function principal(wire: Wire | undefined, m: number, n: number, p: number): Promise<Solved> {
  const E = wire ? dataEngine(wire, jsEngine()) : jsEngine();
  const r = random(5, "samples");
  const all = Float64Array.from({ length: m * n }, (_, k) => r.normal() / (1 + (k % n)));
  const [first, last] = E.ranks ? [0, 1].map((s) => Math.floor((m * (E.ranks!.rank + s)) / E.ranks!.size)) : [0, m];
  const A = E.operator({ rows: last! - first!, cols: n, data: all.slice(first! * n, last! * n) });
  const W = E.tall(last! - first!, p);
  const f = sumOverRanks(E, {
    fg(G: Tall, X: Tall): number {
      A.apply(W, X);
      A.applyT(G, W, -1);
      return -0.5 * E.dot(W, W);
    },
  });
  const result = await minimize(f, { on: stiefel(n, p), engine: E });
  return {
    ...(result as unknown as Solved),
    level: result.certificate.level,
    proof: "",
    evaluations: 0,
    rows: result.X.rows,
    reductions: 0,
    X: [...result.X.data],
  };
}

export const jobs = {
  /** `device`: each rank on an emulated device of its own */
  solve: (wire: Wire | undefined, { device, ...options }: Record<string, unknown>) =>
    solved(engine(wire, device === true), options),
  messages: async (wire: Wire, options: Record<string, never>) => await messages(engine(wire), options),
  messagesByRows: (wire: Wire, options: { together: boolean }) => messagesByRows(engine(wire), options),
  manifold: (wire: Wire | undefined, { name }: { name: string }) => onManifold(engine(wire), name),
  operators: (wire: Wire | undefined, { n, device = false }: { n: number; device?: boolean }) =>
    operators(engine(wire, device), n),
  data: (wire: Wire | undefined, { m, n, p }: { m: number; n: number; p: number }) => principal(wire, m, n, p),
  sum(wire: Wire): number[] {
    const x = Float64Array.from({ length: 9000 }, (_, i) => Math.sin(1 + i * (wire.rank + 1)) * 10 ** (i % 17));
    summing(wire)(x, x.length);
    return [...x];
  },
  /** a clock and a wish of one rank become those of all, with the next sum */
  agree(wire: Wire): { before: boolean; after: boolean; now: number; agreed: number } {
    const E = engine(wire);
    const before = E.ranks!.any(wire.rank === 1);
    const X = E.tall(5, 2);
    E.dot(X, X);
    const answer = { before, after: E.ranks!.any(false), now: E.ranks!.now(), agreed: E.ranks!.agree(wire.rank + 7) };
    return answer;
  },
  /** data that differ on one rank */
  differ(wire: Wire, { of }: { of: "matrix" | "dense" | "sparse" | "tridiagonal" }): string {
    const E = engine(wire);
    const numbers = Float64Array.of(1, 2, 3, wire.rank === 2 ? 5 : 4);
    const column = { rows: 4, cols: 1, data: numbers };
    const [pointers, indices] = [Int32Array.of(0, 2, 4), Int32Array.of(0, 1, 0, 1)];
    const made = {
      matrix: () => E.tall(4, 1, numbers),
      dense: () => E.operator({ rows: 2, cols: 2, data: numbers }),
      sparse: () => E.operator({ rows: 2, cols: 2, pointers, indices, values: numbers }),
      tridiagonal: () => E.operator({ lower: column, main: column, upper: column }),
    };
    try {
      made[of]();
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  },
  /** f of the rows of a rank that nobody adds up, by rows or by data */
  async forgetful(wire: Wire, { data }: { data: boolean }): Promise<string> {
    const E = data ? dataEngine(wire, jsEngine()) : engine(wire);
    const f = {
      fg(G: Tall, X: Tall): number {
        E.copy(G, X);
        return E.dot(X, X) + wire.rank;
      },
    };
    try {
      await minimize(f, { on: stiefel(9, 2), engine: E, check: false });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  },
  /** eigenvalues and singular values of the Laplacian of a grid with a potential, with all rows of the vectors */
  async eigen(wire: Wire | undefined, { of }: { of: keyof typeof eigenproblems }): Promise<Eigenpairs> {
    const E = engine(wire);
    const { values, residuals, vectors, level } = await eigenproblems[of](E);
    const all = E.ranks ? E.ranks.collect(vectors.data, GRID ** 2, vectors.cols) : [vectors];
    return {
      values,
      residuals,
      level,
      rows: vectors.rows,
      X: [...(all ?? [])].flatMap(({ data }) => Array.from(data)),
    };
  },
  exchange(wire: Wire): number[] {
    const E = engine(wire);
    const X = E.tall(
      7,
      2,
      Array.from({ length: 14 }, (_, i) => i),
    );
    const rows = E.ranks!.exchange(7, [0, 3, 6])(E.ranks!.rowsOf(X).data, 2);
    return [...rows.subarray(0, 6)];
  },
};

/** What a thread calls */
export function onRank(o: {
  memory: SharedArrayBuffer;
  rank: number;
  size: number;
  job: string;
  options: never;
}): unknown {
  return jobs[o.job as keyof typeof jobs](threadWire(o.memory, o.rank, o.size), o.options);
}
