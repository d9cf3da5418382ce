/**
 * Runs whose every number is known. Each is described by a name and made anew on the js engine, whose sums have one order on every machine;
 * a change of the code that is meant to change no iterate changes nothing here.
 */

import { cases } from "@expen/testing/manifold-cases";
import {
  type Engine,
  type Matrix,
  minimize,
  type Result,
  random,
  type SolverName,
  stiefel,
  type UserObjective,
} from "expen";
import * as apps from "expen/apps";
import { jsEngine } from "expen/engines";
import { solvers } from "expen/methods";
import { problems } from "expen/problems";
import { type Arg, add, compile, type Expr, log, mul, pow, scale, square, sub, sum, t, trace } from "expen/tape";
import { eigenRuns } from "./eigen-runs.js";

/** Numbers of one run; `f` and `X` to the bit, X by a hash */
export interface Golden {
  status: string;
  iterations: number;
  /** of the run, then of the certificate: f, grad, hvp */
  evaluations: number[];
  certificate: string;
  gapBound?: number;
  flops: number;
  f: string;
  X: string;
}

const bits = (x: number): string => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  return view.getBigUint64(0).toString(16);
};

/** FNV-1a over the bytes of all numbers */
function hash(parts: Iterable<Float64Array>): string {
  let h = 0xcbf29ce484222325n;
  for (const part of parts) {
    for (const byte of new Uint8Array(part.slice().buffer))
      h = ((h ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return h.toString(16);
}

function* numbersOf(X: unknown): Generator<Float64Array> {
  const { data } = X as Partial<Matrix>;
  if (data) yield data;
  else for (const part of Object.values(X as object)) yield* numbersOf(part);
}

function golden(E: Engine, r: Result<unknown>): Golden {
  const { certificate: c, evaluations: e } = r;
  return {
    status: r.status,
    iterations: r.iterations,
    evaluations: [e.f, e.grad, e.hvp, c.evaluations.f, c.evaluations.grad, c.evaluations.hvp],
    certificate: c.level,
    ...(c.level === "global" && { gapBound: c.gapBound }),
    flops: E.counters.flops,
    f: bits(r.fval),
    X: hash(numbersOf(r.X)),
  };
}

type Run = readonly [name: string, run: () => Promise<Golden>];
type Options = Record<string, unknown>;

/** iterations at most, and the seed of the starts */
const LIMITS = { maxIterations: 3000, seed: 1 };

function problemRun(problem: string, n: number, p: number, more: Options = {}): Run {
  const words = Object.entries(more).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [
    [`${problem} ${n}×${p}`, ...words].join(", "),
    async () => {
      const E = jsEngine();
      const instance = problems.get(problem)!.make(E, { n, p, seed: Number(more.seed ?? 1) });
      return golden(
        E,
        await minimize(instance.objective, {
          ...LIMITS,
          on: stiefel(n, p),
          engine: E,
          ...(instance.start && { start: instance.start }),
          ...(instance.nonsmooth && { nonsmooth: instance.nonsmooth }),
          ...more,
        }),
      );
    },
  ];
}

const normals = (rows: number, cols: number, stream: string): Matrix => {
  const r = random(3, stream);
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, () => r.normal()) };
};
function symmetric(n: number, stream: string): Matrix {
  const A = normals(n, n, stream);
  const data = A.data.map((a, k) => (a + A.data[(k % n) * n + Math.floor(k / n)]!) / 2);
  return { rows: n, cols: n, data };
}

/** Formulas that are no quadratic forms, and two that are */
const formulas: Record<string, (n: number, p: number) => (X: Expr) => Arg> = {
  quartic: (n, p) => (X) => sum(pow(add(mul(normals(n, n, "quartic"), X), normals(n, p, "shift")), 4)),
  "log cosh": (n) => (X) => sum(log(add(1, square(mul(normals(2 * n, n, "log"), X))))),
  "trace ratio": (n) => (X) => {
    const A = symmetric(n, "ratio");
    return scale(-1, log(add(n, trace(mul(t(X), A, X)))));
  },
  "two forms": (n) => (X) =>
    add(square(trace(mul(t(X), symmetric(n, "one"), X))), trace(mul(t(X), symmetric(n, "two"), X))),
  "a form": (n) => (X) => scale(0.5, trace(mul(t(X), symmetric(n, "form"), X))),
  "least squares": (n, p) => (X) => sum(square(sub(mul(normals(2 * n, n, "A"), X), normals(2 * n, p, "B")))),
};

function formulaRun(name: string, n: number, p: number, more: Options = {}): Run {
  const words = Object.entries(more).map(([key, value]) => `${key} ${value}`);
  return [
    [`${name} ${n}×${p}`, ...words].join(", "),
    async () => {
      const E = jsEngine();
      const f = compile(E, { n, p }, formulas[name]!(n, p)!);
      return golden(E, await minimize(f, { ...LIMITS, on: stiefel(n, p), engine: E, ...more }));
    },
  ];
}

/** The same as functions of an engine, with f and ∇f alone: the way of any f, with its check */
function blackBoxRun(name: string, n: number, p: number, seed: number, check: boolean): Run {
  return [
    `${name} ${n}×${p} as a black box, seed ${seed}${check ? "" : ", unchecked"}`,
    async () => {
      const E = jsEngine();
      const f = compile(E, { n, p }, formulas[name]!(n, p)!);
      const box: UserObjective = { f: (X) => f.f(X), fg: (G, X) => f.fg(G, X) };
      return golden(E, await minimize(box, { ...LIMITS, on: stiefel(n, p), engine: E, seed, check }));
    },
  ];
}

const manifoldRun = ([name, one]: (typeof cases)[number], seed: number, solver?: SolverName): Run => [
  [name, `seed ${seed}`, ...(solver ? [solver] : [])].join(", "),
  async () => {
    const E = jsEngine();
    const options = { on: one.on, engine: E, seed, maxIterations: 3000, ...(solver && { solver }) };
    return golden(E, (await minimize(one.f, options)) as Result<unknown>);
  },
];

const appRun = (name: string, run: (E: Engine) => Promise<{ run: Result<unknown> }>): Run => [
  name,
  async () => {
    const E = jsEngine();
    return golden(E, (await run(E)).run);
  },
];

const names = Object.keys(solvers) as SolverName[];
const smooth = names.filter((name) => name !== "slpg");
const onProblem: [string, number, number][] = [
  ["noeig", 60, 4],
  ["noeig", 250, 20],
  ["brockett", 40, 5],
  ["pca", 40, 4],
  ["procrustes", 20, 5],
  ["nearest", 12, 12],
  ["jointdiag", 12, 4],
  ["dictionary", 10, 10],
  ["quadratic", 50, 4],
];

export const runs: readonly Run[] = [
  ...onProblem.flatMap(([name, n, p]) => [1, 2].map((seed) => problemRun(name, n, p, { seed }))),
  ...[1, 2].map((seed) => problemRun("sparse-pca", 30, 3, { solver: "slpg", seed })),
  ...smooth.flatMap((solver) => [
    problemRun("noeig", 40, 2, { solver }),
    problemRun("brockett", 24, 4, { solver }),
    ...((solvers[solver] as { variants?: readonly string[] }).variants?.map((variant) =>
      problemRun("brockett", 24, 4, { solver, variant }),
    ) ?? []),
  ]),
  ...["fr", "pr", "pr+", "hs", "dy", "hz"].map((rule) => problemRun("noeig", 40, 2, { solver: "expen-cg", rule })),
  problemRun("noeig", 40, 2, { solver: "expen-cg", beta: "paper" }),
  problemRun("brockett", 24, 4, { finish: "newton" }),
  ...Object.keys(formulas).flatMap((name) => [
    ...[1, 2].map((seed) => formulaRun(name, 16, 3, { seed })),
    formulaRun(name, 12, 12),
    ...["expen-cg", "expen-lbfgs", "rcg", "rtr"].map((solver) => formulaRun(name, 16, 3, { solver })),
    ...[1, 2].map((seed) => blackBoxRun(name, 16, 3, seed, true)),
    blackBoxRun(name, 16, 3, 1, false),
    blackBoxRun(name, 80, 2, 1, true),
  ]),
  ...cases.flatMap((one) => [1, 2, 3].map((seed) => manifoldRun(one, seed))),
  ...cases.flatMap((one) => [manifoldRun(one, 1, "expen-lbfgs"), manifoldRun(one, 1, "expen-cg")]),
  appRun("pca of 30×8", (engine) => apps.pca(normals(30, 8, "pca"), { p: 3, engine })),
  appRun("procrustes of 20×4", (engine) => apps.procrustes(normals(20, 4, "P"), normals(20, 4, "Q"), { engine })),
  ...eigenRuns.map(
    ([name, run, open = jsEngine]): Run => [
      name,
      async () => {
        const E = open();
        return golden(E, await run(E));
      },
    ],
  ),
];
