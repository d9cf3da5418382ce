/** What every operation asks of its matrices before a kernel sees them, and the sentences for those that do not fit. */
import { EngineError } from "../errors.js";
import type { Matrix, Tridiagonal } from "../types.js";
import type { Memory, Owned } from "./kernels.js";

export const shape = (A: Matrix): string => `${A.rows}×${A.cols}`;

export function checks(owner: { readonly name: string }, memory: Memory) {
  /** The argument, known to be a living matrix of this engine. */
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
    if (A.kind === "tall") throw misplaced(op, letter, "tall", "small");
    return A;
  }

  function foreign(A: Partial<Owned> | null | undefined, op: string, letter: string): EngineError {
    const other = (A?.owner as { name?: string } | undefined)?.name;
    if (!other && !A?.data) {
      return new EngineError(`${op}: ${letter} is ${A === null ? "null" : typeof A}; a matrix is needed.`);
    }
    const origin = other ? `a matrix of another '${other}' engine` : `a plain ${A!.data!.constructor?.name} matrix`;
    return new EngineError(`${op}: ${letter} is ${origin}; copy it with from() of this '${owner.name}' engine first.`);
  }

  /** Sums over rows are small, and their factors are of one kind. */
  function contracts(S: Matrix, A: Matrix, B: Matrix, op: string): void {
    if (isTall(S) && isOfAKind(A)) throw misplaced(op, "the destination", "tall", "small");
    if (kindsDiffer(A, B)) throw mixed(op, "both factors");
  }

  /** Every row of Y comes from one row of A alone. */
  function rowLocal(Y: Matrix, A: Matrix, S: Matrix, op: string): void {
    if (isTall(S) && isOfAKind(A)) throw misplaced(op, "the second factor", "tall", "small");
    if (kindsDiffer(Y, A)) throw mixed(op, "the destination and the first factor");
  }

  const isTall = (A: Matrix): boolean => (A as Owned | null)?.kind === "tall";
  /** A `matrix` of a host engine may be data, m×n, whose products with tall matrices are tall: an operator on other engines. */
  const isOfAKind = (A: Matrix): boolean => (A as Owned | null)?.kind !== undefined;

  function kindsDiffer(A: Matrix, B: Matrix): boolean {
    const a = (A as Owned | null)?.kind;
    const b = (B as Owned | null)?.kind;
    return a !== b && a !== undefined && b !== undefined;
  }

  const misplaced = (op: string, what: string, is: string, must: string): EngineError =>
    new EngineError(`${op}: ${what} is a ${is} matrix but must be a ${must} one; see E.tall and E.small.`);
  const mixed = (op: string, what: string): EngineError =>
    new EngineError(`${op}: ${what} must be tall or small alike; see E.tall and E.small.`);

  function same(A: Matrix, rows: number, cols: number, op: string, letter: string, rule: string): void {
    if (A.rows !== rows || A.cols !== cols) {
      throw new EngineError(`${op}: ${letter} is ${shape(A)} but must be ${rows}×${cols} (${rule}).`);
    }
  }

  /** Y has the shape and the kind of X. */
  function alike(Y: Matrix, X: Matrix, op: string, letter: string, rule: string): void {
    same(Y, X.rows, X.cols, op, letter, rule);
    if (kindsDiffer(Y, X)) throw mixed(op, "all matrices");
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
    for (let i = 0; i < count; i++) {
      const X = Xs[i] as Owned | undefined;
      if (X?.owner === owner && X.rows === Y.rows && X.cols === Y.cols && memory.alive(X) && !kindsDiffer(X, Y))
        continue;
      own(Xs[i]!, op, `X_${i}`);
      alike(Xs[i]!, Y, op, `X_${i}`, "the shape of the other matrix");
    }
  }

  /** The diagonals are living n×1 matrices of this engine. No tuple and no text is made unless one is wrong. */
  function diagonals({ lower, main, upper }: Tridiagonal, n: number, op: string): void {
    if (isColumn(lower, n) && isColumn(main, n) && isColumn(upper, n)) return;
    for (const [part, d] of Object.entries({ lower, main, upper })) {
      own(d, op, `T.${part}`);
      same(d, n, 1, op, `T.${part}`, "as many rows as X");
    }
  }

  /** r is n×1, for X with n rows, and of its kind. */
  function column(r: Matrix, X: Matrix, op: string): void {
    same(r, X.rows, 1, op, "r", "one number a row");
    if (kindsDiffer(r, X)) throw mixed(op, "r and X");
  }

  function isColumn(d: Matrix, n: number): boolean {
    return (d as Owned | undefined)?.owner === owner && d.rows === n && d.cols === 1 && memory.alive(d as Owned);
  }

  return { own, ownSmall, contracts, rowLocal, same, alike, apart, family, column, diagonals };
}
