import type { Matrix, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { FormError, GradientError, minimize, type Result, stiefel, stop } from "expen";
import { noeig } from "expen/problems";
import { formula, mul, scale, t, trace } from "expen/tape";
import { expect, test } from "vitest";

const E = jsEngine();

test("events: every iteration, the stages in order, the end with the result", async () => {
  const seen: number[] = [];
  const stages: { stage: number; beta: number; f: number }[] = [];
  const observed: number[] = [];
  let ended: Result | undefined;
  const { objective } = noeig(E, { n: 60, p: 4 });
  const result = await minimize(objective, {
    on: stiefel(60, 4),
    engine: E,
    solver: "expen-lbfgs",
    observe: (s) => observed.push(s.k),
    events: {
      iteration: (s) => seen.push(s.k),
      stage: (e) => stages.push(e),
      end: (r) => {
        ended = r;
      },
    },
  });
  expect(ended).toBe(result);
  expect(seen).toEqual(observed);
  expect(seen[0]).toBe(0);
  expect(seen.at(-1)).toBe(result.iterations);
  expect(stages.length).toBeGreaterThan(1);
  expect(stages.map((e) => e.stage)).toEqual(stages.map((_, i) => i + 1));
  for (const { beta } of stages) expect(beta).toBeGreaterThan(0);
  // f decreases from stage to stage at feasible points
  stages.slice(1).forEach((e, i) => {
    expect(e.f).toBeLessThanOrEqual(stages[i]!.f + 1e-12 * Math.abs(e.f));
  });
});

test("a saddle is an event with the curvature that showed it", async () => {
  // X0 spans the wrong eigenvectors of Diag(1, …, 6): stationary at once, and no minimum
  const A = Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (_, j) => (i === j ? i + 1 : 0)));
  const start: Matrix = { rows: 6, cols: 1, data: Float64Array.of(0, 0, 1, 0, 0, 0) };
  const saddles: { fval: number; curvature: number }[] = [];
  const result = await minimize(
    formula((X) => scale(0.5, trace(mul(t(X), A, X)))),
    { on: stiefel(6, 1), engine: E, start, events: { saddle: (e) => saddles.push(e) } },
  );
  expect(saddles[0]!.fval).toBeCloseTo(1.5, 12);
  // the Hessian along e₁ is λ₁ − λ₃ = −2
  expect(saddles[0]!.curvature).toBeCloseTo(-2, 6);
  expect(result.fval).toBeCloseTo(0.5, 10);
  expect(result.notes.join()).toMatch(/left a saddle/);
});

const forms: [{ apply: number; constant?: number; skew?: number }, RegExp?][] = [
  [{ apply: 2 }, /declared quadratic.*value at the start/],
  [{ apply: 1, constant: 1 }, /declared quadratic.*value at the start/],
  // the same value at every X, but B is not symmetric
  [{ apply: 1, skew: 1 }, /declared quadratic.*gradients at the start/],
  [{ apply: 1 }],
];
test.each(forms)(
  "a form that does not belong to f stops the run before it begins: %j",
  async ({ apply, constant = 0, skew = 0 }, what) => {
    const [n, p] = [6, 2];
    /** f(X) = ½⟨X, BX⟩, B = Diag(1, …, n) */
    const user = {
      fg(G: Tall, X: Tall): number {
        for (let k = 0; k < n * p; k++) G.data[k] = (1 + Math.floor(k / p)) * X.data[k]!;
        return 0.5 * E.dot(X, G);
      },
      quadratic: {
        constant,
        apply(Y: Tall, X: Tall): void {
          const { cols } = X;
          for (let k = 0; k < n * cols; k++) Y.data[k] = apply * (1 + Math.floor(k / cols)) * X.data[k]!;
          for (let j = 0; j < cols; j++) {
            Y.data[j]! += skew * X.data[cols + j]!;
            Y.data[cols + j]! -= skew * X.data[j]!;
          }
        },
      },
    };
    const run = minimize(user, { on: stiefel(n, p), engine: E });
    if (!what) return expect((await run).status).toBe("converged");
    const error = await run.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(FormError);
    expect((error as Error).message).toMatch(what);
    const unchecked = await minimize(user, { on: stiefel(n, p), engine: E, check: false, maxIterations: 1 });
    expect(unchecked.iterations).toBeLessThanOrEqual(1);
  },
);

test("a wrong gradient stops the run before it begins and names the entry", async () => {
  const f = (X: Tall): number => X.data.reduce((s, v, k) => s + (k + 1) * v * v, 0);
  let evaluations = 0;
  const user = (wrong: boolean) => ({
    f: (X: Tall) => {
      evaluations++;
      return f(X);
    },
    grad: (G: Tall, X: Tall) => {
      for (let k = 0; k < X.data.length; k++) G.data[k] = 2 * (k + 1) * X.data[k]!;
      if (wrong) G.data[7] = G.data[7]! + 5;
    },
  });
  const options = { on: stiefel(5, 2), engine: E };
  const error = await minimize(user(true), options).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(GradientError);
  expect((error as GradientError).suspect).toMatchObject({ row: 3, column: 1 });
  expect((error as Error).message).toMatch(/entry \(3, 1\).*check: false/);

  evaluations = 0;
  await minimize(user(false), { ...options, maxIterations: 0, certificate: "stationary" });
  const checked = evaluations;
  evaluations = 0;
  await minimize(user(false), { ...options, maxIterations: 0, certificate: "stationary", check: false });
  // that of the start serves the run too
  expect(checked - evaluations).toBe(4);

  const unchecked = await minimize(user(true), { ...options, check: false, maxIterations: 5 });
  expect(unchecked.iterations).toBeLessThanOrEqual(5);
});

test("the Riemannian gradient in place of the Euclidean one is called that", async () => {
  const A = Float64Array.of(1, 2, 3, 4);
  const f = (X: Tall): number => 0.5 * X.data.reduce((s, v, k) => s + A[k]! * v * v, 0);
  const grad = (G: Tall, X: Tall): void => {
    const s = 2 * f(X);
    for (let k = 0; k < 4; k++) G.data[k] = A[k]! * X.data[k]! - s * X.data[k]!;
  };
  const { notes, certificate } = await minimize({ f, grad }, { on: stiefel(4, 1), engine: E });
  expect(notes.join()).toMatch(/give the Euclidean one/);
  expect(certificate.level).toBe("second-order");
});

test("an objective with a tape is told to be a formula", async () => {
  const old = { tape: () => 1 } as never;
  await expect(minimize(old, { on: stiefel(4, 1), engine: E })).rejects.toThrow(
    /^objective: it has tape; write formula/,
  );
});

test("a rule of one's own that stops inside a stage is the reason, not 'spurious'; with a fixed β too small it still is", async () => {
  const { objective } = noeig(E, { n: 400, p: 8 });
  const options = { on: stiefel(400, 8), engine: E, check: false };
  let far = 0;
  const early = await minimize(objective, {
    ...options,
    solver: "expen-lbfgs",
    observe: (s) => {
      far = s.notes?.feasibility ?? 0;
    },
    // the first point that is visibly off the manifold
    stop: (s) => ((s.notes?.feasibility ?? 0) > 0.05 ? { kind: "value", converged: true, text: "enough" } : undefined),
  });
  expect(far).toBeGreaterThan(0.05);
  expect([early.reason.kind, early.certificate.level]).toEqual(["value", "none"]);
  expect(early.feasibility).toBeLessThan(1e-12);

  const small = await minimize(objective, { ...options, beta: 0.5, stop: stop.valueChangeBelow(1e-9) });
  expect(small.reason.kind).toBe("spurious");
});
