/** Whole runs: from the start to the certificate, and every solver on small problems. */

import type { Objective } from "@expen/core";
import { drain, measurer, quadraticObjective, randomStart } from "@expen/core";
import { brockett, noeig } from "@expen/experiments/paper";
import type { Engine, Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { type SolverName, solvers, solveStiefel } from "@expen/solvers";

export interface WholeRun {
  /** start, iterations and certificate together */
  seconds: number;
  /** copy of X to host memory after the run */
  readingSeconds: number;
  iterations: number;
  evaluations: number;
  status: string;
  fval: number;
  stationarity: number;
  gradientAtStart: number;
  certificate: string;
  certificateSeconds: number;
}

/** Runs until the gradient norm is `relative` times that at the random start. */
export async function wholeRun(
  E: Engine,
  objective: Objective,
  relative: number,
  certificate: "stationary" | "second-order",
): Promise<WholeRun> {
  const { n, p } = objective;
  let readingSeconds = 0;
  const timed: Engine = {
    ...E,
    read(A, into) {
      const before = performance.now();
      const numbers = E.read(A, into);
      if (A.rows === n && A.cols === p) readingSeconds += (performance.now() - before) / 1000;
      return numbers;
    },
  };
  const gradientAtStart = atStart(E, objective);
  await pause();
  const began = performance.now();
  const tol = relative * gradientAtStart;
  const result = await drain(solveStiefel(timed, objective, { tol, certificate, seed: 1 }));
  const { iterations, evaluations, status, fval, stationarity } = result;
  return {
    seconds: (performance.now() - began) / 1000 - readingSeconds,
    readingSeconds,
    iterations,
    evaluations: evaluations.f,
    status,
    fval,
    stationarity,
    gradientAtStart,
    certificate: result.certificate.level,
    certificateSeconds: result.certificate.seconds,
  };
}

/** Lets the event loop turn: matrices of one turn are not collected within it. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

function atStart(E: Engine, f: Objective): number {
  return measurer(E, f).measure(randomStart(E, f.n, f.p, 1)).stationarity;
}

/** Brockett's function with a dense symmetric B whose spectrum is about [−1, 1] */
export function largeBrockett(E: Engine, n: number, p: number): Objective {
  const symmetric = (size: number): Matrix => {
    const [r, data] = [random(1, `B ${size}`), new Float64Array(size * size)];
    const scale = 1 / (2 * Math.sqrt(size));
    for (let i = 0; i < size; i++) {
      for (let j = 0; j <= i; j++) data[i * size + j] = data[j * size + i] = scale * r.normal();
    }
    return { rows: size, cols: size, data };
  };
  return brockett(E, { n, p, B: symmetric(n), C: symmetric(p) }).objective;
}

/** f(X) = ½ tr(XᵀBX) with Harper's B = tridiag(−1, cos(2πig), −1), g the golden section: a spectrum without reliable gaps */
export function harper(E: Engine, n: number, p: number): Objective {
  const g = (Math.sqrt(5) - 1) / 2;
  const column = (entry: (i: number) => number): Matrix => {
    const data = new Float64Array(n);
    for (let i = 0; i < n; i++) data[i] = entry(i);
    return { rows: n, cols: 1, data };
  };
  const minusOne = column(() => -1);
  const matrix = { lower: minusOne, main: column((i) => Math.cos(2 * Math.PI * ((g * i) % 1))), upper: minusOne };
  const { apply, flops } = E.operator(matrix);
  return quadraticObjective(E, n, p, { apply: (Y, X) => apply(Y, X), matrix, flops });
}

/** Solvers that find another minimum or none on these problems have no row. */
export async function agreement(E: Engine): Promise<{ solver: SolverName; problem: string; difference: number }[]> {
  const J = jsEngine();
  const rows: { solver: SolverName; problem: string; difference: number }[] = [];
  for (const problem of ["noeig", "brockett"] as const) {
    const make = (K: Engine) =>
      problem === "noeig" ? noeig(K, { n: 60, p: 3 }) : brockett(K, { n: 40, p: 3, seed: 1 });
    for (const solver of Object.keys(solvers) as SolverName[]) {
      const values: number[] = [];
      for (const K of [E, J]) {
        const run = await solveStiefel(K, make(K).objective, { solver, tol: 1e-6, maxIterations: 3000 });
        const result = await drain(run);
        values.push(result.fval);
      }
      const [here, there] = values as [number, number];
      rows.push({ solver, problem, difference: Math.abs(here - there) / Math.max(1, Math.abs(there)) });
    }
  }
  return rows;
}
