import type { Evaluations, Objective, Result, StiefelOptions } from "@expen/core";
import { drain, noEvaluations, type UserObjective } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { type SolverName, solvers, solveStiefel } from "@expen/solvers";
import { compile } from "@expen/tape";
import { js as E, normal } from "@expen/testing/functions";
import { minimize, stiefel } from "expen";
import { add, mul, pow, scale, sum, t, trace } from "expen/tape";
import { describe, expect, test } from "vitest";

/** Functions that count their own calls, for f(X) = ½ Σ i·‖row i‖² + ⟨L, X⟩ (L = 0 by default); none calls another. */
function user(n: number, p: number, kind: string): { given: UserObjective; calls: Evaluations } {
  const calls = noEvaluations();
  const L = kind.includes("linear") ? normal(E, n, p, 3) : E.tall(n, p);
  const product = (Y: Matrix, X: Matrix): void => {
    for (let k = 0; k < X.data.length; k++) Y.data[k] = (1 + Math.floor(k / X.cols)) * X.data[k]!;
  };
  const value = (X: Matrix): number =>
    X.data.reduce((s, x, k) => s + (0.5 * (1 + Math.floor(k / p)) * x + L.data[k]!) * x, 0);
  const gradient = (G: Tall, X: Matrix): void => {
    product(G, X);
    E.combine(G, 1, L, 1, G);
  };
  const f = (X: Matrix): number => {
    calls.f++;
    return value(X);
  };
  const grad = (G: Tall, X: Matrix): void => {
    calls.grad++;
    gradient(G, X);
  };
  const fg = (G: Tall, X: Matrix): number => {
    calls.f++;
    calls.grad++;
    gradient(G, X);
    return value(X);
  };
  const hvp = (H: Matrix, _X: Matrix, D: Matrix): void => {
    calls.hvp++;
    product(H, D);
  };
  const apply = (Y: Matrix, X: Matrix): void => {
    calls.f++;
    calls.grad++;
    product(Y, X);
  };
  const given: UserObjective = {
    ...(kind.includes("f, grad") ? { f, grad } : { fg }),
    ...(kind.includes("hvp") && { hvp }),
    ...(kind.includes("quadratic") && { quadratic: { apply, ...(kind.includes("linear") && { L }) } }),
  };
  return { given, calls };
}

/** `work` with `first` before it */
const preceded =
  <A extends unknown[], R>(first: () => unknown, work: (...a: A) => R) =>
  (...a: A): R => {
    first();
    return work(...a);
  };

function compare({ evaluations: run, certificate }: Result, calls: Evaluations): void {
  const { f, grad, hvp } = certificate.evaluations;
  expect({ f: run.f + f, grad: run.grad + grad, hvp: run.hvp + hvp }).toEqual(calls);
}

const kinds = [
  "f, grad",
  "fg",
  "fg, hvp",
  "f, grad, quadratic",
  "fg, hvp, quadratic",
  "fg, linear",
  "fg, quadratic, linear",
];
/** the lowest rows but one: a saddle */
const saddle = (n: number, p: number): Matrix => {
  const X = E.tall(n, p);
  for (let j = 0; j < p; j++) X.data[(j + 1) * p + j] = 1;
  return X;
};

describe("evaluations of the run and of the certificate are the calls of the user's functions", () => {
  const [n, p] = [14, 2];
  const settings: Record<string, StiefelOptions & { check?: boolean }> = {
    "as it is": {},
    "without a check": { check: false },
    "no second order": { certificate: "stationary" },
    "a budget of 5": { certificateBudget: 5 },
    "a budget of 200": { certificateBudget: 200 },
    "a Newton finish": { finish: "newton" },
    "from a saddle": { start: saddle(n, p) },
    "three iterations": { maxIterations: 3 },
  };
  for (const kind of kinds) {
    test(kind, async () => {
      for (const options of Object.values(settings)) {
        const { given, calls } = user(n, p, kind);
        compare(await minimize(given, { on: stiefel(n, p), engine: E, ...options }), calls);
      }
    });
  }

  test.each(Object.keys(solvers) as SolverName[])("%s", async (solver) => {
    for (const kind of ["f, grad", "fg, hvp, quadratic"]) {
      const { given, calls } = user(n, p, kind);
      compare(await minimize(given, { on: stiefel(n, p), engine: E, solver, maxIterations: 60 }), calls);
    }
  });

  test("a formula: value, gradient and products with its Hessian", async () => {
    const D = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? i : 0)));
    const made = compile(E, { n, p }, (X) =>
      // no quadratic form, whose products would be counted beside these
      add(scale(0.5, trace(mul(t(X), D, X))), scale(0.01, sum(pow(X, 4)))),
    );
    const calls = noEvaluations();
    const both = (): void => {
      calls.f++;
      calls.grad++;
    };
    const wrapped: Objective = {
      ...made,
      f: preceded(() => calls.f++, made.f),
      fg: preceded(both, made.fg),
      linearize(X) {
        return preceded(() => calls.hvp++, made.linearize(X));
      },
    };
    compare(await drain(solveStiefel(E, wrapped)), calls);
    expect(calls.hvp).toBeGreaterThan(0);
  });
});

test("certificates of all rounds are added up, and stay within the budget", async () => {
  const { given, calls } = user(14, 2, "f, grad");
  const r = await minimize(given, { on: stiefel(14, 2), engine: E, start: saddle(14, 2), certificateBudget: 12 });
  expect(r.notes.join()).toMatch(/left a saddle/);
  compare(r, calls);
  const rounds = r.notes.filter((note) => note.startsWith("left a saddle")).length + 1;
  expect(r.certificate.evaluations.f).toBeLessThanOrEqual(12 * rounds);
  expect(r.certificate.seconds).toBeGreaterThan(0);
});

test("the start is not evaluated twice where f is a black box", async () => {
  const { given, calls } = user(14, 2, "fg");
  const options = { on: stiefel(14, 2), engine: E, check: false, maxIterations: 0, certificate: "stationary" } as const;
  await minimize(given, options);
  // the solver's own evaluation and the measuring of the projected point
  expect(calls).toEqual({ f: 2, grad: 2, hvp: 0 });
});

test("seconds include the check before the run: a slow f shows in them", async () => {
  const { given } = user(6, 1, "f, grad");
  const slow = (): void => {
    for (const until = performance.now() + 20; performance.now() < until; );
  };
  const f = preceded(slow, given.f!);
  const r = await minimize({ f, grad: given.grad! }, { on: stiefel(6, 1), engine: E });
  expect(r.seconds).toBeGreaterThanOrEqual(0.02 * r.evaluations.f);
  expect(r.certificate.seconds).toBeGreaterThanOrEqual(0.02 * r.certificate.evaluations.f);
  await expect(minimize({ f, grad: given.grad! }, { on: stiefel(6, 1), certificateBudget: -1 })).rejects.toThrow(
    /certificateBudget is -1/,
  );
});
