/** The frame of a constraint, and the first matrix that belongs to it; of a product part by part. */

import type { Engine, Small } from "@expen/linalg";
import type { Constraint, Traits } from "../../contracts/constraint.js";
import { blockFirstMatrix } from "./first/by-blocks.js";
import { columnFirstMatrix, freeFirstMatrix } from "./first/by-columns.js";
import { chosenFirstMatrix } from "./first/chosen.js";
import { shapeInEigenbasis, shapeInEitherBasis } from "./first/either-basis.js";
import type { FirstMatrix } from "./first/first-matrix.js";
import { due, type FrameShape } from "./first/in-frame.js";
import { type OriginalCoordinates, orOriginalIdentity } from "./first/in-original-coordinates.js";
import { frame } from "./frame.js";
import { factorPays, metricFrame } from "./frame-metric.js";
import { productFrame, productShape } from "./frame-product.js";
import { BLOCK } from "./memory.js";
import type { Frame, Tangent } from "./tangent.js";

/** Pairs from which it learns: the first 30, then every third, which takes no more evaluations and less algebra */
const LEARNS = { first: 30, period: 3 };

/** Whether tangent vectors of the manifold have frame coordinates; with a B, whether those of B are cheap enough. Pairs are no parts. */
export function hasFrame(E: Engine, { shape: { n }, traits }: Constraint, isPart = false): boolean {
  const { coordinates, metric, parts } = traits;
  if (parts) return parts.list.every((part) => hasFrame(part.E, part.on, true));
  if (metric?.pairs) return !isPart && metric.pairs() !== undefined;
  return coordinates !== undefined && (!metric?.factor || factorPays(E, n, metric.factor));
}

export interface FrameWithFirst {
  readonly frame: Frame;
  readonly first: FirstMatrix<Tangent>;
}

/** The frame and its first matrix, for which ⟨y, H₀y⟩ = ⟨s, y⟩ of the last pair it has learned from */
export function frameOn(E: Engine, on: Constraint): FrameWithFirst {
  const { frame, shape, original } = framed(E, on);
  let isKnown = false;
  /** pairs seen */
  let steps = 0;
  const first: FirstMatrix<Tangent> = {
    get scaled() {
      return isKnown;
    },
    apply: (R, _X, Q) => shape.apply(R, Q),
    prepare({ D, change }) {
      if (due(steps, LEARNS)) shape.prepare({ D, y: change() });
    },
    learn(_X, pair) {
      if (!pair || !(pair.dy > 0) || !due(steps++, LEARNS)) return;
      const { t, D, y, dy } = pair;
      const sy = t * dy;
      const yHy = shape.learn({ t, D, y, sy });
      if (!(yHy > 0)) return;
      shape.scale(sy / yHy);
      isKnown = true;
    },
    forget() {
      const before = isKnown;
      isKnown = false;
      steps = 0;
      shape.forget();
      return before;
    },
  };
  const known = original ? orOriginalIdentity(frame, first, original) : first;
  return { frame, first: chosenFirstMatrix(frame, known, BLOCK) };
}

interface Framed {
  readonly frame: Frame;
  readonly shape: FrameShape;
  /** those of X, where a metric B has others */
  readonly original?: OriginalCoordinates;
}

const SHAPES = {
  basis: shapeInEitherBasis,
  columns: columnFirstMatrix,
  free: freeFirstMatrix,
  blocks: (_E: Engine, _p: number, _S: Small, { blocks }: Traits): FrameShape => blockFirstMatrix(blocks!),
};

/** `part`: of a product, where parts may rotate together */
function framed(E: Engine, on: Constraint, part = false): Framed {
  const { n, p } = on.shape;
  const { coordinates = "basis", metric, parts } = on.traits;
  if (!parts) {
    const R = metric?.factor ?? metric?.pairs?.();
    const own = R ? metricFrame(E, on, R, part) : { frame: frame(E, on, part) };
    const { S } = own.frame;
    const space = R?.space ?? E;
    // parts of a product may be coupled, and their bases must belong together then
    const isInEigenbasis = part && coordinates === "basis";
    return {
      ...own,
      shape: isInEigenbasis ? shapeInEigenbasis(space, p, S!) : SHAPES[coordinates](space, p, S!, on.traits),
    };
  }
  const framedParts = parts.list.map((part) => framed(part.E, part.on, true));
  const frames = framedParts.map((part) => part.frame);
  const shapes = framedParts.map((part) => part.shape);
  return { frame: productFrame(E, n, p, parts, frames), shape: productShape(frames, shapes) };
}
