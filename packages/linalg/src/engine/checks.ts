/** Checks of the arguments of every operation before its kernel runs, with their error sentences */

import type { Matrix } from "../contracts/matrix.js";
import { EngineError } from "../errors.js";
import type { Memory, Owned } from "./kernels.js";

export const shape = (A: Matrix): string => `${A.rows}×${A.cols}`;

export interface Checks {
  own(M: Matrix, op: string, letter: string): Owned;
  ownSmall(M: Matrix, op: string, letter: string): Owned;
  ofOneKind(A: Matrix, B: Matrix, op: string, what: string): void;
  same(A: Matrix, rows: number, cols: number, op: string, letter: string, rule: string): void;
  alike(Y: Matrix, X: Matrix, op: string, letter: string, rule: string): void;
  apart(Y: Matrix, A: Matrix, op: string, letter: string): void;
  family(Xs: readonly Matrix[], count: number, numbers: Float64Array, Y: Matrix, op: string): void;
  members(Xs: readonly Matrix[], count: number, Y: Matrix, op: string, letter: string, rule: string): void;
  column(r: Matrix, X: Matrix, op: string): void;
}

export function checks(owner: { readonly name: string }, memory: Memory): Checks {
  /** The argument as a matrix of this engine; throws if it is none or has been freed. */
  function own(M: Matrix, op: string, letter: string): Owned {
    const A = M as Owned;
    if (A?.owner !== owner) throw foreign(A, op, letter);
    if (!memory.alive(A)) {
      throw new EngineError(
        `${op}: the buffer of ${letter} (${shape(A)}) is detached; it was transferred or the engine was disposed; make a new matrix.`,
      );
    }
    return A;
  }

  function ownSmall(M: Matrix, op: string, letter: string): Owned {
    const A = own(M, op, letter);
    if (A.kind === "small") return A;
    const data = op === "mul" ? "; data in front of a tall matrix are E.operator(data).apply" : "";
    throw new EngineError(`${op}: ${letter} is a tall matrix but must be a small one; see E.tall and E.small${data}.`);
  }

  function foreign(A: Partial<Owned> | null | undefined, op: string, letter: string): EngineError {
    const other = (A?.owner as { name?: string } | undefined)?.name;
    if (!other && !A?.data) {
      return new EngineError(`${op}: ${letter} is ${A === null ? "null" : typeof A}; a matrix is needed.`);
    }
    const origin = other ? `a matrix of another '${other}' engine` : `a plain ${A!.data!.constructor?.name} matrix`;
    return new EngineError(
      `${op}: ${letter} is ${origin}; copy it with tall() or small() of this '${owner.name}' engine first.`,
    );
  }

  function ofOneKind(A: Matrix, B: Matrix, op: string, what: string): void {
    if ((A as Owned | null)?.kind === (B as Owned | null)?.kind) return;
    own(A, op, what);
    own(B, op, what);
    throw new EngineError(`${op}: ${what} must be tall or small alike; see E.tall and E.small.`);
  }

  function same(A: Matrix, rows: number, cols: number, op: string, letter: string, rule: string): void {
    if (A.rows !== rows || A.cols !== cols) {
      throw new EngineError(`${op}: ${letter} is ${shape(A)} but must be ${rows}×${cols} (${rule}).`);
    }
  }

  /** Y has the shape and the kind of X. */
  function alike(Y: Matrix, X: Matrix, op: string, letter: string, rule: string): void {
    same(Y, X.rows, X.cols, op, letter, rule);
    ofOneKind(Y, X, op, "all matrices");
  }

  function apart(Y: Matrix, A: Matrix, op: string, letter: string): void {
    if (Y === A) throw new EngineError(`${op}: the destination is also the input ${letter}; use a second matrix.`);
  }

  /** The first `count` of Xs are matrices of this engine with the shape of Y, and `numbers` has room for one number each. */
  function family(Xs: readonly Matrix[], count: number, numbers: Float64Array, Y: Matrix, op: string): void {
    if (!(numbers instanceof Float64Array) || numbers.length < count || Xs.length < count) {
      throw new EngineError(
        `${op}: ${count} matrices asked for, but ${Xs.length} matrices and ${numbers?.length} numbers given.`,
      );
    }
    members(Xs, count, Y, op, "X_", "the shape of the other matrix");
  }

  /** The first `count` of Xs are matrices of this engine with the shape and kind of Y. Messages are composed on failure only. */
  function members(Xs: readonly Matrix[], count: number, Y: Matrix, op: string, letter: string, rule: string): void {
    for (let i = 0; i < count; i++) {
      const X = Xs[i] as Owned | undefined;
      const fits = X?.owner === owner && X.rows === Y.rows && X.cols === Y.cols && X.kind === (Y as Owned).kind;
      if (fits && memory.alive(X)) continue;
      own(Xs[i]!, op, `${letter}${i}`);
      alike(Xs[i]!, Y, op, `${letter}${i}`, rule);
    }
  }

  /** r is n×1, for X with n rows, and of its kind. */
  function column(r: Matrix, X: Matrix, op: string): void {
    same(r, X.rows, 1, op, "r", "one number a row");
    ofOneKind(r, X, op, "r and X");
  }

  return { own, ownSmall, ofOneKind, same, alike, apart, family, members, column };
}
