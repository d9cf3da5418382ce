/**
 * Operations on complex matrices { re, im }, as f gets them on complex manifolds: the same names as for real ones, which may stand beside
 * them. A formula ends with a real number: re(…), im(…), abs(…), inner or norm2.
 */
import type { Expr } from "../graph.js";
import { type Arg, lift, literal } from "../leaves.js";
import { diagOf } from "./diagonal.js";
import * as entries from "./elementwise.js";
import * as linear from "./linear.js";
import * as products from "./product.js";
import * as reductions from "./reduce.js";
import * as shapes from "./reshape.js";
import * as parts from "./selection.js";
import * as squares from "./square.js";

/** A complex matrix in a formula */
export interface ComplexExpr {
  readonly re: Expr;
  readonly im: Expr;
}

/** A complex argument: its parts are expressions, numbers or data */
export interface ComplexArg {
  readonly re: Arg;
  readonly im: Arg;
}

type Either = Arg | ComplexArg;

const isComplex = (A: unknown): A is ComplexArg =>
  typeof A === "object" && A !== null && !("op" in A) && "re" in A && "im" in A;

/** A part of the argument; the imaginary one of a real matrix is 0 in its shape. */
const reOf = (A: Either): Arg => (isComplex(A) ? A.re : A);
function imOf(A: Either): Arg {
  if (isComplex(A)) return A.im;
  const { rows, cols } = lift("complex", A);
  return linear.full(literal(0), rows, cols);
}

/** An operation that is linear in its first argument */
interface Linear<R extends unknown[]> {
  (A: ComplexArg, ...rest: R): ComplexExpr;
  // the last one, which is the one that Parameters<typeof t> sees
  (A: Arg, ...rest: R): Expr;
}

/* @__NO_SIDE_EFFECTS__ */ function partwise<R extends unknown[]>(op: (A: Arg, ...rest: R) => Expr): Linear<R> {
  const either = (A: Either, ...rest: R): Expr | ComplexExpr =>
    isComplex(A) ? { re: op(A.re, ...rest), im: op(A.im, ...rest) } : op(A, ...rest);
  return either as Linear<R>;
}

/** An operation on any number of arguments */
interface Several {
  (...args: Arg[]): Expr;
  (...args: (Arg | ComplexArg)[]): ComplexExpr;
}

const linearInAll = /* @__NO_SIDE_EFFECTS__ */ (op: (...args: Arg[]) => Expr): Several =>
  ((...args: Either[]) =>
    args.some(isComplex)
      ? { re: op(...args.map(reOf)), im: op(...args.map(imOf)) }
      : op(...(args as Arg[]))) as Several;

/** (a + ib)(c + id) for an operation that is linear in both arguments; a real factor has no imaginary part to multiply. */
function bilinear(op: (A: Arg, B: Arg) => Expr, A: Either, B: Either): Expr | ComplexExpr {
  if (!isComplex(A)) return isComplex(B) ? { re: op(A, B.re), im: op(A, B.im) } : op(A, B);
  if (!isComplex(B)) return { re: op(A.re, B), im: op(A.im, B) };
  return { re: linear.sub(op(A.re, B.re), op(A.im, B.im)), im: linear.add(op(A.re, B.im), op(A.im, B.re)) };
}

const folded = /* @__NO_SIDE_EFFECTS__ */ (op: (A: Arg, B: Arg) => Expr, real: (...args: Arg[]) => Expr): Several =>
  ((...args: Either[]) =>
    args.some(isComplex) ? args.reduce((A, B) => bilinear(op, A, B)) : real(...(args as Arg[]))) as Several;

/** re + i·im */
export function complex(re: Arg, im: Arg): ComplexExpr {
  return { re: lift("complex", re), im: lift("complex", im) };
}
/** The real part; of a real matrix the matrix itself */
export const re = (A: Either): Expr => lift("re", reOf(A));
/** The imaginary part */
export const im = (A: Either): Expr => lift("im", imOf(A));
/** The complex conjugate */
export const conj = (A: Either): ComplexExpr => ({ re: re(A), im: linear.neg(imOf(A)) });

/** Aᵀ, without conjugation: see `H` */
export const t: Linear<[]> = partwise(linear.t);
/** Aᴴ, the conjugate transpose; Aᵀ of a real matrix */
export const H: Linear<[]> = ((A: Either) => (isComplex(A) ? conj(t(A)) : linear.t(A))) as Linear<[]>;

/** A + B + … ; a number is added to every entry, a row to every row, a column to every column */
export const add: Several = linearInAll(linear.add);
/** −A */
export const neg: Linear<[]> = partwise(linear.neg);
/** A − B */
export const sub: { (A: Arg, B: Arg): Expr; (A: Either, B: Either): ComplexExpr } = ((A: Either, B: Either) =>
  isComplex(A) || isComplex(B)
    ? { re: linear.sub(reOf(A), reOf(B)), im: linear.sub(imOf(A), imOf(B)) }
    : linear.sub(A, B)) as never;
/** s·A for a number or scalar expression s, which may be complex */
export const scale: { (s: Arg, A: Arg): Expr; (s: Either, A: Either): ComplexExpr } = ((s: Either, A: Either) =>
  bilinear(linear.scale, s, A)) as never;
/** A∘B∘…, entry by entry */
export const entrywise: Several = folded(entries.entrywise, entries.entrywise);

/** A·B·…; scalars and numbers may stand between the factors */
export const mul: Several = ((...args: Either[]) =>
  args.some(isComplex) ? cheapest(args) : products.mul(...(args as Arg[]))) as Several;

