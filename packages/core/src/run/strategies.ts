/** The strategies for any f, in the order in which they are tried (docs/decisions/0014). */

import type { Constraint } from "../contracts/constraint.js";
import type { Solver } from "../contracts/method.js";
import type { BeginSolver } from "../contracts/solver.js";
import { dissolvedExpen } from "../expen/dissolved.js";
import { frameExpen } from "../methods/quasi-newton/frame-expen.js";
import { partsInPairs } from "../methods/quasi-newton/frame-metric.js";
import { hasFrame } from "../methods/quasi-newton/frame-of.js";
import { agreementOf } from "../objective/agreed-by-processes.js";
import { IS_LINEAR, linearPartOn } from "../objective/linear-part.js";
import { unlessLinear } from "./linear.js";
import { expenSolvers } from "./solvers.js";
import type { Known, LoadStrategies, Strategy } from "./strategy.js";

/**
 * Flops of f and ∇f, in np², from which f counts as expensive: one product of a tall and a small matrix, 2np², with a margin for roundoff.
 * `npm run bench -- --suite any-f` measures it again (docs/decisions/0014).
 */
const EXPENSIVE = 1.9;
/**
 * Entries of operations of the engine in f and ∇f, in np, up to which f works in loops of its own and counts as expensive: with ⟨X, G⟩ the
 * engine sees one pass.
 */
const VISIBLE = 1.5;

/**
 * The methods for any f, after those for eigenvalue problems (packages/eigen/src/strategies.ts):
 *
 *     a β was given                              the penalty, L-BFGS            run/solvers.ts
 *     a preconditioner was given                 in its metric                  expen/dissolved.ts
 *     linear on the manifold                     the nearest point to −L        least-linear.ts
 *     points of a power                          for each point                 block-strategies.ts
 *     equations of the user's own                in the moving frame            quasi-newton/frame-expen.ts, own/
 *     a metric B with a factor or a short solve  in the moving frame            quasi-newton/frame-expen.ts, quasi-newton/frame-metric.ts
 *     a quadratic form, or no frame, or cheap f  with the multiplier as metric  expen/dissolved.ts
 *     any other f                                in the moving frame            quasi-newton/frame-expen.ts
 *
 * The frame takes five sixths of the evaluations, each with half as much again of algebra. The counters of the first evaluation decide, and
 * no clock, so that runs are repeatable to the bit; the method takes over the numbers of that evaluation.
 */
export const expenStrategies: LoadStrategies = async (f, o) =>
  (o.beta ?? "auto") === "auto"
    ? [...ON_ALL, ...(o.on?.traits.blocks ? await ofBlocks() : []), ...WITHOUT_BETA]
    : [penalty(await expenSolvers.expen.load(f, o))];

const ofBlocks = async (): Promise<readonly Strategy[]> => (await import("./block-strategies.js")).blockStrategies;

const penalty = (begin: BeginSolver): Strategy => ({
  name: "penalty",
  fits: () => "beta was given: L-BFGS on the penalty",
  begin: ({ E, f, X0, o }) => begin(E, f, X0, o),
});

const dissolved = ({ E, f, X0, o }: Known): Solver => dissolvedExpen(E, f, X0, { ...o, start: f.take(X0) });
const frame = ({ E, f, X0, o }: Known): Solver => frameExpen(E, f, X0, { ...o, start: f.take(X0) });

/** Those on all manifolds, before the ones on powers */
const ON_ALL: readonly Strategy[] = [
  {
    name: "preconditioned",
    fits: ({ o }) => o.precondition && "a preconditioner was given: L-BFGS in its metric",
    begin: dissolved,
  },
  {
    name: "linear",
    fits: ({ on, f }) => (f.quadratic && linearPartOn(on, f.quadratic) ? IS_LINEAR : undefined),
    begin: (k) => unlessLinear(k, () => dissolved(k)),
  },
];

const WITHOUT_BETA: readonly Strategy[] = [
  {
    name: "frame",
    fits: ({ on }) =>
      on.traits.singularity ? "equations of your own: quasi-Newton in their tangent spaces" : undefined,
    begin: frame,
  },
  {
    // the multiplier's metric has no coordinates of B
    name: "frame",
    fits: ({ E, on }) => {
      if (!on.traits.metric || !hasFrame(E, on)) return undefined;
      const inverse = on.traits.metric.pairs ? "fast conjugate gradients" : "a factor";
      return `a metric B with ${inverse}: quasi-Newton in the moving frame of its coordinates`;
    },
    holds: ({ f, on, o }) => (on.traits.metric?.factor ? [] : partsInPairs(f.n, f.p, o.memory)),
    begin: frame,
  },
  {
    name: "multiplier",
    fits: ({ E, f, on }) => {
      if (f.quadratic) return "f is a quadratic form: L-BFGS with the multiplier as metric";
      return hasFrame(E, on) ? undefined : `${on.name} has no moving frame here: L-BFGS with the multiplier as metric`;
    },
    begin: (k) => (k.f.quadratic ? unlessLinear(k, () => dissolved(k)) : dissolved(k)),
  },
  {
    name: "multiplier",
    fits: (k) => (isCheap(k) ? "f costs less than a step: L-BFGS with the multiplier as metric" : undefined),
    begin: (k) => unlessLinear(k, () => dissolved(k)),
  },
  {
    name: "frame",
    fits: () => "f costs as much as a step, or more: quasi-Newton in the moving frame",
    begin: (k) => unlessLinear(k, () => frame(k)),
  },
];

/** Whether an evaluation costs less than the algebra of a step; all processes decide alike. */
function isCheap({ E, f, on, X0 }: Known): boolean {
  const start = f.start(X0);
  // another algebra does not show whether there are several processes
  const agreed = E.ranks || !on.traits.orthonormal ? agreementOf(E, f) : (count: number) => count;
  const [flops, entries] = [agreed(start.flops), agreed(start.entries)];
  return flops < EXPENSIVE * algebra(f, on) && entries > VISIBLE * f.n * f.p;
}

/** np², of a product the sum over its parts; np where there is no product with a p×p matrix: unit columns, and no constraint */
function algebra({ n, p }: { n: number; p: number }, on: Constraint): number {
  const { parts, coordinates, blocks } = on.traits;
  if (parts) return parts.list.reduce((sum, part) => sum + algebra(part.on.shape, part.on), 0);
  if (blocks) return n * p * blocks.p;
  return coordinates === "columns" || coordinates === "free" ? n * p : n * p * p;
}
