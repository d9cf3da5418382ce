/** Packages of the registry, each in a thread that can be ended: a task in, vectors and processor time out. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { clocks } from "../contender.js";

/** Dense matrices alone */
export interface RegistryTask {
  readonly rows: readonly (readonly number[])[];
  readonly isSingular: boolean;
  readonly p: number;
  readonly which: "smallest" | "largest" | "nearest";
  readonly sigma?: number;
  readonly clock: "wall" | "cpu";
}

/** Eigenvectors by columns, or pairs of singular vectors as (u, v) */
export type RegistryReply =
  | { readonly seconds: number; readonly columns: readonly (readonly number[])[] }
  | { readonly failure: string };

/** All values with access to the entries of their vectors */
interface Decomposition {
  readonly values: ArrayLike<number>;
  /** entry i of the vector of value j */
  at(i: number, j: number): number;
  /** of the left singular vector */
  left?(i: number, j: number): number;
}

interface Package {
  eigen?(rows: RegistryTask["rows"]): Decomposition;
  svd?(rows: RegistryTask["rows"]): Decomposition;
}

const { folder, name } = workerData as { folder: string; name: string };
const require = createRequire(pathToFileURL(join(folder, "index.js")));
// biome-ignore lint/suspicious/noExplicitAny: packages without types
const load = async (): Promise<any> => {
  const module = await import(pathToFileURL(require.resolve(name)).href);
  return module.default ?? module;
};

// biome-ignore lint/suspicious/noExplicitAny: packages without types
const packages: Record<string, (p: any) => Package> = {
  "ml-matrix": ({ Matrix, EigenvalueDecomposition, SingularValueDecomposition }) => ({
    eigen(rows) {
      const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(new Matrix(rows), {
        assumeSymmetric: true,
      });
      return { values: realEigenvalues, at: (i, j) => eigenvectorMatrix.get(i, j) };
    },
    svd(rows) {
      const {
        diagonal,
        leftSingularVectors: U,
        rightSingularVectors: V,
      } = new SingularValueDecomposition(new Matrix(rows));
      return { values: diagonal, at: (i, j) => V.get(i, j), left: (i, j) => U.get(i, j) };
    },
  }),
  numeric: (numeric) => ({
    eigen(rows) {
      const { lambda, E } = numeric.eig(rows);
      return { values: lambda.x, at: (i, j) => E.x[i][j] };
    },
    svd(rows) {
      const { U, S, V } = numeric.svd(rows);
      return { values: S, at: (i, j) => V[i][j], left: (i, j) => U[i][j] };
    },
  }),
  "svd-js": ({ SVD }) => ({
    svd(rows) {
      const { u, v, q } = SVD(rows);
      return { values: q, at: (i, j) => v[i][j], left: (i, j) => u[i][j] };
    },
  }),
  eigen: (eigen) => ({
    eigen(rows) {
      const { eigenvalues, eigenvectors } = eigen.Solvers.eigenSolve(new eigen.Matrix(rows), true);
      const values = rows.map((_, k) => eigenvalues.get(k, 0).real() as number);
      return { values, at: (i, j) => eigenvectors.get(i, j).real() };
    },
    svd(rows) {
      const { sv, U, V } = eigen.Decompositions.svd(new eigen.Matrix(rows), true);
      const values = rows[0]!.map((_, k) => sv.get(k, 0) as number);
      return { values, at: (i, j) => V.get(i, j), left: (i, j) => U.get(i, j) };
    },
  }),
};

const loaded = await load();
await loaded.ready;
const solver = packages[name]!(loaded);

function answer({ rows, isSingular, p, which, sigma, clock }: RegistryTask): RegistryReply {
  const decompose = isSingular ? solver.svd : solver.eigen;
  if (!decompose) return { failure: "absent" };
  const now = clocks[clock];
  const began = now();
  const { values, at, left } = decompose(rows);
  const distance = (v: number): number => (which === "nearest" ? Math.abs(v - sigma!) : which === "smallest" ? v : -v);
  const order = Array.from(values, (_, j) => j).sort((a, b) => distance(values[a]!) - distance(values[b]!));
  const columns = order
    .slice(0, p)
    .map((j) => [
      ...(left ? rows.map((_, i) => left(i, j) * Math.SQRT1_2) : []),
      ...rows[0]!.map((_, i) => at(i, j) * (left ? Math.SQRT1_2 : 1)),
    ]);
  return { seconds: now() - began, columns };
}

parentPort!.on("message", (task: RegistryTask) => {
  try {
    parentPort!.postMessage(answer(task));
  } catch (error) {
    parentPort!.postMessage({ failure: (error as Error).message });
  }
});
