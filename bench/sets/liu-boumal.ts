/**
 * The augmented Lagrangian with the rules and defaults of Liu and Boumal [Simple algorithms for optimization on Riemannian manifolds with
 * constraints, 2020, Algorithm 1], which Manopt.jl has: λ = ρ = 1 at the start, λ ≤ 20, ρ/0.3 where the residual has not fallen to 0.8,
 * accuracies from 1e-3 to 1e-6 in 30 steps. The inner solver is our `rlbfgs`, started anew each time, as theirs is.
 */
import type { Manifold, Matrix, Tall, UserObjective } from "expen";
import { minimize } from "expen";

/** g ≤ 0 and h = 0 on numbers: values, and G ← G + J_gᵀa + J_hᵀb */
export interface Numbers {
  readonly inequalities: number;
  readonly equations: number;
  values(g: Float64Array, h: Float64Array, X: Tall): void;
  adjoint(G: Tall, X: Tall, a: Float64Array, b: Float64Array): void;
}

const RULE = {
  growth: 1 / 0.3,
  enough: 0.8,
  bound: 20,
  first: 1e-3,
  last: 1e-6,
  steps: 30,
  runs: 300,
  inner: 200,
  largest: 1e12,
};

export async function liuBoumal(
  f: UserObjective,
  on: Manifold,
  { inequalities, equations, values, adjoint }: Numbers,
  start: Matrix,
): Promise<{ X: Matrix; evaluations: number; violation: number }> {
  const [g, h] = [new Float64Array(inequalities), new Float64Array(equations)];
  const [a, b] = [new Float64Array(inequalities), new Float64Array(equations)];
  const [lambda, mu] = [new Float64Array(inequalities).fill(1), new Float64Array(equations).fill(1)];
  let [rho, accuracy, before, evaluations] = [1, RULE.first, Number.POSITIVE_INFINITY, 0];
  const shrink = (RULE.last / RULE.first) ** (1 / RULE.steps);
  let X = start;
  for (let run = 0; run < RULE.runs; run++) {
    const L: UserObjective = {
      fg(G: Tall, Y: Tall) {
        const value = f.fg!(G, Y);
        values(g, h, Y);
        for (const [i, l] of lambda.entries()) a[i] = Math.max(0, l + rho * g[i]!);
        for (const [i, m] of mu.entries()) b[i] = m + rho * h[i]!;
        adjoint(G, Y, a, b);
        return value + (squares(a) + squares(b)) / (2 * rho);
      },
    };
    const options = { on, start: X, solver: "rlbfgs", tol: accuracy, maxIterations: RULE.inner, check: false } as const;
    const result = await minimize(L, { ...options, certificate: "stationary" });
    evaluations += result.evaluations.f;
    const moved = Math.hypot(...result.X.data.map((x, k) => x - X.data[k]!));
    X = result.X;
    values(g, h, X as Tall);
    let residual = 0;
    for (const [i, l] of lambda.entries()) residual = Math.max(residual, Math.abs(Math.max(-l / rho, g[i]!)));
    for (const value of h) residual = Math.max(residual, Math.abs(value));
    for (const [i, l] of lambda.entries()) lambda[i] = Math.min(Math.max(l + rho * g[i]!, 0), RULE.bound);
    for (const [i, m] of mu.entries()) mu[i] = Math.min(Math.max(m + rho * h[i]!, -RULE.bound), RULE.bound);
    if (run === 0 || residual > RULE.enough * before) rho *= RULE.growth;
    before = residual;
    if ((accuracy <= 1.0001 * RULE.last && moved < RULE.last) || rho > RULE.largest) break;
    accuracy = Math.max(RULE.last, accuracy * shrink);
  }
  const violation = Math.max(0, ...g, ...h.map(Math.abs));
  return { X, evaluations, violation };
}

const squares = (x: Float64Array): number => x.reduce((s, v) => s + v * v, 0);
