/** The functions of a compiled formula: programs bound to the matrices of a call, and parameters that may change between calls */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Matrix, NumericLike, Tall } from "@expen/linalg";
import { reachable } from "./differentiate.js";
import { constants } from "./form/constants.js";
import { type ForAllParameters, forAllParameters } from "./form/for-all-parameters.js";
import { formOf } from "./form/found.js";
import { type Expr, isScalar, type Node, shapeOf, TapeError } from "./graph.js";
import type { HeldData } from "./held.js";
import { denseIsSymmetric, type Parameter, parameterOp, parameterValue } from "./leaves.js";
import type { Program } from "./program.js";

/** An argument of a formula; `name`: "X", "U", "Z.re", for sentences */
export interface TapeInput extends Expr {
  readonly name: string;
}

/** A function of several matrices, in the order of the inputs */
export interface TapeFunction {
  f(Xs: readonly Tall[]): number;
  fg(Gs: readonly Tall[], Xs: readonly Tall[]): number;
  linearize(Xs: readonly Tall[]): (Hs: readonly Tall[], Ds: readonly Tall[]) => void;
  /** whether `linearize` can be called */
  readonly isTwiceDifferentiable: boolean;
  /** only for functions of one matrix */
  readonly quadratic: QuadraticForm | undefined;
  /** only for functions of one matrix: linear where XᵀX = I, for all values of the parameters */
  readonly isLinear: boolean;
  /** names of the parameters on which the value depends */
  readonly parameters: readonly string[];
  /** gives a parameter a new value of the same shape */
  set(name: string, value: number | NumericLike): void;
}

interface Programs {
  readonly storage: HeldData;
  readonly isTwiceDifferentiable: boolean;
  /** value and gradient */
  readonly gradient: Program;
  /** called on first use */
  hessian(): Program;
}

export function evaluation(
  E: Engine,
  inputs: readonly TapeInput[],
  f: Node,
  { storage: data, isTwiceDifferentiable, gradient, hessian: makeHessian }: Programs,
): TapeFunction {
  const { read } = f.graph;
  const programs = [gradient];
  /** scratch for gradient parts that the value of f needs, when no gradient is requested */
  const Ws = inputs.map(({ rows, cols }) => E.tall(rows, cols));

  const parameters = new Map<string, Node>();
  for (const leaf of reachable([f])) {
    if (leaf.op === parameterOp) parameters.set((leaf.detail as Parameter).parameter, leaf);
  }
  const scalar = (value: number | Matrix): number => (typeof value === "number" ? value : read(value)[0]!);
  const values = new Map<Node, number | Matrix>();
  for (const leaf of parameters.values()) values.set(leaf, (leaf.detail as Parameter).value);
  function setScalars(q: Program): void {
    for (const [leaf, value] of values) if (isScalar(leaf)) q.setScalar(leaf, scalar(value));
  }
  setScalars(gradient);

  /** programs whose instructions for constants must run again */
  const stale = new Set<Program>(programs);
  const prepare = (q: Program): void => {
    if (stale.delete(q)) q.run(0);
  };
  function hessianProgram(): Program {
    if (programs.length === 1) {
      const program = makeHessian();
      setScalars(program);
      programs.push(program);
      stale.add(program);
    }
    return programs[1]!;
  }

  /** `letter`: the role of the matrices, "X", "G", "D" or "H" */
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

  /** the linearization whose point the program currently holds */
  let current: object | undefined;

  function begin(Xs: readonly Tall[], destinations: readonly Tall[]): void {
    check("X", Xs);
    prepare(gradient);
    bind(gradient, "X", Xs);
    bind(gradient, "destination", destinations);
  }

  function fg(Gs: readonly Tall[], Xs: readonly Tall[]): number {
    check("G", Gs, Xs);
    begin(Xs, Gs);
    gradient.run(1);
    return gradient.value();
  }

  /** the form of f, computed on first use; null: not computed for the current parameters */
  let form: QuadraticForm | undefined | null = null;

  /** of functions of one matrix, computed on first use */
  let general: ForAllParameters | undefined;
  const ofAll = (): ForAllParameters => (general ??= forAllParameters(f, read));
  const isOfOne = inputs.length === 1;

  return {
    isTwiceDifferentiable,
    get isLinear() {
      return isOfOne && ofAll().isLinear;
    },
    parameters: [...parameters.keys()],
    get quadratic() {
      const [{ rows: n, cols: p }, ...others] = inputs as [TapeInput, ...TapeInput[]];
      const one = (G: Tall, X: Tall): number => fg([G], [X]);
      const known = constants(read, (leaf) => values.get(leaf)!);
      if (form === null) form = others.length ? undefined : formOf({ E, n, p, f, storage: data, known, read, fg: one });
      return form;
    },
    f(Xs) {
      begin(Xs, Ws);
      gradient.runValue();
      return gradient.value();
    },
    fg,
    linearize(Xs) {
      check("X", Xs);
      const hessian = hessianProgram();
      const mine = {};
      const hold = (): void => {
        prepare(hessian);
        bind(hessian, "X", Xs);
        hessian.run(1);
        current = mine;
      };
      hold();
      return (Hs, Ds) => {
        check("D", Ds);
        check("H", Hs, Xs, Ds);
        if (current !== mine) hold();
        bind(hessian, "D", Ds);
        bind(hessian, "destination", Hs);
        hessian.run(2);
      };
    },
    set(name, newValue) {
      const leaf = parameters.get(name);
      if (!leaf) {
        const known = [...parameters.keys()].map((k) => `'${k}'`).join(", ");
        throw new TapeError(`set: there is no parameter '${name}'; the formula has ${known || "none"}.`);
      }
      const value = parameterValue("set", name, newValue);
      const shape = typeof value === "number" ? { rows: 1, cols: 1 } : value;
      if (shape.rows !== leaf.rows || shape.cols !== leaf.cols) {
        throw new TapeError(`set: parameter '${name}' is ${shapeOf(leaf)} but the new value is ${shapeOf(shape)}.`);
      }
      if ((leaf.detail as Parameter).symmetric && typeof value !== "number" && !denseIsSymmetric(value, read(value))) {
        throw new TapeError(`set: parameter '${name}' was declared symmetric but the new value is not.`);
      }
      // all copies of the parameter must exist before they are set
      if (isTwiceDifferentiable) hessianProgram();
      if (!isScalar(leaf)) data.assign(leaf, value as Matrix);
      values.set(leaf, value);
      for (const q of programs) setScalars(q);
      form = isOfOne && ofAll().isNoForm ? undefined : null;
      for (const q of programs) stale.add(q);
      current = undefined;
    },
  };
}
