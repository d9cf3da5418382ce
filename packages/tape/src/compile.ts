/**
 * Compiles a formula to an Objective on an engine: recorded once, differentiated once, replayed without allocation. The steps and files:
 *
 *     formula ─ operations/ ─▶ graph ─ differentiate ─▶ graphs of ∇f, ∇²f[D] ─ factor, bracket, lower ─▶ instructions
 *       ─ axes, place ─▶ on tall and small matrices ─ units, chains, lifetimes, program ─▶ programs ─ evaluation ─▶ f, fg, linearize
 *
 * `form/` detects on the graph of f whether it is a quadratic form.
 */

import type { Objective, QuadraticForm } from "@expen/core";
import type { Engine, NumericLike, Tall } from "@expen/linalg";
import { described } from "@expen/linalg";
import { axesOf, type Spreading, Unplaced } from "./axes.js";
import { gradients, reachable, tangents } from "./differentiate.js";
import { evaluation, type TapeFunction, type TapeInput } from "./evaluation.js";
import { type Expr, fail, type Graph, type Level, type Node, recording } from "./graph.js";
import { heldData, isHost, reader } from "./held.js";
import { type Arg, input } from "./leaves.js";
import { lowered } from "./lower.js";
import { returned } from "./operations/linear.js";
import { NoDerivative } from "./operations/own.js";
import { type Placement, placed } from "./place.js";
import { makeProgram, type Program } from "./program.js";

/** `hvp` and `linearize` are absent where an operation of the user has no second derivative. */
export interface TapeObjective extends Objective {
  hvp(H: Tall, X: Tall, D: Tall): void;
  linearize(X: Tall): (H: Tall, D: Tall) => void;
  /** The quadratic form equal to the formula; undefined if it is none */
  readonly quadratic?: QuadraticForm | undefined;
  /** linear where XᵀX = I, for all values of the parameters */
  readonly isLinear: boolean;
  /** names of the parameters on which f depends */
  readonly parameters: readonly string[];
  /** Gives a parameter a new value of the same shape. */
  set(name: string, value: number | NumericLike): void;
}

/**
 * The objective f(X) on ℝⁿˣᵖ for a formula written with the operations of this folder:
 *
 *     const f = compile(E, { n, p }, (X) => scale(0.5, trace(mul(t(X), B, X, C))));
 *
 * ∇f is recorded by reverse mode; ∇²f[D] by forward mode through ∇f, on first use. All matrices are allocated in these two steps.
 * Data must not change afterwards, since some of it is used in place.
 */
export function compile(E: Engine, { n, p }: { n: number; p: number }, build: (X: Expr) => Arg): TapeObjective {
  for (const [letter, size] of Object.entries({ n, p })) {
    if (!Number.isInteger(size) || size < 1)
      fail("compile", `${letter} is ${size}; it must be a whole number, 1 or more`);
  }
  if (typeof build !== "function") fail("compile", `the formula is ${described(build)}; give a function of X`);
  const tape = compileParts(E, [{ name: "X", rows: n, cols: p }], ([X]) => build(X!));
  const linearize = (X: Tall): ((H: Tall, D: Tall) => void) => {
    const hessian = tape.linearize([X]);
    return (H, D) => hessian([H], [D]);
  };
  const second = { hvp: (H: Tall, X: Tall, D: Tall) => linearize(X)(H, D), linearize };
  return {
    n,
    p,
    get quadratic() {
      return tape.quadratic;
    },
    get isLinear() {
      return tape.isLinear;
    },
    f: (X) => tape.f([X]),
    fg: (G, X) => tape.fg([G], [X]),
    ...((tape.isTwiceDifferentiable ? second : {}) as typeof second),
    parameters: tape.parameters,
    set: tape.set,
  };
}

/** `compile` for a function of several matrices: f(U, V), f(Re, Im) */
export function compileParts(
  E: Engine,
  inputs: readonly TapeInput[],
  build: (Xs: readonly Expr[]) => Arg,
): TapeFunction {
  const graph: Graph = { nodes: new Map(), leaves: new Map(), read: reader(E) };
  const variables = (letter: string, level: Level): Node[] =>
    inputs.map(({ rows, cols }, i) => input(`${letter} ${i}`, rows, cols, level));
  return recording(graph, () => {
    const Xs = variables("X", 1);
    const f = returned(build(Xs), () => build(Xs));
    const Gs = gradients(f, Xs);
    return tapeFunction(E, inputs, f, Gs, () => tangents(Gs, Xs, variables("D", 2)));
  });
}

/** Instructions, data and programs for f and its gradient; those for the Hessian along D follow on first use, since few runs need them. */
function tapeFunction(
  E: Engine,
  inputs: readonly TapeInput[],
  f: Node,
  Gs: readonly Node[],
  hessians: () => readonly Node[],
): TapeFunction {
  const data = heldData(E, f.graph);
  const isTwiceDifferentiable = hasDerivative(Gs, hessians);
  const make = ({ kind }: Placement, request: Parameters<typeof makeProgram>[1]): Program =>
    makeProgram({ E, kind, ...data }, request);
  // with distributed rows, a Hessian that cannot run there is an error now
  const ahead = isTwiceDifferentiable && !isHost(E);
  const together = onEngine(E, inputs, ahead ? [[f, ...Gs], hessians()] : [[f, ...Gs]]);
  const [value, ...matrices] = together.roots as [Node, ...Node[]];
  const [first, second] = [matrices.slice(0, Gs.length), matrices.slice(Gs.length)];
  return evaluation(E, inputs, f, {
    storage: data,
    isTwiceDifferentiable,
    gradient: make(together, { value, matrices: first, level: 1 }),
    hessian() {
      if (second.length > 0) return make(together, { matrices: second, level: 2 });
      const later = recording(f.graph, () => onEngine(E, inputs, [hessians()]));
      return make(later, { matrices: later.roots, level: 2 });
    },
  });
}

/** Whether there are second derivatives; only operations of the user may have none. */
function hasDerivative(Gs: readonly Node[], hessians: () => unknown): boolean {
  if (!reachable(Gs).some(({ op }) => op.isOwn)) return true;
  try {
    hessians();
    return true;
  } catch (error) {
    if (error instanceof NoDerivative) return false;
    throw error;
  }
}

/**
 * Formulas as instructions on tall and small matrices, or on small ones alone if a product has rows of X on both sides; formulas of one
 * list share products.
 */
function onEngine(E: Engine, inputs: readonly TapeInput[], formulas: readonly (readonly Node[])[]): Placement {
  const host = isHost(E);
  const tried: Spreading[] = inputs.every(({ rows }) => rows === 1)
    ? ["nothing"]
    : ["spread rows", "whole rows", ...(host ? ["nothing" as const] : [])];
  let reason = "";
  for (const spreading of tried) {
    try {
      const axes = axesOf(formulas.flat(), spreading);
      const instructions = formulas.flatMap((list) => lowered(list, axes));
      return placed(instructions, axesOf(instructions, spreading));
    } catch (error) {
      if (!(error instanceof Unplaced)) throw error;
      reason ||= error.message;
    }
  }
  return fail(
    "compile",
    `the engine '${E.name}' keeps the rows of X apart, but ${reason}; write it with products such as XᵀX, or use 'js', 'wasm' or 'blas'`,
  );
}
