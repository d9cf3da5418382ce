import type { UserObjective } from "@expen/core";
import { grassmann, product } from "@expen/core";
import { withEngine } from "@expen/engines";
import type { Engine, HostMatrix, Matrix, Small, Tall } from "@expen/linalg";
import { checkData, digits, hostMatrix, list, type MatrixLike, matricesOf, ProblemError, shown } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { smallOf, tallOf } from "@expen/linalg/engine";
import { type Application, type ApplicationOptions, columns, optionsOf, plainOf, runOn } from "./application.js";
import { type Description, describe, entries } from "./description.js";
import { answerOf } from "./model/model.js";

type Factors<M extends Matrix = Matrix> = { readonly U: M; readonly V: M; readonly W: M };

/** Options of `tucker`: the ranks, and the run */
export interface TuckerOptions extends ApplicationOptions {
  /** columns of U, V and W */
  ranks: readonly [number, number, number];
}

/** The bases and the core of `tucker`, with the error of the approximation */
export interface TuckerAnswer extends Application<Factors> {
  /** a×r₁, b×r₂ and c×r₃, orthonormal: T_ijk ≈ Σ core_xyz·U_ix·V_jy·W_kz */
  U: HostMatrix;
  V: HostMatrix;
  W: HostMatrix;
  /** the r₃ slices of the core, r₁×r₂ each */
  core: HostMatrix[];
  /** ‖T − approximation‖/‖T‖; `startError` is that of the start, the truncated higher-order singular vectors */
  relativeError: number;
  startError: number;
}

/**
 * The best approximation of a three-way array by one of multilinear rank (r₁, r₂, r₃): max ½‖T ×₁Uᵀ ×₂Vᵀ ×₃Wᵀ‖² over three
 * subspaces at once, from the higher-order singular vectors [De Lathauwer, De Moor, Vandewalle 2000]. T is given by its c slices, a×b each.
 * As ‖T − approximation‖² = ‖T‖² − ‖core‖², f ≤ f(start) implies that the error does not exceed that of the start.
 */
export async function tucker(
  source: readonly MatrixLike[],
  options: TuckerOptions = {} as TuckerOptions,
): Promise<TuckerAnswer> {
  const { ranks, ...o } = optionsOf("tucker", options, { ranks: list });
  if (ranks && ranks.length !== 3) {
    throw new ProblemError(`tucker: ranks is ${ranks.join(",")}; it must be three whole numbers, as in 3,2,2.`);
  }
  const slices = matricesOf("tucker", source);
  const [a, b, c] = [slices[0]?.rows ?? 0, slices[0]?.cols ?? 0, slices.length];
  if (a * b * c === 0) throw new ProblemError(`tucker: the array is ${a}×${b}×${c}; give slices with numbers.`);
  for (const [k, T] of slices.entries()) checkData("tucker", `slice ${k + 1}`, T, a, b);
  for (const [i, size] of [a, b, c].entries()) {
    const r = ranks?.[i];
    if (!Number.isInteger(r) || r < 1 || r > size) {
      throw new ProblemError(`tucker: rank ${i + 1} is ${shown(r)}; it must be a whole number from 1 to ${size}.`);
    }
  }
  return withEngine(o.engine, async (E) => {
    const f = compression(E, slices, ranks);
    const start = higherOrderVectors(E, slices, ranks);
    const on = product({ U: grassmann(a, ranks[0]), V: grassmann(b, ranks[1]), W: grassmann(c, ranks[2]) });
    const run = await runOn<Factors<Tall>>(E, f, on, o, { start });
    const square = slices.map((T) => smallOf(E, T)).reduce((sum, T) => sum + E.dot(T, T), 0);
    const errorOf = (value: number): number => (square > 0 ? Math.sqrt(Math.max(0, 1 + (2 * value) / square)) : 0);
    const onEngine = ({ U, V, W }: Factors): Factors<Tall> => ({ U: tallOf(E, U), V: tallOf(E, V), W: tallOf(E, W) });
    return answerOf({
      ...run.X,
      startError: errorOf(f.f!(onEngine(start))),
      relativeError: errorOf(f.f!(onEngine(run.X))),
      core: f.core.map((C) => hostMatrix(plainOf(E, C))),
      run,
    });
  });
}

