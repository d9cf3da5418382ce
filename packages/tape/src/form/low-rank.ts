import type { LowRank } from "@expen/core";
import { colsOf, nameOfAll, transposed } from "../operations/product.js";
import { productAction, type Surroundings } from "./action.js";
import { isDiagonal } from "./sums.js";
import type { Summand } from "./tensor.js";

/** c·F₁…F_k·D·F_kᵀ…F₁ᵀ with D = I or a diagonal of one sign, if it is of low rank: T = F₁…F_k·√|D| */
export function lowRank(around: Surroundings, { c, factors }: Summand): LowRank | undefined {
  const { E, n, known } = around;
  const k = Math.floor(factors.length / 2);
  const [left, middle, right] = [factors.slice(0, k), factors.slice(k, -k), factors.slice(-k)];
  if (k === 0 || nameOfAll(right) !== nameOfAll(transposed(left)) || !isDiagonal(middle)) return undefined;
  const m = colsOf(left.at(-1)!);
  if (m >= n) return undefined;
  const d = middle[0] ? known.numbers(middle[0][0].args[0]!) : new Float64Array(m).fill(1);
  const sign = d.some((v) => v < 0) ? -1 : 1;
  if (d.some((v) => sign * v < 0)) return undefined;
  return {
    weight: sign * c,
    cols: m,
    factor() {
      const [T, root] = [E.tall(n, m), new Float64Array(m * m)];
      for (let i = 0; i < m; i++) root[i * (m + 1)] = Math.sqrt(sign * d[i]!);
      productAction(around, left).add(T, E.tall(m, m, root), 1, 0);
      return T;
    },
  };
}
