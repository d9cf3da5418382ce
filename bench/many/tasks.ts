/** Many small problems: Kabsch's rotations of clouds, varimax, and an f in plain loops. */
import type { Formula, ItemF, Manifold, UserObjective } from "@expen/core";
import { specialOrthogonal, stiefel } from "@expen/core";
import type { Matrix, Tall } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { formula, hadamard, dot as inner, mul, norm2, scale, sub, sum } from "@expen/tape";

// biome-ignore lint/suspicious/noExplicitAny: the item of each task has another shape
type Any = any;

export interface Task {
  readonly name: string;
  readonly on: Manifold<Tall>;
  /** the number of problems */
  readonly count: number;
  /** f of an item, for minimizeMany */
  readonly f: ItemF<Tall, Any>;
  /** the same f of one item, as a loop over minimize has it */
  of(item: Any): Formula | UserObjective;
  item(k: number): Any;
}

const POINTS = 20;
const [n, p] = [20, 3];

interface Clouds {
  P: Matrix;
  Q: Matrix;
}
const distance = (R: Any, { P, Q }: Any) => norm2(sub(mul(R, P), Q));

/** −Σ l_ij⁴ + (1/m)Σ_j (Σ_i l_ij²)² of L = AR, Kaiser's criterion */
const varimax = (R: Any, A: Any) => {
  const L = mul(A, R);
  const S = hadamard(L, L);
  const ones = { rows: 1, cols: L.rows, data: new Float64Array(L.rows).fill(1) };
  const columns = mul(ones, S);
  return sub(scale(1 / L.rows, inner(columns, columns)), sum(hadamard(S, S)));
};

/** ½ΣX_ij·(AX)_ij + ¼ΣX_ij⁴ in loops over the numbers */
const quartic = ({ data: a }: Matrix): UserObjective => ({
  fg(G, X) {
    const [x, g] = [X.data, G.data];
    let f = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < p; j++) {
        let s = 0;
        for (let k = 0; k < n; k++) s += a[i * n + k]! * x[k * p + j]!;
        const v = x[i * p + j]!;
        g[i * p + j] = s + v ** 3;
        f += 0.5 * v * s + 0.25 * v ** 4;
      }
    }
    return f;
  },
});

function cloud(k: number): Clouds {
  const [P, noise, turn] = ["P", "noise", "turn"].map((word) => gaussian(3, POINTS, random(k, word))) as [
    Matrix,
    Matrix,
    Matrix,
  ];
  const [a, b] = [turn.data[0]!, turn.data[1]!];
  const [c, s, d, u] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  const R = [c, -s * d, s * u, s, c * d, -c * u, 0, u, d];
  const Q = { rows: 3, cols: POINTS, data: noise.data.map((v) => 0.05 * v) };
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < POINTS; j++) {
      for (let l = 0; l < 3; l++) Q.data[i * POINTS + j]! += R[3 * i + l]! * P.data[l * POINTS + j]!;
    }
  }
  return { P, Q };
}

function symmetric(k: number): Matrix {
  const { data } = gaussian(n, n, random(k, "A"));
  return { rows: n, cols: n, data: data.map((v, e) => v + data[(e % n) * n + Math.floor(e / n)]!) };
}

export const tasks: readonly Task[] = [
  {
    name: "kabsch",
    on: specialOrthogonal(3),
    count: 10_000,
    f: formula(distance),
    of: (item) => formula((R: Any) => distance(R, item)),
    item: cloud,
  },
  {
    name: "varimax",
    on: specialOrthogonal(6),
    count: 1000,
    f: formula(varimax),
    of: (item) => formula((R: Any) => varimax(R, item)),
    item: (k) => gaussian(30, 6, random(k, "A")),
  },
  { name: "loops", on: stiefel(n, p), count: 1000, f: quartic, of: quartic, item: symmetric },
];
