/** Quadratic assignment: instances of QAPLIB with the least cost that is known, ours beside SciPy's fast approximate method */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tall } from "@expen/linalg";
import { minimize, permutations } from "expen";
import { ROOT } from "../peers.js";
import type { SetsRun } from "./results.js";
import type { Scipy } from "./scipy.js";

/** The cost of a permutation p: the sum of first[a][b]·second[p(a)][p(b)] */
export interface Assignment {
  readonly name: string;
  readonly n: number;
  readonly best: number;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

type Stored = Pick<Assignment, "name" | "n" | "best"> & Record<"first" | "second", string[]>;

export function readAssignments(): Assignment[] {
  const { instances } = JSON.parse(readFileSync(join(ROOT, "bench/sets/qaplib.json"), "utf8"));
  const numbers = (rows: string[]): Float64Array =>
    Float64Array.from(rows.flatMap((row) => row.split(" ").map(Number)));
  return (instances as Stored[]).map((one) => ({
    ...one,
    first: numbers(one.first),
    second: numbers(one.second),
  }));
}

/** tr(F·X·Dᵀ·Xᵀ) with F = first and D = second, and its gradient F·X·Dᵀ + Fᵀ·X·D */
export function cost({ n, first, second }: Assignment): { fg(G: Tall, X: Tall): number } {
  const [left, right] = [new Float64Array(n * n), new Float64Array(n * n)];
  const product = (out: Float64Array, entry: (i: number, k: number, j: number) => number): void => {
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        let s = 0;
        for (let k = 0; k < n; k++) s += entry(i, k, j);
        out[i * n + j] = s;
      }
  };
  return {
    fg(G, X) {
      const x = X.data;
      product(left, (i, k, j) => first[i * n + k]! * x[k * n + j]!);
      product(right, (i, k, j) => first[k * n + i]! * x[k * n + j]!);
      let value = 0;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          let [a, b] = [0, 0];
          for (let k = 0; k < n; k++) {
            a += left[i * n + k]! * second[j * n + k]!;
            b += right[i * n + k]! * second[k * n + j]!;
          }
          G.data[i * n + j] = a + b;
          value += a * x[i * n + j]!;
        }
      return value;
    },
  };
}

/** Ours with its default of 20 starts, and SciPy's best of 20, each followed by exchanges of two */
export async function assignmentRuns(instance: Assignment, seed: number, scipy: Scipy | undefined): Promise<SetsRun[]> {
  const { name, n, best } = instance;
  const f = cost(instance);
  // starts of a run have consecutive seeds
  const { fval, evaluations, status } = await minimize(f, { on: permutations(n), seed: 100 * seed });
  const base = { group: "permutations", problem: name, seed, violation: 0, level: null, optimum: best } as const;
  const runs: SetsRun[] = [{ ...base, contender: "expen", status, f: fval, evaluations: evaluations.f }];
  if (!scipy) return runs;
  const [first, second] = [[...instance.first], [...instance.second]];
  const answer = await scipy.solve({ method: "faq", n, first, second, seed });
  runs.push({ ...base, contender: "faq", status: answer.status, f: answer.f!, evaluations: null });
  return runs;
}
