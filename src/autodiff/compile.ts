/** From a formula to an Objective on an engine: recorded once, differentiated once, replayed without allocation. */
import type { Engine, Matrix, Objective, QuadraticForm, Tall } from "../types.js";
import { axesOf, type Spreading, Unplaced } from "./axes.js";
import { gradients, reachable, tangents } from "./differentiate.js";
import { constants } from "./form/constants.js";
import { formOf } from "./form/found.js";
import { type Expr, fail, type Graph, isScalar, type Node, recording, shapeOf, TapeError } from "./graph.js";
import { heldData, isHost, reader } from "./held.js";
import { type Arg, denseIsSymmetric, input, type Parameter, parameterOp } from "./leaves.js";
import { lowered } from "./lower.js";
import { returned } from "./operations/linear.js";
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

/** One of the matrices that a formula is a function of. `name`: "X", "U", "Z.re", for sentences */
interface TapeInput extends Expr {
  readonly name: string;
}

/** A function of several matrices, in the order of the inputs */
interface TapeFunction {
  f(Xs: readonly Tall[]): number;
  fg(Gs: readonly Tall[], Xs: readonly Tall[]): number;
  linearize(Xs: readonly Tall[]): (Hs: readonly Tall[], Ds: readonly Tall[]) => void;
  /** of a function of one matrix */
  readonly quadratic: QuadraticForm | undefined;
  set: TapeObjective["set"];
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
  const all = reachable([f, ...Gs, ...Hs]);
  const leaves = new Map(all.flatMap((leaf) => (leaf.args.length === 0 ? [[leaf.id, leaf]] : [])));
  const { read } = f.graph;
  const held = heldData(E, read, leaves);
  const surroundings = { E, kind, ...held };
  const gradientProgram = makeProgram(surroundings, { value, matrices: first, level: 1 });
  const hessianProgram = makeProgram(surroundings, { matrices: second, level: 2 });
  const programs = [gradientProgram, hessianProgram];
  /** where f, which wants no gradient, lets parts of it go that its value needs */
  const Ws = inputs.map(({ rows, cols }) => E.tall(rows, cols));

  const parameters = new Map<string, Node>();
  for (const leaf of reachable([f])) {
    if (leaf.op === parameterOp) parameters.set((leaf.detail as Parameter).parameter, leaf);
  }
  function assign(leaf: Node, value: number | Matrix): void {
    if (!isScalar(leaf)) held.assign(leaf, value as Matrix);
    else for (const q of programs) q.setScalar(leaf, typeof value === "number" ? value : read(value)[0]!);
  }
  const values = new Map<Node, number | Matrix>();
  for (const leaf of parameters.values()) {
    values.set(leaf, (leaf.detail as Parameter).value);
    assign(leaf, values.get(leaf)!);
  }

  /** programs whose instructions for constants have to run again */
  const stale = new Set<Program>(programs);
  const prepare = (q: Program): void => {
    if (stale.delete(q)) q.run(0);
  };

  /** `letter`: what the matrices are for f, "X", "G", "D" or "H" */
  function check(letter: string, As: readonly Tall[], ...others: (readonly Tall[])[]): void {
    for (const [i, { name, rows, cols }] of inputs.entries()) {
      const A = As[i]!;
      const what = name === "X" ? letter : `${name} of ${letter}`;
      if (A?.rows !== rows || A.cols !== cols) {
        const is = A ? shapeOf(A) : typeof A;
        throw new TapeError(`tape: ${what} is ${is}; it must be ${rows}×${cols}, as compiled.`);
      }
      if (others.some((Bs) => Bs.includes(A))) {
        throw new TapeError(`tape: ${what} is also the point or direction; use a second matrix.`);
      }
    }
  }
  const bind = (q: Program, name: string, As: readonly Tall[]): void => {
    for (let i = 0; i < As.length; i++) q.bind(`${name} ${i}`, As[i]!);
  };

  /** the linearization whose numbers the program holds */
  let current: object | undefined;

  function begin(Xs: readonly Tall[], destinations: readonly Tall[]): void {
    check("X", Xs);
    prepare(gradientProgram);
    bind(gradientProgram, "X", Xs);
    bind(gradientProgram, "destination", destinations);
  }

  function fg(Gs: readonly Tall[], Xs: readonly Tall[]): number {
    check("G", Gs, Xs);
    begin(Xs, Gs);
    gradientProgram.run(1);
    return gradientProgram.value();
  }

  /** the form of f, made when it is first asked for; null: not made with these parameters */
  let form: QuadraticForm | undefined | null = null;
  const known = constants(read, (leaf) => values.get(leaf)!);

  return {
    get quadratic() {
      const [{ rows: n, cols: p }, ...others] = inputs as [TapeInput, ...TapeInput[]];
      const one = (G: Tall, X: Tall): number => fg([G], [X]);
      if (form === null) form = others.length ? undefined : formOf({ E, n, p, f, held, known, read, fg: one });
      return form;
    },
    f(Xs) {
      begin(Xs, Ws);
      gradientProgram.runValue();
      return gradientProgram.value();
    },
    fg,
    linearize(Xs) {
      check("X", Xs);
      const mine = {};
      const hold = (): void => {
        prepare(hessianProgram);
        bind(hessianProgram, "X", Xs);
        hessianProgram.run(1);
        current = mine;
      };
      hold();
      return (Hs, Ds) => {
        check("D", Ds);
        check("H", Hs, Xs, Ds);
        if (current !== mine) hold();
        bind(hessianProgram, "D", Ds);
        bind(hessianProgram, "destination", Hs);
        hessianProgram.run(2);
      };
    },
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
      if ((leaf.detail as Parameter).symmetric && typeof value !== "number" && !denseIsSymmetric(value, read(value))) {
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