/**
 * With P_k = UᵀT_kV the slices of the core are C_z = Σ_k W_kz·P_k, and f = −½Σ‖C_z‖². With B_k = Σ_z W_kz·C_z
 *
 *     ∇_U f = −Σ T_kV·B_kᵀ,   ∇_V f = −Σ T_kᵀU·B_k,   (∇_W f)_kz = −⟨P_k, C_z⟩.
 */
function compression(
  E: Engine,
  slices: readonly Matrix[],
  [r1, r2, r3]: readonly [number, number, number],
): UserObjective<Factors<Tall>> & { core: Small[] } {
  const T = slices.map((slice) => E.operator(slice));
  const TV = T.map(({ rows }) => E.tall(rows, r2));
  const TU = T.map(({ cols }) => E.tall(cols, r1));
  const [P, B, core] = [T.length, T.length, r3].map((count) => Array.from({ length: count }, () => E.small(r1, r2)));
  const numbers = new Float64Array(T.length * r3);

  function f({ U, V, W }: Factors<Tall>): number {
    const w = E.read(W);
    for (const [k, slice] of T.entries()) {
      slice.apply(TV[k]!, V);
      E.tmul(P![k]!, U, TV[k]!);
    }
    let value = 0;
    for (const [z, C] of core!.entries()) {
      const column = Float64Array.from(T, (_, k) => w[k * r3 + z]!);
      E.combination(C, column, P!, T.length);
      value -= 0.5 * E.dot(C, C);
    }
    return value;
  }

  function fg(G: Factors<Tall>, X: Factors<Tall>): number {
    const value = f(X);
    const w = E.read(X.W);
    for (const [k, slice] of T.entries()) {
      const row = w.slice(k * r3, (k + 1) * r3);
      E.combination(B![k]!, row, core!, r3);
      slice.applyT(TU[k]!, X.U);
      E.mulT(G.U, TV[k]!, B![k]!, -1, k === 0 ? 0 : 1);
      E.mul(G.V, TU[k]!, B![k]!, -1, k === 0 ? 0 : 1);
      for (let z = 0; z < r3; z++) numbers[k * r3 + z] = -E.dot(P![k]!, core![z]!);
    }
    E.write(G.W, numbers);
    return value;
  }
  return { f, fg, core: core! };
}

/** Leading eigenvectors of Σ T_kT_kᵀ, Σ T_kᵀT_k and ⟨T_k, T_l⟩ */
function higherOrderVectors(E: Engine, slices: readonly Matrix[], ranks: readonly number[]): Factors {
  const T = slices.map((slice) => smallOf(E, slice));
  const [{ rows: a, cols: b }, c] = [slices[0]!, T.length];
  const grams = [E.small(a, a), E.small(b, b), E.small(c, c)];
  for (const [k, slice] of T.entries()) {
    E.mulT(grams[0]!, slice, slice, 1, k === 0 ? 0 : 1);
    E.gram(grams[1]!, slice, k === 0 ? 0 : 1);
  }
  E.write(
    grams[2]!,
    T.flatMap((slice) => T.map((other) => E.dot(slice, other))),
  );
  const [U, V, W] = grams.map((S, i) => {
    const { vectors } = eigh(E, S);
    const last = Array.from({ length: ranks[i]! }, (_, j) => S.rows - 1 - j);
    return columns(plainOf(E, vectors), last);
  });
  return { U: U!, V: V!, W: W! };
}

export const description: Description = describe({
  name: "tucker",
  summary: "a three-way array, given by its slices, as a small core times three bases",
  files: [{ name: "slices", help: "one slice of the array each", repeats: true }],
  options: [{ name: "ranks", type: "integers", help: "columns of the three bases, as in 3,2,2", required: true }],
  example: "slice1.csv slice2.csv slice3.csv --ranks 2,2,2 --out U.csv",
  parts: ["U", "V", "W"],
  solve: (slices: Matrix[], o: TuckerOptions) => tucker(slices, o),
  report: ({ U, V, W, core, relativeError, startError }) => ({
    saved: { name: "U", matrix: U },
    lines: [["relative error of the approximation", `${digits(relativeError)}; ${digits(startError)} at the start`]],
    numbers: { relativeError, startError, V: entries(V), W: entries(W), core: core.map(entries) },
  }),
});
