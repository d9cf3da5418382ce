/**
 * Makes an engine of raw kernels and a memory. `checked/` has everything that engines share: ownership, kinds, shapes, aliasing, empty
 * matrices, the meaning of a = 0 and b = 0, and the counters. Raw kernels rely on checked arguments.
 */

import type { Engine, Factorizations, Operator } from "../contracts/engine.js";
import type { Matrix } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import { contractions } from "./checked/contractions.js";
import { entrywise } from "./checked/entrywise.js";
import { rowByRow } from "./checked/row-by-row.js";
import { squares } from "./checked/squares.js";
import { storage } from "./checked/storage.js";
import { requestedSums } from "./checked/sums.js";
import { tridiagonals } from "./checked/tridiagonals.js";
import { checks } from "./checks.js";
import { factorizations } from "./factorizations.js";
import type { Kernels, Kind, Memory, Owned } from "./kernels.js";
import type { Lapack } from "./lapack.js";
import { hostOperators } from "./operators/host.js";

export type { Kernels, Kind, Memory, Owned };
export { EngineError };

export interface EngineParts {
  name: string;
  description: string;
  memory: Memory;
  kernels: Kernels;
  /** LAPACK for the factorizations of host memory, in place of plain code */
  lapack?: Lapack;
  /** default: the factorizations of host memory */
  factor?: Factorizations;
  /** default: the operators of host memory */
  operator?: (A: Parameters<Engine["operator"]>[0]) => Operator;
}

export function makeEngine({ name, description, memory, kernels, lapack, factor, operator }: EngineParts): Engine {
  const owner = { name };
  const counters = {
    matrices: 0,
    flops: 0,
    entries: 0,
    get emptied() {
      return memory.emptied?.() ?? 0;
    },
  };
  const base = { kernels, counters, ...checks(owner, memory) };
  const stored = storage(base, memory, owner);
  const { product, ...sums } = contractions(base);
  const entries = entrywise(base);

  /** The numbers of a matrix of this engine, in place */
  const numbers = (M: Matrix, op: string, letter: string): Float64Array => base.own(M, op, letter).data;
  const small = (M: Matrix, op: string, letter: string): Float64Array => base.ownSmall(M, op, letter).data;

  return {
    name,
    description,
    counters,
    ...stored,
    ...sums,
    sums: requestedSums(base, sums),
    ...rowByRow(base, product),
    ...entries,
    ...squares(base),
    factor: factor ?? factorizations(numbers, small, { small: stored.small, tmul: sums.tmul }, lapack),
    operator:
      operator ??
      hostOperators({
        ...tridiagonals(base),
        tall: stored.tall,
        ofOneKind: base.ofOneKind,
        numbers,
        isLent: (M) => (M as Owned).owner === owner && (M as Owned).lent === true,
        product,
        counters,
        kernels,
      }),
    dispose: () => memory.dispose(),
  };
}
