/** A model of the linear map G from the pairs P, G(P) of all builds. */
import type { Engine, Tall } from "@expen/linalg";

/** Most stored pairs: a self-consistent iteration takes ten, a second-order certificate about sixty. */
const MOST = 120;
/** Relative norm of P after orthogonalization against the previous ones, below which it is roundoff */
const DEPENDENT = 1e-6;

export interface ResponseModel {
  /** Adds the pair P, G = G(P), unless P depends linearly on the previous ones */
  learn(P: Tall, G: Tall): void;
  /** Y ← G̃(D) */
  apply(Y: Tall, D: Tall): void;
}

/**
 * G̃ = γI + (Q, V)-part: orthonormal Q_j with V_j = G(Q_j) − γQ_j, A_ij = ⟨Q_i, V_j⟩, q_j = ⟨Q_j, D⟩, v_j = ⟨V_j, D⟩ give
 *
 *     G̃(D) = γD + Σ q_j·V_j + Σ (v_j − (Aq)_j)·Q_j:
 *
 * the symmetric map nearest to γI among those that agree with G on the span of the Q_j (Powell's symmetric Broyden update, independent of
 * the order of the pairs). As G is linear, differences of densities and of their Fock matrices are exact pairs.
 */
export function responseModel(E: Engine, N: number, gamma: number): ResponseModel {
  const [Q, V]: [Tall[], Tall[]] = [[], []];
  const A: number[][] = [];
  const [q, v] = [new Float64Array(MOST), new Float64Array(MOST)];
  return {
    learn(P, G) {
      const k = Q.length;
      const size = Math.sqrt(E.dot(P, P));
      if (k === MOST || !(size > 0)) return;
      const [Qk, Vk] = [E.tall(N, N), E.tall(N, N)];
      E.combine(Qk, 1 / size, P, 0, P);
      E.combine(Vk, 1 / size, G, -gamma / size, P);
      // Gram–Schmidt twice, for orthogonality to rounding
      for (let pass = 0; k > 0 && pass < 2; pass++) {
        E.dots(q, Q, k, Qk);
        const minus = q.map((x) => -x);
        E.combination(Qk, minus, Q, k, 1);
        E.combination(Vk, minus, V, k, 1);
      }
      const left = Math.sqrt(E.dot(Qk, Qk));
      if (!(left > DEPENDENT)) return;
      E.combine(Qk, 1 / left, Qk, 0, Qk);
      E.combine(Vk, 1 / left, Vk, 0, Vk);
      Q.push(Qk);
      V.push(Vk);
      E.dots(v, V, k + 1, Qk);
      A.push(Array.from(v.subarray(0, k + 1)));
      for (let j = 0; j < k; j++) A[j]!.push(v[j]!);
    },
    apply(Y, D) {
      const k = Q.length;
      E.combine(Y, gamma, D, 0, D);
      if (k === 0) return;
      E.dots(q, Q, k, D);
      E.dots(v, V, k, D);
      A.forEach((row, i) => {
        v[i]! -= row.reduce((sum, a, j) => sum + a * q[j]!, 0);
      });
      E.combination(Y, q, V, k, 1);
      E.combination(Y, v, Q, k, 1);
    },
  };
}
