/**
 * An engine is made of raw kernels and a memory. Everything that all engines share stands in `checked/`, once: ownership, kinds,
 * shapes, aliasing, empty matrices, the meaning of a = 0 and b = 0, and the counters. Raw kernels may rely on checked arguments.
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
  /** what host factorizations are made of, in place of plain code */
  lapack?: Lapack;
  /** left out: those of host memory, by LAPACK where it is given */
  factor?: Factorizations;
  /** left out: those of host memory */
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
  const given = { kernels, counters, ...checks(owner, memory) };
  const kept = storage(given, memory, owner);
  const { product, ...sums } = contractions(given);
  const entries = entrywise(given);

  /** The numbers of a matrix of this engine, in place */
  const numbers = (M: Matrix, op: string, letter: string): Float64Array => given.own(M, op, letter).data;
  const small = (M: Matrix, op: string, letter: string): Float64Array => given.ownSmall(M, op, letter).data;

  return {
    name,
    description,
    counters,
    ...kept,
    ...sums,
    sums: requestedSums(given, sums),
    ...rowByRow(given, product),
    ...entries,
    ...squares(given),
    factor: factor ?? factorizations(numbers, small, { small: kept.small, tmul: sums.tmul }, lapack),
    operator:
      operator ??
      hostOperators({
        ...tridiagonals(given),
        tall: kept.tall,
        ofOneKind: given.ofOneKind,
        numbers,
        isLent: (M) => (M as Owned).owner === owner && (M as Owned).lent === true,
        product,
        counters,
        kernels,
      }),
    dispose: () => memory.dispose(),
  };
}
