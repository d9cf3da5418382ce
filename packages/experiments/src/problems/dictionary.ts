/** Complete dictionary learning by maximising the fourth moment over orthonormal columns. */

import { fourthMoment } from "@expen/apps/objectives";
import type { Engine, Matrix } from "@expen/linalg";
import { checkData, matrix, ProblemError, plain, random, randomOrthonormal, sumOfLargest, whole } from "@expen/linalg";
import { dataPart, type Part } from "@expen/linalg/memory";
import { checkShape, type Problem, type ProblemOptions, problemOptions, refuseBeside } from "./problem.js";

interface DictionaryOptions extends ProblemOptions {
  /** m×n, one sample a row; seeded sparse combinations of an orthonormal dictionary if absent */
  Y?: Matrix;
  /** number of seeded samples; default 10·n */
  m?: number;
  /** number of atoms in each seeded sample; with 1 the optimum is known */
  atoms?: number;
}

export const dictionaryDefaults = { atoms: 2, m: (n: number): number => 10 * n };

export function dictionaryParts({ n, p, Y, m = dictionaryDefaults.m(n) }: DictionaryOptions): Part[] {
  const [rows, squares] = [Y?.rows ?? m, Y ? 0 : 2];
  return [dataPart(Y, rows, n), { count: squares, rows: n, cols: n, plain: squares }, { count: 4, rows, cols: p }];
}

/**
 * f(X) = −(1/4m) ‖YX‖₄⁴.
 *
 * For samples of one atom, y_i = s_i q_{k(i)}: with W_kj = (q_kᵀx_j)² the sum Σ_kj a_k W_kj², a_k = Σ_{k(i)=k} s_i⁴, is convex in W and
 * maximal at a choice of p atoms: f* = −(1/4m)·(the p largest a_k).
 */
export function dictionary(E: Engine, user: DictionaryOptions): Problem {
  const options = problemOptions("dictionary", user, { Y: matrix, m: whole(1), atoms: whole(1) });
  refuseBeside("dictionary", { Y: options.Y }, { m: options.m, atoms: options.atoms });
  const { n, p, seed = 1, m = dictionaryDefaults.m(n), atoms = dictionaryDefaults.atoms } = options;
  checkShape(E, "dictionary", options, dictionaryParts);
  const planted = options.Y ? undefined : sparseCombinations(n, m, atoms, seed);
  const data = options.Y ?? planted!.Y;
  checkData("dictionary", "Y", data, data.rows, n);
  if (data.rows < 1) throw new ProblemError("dictionary: Y has no rows; at least one sample is needed.");
  const samples = data.rows;

  return {
    name: "dictionary",
    title: `f(X) = −(1/4m) ‖YX‖₄⁴, Y ${samples}×${n}`,
    n,
    p,
    objective: fourthMoment(E, data, p),
    ...(planted && atoms === 1 && { optimum: (-0.25 / samples) * sumOfLargest(planted.moments, p) }),
  };
}

/** Y = S·Qᵀ, each row of S with `atoms` Gaussian entries at random places; moments_k = Σ_i S_ik⁴ */
export function sparseCombinations(
  n: number,
  m: number,
  atoms: number,
  seed: number,
): { Q: Matrix; Y: Matrix; moments: Float64Array } {
  for (const [what, size, most] of [
    ["m", m, Number.POSITIVE_INFINITY],
    ["atoms", atoms, n],
  ] as const) {
    if (!Number.isInteger(size) || size < 1 || size > most) {
      const bound = most === n ? ` and at most n = ${n}` : "";
      throw new ProblemError(`dictionary: ${what} is ${size}; it must be a whole number, at least 1${bound}.`);
    }
  }
  const Q = randomOrthonormal(n, n, random(seed, "dictionary Q"));
  const r = random(seed, "dictionary samples");
  const [Y, moments] = [plain(m, n), new Float64Array(n)];
  const place = Int32Array.from({ length: n }, (_, k) => k);
  for (let i = 0; i < m; i++) {
    for (let a = 0; a < atoms; a++) {
      // the first entries of a Fisher–Yates shuffle: distinct atoms
      const other = a + r.integer(n - a);
      const k = place[other]!;
      place[other] = place[a]!;
      place[a] = k;
      const s = r.normal();
      moments[k]! += s ** 2 * s ** 2;
      for (let j = 0; j < n; j++) Y.data[i * n + j]! += s * Q.data[j * n + k]!;
    }
  }
  return { Q, Y, moments };
}
