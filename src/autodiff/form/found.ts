/**
 * The quadratic form that a formula is, found on its graph: f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ + constant, written in any way
 * (traces, squared norms of affine maps, sums, products in any order). Words (words.ts) that make one tensor B ⊗ C
 * (tensor.ts) are such a form, and nothing else is: a formula with a hidden nonlinearity has no words, however small
 * it is. L = ∇f(0) and constant = f(0) come from the tape, where there are words of degree 1 or 0.
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
    const tensor = words?.some(({ factors }) => degree(factors) > 0) && tensorOf(words);
    if (!words || !tensor) return undefined;
    return agreeing(formula, madeOf(tensor, words));
  } catch (error) {
    // a constant that is worked out on the engine alone
    if (error instanceof Unknown) return undefined;
    throw error;
  }

  function madeOf({ B, C }: Tensor, words: readonly Word[]): QuadraticForm {
    const right = known.sum(C, p);
    const isMultiple = right.every((v, k) => v === (k % (p + 1) === 0 ? right[0]! : 0));
    const left = B.map((word) => ({ ...word, c: 2 * word.c * (isMultiple ? right[0]! : 1) }));
    return { ...leftSide(formula, n, left), ...(!isMultiple && { C: rightSide(right) }), ...lowerTerms(words) };
  }

  function lowerTerms(words: readonly Word[]): Pick<QuadraticForm, "L" | "constant"> {
    if (words.every(({ factors }) => degree(factors) === 2)) return {};
    const L = E.tall(n, p);
    const constant = formula.fg(L, E.tall(n, p));
    return {
      ...(words.some(({ factors }) => degree(factors) === 1) && { L }),
      ...(constant !== 0 && { constant }),
    };
  }

  function rightSide(C: Float64Array): Small {
    const S = E.small(p, p, C);
    E.symmetrize(S);
    return S;
  }
}

/**
 * The form, if value and gradient at a random X of rank two are those of the formula: against a mistake in the rules. A quadratic form
 * that is 0 for all X of rank two is 0. The gradients are compared in one random combination of their columns, ∇f·z = B·(XCz) + Lz, and
 * the value is compared with what such a gradient says of it, constant + ½⟨X, ∇f + L⟩.
 */
function agreeing({ E, n, p, fg }: Formula, form: QuadraticForm): QuadraticForm | undefined {
  const { C, L, constant = 0 } = form;
  const [X, G, Z] = [E.tall(n, p), E.tall(n, p), E.tall(n, 2)];
  const { normal } = random(1, "form of a formula");
  const numbers = (count: number): Float64Array => Float64Array.from({ length: count }, normal);
  E.write(Z, () => normal() / Math.sqrt(n));
  E.mul(X, Z, E.small(2, p, numbers(2 * p)));
  const value = fg(G, X);
  const z = E.small(p, 1, numbers(p));
  const [x, y, g, Cz] = [E.tall(n, 1), E.tall(n, 1), E.tall(n, 1), E.small(p, 1)];
  E.mul(g, G, z);
  if (C) E.mul(Cz, C, z);
  E.mul(x, X, C ? Cz : z);
  form.apply(y, x);
  if (L) E.mul(y, L, z, 1, 1);
  const size = norm(E, y) + norm(E, g) + (L ? norm(E, L) : 0);
  E.combine(y, -1, g, 1, y);
  if (!(norm(E, y) <= DIFFERENCE * size)) return undefined;
  const ofForm = constant + 0.5 * E.dot(X, G) + (L ? 0.5 * E.dot(X, L) : 0);
  const scale = Math.abs(constant) + norm(E, X) * (norm(E, G) + (L ? norm(E, L) : 0));
  return Math.abs(ofForm - value) <= DIFFERENCE * scale ? form : undefined;
}

const norm = (E: Engine, A: Tall): number => Math.sqrt(E.dot(A, A));
