/** Functions with bounds of the paper's constants M₀, M₁ and M₂ over Ω = {‖X‖₂ ≤ 13/12}, derived by hand. */
import { eigh } from "@expen/linalg/dense";
import { js as E, normal, normalSmall, wavy } from "@expen/testing/functions";
import type { Objective } from "../../src/contracts/objective.js";

export interface Bounded {
  f: Objective;
  /** ≥ sup f − inf f */
  M0: number;
  /** ≥ sup ‖∇f(A(X))‖ */
  M1: number;
  /** ≥ the Lipschitz constant of ∇g, g = f∘A */
  M2: number;
  /** ≥ the paper's max{12·M₁, 6·M₂} */
  beta: number;
}

/**
 * c times `wavy`, f(X) = c·(Σ a_ij·sin(b_ij·X_ij) + ½⟨X, BX⟩). A(X) has singular values s(3 − s²)/2 ≤ 1 for s ≤ 13/12, so that
 *
 *     |f| ≤ Σ|a| + ½‖B‖₂·p·(13/12)²,   ‖∇f(A(X))‖ ≤ ‖a∘b‖ + ‖B‖₂√p = M₁,   ‖∇²f‖ ≤ max|a·b²| + ‖B‖₂ = L.
 *
 * In ∇²g[D] = 𝒥(𝓗[𝒥(D)]) − D·S − X·sym(DᵀG) − G·sym(DᵀX) the eigenvalues of 𝒥 are at most 3/2 in size: M₂ ≤ 9/4·L + 3·(13/12)·M₁.
 */
export function boundedWave(n: number, p: number, c = 1, seed = 1): Bounded {
  const wave = wavy(E, n, p, seed);
  const [a, b, B] = [normal(E, n, p, seed), normal(E, n, p, seed + 1), normalSmall(E, n, n, seed + 2)];
  E.symmetrize(B);
  const { values } = eigh(E, B);
  const B2 = Math.max(-values[0]!, values[n - 1]!);
  const entries = [...a.data].map((value, i) => ({ a: Math.abs(value), b: Math.abs(b.data[i]!) }));
  const sumA = entries.reduce((sum, entry) => sum + entry.a, 0);
  const largest = Math.max(...entries.map((entry) => entry.a * entry.b ** 2));
  const norm = Math.hypot(...entries.map((entry) => entry.a * entry.b));
  const M0 = c * (2 * sumA + B2 * p * (13 / 12) ** 2);
  const M1 = c * (norm + B2 * Math.sqrt(p));
  const M2 = 2.25 * c * (largest + B2) + 3 * (13 / 12) * M1;
  const f: Objective = {
    n,
    p,
    f: (X) => c * wave.f(X),
    fg(G, X) {
      const value = wave.fg(G, X);
      E.combine(G, c, G, 0, G);
      return c * value;
    },
    hvp(H, X, D) {
      wave.hvp!(H, X, D);
      E.combine(H, c, H, 0, H);
    },
  };
  return { f, M0, M1, M2, beta: Math.max(12 * M1, 6 * M2) };
}
