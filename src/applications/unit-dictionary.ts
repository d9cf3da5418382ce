import { euclidean, oblique, product } from "../constraints/manifolds.js";
import { chain } from "../engines/elementwise/chain.js";
import { withEngine } from "../engines/open.js";
import { tallOf } from "../engines/own-matrix.js";
import type { UserObjective } from "../objective/objective.js";
import { amount, positive, whole } from "../options.js";
import { checkFinite, ProblemError } from "../problems/problem.js";
import type { Engine, Matrix, Tall } from "../types.js";
import { type Application, type ApplicationOptions, optionsOf, peakSigns, runOn, scaleColumns } from "./application.js";
import { requireSamples } from "./columns.js";

type Coded<M extends Matrix = Matrix> = { readonly D: M; readonly C: M };

export interface UnitDictionaryOptions extends ApplicationOptions {
  /** how many; more than columns if you like */
  atoms: number;
  /** weight of Σ|codes| */
  weight: number;
  /** |c| is taken as √(c² + smooth²) */
  smooth?: number;
}

export interface UnitDictionaryAnswer extends Application<Coded> {
  /** n×atoms, columns of length 1 with a positive largest entry */
  atoms: Matrix;
  /** m×atoms: Y ≈ codes·atomsᵀ */
  codes: Matrix;
  /** ‖Y − codes·atomsᵀ‖/‖Y‖ */
  relativeResidual: number;
}

/**
 * Atoms of length 1, as many as wanted, whose sparse combinations are the samples (rows of Y) [Olshausen, Field 1996]:
 *
 *     min ½‖CDᵀ − Y‖² + weight·Σ√(C_ij² + smooth²)  over unit columns D and free C.
 */
export async function unitDictionary(
  Y: Matrix,
  given: UnitDictionaryOptions = {} as UnitDictionaryOptions,
): Promise<UnitDictionaryAnswer> {
  const {
    atoms,
    weight,
    smooth = 1e-2,
    ...o
  } = optionsOf("unit-dictionary", given, { atoms: whole(1), weight: amount, smooth: positive });
  requireSamples("unit-dictionary", Y, 1);
  checkFinite("unit-dictionary", "weight", weight);
  if (!Number.isInteger(atoms) || atoms < 1) {
    throw new ProblemError(`unit-dictionary: atoms is ${atoms}; it must be a whole number, 1 or more.`);
  }
  if (!(weight >= 0 && smooth > 0)) {
    throw new ProblemError(`unit-dictionary: weight is ${weight} and smooth ${smooth}; they must be positive.`);
  }
  return withEngine(o.engine, async (E) => {
    const f = coding(E, Y, atoms, weight, smooth);
    const on = product({ D: oblique(Y.cols, atoms), C: euclidean(Y.rows, atoms) });
    const run = await runOn<Coded<Tall>>(E, f, on, o);
    const signs = peakSigns(run.X.D);
    const relativeResidual = f.residual({ D: tallOf(E, run.X.D), C: tallOf(E, run.X.C) });
    return { atoms: scaleColumns(run.X.D, signs), codes: scaleColumns(run.X.C, signs), relativeResidual, run };
  });
}

/** With R = CDᵀ − Y: ∇_C f = R·D + weight·C/√(C² + smooth²), ∇_D f = RᵀC */
function coding(
  E: Engine,
  Y: Matrix,
  atoms: number,
  weight: number,
  smooth: number,
): UserObjective<Coded<Tall>> & { residual(X: Coded<Tall>): number } {
  const [{ rows: m, cols: n }, y] = [Y, tallOf(E, Y)];
  const [R, S] = [E.tall(m, n), E.tall(m, atoms)];
  const [d, g] = [E.small(n, atoms), E.small(n, atoms)];
  const length = chain(1, ({ sqrt, add, square, div }, c) => {
    const size = sqrt(add(square(c), smooth ** 2));
    return { outputs: [div(c, size)], sum: size };
  });
  /** R ← CDᵀ − Y, S ← C/√(C² + smooth²) */
  const f = ({ D, C }: Coded<Tall>): number => {
    E.write(d, E.read(D));
    E.mulT(R, C, d);
    E.combine(R, 1, R, -1, y);
    return 0.5 * E.dot(R, R) + weight * E.map([S], length, [C]);
  };
  return {
    f,
    fg(G, X) {
      const value = f(X);
      E.mul(G.C, R, d);
      E.combine(G.C, 1, G.C, weight, S);
      E.tmul(g, R, X.C);
      E.write(G.D, E.read(g));
      return value;
    },
    residual(X) {
      f(X);
      return Math.sqrt(E.dot(R, R) / E.dot(y, y));
    },
  };
}
