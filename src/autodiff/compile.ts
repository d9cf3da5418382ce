/** From a formula f(X) to an Objective on an engine: recorded once, differentiated once, replayed without allocation. */
import type { Engine, Matrix, Objective, QuadraticForm, Tall } from "../types.js";
import { axesOf, type Spreading, Unplaced } from "./axes.js";
import { gradient, reachable, tangent } from "./differentiate.js";
import { constants } from "./form/constants.js";
import { formOf } from "./form/found.js";
import { type Expr, fail, type Graph, isScalar, type Node, recording, shapeOf, TapeError } from "./graph.js";
import { heldData, isHost, reader } from "./held.js";
import { type Arg, denseIsSymmetric, input, lift, type Parameter, parameterOp } from "./leaves.js";
import { lowered } from "./lower.js";
import { dense } from "./operations/linear.js";
import { type Placement, placed } from "./place.js";
import { makeProgram, type Program } from "./program.js";

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
  const graph: Graph = { nodes: new Map(), leaves: new Map(), read: reader(E) };
  return recording(graph, () => {
    const X = input("X", n, p, 1);
    const f = dense("compile", lift("compile", build(X)));
    if (!isScalar(f)) {
      fail("compile", `the function returns ${shapeOf(f)}; it must return a number, as trace(), sum() or norm2() give`);
    }
    const G = gradient(f, X);
    const H = tangent(G, X, input("D", n, p, 2));
    return objective(E, n, p, f, G, H);
  });
}

function objective(E: Engine, n: number, p: number, f: Node, G: Node, H: Node): TapeObjective {
  const { roots, kind } = onEngine(E, n, [f, G, H]);
  const [value, first, second] = roots as [Node, Node, Node];
  const leaves = new Map(reachable([f, G, H]).flatMap((leaf) => (leaf.args.length === 0 ? [[leaf.id, leaf]] : [])));
  const { read } = f.graph;
  const held = heldData(E, read, leaves);
  const surroundings = { E, kind, ...held };
  const gradientProgram = makeProgram(surroundings, { value, matrix: first, level: 1 });
  const hessianProgram = makeProgram(surroundings, { matrix: second, level: 2 });
  const programs = [gradientProgram, hessianProgram];
  /** where f, which wants no gradient, lets parts of it go that its value needs */
  const W = E.tall(n, p);

  const parameters = new Map<string, Node>();
  for (const leaf of reachable([f])) {
    if (leaf.op === parameterOp) parameters.set((leaf.data as Parameter).parameter, leaf);
  }
  function assign(leaf: Node, value: number | Matrix): void {
    if (!isScalar(leaf)) held.assign(leaf, value as Matrix);
    else for (const q of programs) q.setScalar(leaf, typeof value === "number" ? value : read(value)[0]!);
  }
  const values = new Map<Node, number | Matrix>();
  for (const leaf of parameters.values()) {
    values.set(leaf, (leaf.data as Parameter).value);
    assign(leaf, values.get(leaf)!);
  }

  /** programs whose instructions for constants have to run again */
  const stale = new Set<Program>(programs);
  const prepare = (q: Program): void => {
    if (stale.delete(q)) q.run(0);
  };

  function check(what: string, A: Tall, ...others: Tall[]): void {
    if (A?.rows !== n || A.cols !== p) {
      throw new TapeError(`tape: ${what} is ${A ? shapeOf(A) : typeof A}; it must be ${n}×${p}, as compiled.`);
    }
    if (others.includes(A)) throw new TapeError(`tape: ${what} is also the point or direction; use a second matrix.`);
  }

  /** the linearization whose numbers the program holds */
  let current: object | undefined;
  function linearize(X: Tall): (H: Tall, D: Tall) => void {
    check("X", X);
    const mine = {};
    const hold = (): void => {
      prepare(hessianProgram);
      hessianProgram.bind("X", X);
      hessianProgram.run(1);
      current = mine;
    };
    hold();
    return (H, D) => {
      check("D", D);
      check("H", H, X, D);
      if (current !== mine) hold();
      hessianProgram.bind("D", D);
      hessianProgram.bind("destination", H);
      hessianProgram.run(2);
    };
  }

  function begin(X: Tall, destination: Tall): void {
    check("X", X);
    prepare(gradientProgram);
    gradientProgram.bind("X", X);
    gradientProgram.bind("destination", destination);
  }

  function fg(G: Tall, X: Tall): number {
    check("G", G, X);
    begin(X, G);
    gradientProgram.run(1);
    return gradientProgram.value();
  }

  /** the form of f, made when it is first asked for; null: not made with these parameters */
  let form: QuadraticForm | undefined | null = null;
  const known = constants(read, (leaf) => values.get(leaf)!);

  return {
    n,
    p,
    get quadratic() {
      if (form === null) form = formOf({ E, n, p, f, held, known, read, fg });
      return form;
    },
    f(X) {
      begin(X, W);
      gradientProgram.runValue();
      return gradientProgram.value();
    },
    fg,
    hvp: (H, X, D) => linearize(X)(H, D),
    linearize,
    set(name, value) {
      const leaf = parameters.get(name);
      if (!leaf) {
        const known = [...parameters.keys()].map((k) => `'${k}'`).join(", ");
        throw new TapeError(`set: there is no parameter '${name}'; the formula has ${known || "none"}.`);
      }
      const shape = typeof value === "number" ? { rows: 1, cols: 1 } : value;
      if (shape.rows !== leaf.rows || shape.cols !== leaf.cols) {
        throw new TapeError(`set: parameter '${name}' is ${shapeOf(leaf)} but the new value is ${shapeOf(shape)}.`);
      }
      if ((leaf.data as Parameter).symmetric && typeof value !== "number" && !denseIsSymmetric(value, read(value))) {
        throw new TapeError(`set: parameter '${name}' was declared symmetric but the new value is not.`);
      }
      assign(leaf, value);
      values.set(leaf, value);
      form = null;
      for (const q of programs) stale.add(q);
      current = undefined;
    },
  };
}

/** Value, gradient and Hessian as instructions on tall and small matrices, or on small ones alone where rows of X stand on both sides. */
function onEngine(E: Engine, n: number, formulas: readonly Node[]): Placement {
  const host = isHost(E);
  const tried: Spreading[] =
    n === 1 ? ["nothing"] : ["spread rows", "whole rows", ...(host ? ["nothing" as const] : [])];
  let reason = "";
  for (const spreading of tried) {
    try {
      const axes = axesOf(formulas, spreading);
      const [f, G, H] = formulas as [Node, Node, Node];
      const instructions = [...lowered([f, G], axes), ...lowered([H], axes)];
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