/** A product of complex factors in the cheapest order, by dynamic programming over its segments */
function cheapest(args: readonly Either[]): Expr | ComplexExpr {
  const shapes = args.map((A) => lift("mul", reOf(A)));
  const plans = new Map<string, { cost: number; value: () => Either }>();
  function plan(from: number, to: number): { cost: number; value: () => Either } {
    const known = plans.get(`${from} ${to}`);
    if (known) return known;
    let best = { cost: to - from === 1 ? 0 : Number.POSITIVE_INFINITY, value: (): Either => args[from]! };
    for (let at = from + 1; at < to; at++) {
      const [left, right] = [plan(from, at), plan(at, to)];
      const work = shapes[from]!.rows * shapes[at]!.rows * shapes[to - 1]!.cols;
      const cost = left.cost + right.cost + work;
      if (cost < best.cost) best = { cost, value: () => bilinear(products.mul, left.value(), right.value()) };
    }
    plans.set(`${from} ${to}`, best);
    return best;
  }
  return plan(0, args.length).value() as Expr | ComplexExpr;
}

/** tr A */
export const trace: Linear<[]> = partwise(products.trace);
/** ⟨A, B⟩ = tr AᵀB; of complex matrices Re tr AᴴB */
export const inner = (A: Either, B: Either): Expr =>
  isComplex(A) && isComplex(B)
    ? linear.add(products.dot(A.re, B.re), products.dot(A.im, B.im))
    : products.dot(reOf(A), reOf(B));
/** ‖A‖²_F, Σ|A_ij|² */
export const norm2 = (A: Either): Expr =>
  isComplex(A) ? linear.add(reductions.norm2(A.re), reductions.norm2(A.im)) : reductions.norm2(A);
/** ‖A‖_F; not differentiable at A = 0, where derivatives are NaN */
export const norm = (A: Either): Expr => (isComplex(A) ? entries.sqrt(norm2(A)) : reductions.norm(A));
/** |A_ij|; of real numbers the derivative is taken as 0 at 0, of complex ones it is NaN there: for a smooth one see `smoothAbs` */
export const abs = (A: Either): Expr =>
  isComplex(A) ? entries.sqrt(linear.add(entries.square(A.re), entries.square(A.im))) : entries.abs(A);

/** Σ of all entries */
export const sum: Linear<[]> = partwise(reductions.sum);
/** the mean of all entries */
export const mean: Linear<[]> = partwise(reductions.mean);
/** Sums of the rows, n×1 */
export const rowSums: Linear<[]> = partwise(reductions.rowSums);
/** Sums of the columns, 1×p */
export const colSums: Linear<[]> = partwise(reductions.colSums);
/** Diag(v) of a vector v; the diagonal, n×1, of a square matrix */
export const diag: Linear<[]> = partwise(diagOf);

/** The rows `from` … `to` − 1 (to the last one without `to`), or those of a list, in which a row may occur several times */
export const rows: Linear<[which: number | readonly number[], to?: number]> = partwise(parts.rows);
/** The columns `from` … `to` − 1, or those of a list */
export const cols: Linear<[which: number | readonly number[], to?: number]> = partwise(parts.cols);
/** Row i, 1×p; −1 is the last one */
export const row: Linear<[i: number]> = partwise(parts.row);
/** Column j, n×1; −1 is the last one */
export const col: Linear<[j: number]> = partwise(parts.col);
/** A_ij */
export const entry: Linear<[i: number, j: number]> = partwise(parts.entry);
/** The block of m rows and k columns whose first entry is A_ij */
export const block: Linear<[i: number, j: number, m: number, k: number]> = partwise(parts.block);
/** [A; B; …], one below the other */
export const vstack: Several = linearInAll(parts.vstack);
/** [A, B, …], side by side */
export const hstack: Several = linearInAll(parts.hstack);
/** The same entries, row by row, in another shape */
export const reshape: Linear<[rows: number, cols?: number]> = partwise(shapes.reshape);
/** The columns of A one below the other */
export const vec: Linear<[]> = partwise(shapes.vec);
/** The Kronecker product A ⊗ B, whose block (i, j) is A_ij·B. For (A ⊗ B)·vec(X) write B·X·Aᵀ, which forms nothing. */
export const kron: { (A: Arg, B: Arg): Expr; (A: Either, B: Either): ComplexExpr } = ((A: Either, B: Either) =>
  bilinear(parts.kron, A, B)) as never;

/** [[Re, −Im], [Im, Re]], whose products, inverses and determinants follow those of A */
const realForm = ({ re, im }: ComplexArg): Expr =>
  parts.blocks([
    [re, linear.neg(im)],
    [im, re],
  ]);

/** A⁻¹ of a square matrix, formed; of a tridiagonal T, as a factor of products, by elimination in O(n) without pivoting */
export const inv: Linear<[]> = ((A: Either) => {
  if (!isComplex(A)) return squares.inv(A);
  const n = lift("inv", A.re).rows;
  const inverse = squares.inv(realForm(A));
  return { re: parts.block(inverse, 0, 0, n, n), im: parts.block(inverse, n, 0, n, n) };
}) as Linear<[]>;
/** A⁻¹·B */
export const solve: { (A: Arg, B: Arg): Expr; (A: Either, B: Either): ComplexExpr } = ((A: Either, B: Either) =>
  isComplex(A) || isComplex(B) ? bilinear(products.mul, inv(A as ComplexArg), B) : squares.solve(A, B)) as never;
/** log det A for det A > 0, else NaN, or −∞ where A is singular; of a complex A it is log |det A| */
export const logdet = (A: Either): Expr =>
  isComplex(A) ? linear.scale(0.5, squares.logdet(realForm(A))) : squares.logdet(A);
