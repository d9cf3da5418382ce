import type { Engine } from "./contracts/engine.js";
import type { Matrix, Tall } from "./contracts/matrix.js";

/** X ↦ scratch of `rows` rows and as many columns as X, allocated once for each number of columns; for `width` columns at once */
export function scratch(E: Engine, rows: number, width: number): (X: Matrix) => Tall {
  const matrices = new Map<number, Tall>([[width, E.tall(rows, width)]]);
  return ({ cols }) => {
    let W = matrices.get(cols);
    if (!W) matrices.set(cols, (W = E.tall(rows, cols)));
    return W;
  };
}
