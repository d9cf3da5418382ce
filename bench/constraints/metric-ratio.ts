/** A plain f on XᵀBX = I beside the same f of Z = RX on ZᵀZ = I, B = RᵀR: their evaluations. */
import type { Engine, Tall } from "@expen/linalg";
import { generalizedStiefel, minimize, type Result, stiefel, type UserObjective } from "expen";
import type { MetricPair } from "./metric-pairs.js";

/** As many evaluations for the same digits of f, whatever the coordinates in which a gradient is measured */
export const METRIC_OPTIONS = { relTol: 1e-7, maxIterations: 5000, check: false } as const;

/** The runs of a pair from one start: `own` on XᵀBX = I, `there` in the coordinates of R */
export async function metricRuns(E: Engine, { B, p, f }: MetricPair): Promise<{ own: Result; there: Result }> {
  const on = generalizedStiefel(B, p);
  const { n } = on;
  const R = on.bind(E).on.traits.metric!.factor!;
  const { X: start } = await minimize(f, { on, engine: E, maxIterations: 0 });
  const [X, G, Z0] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  R.apply(Z0, E.tall(n, p, start.data));
  const inCoordinates = {
    fg(H: Tall, Z: Tall): number {
      R.solve(X, Z);
      const value = f.fg(G, X);
      R.solveT(H, G);
      return value;
    },
  } as UserObjective<Tall>;
  return {
    own: await minimize(f, { on, start, engine: E, ...METRIC_OPTIONS }),
    there: await minimize(inCoordinates, { on: stiefel(n, p), start: Z0, engine: E, ...METRIC_OPTIONS }),
  };
}

/** The same run with B, and with its action alone, whose products are counted */
export async function actionRuns(
  E: Engine,
  { B, p, f }: MetricPair,
): Promise<{ own: Result; byAction: Result; products: number }> {
  const on = generalizedStiefel(B, p);
  const { X: start } = await minimize(f, { on, engine: E, maxIterations: 0 });
  const b = E.operator(B);
  let products = 0;
  const apply = (Y: Tall, X: Tall): void => {
    products++;
    b.apply(Y, X);
  };
  const options = { start, engine: E, ...METRIC_OPTIONS };
  const byAction = await minimize(f, { ...options, on: generalizedStiefel({ rows: on.n, apply }, p) });
  return { own: await minimize(f, { ...options, on }), byAction, products };
}
