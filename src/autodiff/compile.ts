/**
 * From a formula to an Objective on an engine: recorded once, differentiated once, replayed without allocation. One line, a file a step:
 *
 *     formula ─ operations/ ─▶ graph ─ differentiate ─▶ graphs of ∇f, ∇²f[D] ─ factor, bracket, lower ─▶ instructions
 *       ─ axes, place ─▶ on tall and small matrices ─ units, chains, lifetimes, program ─▶ programs ─ evaluation ─▶ f, fg, linearize
 *
 * `form/` reads the graph of f besides: whether it is a quadratic form.
 */
import type { Engine, Matrix, Objective, QuadraticForm, Tall } from "../types.js";
import { axesOf, type Spreading, Unplaced } from "./axes.js";
import { gradients, reachable, tangents } from "./differentiate.js";
import { evaluation, type TapeFunction, type TapeInput } from "./evaluation.js";
import { type Expr, fail, type Graph, type Node, recording } from "./graph.js";
import { heldData, isHost, reader } from "./held.js";
import { type Arg, input } from "./leaves.js";
import { lowered } from "./lower.js";
import { returned } from "./operations/linear.js";
import { type Placement, placed } from "./place.js";
import { makeProgram } from "./program.js";

export interface TapeObjective extends Objective {
  hvp(H: Tall, X: Tall, D: Tall): void;
  linearize(X: Tall): (H: Tall, D: Tall) => void;
  /** The form that the formula was found to be; undefined if it is none. */
  readonly quadratic?: QuadraticForm | undefined;
  /** Gives a parameter a new value of the same shape. */
  set(name: string, value: number | Matrix): void;
}

/**
 * The objective f(X) on ℝⁿˣᵖ for a formula written with the operations of this folder:
 *
 *     const f = compile(E, { n, p }, (X) => scale(0.5, trace(mul(t(X), B, X, C))));
 *
 * ∇f is recorded by reverse mode, ∇²f[D] by forward mode through ∇f. All matrices are made here. n×p and p×q constants that are
 * matrices of E are used in place and must not change; others are copied.
 */
export function compile(E: Engine, { n, p }: { n: number; p: number }, build: (X: Expr) => Arg): TapeObjective {
  for (const [letter, size] of Object.entries({ n, p })) {
    if (!Number.isInteger(size) || size < 1)
      fail("compile", `${letter} is ${size}; it must be a whole number, 1 or more`);
  }
  const tape = compileParts(E, [{ name: "X", rows: n, cols: p }], ([X]) => build(X!));
  const linearize = (X: Tall): ((H: Tall, D: Tall) => void) => {
    const hessian = tape.linearize([X]);
    return (H, D) => hessian([H], [D]);
  };
  return {
    n,
    p,
    get quadratic() {
      return tape.quadratic;
    },
    f: (X) => tape.f([X]),
    fg: (G, X) => tape.fg([G], [X]),
    hvp: (H, X, D) => linearize(X)(H, D),
    linearize,
    set: tape.set,
  };
}

/** The same for a function of several matrices: f(U, V), f(Re, Im). */
export function compileParts(
  E: Engine,
  inputs: readonly TapeInput[],
  build: (Xs: readonly Expr[]) => Arg,
): TapeFunction {
  const graph: Graph = { nodes: new Map(), leaves: new Map(), read: reader(E) };
  return recording(graph, () => {
    const Xs = inputs.map(({ rows, cols }, i) => input(`X ${i}`, rows, cols, 1));
    const f = returned(build(Xs));
    const Gs = gradients(f, Xs);
    const Ds = inputs.map(({ rows, cols }, i) => input(`D ${i}`, rows, cols, 2));
    return tapeFunction(E, inputs, f, Gs, tangents(Gs, Xs, Ds));
  });
}

/** Instructions, data and programs for f, its gradient and its Hessian along D */
function tapeFunction(
  E: Engine,
  inputs: readonly TapeInput[],
  f: Node,
  Gs: readonly Node[],
  Hs: readonly Node[],
): TapeFunction {
  const { roots, kind } = onEngine(E, inputs, { f, Gs, Hs });
  const [value, ...matrices] = roots as [Node, ...Node[]];
  const [first, second] = [matrices.slice(0, Gs.length), matrices.slice(Gs.length)];
  const leaves = reachable([f, ...Gs, ...Hs]).filter(({ args }) => args.length === 0);
  const held = heldData(E, f.graph.read, new Map(leaves.map((leaf) => [leaf.id, leaf])));
  const surroundings = { E, kind, ...held };
  const gradient = makeProgram(surroundings, { value, matrices: first, level: 1 });
  const hessian = makeProgram(surroundings, { matrices: second, level: 2 });
  return evaluation(E, inputs, f, { held, gradient, hessian });
}

/** Value, gradient and Hessian as instructions on tall and small matrices, or on small ones alone where rows of X stand on both sides. */
function onEngine(
  E: Engine,
  inputs: readonly TapeInput[],
  { f, Gs, Hs }: { f: Node; Gs: readonly Node[]; Hs: readonly Node[] },
): Placement {
  const host = isHost(E);
  const formulas = [f, ...Gs, ...Hs];
  const tried: Spreading[] = inputs.every(({ rows }) => rows === 1)
    ? ["nothing"]
    : ["spread rows", "whole rows", ...(host ? ["nothing" as const] : [])];
  let reason = "";
  for (const spreading of tried) {
    try {
      const axes = axesOf(formulas, spreading);
      const instructions = [...lowered([f, ...Gs], axes), ...lowered(Hs, axes)];
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
