/**
 * Products of any number of factors, each possibly transposed, in flat form: F₁F₂…F_k. Their brackets are chosen when a program is made
 * (bracket.ts), for all products of value and derivatives together; B(XC) and (BX)C are one node, so their work is shared.
 */
import { type Expr, fail, isScalar, type Node, node, type Operation, shapeOf } from "../graph.js";
import { type Arg, lift, literal, operatorOp } from "../leaves.js";
import { algebra } from "./algebra.js";
import { diag, diagOp } from "./diagonal-matrix.js";
import { hadamard, mapOp, times } from "./elementwise.js";
import { dense, full, fullOp, joined, lin, multiple, plus, split, transpose, transposeOp } from "./linear.js";
import { scaledSides } from "./scaled-sides.js";

/** A factor F, or Fᵀ if turned */
export type Factor = readonly [F: Node, turned: boolean];
/** Fᵀ */
export const turned = (F: Node): Factor => [F, true];
/** Factors from nodes and transposed nodes */
export const factors = (...operands: readonly (Node | Factor)[]): Factor[] =>
  operands.map((F) => ("op" in F ? [F, false] : F));
/** The product of factors that fit, and its trace */
export const productOf = (...operands: readonly (Node | Factor)[]): Node => chain(factors(...operands));
export const traceOfProduct = (...operands: readonly (Node | Factor)[]): Node => traceOf(factors(...operands));

/** Factors of a product at most, since bracketing is cubic in them; longer products are split into nodes. */
const LONGEST = 6;

/** F₁F₂…F_k. With P before and Q after the factor: its adjoint is PᵀWQᵀ, its part of the tangent P·dF·Q. */
export const chainOp: Operation = {
  name: "product",
  axes: (n) => `${sidesOf(n)}->${letter(0)}${letter(n.args.length)}`,
  vjp(n, W) {
    const factors = factorsOf(n);
    return factors.map(([, turned], i) => {
      if (!isActive(n.args[i]!)) return undefined;
      const after = factors.slice(i + 1);
      return turnedIf(turned, chain([...reversed(factors.slice(0, i)), [W, false], ...reversed(after)]));
    });
  },
  jvp(n, d) {
    const factors = factorsOf(n);
    return plus(d.map((dF, i) => dF && chain(factors.with(i, [dF, factors[i]![1]]))));
  },
  transposed: (n) => chain(reversed(factorsOf(n))),
};

/** tr(F₁F₂…F_k). With the others Q = F_{i+1}…F_kF₁…F_{i−1}: the adjoint of a factor is w·Qᵀ, its part of the tangent tr(dF·Q). */
export const traceOp: Operation = {
  name: "trace",
  axes: (n) => sidesOf(n).replaceAll(letter(n.args.length), letter(0)),
  vjp(n, w) {
    const factors = factorsOf(n);
    return factors.map(([, turned], i) => {
      if (!isActive(n.args[i]!)) return undefined;
      return multiple(w, turnedIf(turned, chain(reversed(rotated(factors, i).slice(1)))));
    });
  },
  jvp(n, d) {
    const factors = factorsOf(n);
    return plus(d.map((dF, i) => dF && traceOf(factors.with(i, [dF, factors[i]![1]]))));
  },
};

const letter = (i: number): string => String.fromCharCode(97 + i);
/** ab,bc,cd for three factors, each in its stored orientation */
const sidesOf = (n: Node): string =>
  factorsOf(n)
    .map(([, turned], i) => (turned ? letter(i + 1) + letter(i) : letter(i) + letter(i + 1)))
    .join();

const isActive = (F: Node): boolean => F.level > 0;
const turnedIf = (turned: boolean, A: Node): Node => (turned ? transpose(A) : A);

export const factorsOf = (n: Node): Factor[] =>
  n.args.map((F, i) => [F, (n.detail as readonly boolean[])[i]!] as const);

/** (F₁…F_k)ᵀ */
export const reversed = (factors: readonly Factor[]): Factor[] =>
  factors.map(([F, turned]) => [F, !turned] as const).reverse();

export const rotated = (factors: readonly Factor[], i: number): Factor[] => [
  ...factors.slice(i),
  ...factors.slice(0, i),
];

