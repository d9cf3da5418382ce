/**
 * Detects on its graph that a formula is a quadratic form f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ + constant, however it is written
 * (traces, squared norms of affine maps, sums, products in any order). It is one if and only if ∇f(X) = BXC + L: the words
 * of ∇f (words.ts) have degree 1 or 0, and those of degree 1 are one tensor B ⊗ C (tensor.ts). A hidden nonlinearity
 * is a word of another degree, however small it is. L = ∇f(0) and constant = f(0) come from the tape.
 */

import type { QuadraticForm } from "@expen/core";
import type { Engine, Small, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { gradients, reachable } from "../differentiate.js";
import { type Node, recording } from "../graph.js";
import { inputOp } from "../leaves.js";
import { diagonalOp } from "../operations/diagonal.js";
import { hadamardOp } from "../operations/elementwise.js";
import { linOp, scaleOp, transposeOp } from "../operations/linear.js";
import { chainOp, type Factor, traceOp } from "../operations/product.js";
import {
  columnDotsOp,
  columnSumsOp,
  repeatColumnsOp,
  repeatRowsOp,
  rowDotsOp,
  rowSumsOp,
  sumOp,
} from "../operations/reduce.js";
import { productAction, type Surroundings } from "./action.js";
import { leftSide } from "./sides.js";
import { type Multiples, type Tensor, tensorOf } from "./tensor.js";
import { degree } from "./word.js";
import { wordsOf } from "./words.js";

export interface Formula extends Surroundings {
  readonly p: number;
  readonly f: Node;
  /** the compiled formula: G ← ∇f(X), returns f(X) */
  fg(G: Tall, X: Tall): number;
}

/** Relative difference of value or gradient above which the form is rejected; far above the rounding of products */
const DIFFERENCE = 1e-10;

/** The form of f for the current parameters; undefined if it is none */
export function formOf(formula: Formula): QuadraticForm | undefined {
  const { E, n, p, f, known } = formula;
  return recording(f.graph, () => {
    const X = reachable([f]).find(({ op }) => op === inputOp);
    if (!X) return undefined;
    const words = wordsOf(gradients(f, [X])[0]!, known);
    if (!words || words.some((word) => degree(word) > 1)) return undefined;
    const tensor = tensorOf(words, formula, multiples);
    const isLinear = words.some((word) => degree(word) === 0);
    if (!tensor || (tensor.B.length === 0 && !isLinear)) return undefined;
    return agreeing(formula, { ...madeOf(tensor), ...lowerTerms(isLinear) });
  });

  function madeOf({ B, C }: Tensor): QuadraticForm {
    const isMultiple = C.every((v, k) => Math.abs(v - (k % (p + 1) === 0 ? C[0]! : 0)) <= 4 * EPS * Math.abs(C[0]!));
    const left = isMultiple ? B.map(({ c, factors }) => ({ c: c * C[0]!, factors })) : B;
    const isScalar = left.every(({ factors }) => factors.length === 0);
    return {
      ...leftSide(formula, left),
      ...(isScalar && { multiple: left.reduce((sum, { c }) => sum + c, 0) }),
      ...(!isMultiple && { C: rightSide(C) }),
    };
  }

  /** L = ∇f(0) and f(0) */
  function lowerTerms(isLinear: boolean): Pick<QuadraticForm, "L" | "constant"> {
    if (!isLinear && vanishes(f)) return {};
    const [L, zero] = [E.tall(n, p), E.tall(n, p)];
    const constant = formula.fg(L, zero);
    return { ...(isLinear && { L }), ...(constant !== 0 && { constant }) };
  }

  function rightSide(C: Float64Array): Small {
    const S = E.small(p, p, C);
    E.symmetrize(S);
    return S;
  }

  /** Detected by Bx for a random x, up to the rounding of products. Multiples have the same quotient of two sums of entries of Bx. */
  function multiples(products: readonly (readonly Factor[])[]): ReturnType<Multiples> {
    const [x, u, v, z] = [E.tall(n, 1), E.tall(n, 1), E.tall(n, 1), E.tall(n, 1)];
    const { normal } = random(1, "left sides");
    for (const A of [x, u, v]) E.write(A, normal);
    const all = products.map((B, of) => {
      const y = E.tall(n, 1);
      productAction(formula, B).add(y, x, 1, 0);
      return { of, y, quotient: E.dot(u, y) / E.dot(v, y) };
    });
    let first: Tall | undefined;
    return all
      .sort((a, b) => a.quotient - b.quotient)
      .map(({ of, y }) => {
        const tau = first && E.dot(first, y) / E.dot(first, first);
        if (first) E.combine(z, 1, y, -tau!, first);
        if (first && norm(E, z) <= 64 * EPS * Math.sqrt(n) * norm(E, y)) return { of, tau };
        first = y;
        return { of };
      });
  }
}

/**
 * The form, if its value and gradient at a random X of rank two equal those of the formula: a check of the rewrite rules. A quadratic form
 * that is 0 for all X of rank two is 0. The gradients are compared in one random combination of their columns, ∇f·z = B·(XCz) + Lz, and
 * the value is compared with constant + ½⟨X, ∇f + L⟩.
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

/** Whether f(0) = 0 follows from its form: one factor of a product vanishes, or all terms of a sum */
function vanishes(f: Node): boolean {
  const zero = new Set<Node>();
  for (const n of reachable([f])) {
    const is = (A: Node): boolean => zero.has(A);
    if (n.op === inputOp || (PRODUCTS.has(n.op) ? n.args.some(is) : SUMS.has(n.op) && n.args.every(is))) zero.add(n);
  }
  return zero.has(f);
}
const PRODUCTS = new Set([chainOp, traceOp, hadamardOp, scaleOp, rowDotsOp, columnDotsOp]);
const SUMS = new Set([linOp, sumOp, rowSumsOp, columnSumsOp, repeatColumnsOp, repeatRowsOp, transposeOp, diagonalOp]);
