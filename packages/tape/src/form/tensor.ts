/** The words of degree 1 in ∇f, Σ c_k·B_kXC_k, as one BXC with B = Σ bᵢBᵢ and C = Cᵀ, if possible */
import { EPS, isSymmetric } from "@expen/linalg/arrays";
import { inputOp } from "../leaves.js";
import { chain, type Factor, nameOfAll, rotated, transposed } from "../operations/product.js";
import type { Constants } from "./constants.js";
import { splitter } from "./rank-one.js";
import { degree, type Word } from "./word.js";

/** c·F₁F₂…, constants; no factors: c·I */
export interface Summand {
  readonly c: number;
  readonly factors: readonly Factor[];
}

/** BXC: B as a sum of products, C by its entries */
export interface Tensor {
  readonly B: readonly Summand[];
  readonly C: Float64Array;
}

/** Relative rounding error of equal numbers that are sums of a few products */
const ROUNDING = 64 * EPS;

/** B_i ⊗ C_i, with the sum of the sizes of the terms of each entry of C_i */
interface Group {
  B: readonly Factor[];
  C: Float64Array;
  size: Float64Array;
}

/** Detects multiples among products B: an order in which multiples are consecutive, B_of = τ·(the last one without a τ). */
export type Multiples = (products: readonly (readonly Factor[])[]) => { of: number; tau?: number | undefined }[];

export function tensorOf(
  words: readonly Word[],
  { n, p, known }: { n: number; p: number; known: Constants },
  multiples: Multiples,
): Tensor | undefined {
  const split = splitter(known);
  const groups = new Map<string, Group>();
  for (const word of words) {
    if (degree(word) !== 1) continue;
    const sides = aroundX(word);
    if (!sides) return undefined;
    const [B, C] = sides;
    add(B, word, C.length > 0 ? known.numbers(chain(C)) : identity(p));
  }
  const nonzero = [...groups.values()].filter(isNonzero);
  return oneOf(nonzero) ?? oneOf(alike(nonzero));

  function add(B: readonly Factor[], { c, size }: Word, C: Float64Array): void {
    const name = nameOfAll(B);
    let group = groups.get(name);
    if (!group) groups.set(name, (group = { B, C: new Float64Array(p * p), size: new Float64Array(p * p) }));
    for (let k = 0; k < p * p; k++) {
      group.C[k]! += c * C[k]!;
      group.size[k]! += size * Math.abs(C[k]!);
    }
  }

  /** B and C of a word BXC. A number aᵀXb beside or in the word uzᵀ is u(aᵀXb)zᵀ. */
  function aroundX({ traces, factors }: Word): readonly [Factor[], Factor[]] | undefined {
    const isX = ([F]: Factor): boolean => F.op === inputOp;
    const at = factors.findIndex(isX);
    if (at >= 0 && traces.length === 0) {
      const [before, after] = [factors.slice(0, at), factors.slice(at + 1)];
      if (!factors[at]![1]) return [before, after];
      const [first, second] = [split(before, n), split(after, n)];
      return first && second && [outer(first[0], second[0]), outer(transposed(first[1]), transposed(second[1]))];
    }
    if (at >= 0 || traces.length !== 1) return undefined;
    const [cycle] = traces as [readonly Factor[]];
    const straight = cycle.some((F) => isX(F) && F[1]) ? transposed(cycle) : cycle;
    const [, ...rest] = rotated(straight, straight.findIndex(isX));
    const [inside, outside] = [split(rest, p), split(factors, n)];
    return (
      inside &&
      outside && [
        [...outside[0], ...inside[1]],
        [...inside[0], ...outside[1]],
      ]
    );
  }

  /** Merges groups whose B are multiples of each other. */
  function alike(terms: readonly Group[]): Group[] {
    const merged: Group[] = [];
    for (const { of, tau } of multiples(terms.map(({ B }) => B))) {
      const { B, C, size } = terms[of]!;
      const group = merged.at(-1)!;
      if (tau === undefined) merged.push({ B, C: C.slice(), size: size.slice() });
      else {
        for (let k = 0; k < p * p; k++) {
          group.C[k]! += tau * C[k]!;
          group.size[k]! += Math.abs(tau) * size[k]!;
        }
      }
    }
    return merged.filter(isNonzero);
  }

  /** Σ B_i ⊗ C_i with C_i = b_i·C, C = Cᵀ. Then B = Bᵀ, as the Hessian is symmetric. */
  function oneOf(terms: readonly Group[]): Tensor | undefined {
    if (terms.length === 0) return { B: [], C: identity(p) };
    const largest = (a: Float64Array): number =>
      a.reduce((best, v, k) => (Math.abs(v) > Math.abs(a[best]!) ? k : best), 0);
    const first = terms.reduce((a, b) => (Math.abs(b.C[largest(b.C)]!) > Math.abs(a.C[largest(a.C)]!) ? b : a));
    const at = largest(first.C);
    const { C } = first;
    const most = first.size.reduce((a, b) => Math.max(a, b), 0);
    if (!isSymmetric(C, p, ROUNDING * most)) return undefined;
    const B: Summand[] = [];
    for (const { B: factors, C: own, size } of terms) {
      const c = own[at]! / C[at]!;
      if (own.some((v, k) => Math.abs(v - c * C[k]!) > ROUNDING * (size[k]! + Math.abs(c * C[k]!)))) return undefined;
      B.push({ c, factors });
    }
    return { B, C };
  }
}

/** Whether the sum exceeds the rounding error of its terms */
const isNonzero = ({ C, size }: Group): boolean => C.some((v, k) => Math.abs(v) > ROUNDING * size[k]!);

/** u·vᵀ */
const outer = (u: readonly Factor[], v: readonly Factor[]): Factor[] => [...u, ...transposed(v)];

const identity = (p: number): Float64Array => Float64Array.from({ length: p * p }, (_, k) => Number(k % (p + 1) === 0));
