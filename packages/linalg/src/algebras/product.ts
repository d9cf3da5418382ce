/**
 * Several matrices at once, each with an engine of its own: tall and small matrices are lists of fixed shapes, operations go part by part,
 * and inner products are added. n and p are nominal: p is the total of columns, n·p about the total of entries.
 */

import type { Engine } from "../contracts/engine.js";
import type { Matrix, Tall } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import { asSmall, asTall, Composite, type Operations, partsOf, partwise, unsupported } from "./composite.js";

export interface Factor {
  /** the name of the part in sentences */
  readonly name?: string;
  readonly E: Engine;
  readonly n: number;
  readonly p: number;
}

export interface ProductEngine extends Engine {
  readonly n: number;
  readonly p: number;
  readonly factors: readonly Factor[];
  /** the parts of a matrix of this engine, without a copy */
  parts<M extends Matrix>(A: M): readonly M[];
  /** a tall matrix composed of these, without a copy */
  joined(parts: readonly Tall[]): Tall;
}

/** The nominal shape of a list of matrices */
export function nominalShape(factors: readonly { n: number; p: number }[]): { n: number; p: number } {
  const p = factors.reduce((sum, factor) => sum + factor.p, 0);
  return { n: Math.ceil(factors.reduce((sum, factor) => sum + factor.n * factor.p, 0) / p), p };
}

export function productEngine(base: Engine, factors: readonly Factor[]): ProductEngine {
  const owner = { name: "product", labels: factors.map(({ name = "" }) => name) };
  const { n, p } = nominalShape(factors);
  const { each, ...vectors } = partwise(owner, (i) => factors[i]!.E);
  const require = (kind: string, rows: number, cols: number, expectation: [number, number]): void => {
    if (rows === expectation[0] && cols === expectation[1]) return;
    throw new EngineError(`${kind}: ${rows}×${cols} is no shape of this product; it has ${expectation.join("×")}.`);
  };
  const fill = (A: Composite, numbers?: ArrayLike<number>): Composite => {
    if (numbers) vectors.write(asTall(A), numbers);
    return A;
  };
  /** the slice of w for each factor */
  const shares = (w: Float64Array): Float64Array[] => {
    let at = 0;
    return factors.map(({ p }) => w.subarray(at, (at += p)));
  };

  const engine: Operations & Pick<ProductEngine, "n" | "p" | "factors" | "parts" | "joined"> = {
    ...vectors,
    n,
    p,
    factors,
    name: base.name,
    description: `${factors.length} matrices on ${base.description}`,
    counters: base.counters,
    ...(base.ranks && { ranks: base.ranks }),
    parts: <M extends Matrix>(A: M) => partsOf(A, owner) as readonly M[],
    joined: (parts) => asTall(new Composite("tall", n, p, parts, owner)),
    tall(rows, cols, numbers) {
      require("tall", rows, cols, [n, p]);
      const parts = factors.map((factor) => factor.E.tall(factor.n, factor.p));
      return asTall(fill(new Composite("tall", n, p, parts, owner), numbers));
    },
    small(rows, cols, numbers) {
      const empty = rows === 0 && cols === 0;
      if (!empty) require("small", rows, cols, [p, p]);
      const parts = empty ? [] : factors.map((factor) => factor.E.small(factor.p, factor.p));
      return asSmall(fill(new Composite("small", rows, cols, parts, owner), numbers));
    },
    gram: (S, A, b) => each([S, A], (E, [s, a]) => E.gram(s, a, b)),
    tmul: (S, A, B, a, b) => each([S, A, B], (E, [s, x, y]) => E.tmul(s, x, y, a, b)),
    mul: (Y, A, S, a, b) => each([Y, A, S], (E, [y, x, s]) => E.mul(y, x, s, a, b)),
    mulT: (Y, A, B, a, b) => each([Y, A, B], (E, [y, x, s]) => E.mulT(y, x, s, a, b)),
    symmetrize: (S) => each([S], (E, [s]) => E.symmetrize(s)),
    addDiagonal: (S, a) => each([S], (E, [s]) => E.addDiagonal(s, a)),
    rowDots: () => unsupported("product", "rowDots"),
    scaleRows: () => unsupported("product", "scaleRows"),
    factor: {
      cholesky(R, S) {
        let definite = true;
        each([R, S], (E, [r, s]) => {
          definite &&= E.factor.cholesky(r, s);
        });
        return definite;
      },
      divide: (Y, R) => each([Y, R], (E, [y, r]) => E.factor.divide(y, r)),
      eigh(V, w, S) {
        const values = shares(w);
        let i = 0;
        each([V, S], (E, [v, s]) => E.factor.eigh(v, values[i++]!, s));
      },
      svd(U, s, V, A) {
        const values = shares(s);
        let i = 0;
        each([U, V, A], (E, [u, v, a]) => E.factor.svd(u, values[i++]!, v, a));
      },
      solve: (X, A, B) => each([X, A, B], (E, [x, a, b]) => E.factor.solve(x, a, b)),
    },
    operator: () => unsupported("product", "operator"),
    dispose: () => base.dispose(),
  };
  return engine as unknown as ProductEngine;
}
