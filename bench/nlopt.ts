/** nlopt-js, a general optimizer with constraints in JavaScript: SLSQP with the p(p+1)/2 equations of XᵀX = I. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { jsEngine } from "@expen/linalg/engine";
import { type Contender, clocks, type Outcome } from "./contender.js";
import { problemOn } from "./instance.js";
import { ROOT } from "./peers.js";

type Callback = (x: ArrayLike<number>, grad: Float64Array | number[] | null) => number;
interface NLopt {
  ready: Promise<unknown>;
  Algorithm: { LD_SLSQP: unknown };
  Optimize: new (
    algorithm: unknown,
    size: number,
  ) => {
    setMinObjective(f: Callback, tol: number): void;
    addEqualityConstraint(f: Callback, tol: number): void;
    setMaxtime(seconds: number): void;
    optimize(x: number[]): { success: boolean; value: number; x: number[] };
  };
  GC: { flush(): void };
}

/** Largest np: above it the memory of nlopt-js grows and detaches its arrays. SLSQP takes O((np)³) an iteration. */
const LARGEST = 150;
/** Relative tolerance of f, since nlopt-js does not test the gradient: answers are stationary to 1e-3; with 1e-4 they are not. */
const FTOL = 1e-5;

/** Opens nlopt-js, or returns the reason why it cannot. */
export async function openNlopt(): Promise<Contender | string> {
  const folder = join(ROOT, ".expen/nlopt/");
  if (!existsSync(join(folder, "node_modules/nlopt-js"))) return "nlopt-js is not installed (npm run bench:setup does)";
  const nlopt = createRequire(folder)("nlopt-js") as NLopt;
  await nlopt.ready;
  const E = jsEngine();
  return {
    name: "nlopt-js",
    description: "nlopt-js 0.1.1, LD_SLSQP",
    refuses: ({ n, p }) => (n * p > LARGEST ? `it does not survive n·p = ${n * p}` : undefined),
    run(instance, { target, limit, clock }): Outcome {
      if (target !== null) return { status: "failed", text: "it has no observer" };
      const { n, p, X0 } = instance;
      const { objective } = problemOn(E, instance);
      const [X, G] = [E.tall(n, p), E.tall(n, p)];
      const evaluations = { f: 0, grad: 0, hvp: 0 };
      const began = clocks[clock]();
      const optimizer = new nlopt.Optimize(nlopt.Algorithm.LD_SLSQP, n * p);
      optimizer.setMinObjective((x, grad) => {
        for (let i = 0; i < n * p; i++) X.data[i] = x[i]!;
        evaluations.f++;
        if (!grad) return objective.f(X);
        evaluations.grad++;
        const value = objective.fg(G, X);
        for (let i = 0; i < n * p; i++) grad[i] = G.data[i]!;
        return value;
      }, FTOL);
      for (let j = 0; j < p; j++) {
        for (let k = 0; k <= j; k++) optimizer.addEqualityConstraint(orthonormal(n, p, j, k), 1e-8);
      }
      optimizer.setMaxtime(limit);
      try {
        const { success, x } = optimizer.optimize(Array.from(X0.data));
        const data = Float64Array.from({ length: n * p }, (_, i) => x[i]!);
        const seconds = clocks[clock]() - began;
        return {
          status: success ? "converged" : "failed",
          text: success ? `its own tolerance ${FTOL}` : "no success",
          seconds,
          evaluations,
          iterations: null,
          X: { rows: n, cols: p, data },
        };
      } catch (error) {
        return { status: "failed", text: error instanceof Error ? error.message : String(error) };
      } finally {
        nlopt.GC.flush();
      }
    },
    end: () => E.dispose(),
  };
}

/** Σ_i x_ij·x_ik − δ_jk */
function orthonormal(n: number, p: number, j: number, k: number): Callback {
  return (x, grad) => {
    let sum = j === k ? -1 : 0;
    for (let i = 0; i < n; i++) sum += x[i * p + j]! * x[i * p + k]!;
    if (grad) {
      for (let i = 0; i < n * p; i++) grad[i] = 0;
      for (let i = 0; i < n; i++) {
        grad[i * p + j]! += x[i * p + k]!;
        grad[i * p + k]! += x[i * p + j]!;
      }
    }
    return sum;
  };
}
