import type { Engine, Tall } from "@expen/linalg";
import type { ProductEngine } from "@expen/linalg/algebras";
import type { Chart, Domain, View } from "../contracts/manifold.js";
import { chartOf } from "./through-chart.js";
import { viewOnce } from "./view-once.js";

/** The charts of the parts of a product side by side; undefined where no part has one */
export function productChart(
  E: ProductEngine,
  names: readonly string[],
  parts: readonly Domain<View>[],
): Chart | undefined {
  if (!parts.some(({ chart }) => chart)) return undefined;
  const charts = parts.map(({ E, chart, view }) => chart ?? identity(E, view));
  /** op of each chart on its parts of the matrices */
  const each =
    <A extends readonly Tall[]>(op: (chart: Omit<Chart, "objective">, As: A) => void) =>
    (...As: A): void => {
      const all = As.map((A) => E.parts(A));
      for (const [i, chart] of charts.entries()) op(chart, all.map((parts) => parts[i]!) as readonly Tall[] as A);
    };
  return chartOf({
    image: each((chart, As) => chart.image(...As)),
    read: each((chart, As) => chart.read(...As)),
    push: each((chart, As) => chart.push(...As)),
    pull: each((chart, As) => chart.pull(...As)),
    bend: each((chart, As) => chart.bend(...As)),
    view: viewOnce((Y: Tall) => {
      const all = E.parts(Y);
      return Object.fromEntries(names.map((name, i) => [name, charts[i]!.view(all[i]!)]));
    }),
  });
}

const identity = (E: Engine, view: (X: Tall) => View): Omit<Chart, "objective"> => ({
  image: (Y, X) => E.copy(Y, X),
  read: (X, Y) => E.copy(X, Y),
  push: (T, _X, D) => E.copy(T, D),
  pull: (G, _X, W) => E.copy(G, W),
  bend: (H, _X, V) => E.copy(H, V),
  view,
});
