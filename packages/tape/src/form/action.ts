/** Y ← a·F₁F₂…·X + b·Y for factors of a formula and any number of columns */
import type { Engine, Matrix, Operator, Tall } from "@expen/linalg";
import type { HeldData } from "../held.js";
import { constantOp, operatorOf, operatorOp, parameterOp } from "../leaves.js";
import { diagOp } from "../operations/diagonal-matrix.js";
import { type Factor, rowsOf } from "../operations/product.js";
import type { Constants } from "./constants.js";

export interface Surroundings {
  readonly E: Engine;
  readonly n: number;
  readonly storage: Pick<HeldData, "operator">;
  readonly known: Constants;
  readonly read: (M: Matrix) => Float64Array;
}

/** Y ← a·(its matrix)·X + b·Y */
export interface Action {
  readonly flops: number;
  add(Y: Tall, X: Tall, a: number, b: number): void;
}

/** F₁(F₂(…X)) */
export function productAction(around: Surroundings, factors: readonly Factor[]): Action {
  const { E } = around;
  const steps = factors.map((factor) => ({ ...factorAction(around, factor), scratch: scratchOf(E, rowsOf(factor)) }));
  return {
    flops: steps.reduce((sum, { flops }) => sum + flops, 0),
    add(Y, X, a, b) {
      let Z = X;
      for (let i = steps.length - 1; i > 0; i--) {
        const next = steps[i]!.scratch(X.cols);
        steps[i]!.add(next, Z, 1, 0);
        Z = next;
      }
      if (steps.length > 0) steps[0]!.add(Y, Z, a, b);
      else E.combine(Y, a, X, b, b === 0 ? X : Y);
    },
  };
}

function factorAction({ E, storage, known }: Surroundings, [F, turned]: Factor): Action {
  const rows = rowsOf([F, turned]);
  if (F.op === diagOp) {
    const r = E.tall(rows, 1, known.numbers(F.args[0]!));
    return { flops: rows, add: (Y, X, a, b) => E.scaleRows(Y, r, X, a, b) };
  }
  if (F.op === operatorOp && operatorOf(F).inverse) {
    const T = storage.operator(F, turned);
    const scratch = scratchOf(E, rows);
    const add = (Y: Tall, X: Tall, a: number, b: number): void => {
      const Z = scratch(X.cols);
      T.current.solve!(Z, X);
      E.combine(Y, a, Z, b, b === 0 ? Z : Y);
    };
    return { flops: 5 * rows, add };
  }
  const own = F.op === operatorOp || F.op === constantOp || F.op === parameterOp;
  const operator = own
    ? storage.operator(F, false)
    : { current: E.operator({ rows: F.rows, cols: F.cols, data: known.numbers(F) }) };
  const add = (Y: Tall, X: Tall, a: number, b: number): void =>
    turned ? operator.current.applyT(Y, X, a, b) : operator.current.apply(Y, X, a, b);
  return { flops: operator.current.flops, add };
}

export const actionOf = ({ flops, apply }: Operator): Action => ({ flops, add: apply });
export const scaled = (c: number, { flops, add }: Action): Action => ({
  flops,
  add: (Y, X, a, b) => add(Y, X, a * c, b),
});

/** Scratch with `rows` rows, allocated once for each number of columns */
function scratchOf(E: Engine, rows: number): (cols: number) => Tall {
  const matrices = new Map<number, Tall>();
  return (cols) => {
    let Z = matrices.get(cols);
    if (!Z) matrices.set(cols, (Z = E.tall(rows, cols)));
    return Z;
  };
}
