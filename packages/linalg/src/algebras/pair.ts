/**
 * Complex matrices as a real vector space: X = Re + i·Im with the products of the real matrix [Re; Im],
 *
 *     gram = ReᵀRe + ImᵀIm = Re XᴴX,   tmul = Re XᴴY,   mul = X·S with a real S,
 *
 * for constraints that are real in each column, as |x| = 1. Small matrices are those of the engine below.
 */
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Tall } from "../contracts/matrix.js";
import type { ComplexEngine } from "./complex.js";
import { asTall, Composite, type Operations, partsOf, partwise, unsupported } from "./composite.js";

export function pairEngine(E: Engine): ComplexEngine {
  const owner = { name: "pair", labels: ["re", "im"] };
  const pairs = partwise(owner, () => E);
  const isPair = (A: Matrix): boolean => A instanceof Composite && A.owner === owner;
  const parts = <M extends Matrix>(A: M) => {
    const [re, im] = partsOf(A, owner) as readonly M[];
    return { re: re!, im: im! };
  };
  /** of pairs by `pairs`, of small matrices by E */
  const either =
    <A extends readonly unknown[], R>(ofPairs: (A: Matrix, ...rest: A) => R, own: (A: never, ...rest: A) => R) =>
    (A: Matrix, ...rest: A): R =>
      isPair(A) ? ofPairs(A, ...rest) : own(A as never, ...rest);

  const tmul: Operations["tmul"] = (S, A, B, a = 1, b = 0) => {
    if (!isPair(A)) return E.tmul(S, A, B, a, b);
    const [x, y] = [parts(A), parts(B)];
    E.tmul(S, x.re, y.re, a, b);
    E.tmul(S, x.im, y.im, a, 1);
  };
  const product =
    (op: Operations["mul"]): Operations["mul"] =>
    (Y, A, S, a, b) => {
      if (!isPair(A)) return op(Y, A, S, a, b);
      const [y, x] = [parts(Y), parts(A)];
      op(y.re, x.re, S, a, b);
      op(y.im, x.im, S, a, b);
    };
  const engine: Operations & Pick<ComplexEngine, "parts"> = {
    ...E,
    description: `complex vectors on ${E.description}`,
    // the numbers of a pair lie in two matrices
    ...({ host: undefined, device: undefined } as object),
    parts,
    tall(rows, cols, numbers) {
      const A = asTall(new Composite("tall", rows, cols, [E.tall(rows, cols), E.tall(rows, cols)], owner));
      if (numbers) pairs.write(A, numbers);
      return A;
    },
    read: either(pairs.read as never, E.read) as Operations["read"],
    write: either(pairs.write as never, E.write) as Operations["write"],
    gram(S, A, b = 0) {
      if (!isPair(A)) return E.gram(S, A, b);
      const { re, im } = parts(A as Tall);
      E.gram(S, re, b);
      E.gram(S, im, 1);
    },
    tmul,
    mul: product(E.mul),
    mulT: product(E.mulT),
    dot: either(pairs.dot as never, E.dot) as Operations["dot"],
    dots: (r, Xs, count, Y) => (isPair(Y) ? pairs.dots : E.dots)(r, Xs, count, Y),
    sums: pairs.sums,
    copy: either(pairs.copy as never, E.copy) as Operations["copy"],
    fill: either(pairs.fill as never, E.fill) as Operations["fill"],
    combine: either(pairs.combine as never, E.combine) as Operations["combine"],
    combination: either(pairs.combination as never, E.combination) as Operations["combination"],
    map: (outputs, chain, inputs) => (isPair(inputs[0] ?? outputs[0]!) ? pairs.map : E.map)(outputs, chain, inputs),
    rowDots: () => unsupported("pair", "rowDots"),
    scaleRows: () => unsupported("pair", "scaleRows"),
    factor: {
      ...E.factor,
      divide(Y, R) {
        if (!isPair(Y)) return E.factor.divide(Y, R);
        const { re, im } = parts(Y as Tall);
        E.factor.divide(re, R);
        E.factor.divide(im, R);
      },
    },
    operator: () => unsupported("pair", "operator"),
  };
  return engine as unknown as ComplexEngine;
}