export const rowsOf = ([F, turned]: Factor): number => (turned ? F.cols : F.rows);
export const colsOf = ([F, turned]: Factor): number => (turned ? F.rows : F.cols);

/** Whether a product has entries, unlike a single operator or diagonal */
export const hasEntries = (factors: readonly Factor[]): boolean =>
  factors.some(([F]) => F.op !== operatorOp && F.op !== diagOp);

export const nameOfAll = (factors: readonly Factor[]): string =>
  factors.map(([F, turned]) => `${F.id}${turned ? "t" : ""}`).join(" ");

/** (F₁…F_k)ᵀ without transposes of symmetric factors */
export const transposed = (factors: readonly Factor[]): Factor[] =>
  reversed(factors).map(([F, turned]) => [F, turned && !F.symmetric] as const);

/** The key of a product, equal to that of its transpose */
export const keyOf = (factors: readonly Factor[]): string =>
  [nameOfAll(factors), nameOfAll(transposed(factors))].sort()[0]!;

/** Factors without transposes of transposes, nested products, numbers and identities; c·s is their scalar factor. */
function flattened(factors: readonly Factor[]): { c: number; s: Node; flat: Factor[] } {
  let c = 1;
  let s = literal(1);
  const flat: Factor[] = [];
  const push = ([F, turned]: Factor, room: number): void => {
    const { c: number, s: scalar, base } = split(F);
    c *= number;
    if (scalar) s = times(s, scalar);
    if (isScalar(base)) s = times(s, base);
    else if (base.op === transposeOp) push([base.args[0]!, !turned], room);
    else if (base.op === diagOp && base.args[0]!.op === fullOp) s = times(s, base.args[0]!.args[0]!);
    else if (base.op === chainOp && base.args.length <= room) {
      const nested = factorsOf(base);
      for (const factor of turned ? reversed(nested) : nested) push(factor, base.args.length);
    } else if (base.op === diagOp && flat.at(-1)?.[0].op === diagOp) {
      const [D] = flat.pop()!;
      push([diag(hadamard(D.args[0]!, base.args[0]!)), false], room);
    } else {
      const parts = scaledSides(base)?.map((A): Factor => [A, false]);
      if (parts) for (const factor of turned ? reversed(parts) : parts) push(factor, room);
      else flat.push([base, turned && !base.symmetric]);
    }
  };
  const room = LONGEST - factors.length + 1;
  for (const factor of factors) push(factor, room);
  return { c, s, flat };
}

/** F₁F₂…F_k for factors that fit */
export function chain(factors: readonly Factor[]): Node {
  const [rows, cols] = [rowsOf(factors[0]!), colsOf(factors.at(-1)!)];
  if (rows === 1 && cols === 1) return traceOf(factors);
  const { c, s, flat } = flattened(factors);
  if (flat.length === 0) return joined(c, s, identityNode(rows));
  // S·I stays a product, since a single operator has no entries
  if (flat.length === 1 && flat[0]![0].op === operatorOp && factors.length > 1) flat.push([identityNode(cols), false]);
  const inner = scalarPart(flat);
  if (inner) {
    const [from, to] = inner;
    const rest = chain([...flat.slice(0, from), ...flat.slice(to)]);
    return joined(c, times(s, traceOf(flat.slice(from, to))), rest);
  }
  if (flat.length === 1) return joined(c, s, turnedIf(flat[0]![1], flat[0]![0]));
  const product = node(
    chainOp,
    flat.map(([F]) => F),
    rows,
    cols,
    flat.map(([, turned]) => turned),
    isSymmetric(flat),
  );
  return joined(c, s, product);
}

/** Whether the factors show that a product is symmetric, as XᵀBX for a symmetric B */
export const isSymmetric = (factors: readonly Factor[]): boolean =>
  factors.every(([F, turned], i) => {
    const [G, other] = factors[factors.length - 1 - i]!;
    return F === G && (turned !== other || F.symmetric);
  });

export const identityNode = (n: number): Node => diag(full(literal(1), n, 1));

/** Factors from…to−1 that multiply to a 1×1 inside a larger product, as yᵀz in x·yᵀ·z */
function scalarPart(flat: readonly Factor[]): [number, number] | undefined {
  const sizes = [...flat.map(rowsOf), colsOf(flat.at(-1)!)];
  const ones = sizes.flatMap((size, i) => (size === 1 ? [i] : []));
  return ones.length >= 2 ? [ones[0]!, ones[1]!] : undefined;
}

