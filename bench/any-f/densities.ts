/** Functions of X and of its density ρ_i = Σ_j X_ij². */

import type { Engine, Matrix, Random, Tall } from "@expen/linalg";
import { constantTridiagonal } from "@expen/linalg/arrays";
import { entries } from "./draw.js";
import type { Data, Family, ValueAndGradient } from "./family.js";

/** ½⟨X, LX⟩ + g(ρ), L = tridiag(−1, 2, −1); `potential` makes v ← 2∇g(ρ) and returns g(ρ) */
function withDensity(E: Engine, n: number, _p: number, potential: (v: Tall, rho: Tall) => number): ValueAndGradient {
  const [L, rho, v] = [E.operator(constantTridiagonal(n, -1, 2, -1)), E.tall(n, 1), E.tall(n, 1)];
  return (G, X) => {
    E.rowDots(rho, X, X);
    L.apply(G, X);
    const f = 0.5 * E.dot(X, G) + potential(v, rho);
    E.scaleRows(G, v, X, 1, 1);
    return f;
  };
}

/** z = L⁻¹ρ */
function coulomb(E: Engine, n: number): (z: Tall, rho: Tall) => void {
  const L = E.operator(constantTridiagonal(n, -1, 2, -1));
  return (z, rho) => L.solve!(z, rho);
}

/** Four wells. */
function wells(n: number, r: Random): Matrix {
  const at = Array.from({ length: 4 }, () => [n * (0.1 + 0.8 * r.uniform()), 0.5 + r.uniform()] as const);
  const well = (i: number, [c, depth]: (typeof at)[number]): number =>
    (-0.6 * depth) / Math.sqrt(((i - c) / (n / 60)) ** 2 + 1);
  return entries(n, 1, (i) => at.reduce((sum, one) => sum + well(i, one), 0));
}

/** Weights of the interaction in Gross and Pitaevskii's function, and of the rows in the relaxed cut */
const [ALPHA, MU] = [2, 1];

export const densities: Family[] = [
  {
    name: "noeig",
    formula: "½⟨X, LX⟩ + ¼ρᵀL⁻¹ρ",
    sizes: [
      [1000, 10],
      [250, 50],
    ],
    draw: () => ({}),
    on(E, n, p) {
      const solve = coulomb(E, n);
      return withDensity(E, n, p, (v, rho) => {
        solve(v, rho);
        return 0.25 * E.dot(rho, v);
      });
    },
  },
  {
    name: "kohn-sham",
    formula: "½⟨X, LX⟩ + ½vᵀρ + ¼zᵀρ − ¼Σρ^(4/3), z = (20/n)·L⁻¹ρ, four wells v",
    sizes: [
      [500, 10],
      [200, 30],
    ],
    draw: (n, _p, r) => ({ V: wells(n, r) }),
    on(E, n, p, { V }) {
      const solve = coulomb(E, n);
      return withDensity(E, n, p, (v, rho) => {
        solve(v, rho);
        const [density, well, potential] = [rho.data, V!.data, v.data];
        let f = 0;
        for (let i = 0; i < n; i++) {
          const z = (20 / n) * potential[i]!;
          const root = Math.cbrt(density[i]!);
          f += density[i]! * (0.5 * well[i]! + 0.25 * z - 0.25 * root);
          potential[i] = well[i]! + z - (2 / 3) * root;
        }
        return f;
      });
    },
  },
  {
    name: "gross-pitaevskii",
    formula: `½⟨X, LX⟩ + ½vᵀρ + ${ALPHA}/4·Σρ², four wells v`,
    sizes: [
      [400, 5],
      [150, 25],
    ],
    draw: (n, _p, r) => ({ V: wells(n, r) }),
    on(E, n, p, { V }) {
      return withDensity(E, n, p, (v, rho) => {
        const [density, well, potential] = [rho.data, V!.data, v.data];
        let f = 0;
        for (let i = 0; i < n; i++) {
          f += density[i]! * (0.5 * well[i]! + (ALPHA / 4) * density[i]!);
          potential[i] = well[i]! + ALPHA * density[i]!;
        }
        return f;
      });
    },
  },
  {
    name: "cut",
    formula: "½⟨X, AX⟩ + ¼n/p·Σ(ρ − p/n)², A the adjacency of a random graph, as in relaxed cuts with even rows",
    sizes: [
      [150, 5],
      [80, 20],
    ],
    draw(n, _p, r) {
      const A = entries(n, n, () => 0);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) if (r.uniform() < 6 / n) A.data[i * n + j] = A.data[j * n + i] = 1;
      }
      return { A };
    },
    on: evenRows,
  },
];

function evenRows(E: Engine, n: number, p: number, { A }: Data): ValueAndGradient {
  const [B, rho, v, mean, mu] = [E.operator(A!), E.tall(n, 1), E.tall(n, 1), p / n, (MU * n) / p];
  return (G, X) => {
    E.rowDots(rho, X, X);
    B.apply(G, X);
    let f = 0.5 * E.dot(X, G);
    const [density, potential] = [rho.data, v.data];
    for (let i = 0; i < n; i++) {
      const excess = density[i]! - mean;
      f += (mu / 4) * excess * excess;
      potential[i] = mu * excess;
    }
    E.scaleRows(G, v, X, 1, 1);
    return f;
  };
}
