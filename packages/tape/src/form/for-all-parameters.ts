/**
 * Properties of a formula for all values of its parameters, seen at random ones: words that cancel there cancel everywhere, with
 * probability 1.
 */
import type { Matrix } from "@expen/linalg";
import { random } from "@expen/linalg";
import { symmetricPart } from "@expen/linalg/arrays";
import { gradients, reachable } from "../differentiate.js";
import { isScalar, type Node, recording } from "../graph.js";
import { inputOp, type Parameter } from "../leaves.js";
import { constants } from "./constants.js";
import { degree, type Word } from "./word.js";
import { wordsOf } from "./words.js";

export interface ForAllParameters {
  /** f is a quadratic form for some values at most, as ∇f has words of another degree. */
  readonly isNoForm: boolean;
  /** ∇f = XC + L, or BX + L for square X, so that f is linear where XᵀX = I */
  readonly isLinear: boolean;
}

export function forAllParameters(f: Node, read: (M: Matrix) => Float64Array): ForAllParameters {
  const words = recording(f.graph, () => {
    const X = reachable([f]).find(({ op }) => op === inputOp);
    return X && wordsOf(gradients(f, [X])[0]!, constants(read, randomValues()));
  });
  if (!words || words.some((word) => degree(word) > 1)) return { isNoForm: true, isLinear: false };
  const ofX = words.filter((word) => degree(word) === 1);
  const isSquare = reachable([f]).some(({ op, rows, cols }) => op === inputOp && rows === cols);
  return { isNoForm: false, isLinear: ofX.every(hasXAt(0)) || (isSquare && ofX.every(hasXAt(-1))) };
}

/** Whether X itself is the first, or the last, factor of a word */
const hasXAt =
  (at: number) =>
  ({ traces, factors }: Word): boolean => {
    const F = factors.at(at);
    return traces.length === 0 && F !== undefined && F[0].op === inputOp && !F[1];
  };

function randomValues(): (leaf: Node) => number | Matrix {
  const { normal } = random(1, "parameters of a formula");
  return (leaf) => {
    if (isScalar(leaf)) return normal();
    const { rows, cols } = leaf;
    const data = Float64Array.from({ length: rows * cols }, normal);
    if ((leaf.detail as Parameter).symmetric) symmetricPart(data, data.slice(), rows);
    return { rows, cols, data };
  };
}
