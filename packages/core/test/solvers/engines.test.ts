/** Every solver on engines whose matrices cannot be read in place, and on rows that lie apart: the minimum is that of `js`. */

import type { Engine } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solvers } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { brockett, feasible, noeig } from "@expen/testing/operators";
import { describe, expect, test } from "vitest";
import type { Objective } from "../../src/contracts/objective.js";
import type { SolverEntry, SolverOptions } from "../../src/contracts/solver.js";

type Run = [title: string, entry: SolverEntry, options: SolverOptions];

const byName: Record<string, SolverEntry> = solvers;
const run = (name: string, options: SolverOptions = {}): Run => [
  [name, ...Object.values(options).map((v) => (typeof v === "object" ? v.kind : v))].join(" "),
  byName[name]!,
  options,
];
const runs: Run[] = [
  ...Object.entries(byName).flatMap(([name, { variants = [] }]) => [
    run(name),
    ...variants.slice(1).map((variant) => run(name, { variant })),
  ]),
  ...(["polar", "cholesky-qr", "cayley", "exponential"] as const).map((retraction) => run("rcg", { retraction })),
  ...(["paper", "cdopt", "theory"] as const).map((beta) => run("expen-lbfgs", { beta })),
  ...(["l1", "l21"] as const).map((kind) => run("slpg", { nonsmooth: { kind, weight: 0.05 } })),
];

const problems: [string, (E: Engine) => Objective][] = [
  ["noeig (40, 2)", (E) => noeig(E, 40, 2)],
  ["brockett (24, 4)", (E) => brockett(E, 24, 4, 3)],
  ["quadratic with a linear term (20, 3)", (E) => brockett(E, 20, 3, 1, true)],
];

/** Methods that do not converge quickly, or not to a gradient of zero, are followed for some steps. */
const followed = new Set(["landing constant", "slpg l1", "slpg l21", "trivialization exp"]);
/** The exponential of an n×n matrix is made of small matrices, to which X has to go. */
const crosses = new Set(["trivialization exp"]);

/** f after the last step, from one start until the gradient has fallen to 1e-6 of the first; `seen` is called after each step */
async function minimum(
  E: Engine,
  [title, entry, options]: Run,
  make: (E: Engine) => Objective,
  seen?: () => void,
): Promise<number> {
  const f = make(E);
  const steps = await entry.create(E, f, feasible(E, f.n, f.p, 1), options);
  const most = followed.has(title) ? 10 : 3000;
  let state = { f: Number.NaN, gnorm: Number.NaN };
  let first = Number.NaN;
  for (let k = 0; k < most; k++) {
    const next = steps.next();
    if (next.done) break;
    state = next.value;
    if (k === 0) first = state.gnorm;
    seen?.();
    if (state.gnorm <= 1e-6 * first) break;
  }
  if (!followed.has(title)) expect(state.gnorm).toBeLessThanOrEqual(1e-5 * first);
  return state.f;
}

describe.each(runs)("%s", (...run) => {
  test.each(problems)("leads to the same f on %s where numbers are hidden, or rows apart", async (_problem, make) => {
    const here = await minimum(jsEngine(), run, make);
    const tolerance = 1e-7 * Math.max(1, Math.abs(here));
    const hidden = opaque(jsEngine());
    /** crossings of tall and small numbers: so far, and the most in one step */
    let [tall, small, mostTall, mostSmall] = [Number.NaN, Number.NaN, 0, 0];
    const count = (): void => {
      const now = hidden.crossings;
      if (tall >= 0) mostTall = Math.max(mostTall, now.tall - tall);
      if (small >= 0) mostSmall = Math.max(mostSmall, now.small - small);
      [tall, small] = [now.tall, now.small];
    };
    expect(Math.abs((await minimum(hidden, run, make, count)) - here)).toBeLessThanOrEqual(tolerance);
    if (!crosses.has(run[0])) {
      const { p } = make(jsEngine());
      expect(mostTall).toBe(0);
      expect(mostSmall).toBeLessThanOrEqual(100 * p * p);
    }
    expect(Math.abs((await minimum(split(jsEngine()), run, make)) - here)).toBeLessThanOrEqual(tolerance);
  });
});
