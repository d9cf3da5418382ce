/** The equations c(X) = 0 of a user, completed to values, Jacobian and its adjoint on an engine. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { described } from "@expen/linalg";
import { numbersOf } from "@expen/linalg/engine";
import type { Domain, View } from "../contracts/manifold.js";
import type { Formula } from "../contracts/user-objective.js";
import { euclidean } from "../manifolds/named.js";
import { isMatrix } from "../manifolds/view.js";
import { isFormula } from "../objective/objective.js";
import type { VectorFunction } from "../sets/subject.js";

/** c(X), m numbers */
export type EquationsFunction = (X: Tall) => ArrayLike<number>;
/** The rows of J(X), each with the derivatives by the entries of X, row after row; or J(X) as an m×np matrix */
export type JacobianFunction = (X: Tall) => readonly ArrayLike<number>[] | Matrix;

export interface GivenEquations {
  c: Formula | VectorFunction | EquationsFunction;
  /** beside a function c; left out: central differences, 2np values of c */
  jacobian?: JacobianFunction | undefined;
}

/** m functions c_i, the adjoint of their Jacobian J, and all rows of J at once */
export interface Equations extends VectorFunction {
  /** rows_i ← row i of J(X), as a matrix like X */
  jacobian(rows: readonly Tall[], X: Tall): void;
}

const FORMS = "give formula((X) => …), a function of X with its jacobian, or { size, value(out, X), adjoint(G, X, w) }";

/** The equations on an engine; X is a point at which a function is asked for the number of its equations. */
export function completeEquations(E: Engine, { c, jacobian }: GivenEquations, X: Tall): Equations {
  if (typeof c === "function") return ofFunctions(E, c, jacobian, X);
  if (typeof c !== "object" || c === null) {
    throw new TypeError(`ownManifold: c is ${described(c)}; ${FORMS}.`);
  }
  if (jacobian) throw new TypeError("ownManifold: jacobian belongs to a c that is a function; leave it out.");
  return ofAdjoint(E, isFormula(c) ? ofFormula(E, c, X.rows, X.cols) : c);
}

/** From φ(X, Θ) = ⟨Θ, c⟩ + ½‖c‖², whose gradients are c + Θ multiplied by Jᵀ, and c */
function ofFormula(E: Engine, formula: Formula, n: number, p: number): VectorFunction {
  const { rows, cols, fg } = formula.penalty!(euclidean(n, p).bind(E) as unknown as Domain<View>, "equal", 0);
  const [theta, V, H] = [E.tall(rows, cols), E.tall(rows, cols), E.tall(n, p)];
  const c = new Float64Array(rows * cols);
  function value(out: Float64Array, X: Tall): void {
    E.fill(theta, 0);
    fg(H, V, X, theta);
    E.read(V, out);
  }
  return {
    size: rows * cols,
    value,
    adjoint(G, X, w) {
      value(c, X);
      E.write(
        theta,
        w.map((weight, i) => weight - c[i]!),
      );
      fg(H, V, X, theta);
      E.combine(G, 1, G, 1, H);
    },
  };
}

function ofAdjoint(E: Engine, equations: VectorFunction): Equations {
  const { size, value, adjoint } = equations;
  if (!Number.isInteger(size) || size < 1) {
    throw new RangeError(`ownManifold: c.size is ${described(size)}; it must be the number of equations, 1 or more.`);
  }
  for (const [name, member] of Object.entries({ value, adjoint })) {
    if (typeof member === "function") continue;
    throw new TypeError(`ownManifold: c.${name} is ${described(member)}; ${FORMS}.`);
  }
  const unit = new Float64Array(size);
  return {
    size,
    value: (out, X) => equations.value(out, X),
    adjoint: (G, X, w) => equations.adjoint(G, X, w),
    jacobian(rows, X) {
      for (let i = 0; i < size; i++) {
        unit[i] = 1;
        E.fill(rows[i]!, 0);
        equations.adjoint(rows[i]!, X, unit);
        unit[i] = 0;
      }
    },
  };
}

function ofFunctions(E: Engine, c: EquationsFunction, jacobian: JacobianFunction | undefined, X0: Tall): Equations {
  const { length: size } = listOf(c(X0));
  if (size === 0) throw new RangeError("ownManifold: c(X) is an empty list; it must have a number for each equation.");
  function value(out: Float64Array, X: Tall): void {
    const numbers = listOf(c(X));
    if (numbers.length !== size) {
      throw new RangeError(`ownManifold: c(X) has ${numbers.length} numbers, and had ${size} before.`);
    }
    out.set(numbers);
  }
  const own = jacobian ? jacobianOf(E, jacobian, size) : differences(E, value, size, X0);
  let rows: Tall[] | undefined;
  return {
    size,
    value,
    jacobian: own,
    adjoint(G, X, w) {
      rows ??= Array.from({ length: size }, () => E.tall(X.rows, X.cols));
      own(rows, X);
      E.combination(G, w, rows, size, 1);
    },
  };
}

function listOf(values: unknown): ArrayLike<number> {
  if (typeof values === "number") return [values];
  if (Array.isArray(values) || ArrayBuffer.isView(values)) return values as unknown as ArrayLike<number>;
  throw new TypeError(`ownManifold: c(X) is ${described(values)}; it must be a list with a number for each equation.`);
}

function jacobianOf(E: Engine, jacobian: JacobianFunction, size: number): Equations["jacobian"] {
  return (rows, X) => {
    const entries = X.rows * X.cols;
    const J = jacobian(X);
    const list = isMatrix(J) ? rowsOf(E, J) : J;
    const lengths = Array.from(list, ({ length }) => length);
    if (list.length !== size || lengths.some((length) => length !== entries)) {
      const is = `${list.length} rows with ${[...new Set(lengths)].join(" and ")} numbers`;
      throw new RangeError(`ownManifold: jacobian(X) has ${is}; it must have ${size} rows with ${entries} each.`);
    }
    for (let i = 0; i < size; i++) E.write(rows[i]!, list[i]!);
  };
}

function rowsOf(E: Engine, J: Matrix): Float64Array[] {
  const numbers = numbersOf(E, J);
  return Array.from({ length: J.rows }, (_, i) => numbers.subarray(i * J.cols, (i + 1) * J.cols));
}

/** Step of a central difference, relative to 1 + |entry|: ∛ε balances truncation and roundoff */
const STEP = Math.cbrt(2 ** -52);

function differences(
  E: Engine,
  value: Equations["value"],
  size: number,
  { rows: n, cols: p }: Tall,
): Equations["jacobian"] {
  const [Y, x] = [E.tall(n, p), new Float64Array(n * p)];
  const [above, below] = [new Float64Array(size), new Float64Array(size)];
  const columns = Array.from({ length: size }, () => new Float64Array(n * p));
  return (rows, X) => {
    E.read(X, x);
    for (let k = 0; k < x.length; k++) {
      const entry = x[k]!;
      const step = STEP * (1 + Math.abs(entry));
      const at = (moved: number, out: Float64Array): void => {
        x[k] = moved;
        E.write(Y, x);
        value(out, Y);
      };
      at(entry + step, above);
      at(entry - step, below);
      x[k] = entry;
      for (let i = 0; i < size; i++) columns[i]![k] = (above[i]! - below[i]!) / (2 * step);
    }
    for (let i = 0; i < size; i++) E.write(rows[i]!, columns[i]!);
  };
}
