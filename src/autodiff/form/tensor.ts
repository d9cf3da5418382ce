/** Σ c_k·tr(XᵀB_kXC_k) as one ⟨X, BXC⟩ with B = ΣbᵢBᵢ and C = ΣcⱼCⱼ symmetric, where it is one. */
import { EPS } from "../../arrays/scale.js";
import { inputOp } from "../leaves.js";
import { type Factor, nameOfAll, rotated, transposed } from "../operations/product.js";
import { degree, type Word } from "./words.js";

/** ⟨X, BXC⟩: both sides as sums of constant words */
export interface Tensor {
  readonly B: readonly Word[];
  readonly C: readonly Word[];
}

/** Equal up to the rounding of coefficients that were multiplied out */
const ROUNDING = 64 * EPS;

/** Words of degree 2 as a tensor; nothing where they are of another form. */
export function tensorOf(words: readonly Word[]): Tensor | undefined {
  const table = new Table();
  for (const word of words) {
    if (degree(word.factors) !== 2) continue;
    const sides = aroundX(word.factors);
    if (!sides) return undefined;
    const [B, C] = sides;
    // tr(XᵀBXC) = tr(XᵀBᵀXCᵀ): half of each is symmetric where one side is
    table.add(word.c / 2, B, C);
    table.add(word.c / 2, transposed(B), transposed(C));
  }
  return table.rankOne();
}

/** tr(XᵀBXC) by its B and C; nothing where X, or Xᵀ, stands twice */
function aroundX(factors: readonly Factor[]): [Factor[], Factor[]] | undefined {
  const [i, j] = factors.flatMap(([F], i) => (F.op === inputOp ? [i] : [])) as [number, number];
  const [first, second] = [factors[i]![1], factors[j]![1]];
  if (first === second) return undefined;
  const cycle = rotated(factors, first ? i : j);
  const at = cycle.findIndex(([F, turned]) => F.op === inputOp && !turned);
  return [cycle.slice(1, at), cycle.slice(at + 1)];
}

/** The coefficients K_ij of B_i ⊗ C_j */
class Table {
  private readonly rows = new Map<string, readonly Factor[]>();
  private readonly cols = new Map<string, readonly Factor[]>();
  private readonly entries = new Map<string, { sum: number; size: number }>();

  add(c: number, B: readonly Factor[], C: readonly Factor[]): void {
    const [b, k] = [nameOfAll(B), nameOfAll(C)];
    this.rows.set(b, B);
    this.cols.set(k, C);
    const name = `${b}|${k}`;
    const { sum, size } = this.entries.get(name) ?? { sum: 0, size: 0 };
    this.entries.set(name, { sum: sum + c, size: size + Math.abs(c) });
  }

  private at(b: string, c: string): number {
    const entry = this.entries.get(`${b}|${c}`);
    return entry && Math.abs(entry.sum) > ROUNDING * entry.size ? entry.sum : 0;
  }

  /**
   * K = b·cᵀ with b and c that do not change when their words are transposed; nothing where K has another form.
   * Coefficients are compared one by one: a small one may stand before a large matrix.
   */
  rankOne(): Tensor | undefined {
    const [rows, cols] = [[...this.rows.keys()], [...this.cols.keys()]];
    let [pivot, row, col] = [0, "", ""];
    for (const b of rows) {
      for (const c of cols) if (Math.abs(this.at(b, c)) > Math.abs(pivot)) [pivot, row, col] = [this.at(b, c), b, c];
    }
    const left = (b: string): number => this.at(b, col);
    const right = (c: string): number => this.at(row, c) / pivot;
    if (pivot === 0) return { B: [], C: [] };
    for (const b of rows) {
      for (const c of cols) if (!equal(this.at(b, c), left(b) * right(c), this.sizeAt(b, c))) return undefined;
    }
    const sides = [words(this.rows, left), words(this.cols, right)];
    return sides.every(isSymmetric) ? { B: sides[0]!, C: sides[1]! } : undefined;
  }

  private sizeAt(b: string, c: string): number {
    return this.entries.get(`${b}|${c}`)?.size ?? 0;
  }
}

const equal = (x: number, y: number, size = 0): boolean => Math.abs(x - y) <= ROUNDING * (size + Math.abs(y));

function words(side: ReadonlyMap<string, readonly Factor[]>, coefficient: (name: string) => number): Word[] {
  return [...side].flatMap(([name, factors]) => {
    const c = coefficient(name);
    return c === 0 ? [] : [{ c, factors }];
  });
}

/** Whether every word has its transpose beside it, with the same coefficient */
function isSymmetric(side: readonly Word[]): boolean {
  const coefficients = new Map(side.map(({ c, factors }) => [nameOfAll(factors), c]));
  return side.every(({ c, factors }) => equal(c, coefficients.get(nameOfAll(transposed(factors))) ?? 0));
}