/** tr(F₁F₂…F_k) for factors that fit and end where they begin */
export function traceOf(factors: readonly Factor[]): Node {
  const { c, s, flat } = flattened(factors);
  const scaled = (value: Node): Node => lin([[c, times(s, value)]]);
  if (flat.length === 0) return scaled(literal(rowsOf(factors[0]!)));
  if (flat.length === 1) return scaled(algebra.total(algebra.diagonal(flat[0]![0])));
  const ones = flat.findIndex(([F]) => F.op === fullOp);
  if (flat.length === 2 && ones >= 0) return scaled(times(flat[ones]![0].args[0]!, algebra.total(flat[1 - ones]![0])));
  // a cycle with two inner dimensions of 1 is a product of two scalars
  const narrow = flat.flatMap((factor, i) => (rowsOf(factor) === 1 ? [i] : []));
  if (narrow.length > 1) {
    const cycle = rotated(flat, narrow[0]!);
    const cut = narrow[1]! - narrow[0]!;
    return scaled(times(traceOf(cycle.slice(0, cut)), traceOf(cycle.slice(cut))));
  }
  const d = flat.findIndex(([F]) => F.op === diagOp);
  if (d >= 0) {
    const [[D], ...rest] = rotated(flat, d) as [Factor, ...Factor[]];
    const [E] = rest.at(-1)!;
    // two diagonals may be neighbours around the cycle too
    if (E.op === diagOp) return scaled(traceOfProduct(diag(hadamard(D.args[0]!, E.args[0]!)), ...rest.slice(0, -1)));
    return scaled(inner(D.args[0]!, algebra.diagonal(chain(rest))));
  }
  // canonical: the first by name of all rotations and their transposes, which have one trace
  const same = flat.flatMap((_, i) => [rotated(flat, i), transposed(rotated(flat, i))]);
  const first = same.reduce((a, b) => (nameOfAll(b) < nameOfAll(a) ? b : a));
  const [args, sides] = [first.map(([F]) => F), first.map(([, turned]) => turned)];
  return scaled(node(traceOp, args, 1, 1, sides));
}

/** ⟨A, B⟩ = tr AᵀB for nodes of one shape */
export function inner(A: Node, B: Node): Node {
  // lengths and |·|, whose squares have no root
  if (A === B && A.op === mapOp) {
    const squared = hadamard(A, A);
    if (squared.args[0] !== A) return algebra.total(squared);
  }
  return isScalar(A) ? times(A, B) : traceOfProduct(turned(A), B);
}

/** A·B·…; scalars and numbers may stand between the factors */
export function mul(...args: Arg[]): Node {
  const nodes = args.map((a) => lift("mul", a));
  const matrices = nodes.filter((n) => !isScalar(n));
  const s = nodes.filter(isScalar).reduce(times, literal(1));
  for (let i = 1; i < matrices.length; i++) {
    const [A, B] = [matrices[i - 1]!, matrices[i]!];
    if (A.cols !== B.rows)
      fail(
        "mul",
        `inner sizes differ, ${shapeOf(A)} times ${shapeOf(B)} (factors ${i} and ${i + 1}); check the order and the transposes`,
      );
  }
  if (matrices.length === 0) return s;
  return multiple(s, productOf(...matrices));
}

/** tr A */
export function trace(A: Arg): Node {
  const a = dense("trace", lift("trace", A));
  if (a.rows !== a.cols) fail("trace", `the matrix is ${shapeOf(a)}; it must be square`);
  return isScalar(a) ? a : traceOfProduct(a);
}

/** ⟨A, B⟩ = tr AᵀB */
export function dot(A: Arg, B: Arg): Node {
  const [a, b] = [dense("inner", lift("inner", A)), dense("inner", lift("inner", B))];
  if (a.rows !== b.rows || a.cols !== b.cols) fail("inner", `shapes differ, ${shapeOf(a)} and ${shapeOf(b)}`);
  return inner(a, b);
}

/** the n×n identity; as a factor or a summand it is never formed */
export const identity = (n: number): Expr => identityNode(n);

algebra.inner = inner;
