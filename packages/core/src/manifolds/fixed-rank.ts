/** Matrices of low rank by their factors, X = U·S·Vᵀ. */
import type { Engine, Small, Tall } from "@expen/linalg";
import { requireNoMore } from "@expen/linalg";
import type { Manifold } from "../contracts/manifold.js";
import type { UserObjective } from "../contracts/user-objective.js";
import { euclidean, product } from "./named.js";
import { requireSizes } from "./requirements.js";
import { stiefel } from "./stiefel.js";

/** The factors of X = U·S·Vᵀ: U and V have orthonormal columns, S is r×r */
export type LowRankFactors<M = Tall> = { readonly U: M; readonly S: M; readonly V: M };

/** A matrix by its products */
export interface MatrixProducts {
  /** Y ← W·V */
  apply(Y: Tall, V: Tall): void;
  /** Z ← Wᵀ·U */
  applyT(Z: Tall, U: Tall): void;
}

/**
 * m×n matrices of rank r at most, X = U·S·Vᵀ with orthonormal columns of U and V and any r×r matrix S: f sees { U, S, V }.
 *
 *     minimize(formula(({ U, S, V }) => norm2(sub(mul(A, U, S, t(V)), B))), { on: fixedRank(50, 30, 3) })
 *
 * X stays the same under (U, S, V) → (UP, PᵀSQ, VQ); along these directions f has no curvature. The dimension is that of the X.
 */
export function fixedRank(m: number, n: number, r: number, ...more: never[]): Manifold<LowRankFactors> {
  requireNoMore("fixedRank(m, n, r)", more);
  requireSizes("fixedRank", { m, n, r });
  if (r > Math.min(m, n))
    throw new RangeError(`fixedRank: r = ${r} is above ${Math.min(m, n)}, the largest rank of a ${m}×${n} matrix.`);
  const factors = product({ U: stiefel(m, r), S: euclidean(r, r), V: stiefel(n, r) });
  return {
    ...factors,
    text: `fixed-rank(${m}, ${n}, ${r})`,
    bind(base) {
      const { on, ...domain } = factors.bind(base);
      // S has every sign, so that no component of U or V is another X
      const { reflections: _, ...traits } = on.traits;
      return { ...domain, on: { ...on, name: "fixed-rank", dimension: (m + n - r) * r, traits } };
    },
  };
}

/**
 * An objective on `fixedRank` from f of X = U·S·Vᵀ and its gradient W = ∇f(X), an m×n matrix known by its products with the factors, so
 * that no m×n matrix is formed:
 *
 *     ∂f/∂U = W·V·Sᵀ,   ∂f/∂S = Uᵀ·W·V,   ∂f/∂V = Wᵀ·U·S.
 *
 *     minimize(ofProducts((X) => ({ f: …, W: { apply: (Y, V) => …, applyT: (Z, U) => … } })), { on: fixedRank(m, n, r) })
 */
export function ofProducts(
  fg: (X: LowRankFactors, E: Engine) => { f: number; W: MatrixProducts },
): (E: Engine) => UserObjective<LowRankFactors> {
  if (typeof fg !== "function")
    throw new TypeError("ofProducts: give a function of { U, S, V } that returns { f, W }.");
  return (E) => {
    let scratch: { WV: Tall; WU: Tall; S: Small; UWV: Small } | undefined;
    return {
      fg(G, X) {
        const { f, W } = fg(X, E);
        const r = X.S.rows;
        scratch ??= { WV: E.tall(X.U.rows, r), WU: E.tall(X.V.rows, r), S: E.small(r, r), UWV: E.small(r, r) };
        const { WV, WU, S, UWV } = scratch;
        E.write(S, E.read(X.S));
        W.apply(WV, X.V);
        W.applyT(WU, X.U);
        E.mulT(G.U, WV, S);
        E.mul(G.V, WU, S);
        E.tmul(UWV, X.U, WV);
        E.write(G.S, E.read(UWV));
        return f;
      },
    };
  };
}
