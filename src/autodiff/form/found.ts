/**
 * The quadratic form that a formula is, found on its graph: f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ + constant, written in any way
 * (traces, squared norms of affine maps, sums, products in any order). Words (words.ts) that make one tensor B ⊗ C
 * (tensor.ts) are such a form, and nothing else is: a formula with a hidden nonlinearity has no words, however small
 * it is. L = ∇f(0) and constant = f(0) come from the tape.
 */
import { random } from "../../random.js";
import type { Engine, Matrix, QuadraticForm, Small, Tall } from "../../types.js";
import { type Node, recording } from "../graph.js";
import type { HeldData } from "../held.js";
import { type Constants, Unknown } from "./constants.js";
import { leftSide } from "./sides.js";
import { type Tensor, tensorOf } from "./tensor.js";
import { degree, type Word, wordsOf } from "./words.js";

export interface Formula {
  readonly E: Engine;
  readonly n: number;
  readonly p: number;
  readonly f: Node;
  readonly held: Pick<HeldData, "operator">;
  readonly known: Constants;
  readonly read: (M: Matrix) => Float64Array;
  /** the compiled formula: G ← ∇f(X), returns f(X) */
  fg(G: Tall, X: Tall): number;
}

/** Relative difference from which the form is not the formula */
const DIFFERENCE = 1e-10;

/** The form of f with its parameters as they are, or nothing. */
export function formOf(formula: Formula): QuadraticForm | undefined {
  const { E, n, p, f, known } = formula;
  try {
    const words = recording(f.graph, () => wordsOf(f, known.number));
    const tensor = words && words.length > 0 && tensorOf(words);
    if (!words || !tensor) return undefined;
    return agreeing(formula, madeOf(tensor, words));
  } catch (error) {
    // a constant that is worked out on the engine alone
    if (error instanceof Unknown) return undefined;
    throw error;
  }

  function madeOf({ B, C }: Tensor, words: readonly Word[]): QuadraticForm {
    const twice = B.map((word) => ({ ...word, c: 2 * word.c }));
    const [identity] = C;
    const plain = C.length === 0 || (C.length === 1 && identity!.factors.length === 0 && identity!.c === 1);
    const L = E.tall(n, p);
    const constant = formula.fg(L, E.tall(n, p));
    return {
      ...leftSide(formula, n, twice),
      ...(!plain && { C: rightSide(C) }),
      ...(words.some(({ factors }) => degree(factors) === 1) && { L }),
      ...(constant !== 0 && { constant }),
    };
  }

  function rightSide(C: readonly Word[]): Small {
    const S = E.small(p, p, known.sum(C, p));
    E.symmetrize(S);
    return S;
  }
}

/** The form, if value and gradient at a random point are those of the formula: against a mistake in the rules. */
function agreeing({ E, n, p, fg }: Formula, form: QuadraticForm): QuadraticForm | undefined {
  const [X, G, Y, W] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  const { normal } = random(1, "form of a formula");
  E.write(X, () => normal() / Math.sqrt(n));
  const value = fg(G, X);
  form.apply(Y, X);
  if (form.C) E.mul(W, Y, form.C);
  else E.copy(W, Y);
  let ofForm = (form.constant ?? 0) + 0.5 * E.dot(X, W);
  const size = Math.abs(form.constant ?? 0) + norm(E, X) * (norm(E, W) + norm(E, G));
  if (form.L) {
    ofForm += E.dot(form.L, X);
    E.combine(W, 1, form.L, 1, W);
  }
  const scale = norm(E, W) + norm(E, G) + (form.L ? norm(E, form.L) : 0);
  E.combine(W, -1, G, 1, W);
  const near = norm(E, W) <= DIFFERENCE * scale && Math.abs(ofForm - value) <= DIFFERENCE * (size + scale * norm(E, X));
  return near ? form : undefined;
}

const norm = (E: Engine, A: Tall): number => Math.sqrt(E.dot(A, A));
