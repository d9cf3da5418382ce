/** Data over ranks: every rank has all of X and works on it alike, with samples of its own. f and ∇f are sums over ranks. */

import type { Engine, Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { mpiEngine } from "./engine.js";
import type { Wire } from "./wire.js";

/** The inner engine with ranks beside it, whose rows are all rows */
export function dataEngine(wire: Wire, inner: Engine): Engine {
  const { ranks } = mpiEngine(wire, inner);
  return {
    ...inner,
    name: "mpi-data",
    description: `data over ${wire.size} ranks (${wire.name}), each on ${inner.description}`,
    ranks: {
      ...ranks!,
      firstRow: () => 0,
      readRows: (A) => ({ rows: A.rows, cols: A.cols, data: inner.read(A as Tall) }),
      settle: () => undefined,
      rowsOf: ({ rows, cols, data }) => ({ rows, cols, data }),
      exchange: () => () => {
        throw new EngineError("mpi-data: every rank has all rows of X; there is nothing to exchange.");
      },
      collect: (data, rows, cols) => (wire.rank === 0 ? [{ rows, cols, data }] : undefined),
    },
    dispose() {
      inner.dispose();
      wire.close();
    },
  };
}
