/** Gradients of 10⁴ entries of which one is off by 1 %: how many of them are found. */

import type { Objective } from "@expen/core";
import { minimize, randomStart, stiefel } from "@expen/core";
import { GradientError, quickCheck } from "@expen/core/check";
import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";

export const SHAPES: readonly [number, number][] = [
  [1000, 10],
  [100, 100],
  [10_000, 1],
];

/** ½Σ a_i·x_i² + ⟨C, X⟩ + ¼Σ x_i⁴ with normal a and C: its gradient is as good as normal */
function gaussian(n: number, p: number, seed: number): Objective {
  const r = random(seed, "gaussian");
  const normals = (): Float64Array => Float64Array.from({ length: n * p }, () => r.normal());
  const [a, c] = [normals(), normals()];
  const f: Objective["f"] = ({ data: x }) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += (c[i]! + 0.5 * x[i]! * (a[i]! + 0.5 * x[i]! * x[i]!)) * x[i]!;
    return sum;
  };
  return {
    n,
    p,
    f,
    fg(G, X) {
      const { data: x } = X;
      for (let i = 0; i < x.length; i++) G.data[i] = c[i]! + x[i]! * (a[i]! + x[i]! * x[i]!);
      return f(X);
    },
  };
}

const wrongAt = (f: Objective, entry: number, factor: number): Objective => ({
  ...f,
  fg(G, X) {
    const value = f.fg(G, X);
    G.data[entry]! *= factor;
    return value;
  },
});

/** Of so many seeds those whose wrong entry is found and named */
export function wrongEntriesFound(E: Engine, n: number, p: number, seeds: number): number {
  let found = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const entry = random(seed, "entry").integer(n * p);
    const f = wrongAt(gaussian(n, p, seed), entry, 1.01);
    const { passed, suspect } = quickCheck(E, f, randomStart(E, n, p, seed), { seed });
    if (!passed && suspect!.row === Math.floor(entry / p) && suspect!.column === entry % p) found++;
  }
  return found;
}

/** The same by a run, whose steps are compared: of so many seeds those that end with an error that names the entry */
export async function wrongEntriesFoundByRuns(E: Engine, n: number, p: number, seeds: number): Promise<number> {
  let found = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const entry = random(seed, "entry").integer(n * p);
    const { f, fg } = wrongAt(gaussian(n, p, seed), entry, 1.01);
    const o = { on: stiefel(n, p), engine: E, seed, certificate: "stationary" } as const;
    const error = await minimize({ f, fg }, o).catch((e: unknown) => e);
    if (!(error instanceof GradientError)) continue;
    const { row, column } = error.suspect;
    if (row === Math.floor(entry / p) && column === entry % p) found++;
  }
  return found;
}
