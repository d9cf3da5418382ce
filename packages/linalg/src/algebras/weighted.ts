/**
 * ℝⁿˣᵖ with the inner product ⟨X, BY⟩: a matrix is the pair (X, BX), so that
 *
 *     gram = XᵀBX,   tmul = Xᵀ(BY),   dot = ⟨BX, Y⟩,   and sums and products X·S go through both matrices,
 *
 * and methods for XᵀX = I solve XᵀBX = I, without B. It stands for RX of B = RᵀR where R is not known. Small matrices are those of the
 * engine below. `apply` completes a pair that is written.
 */
import type { Engine } from "../contracts/engine.js";
import type { Matrix, Tall } from "../contracts/matrix.js";
import { asTall, Composite, type Operations, partsOf, partwise, unsupported } from "./composite.js";

export interface WeightedEngine extends Engine {
  /** X and BX, the matrices themselves */
  pair(A: Tall): { X: Tall; BX: Tall };
}

export function weightedEngine(E: Engine, apply: (BX: Tall, X: Tall) => void): WeightedEngine {
  const owner = { name: "weighted", labels: ["X", "BX"] };
  const pairs = partwise(owner, () => E);
  const isPair = (A: Matrix): boolean => A instanceof Composite && A.owner === owner;
  const pair = (A: Tall) => {
    const [X, BX] = partsOf(A, owner) as readonly Tall[];
    return { X: X!, BX: BX! };
  };
  const either =
    <A extends readonly unknown[], R>(ofPairs: (A: Matrix, ...rest: A) => R, own: (A: never, ...rest: A) => R) =>
    (A: Matrix, ...rest: A): R =>
      isPair(A) ? ofPairs(A, ...rest) : own(A as never, ...rest);
  const firsts = (As: readonly Tall[], count: number): Tall[] => {
    const list: Tall[] = [];
    for (let i = 0; i < count; i++) list.push(pair(As[i]!).X);
    return list;
  };
  const write = (A: Tall, numbers: ArrayLike<number> | (() => number)): void => {
    const { X, BX } = pair(A);
    E.write(X, numbers);
    apply(BX, X);
  };
  const product =
    (op: Operations["mul"]): Operations["mul"] =>
    (Y, A, S, a, b) => {
      if (!isPair(A)) return op(Y, A, S, a, b);
      const [y, x] = [pair(Y as Tall), pair(A as Tall)];
      op(y.X, x.X, S, a, b);
      op(y.BX, x.BX, S, a, b);
    };
  const engine: Operations & Pick<WeightedEngine, "pair"> = {
    ...E,
    description: `ℝⁿ with another inner product on ${E.description}`,
    // the numbers of a pair lie in two matrices
    ...({ host: undefined, device: undefined } as object),
    pair,
    tall(rows, cols, numbers) {
      const A = asTall(new Composite("tall", rows, cols, [E.tall(rows, cols), E.tall(rows, cols)], owner));
      if (numbers) write(A, numbers);
      return A;
    },
    read: either((A: Matrix, into?: Float64Array) => E.read(pair(A as Tall).X, into), E.read) as Operations["read"],
    write: either(
      (A: Matrix, numbers: ArrayLike<number> | (() => number)) => write(A as Tall, numbers),
      E.write,
    ) as Operations["write"],
    gram(S, A, b = 0) {
      if (!isPair(A)) return E.gram(S, A, b);
      const { X, BX } = pair(A as Tall);
      E.tmul(S, X, BX, 1, b);
      E.symmetrize(S);
    },
    tmul(S, A, B, a = 1, b = 0) {
      if (!isPair(A)) return E.tmul(S, A, B, a, b);
      E.tmul(S, pair(A as Tall).X, pair(B as Tall).BX, a, b);
    },
    mul: product((Y, A, S, a, b) => E.mul(Y, A, S, a, b)),
    mulT: product((Y, A, S, a, b) => E.mulT(Y, A, S, a, b)),
    dot: (X, Y) => (isPair(X) ? E.dot(pair(X as Tall).BX, pair(Y as Tall).X) : E.dot(X, Y)),
    dots(r, Xs, count, Y) {
      if (!isPair(Y)) return E.dots(r, Xs, count, Y);
      E.dots(r, firsts(Xs as readonly Tall[], count), count, pair(Y as Tall).BX);
    },
    sums(places) {
      const sums = E.sums(places);
      return {
        at: sums.at,
        dot: (place, X, Y) => sums.dot(place, pair(X).BX, pair(Y).X),
        dots: (first, Xs, count, Y) => sums.dots(first, firsts(Xs, count), count, pair(Y).BX),
        arrive: () => sums.arrive(),
      };
    },
    copy: either(pairs.copy as never, E.copy) as Operations["copy"],
    fill: either(pairs.fill as never, E.fill) as Operations["fill"],
    combine: either(pairs.combine as never, E.combine) as Operations["combine"],
    combination: either(pairs.combination as never, E.combination) as Operations["combination"],
    map: (outputs, chain, inputs) =>
      isPair(inputs[0] ?? outputs[0]!) ? unsupported("weighted", "map") : E.map(outputs, chain, inputs),
    rowDots: () => unsupported("weighted", "rowDots"),
    scaleRows: () => unsupported("weighted", "scaleRows"),
    factor: {
      ...E.factor,
      divide(Y, R) {
        if (!isPair(Y)) return E.factor.divide(Y, R);
        const { X, BX } = pair(Y as Tall);
        E.factor.divide(X, R);
        E.factor.divide(BX, R);
      },
    },
    operator: () => unsupported("weighted", "operator"),
  };
  return engine as unknown as WeightedEngine;
}
