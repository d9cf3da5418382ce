/** The frame of a constraint, and the first matrix that belongs to it; of a product part by part. */
import type { Constraint } from "../../constraints/constraint.js";
import type { Engine, Small } from "../../types.js";
import { factorPays } from "../lbfgs/metric-coordinates.js";
import { columnFirstMatrix, freeFirstMatrix } from "./column-matrix.js";
import { due, type FrameShape, frameFirstMatrix } from "./first-matrix.js";
import { type Frame, frame, type Tangent } from "./frame.js";
import type { FramePair } from "./memory.js";
import { metricFrame } from "./metric.js";
import { productFrame, productShape } from "./product.js";

/** It learns from each of the first pairs, then from every third one: as few evaluations, and less algebra. */
const LEARNS = { first: 30, period: 3 };

export interface FrameFirstMatrix {
  learned(): boolean;
  /** R ← H₀·Q */
  apply(R: Tangent, Q: Tangent): void;
  /** Asks for the sums that `learn` will need of a pair. */
  foresee(pair: Pick<FramePair, "D" | "y">): void;
  /** From a pair with ⟨s, y⟩ > 0 that ends at a point with multiplier S: ⟨y, H₀y⟩ = ⟨s, y⟩ afterwards. */
  learn(S: Small, pair: Omit<FramePair, "gg" | "free">): void;
  /** Back to the identity. */
  forget(): void;
}

/** Whether tangent vectors are pairs (Z, Ω) there, and with a B, whether its coordinates pay */
export function hasFrame(E: Engine, { shape: { n, p }, traits }: Constraint): boolean {
  const { coordinates, metric, parts } = traits;
  if (parts) return parts.list.every((part) => hasFrame(part.E, part.on));
  return coordinates !== undefined && (!metric?.factor || factorPays(E, n, p));
}

export function frameOn(E: Engine, on: Constraint): { frame: Frame; first: FrameFirstMatrix } {
  const { frame, shape } = framed(E, on);
  let known = false;
  /** pairs seen */
  let steps = 0;
  const first: FrameFirstMatrix = {
    learned: () => known,
    apply: shape.apply,
    foresee: (pair) => due(steps, LEARNS) && shape.foresee(pair),
    learn(S, { t, D, y, sy }) {
      if (!due(steps++, LEARNS)) return;
      const yHy = shape.learn(S, { t, D, y, sy });
      if (!(yHy > 0)) return;
      shape.scale(sy / yHy);
      known = true;
    },
    forget() {
      known = false;
      steps = 0;
      shape.forget();
    },
  };
  return { frame, first };
}

interface Framed {
  readonly frame: Frame;
  readonly shape: FrameShape;
}

const SHAPES = { basis: frameFirstMatrix, columns: columnFirstMatrix, free: freeFirstMatrix };

/** `part`: of a product, where parts may turn together */
function framed(E: Engine, on: Constraint, part = false): Framed {
  const { n, p } = on.shape;
  const { coordinates = "basis", metric, parts } = on.traits;
  if (!parts) {
    const own = metric?.factor ? metricFrame(E, on, metric.factor, part) : frame(E, on, part);
    return { frame: own, shape: SHAPES[coordinates](E, p) };
  }
  const framedParts = parts.list.map((part) => framed(part.E, part.on, true));
  const frames = framedParts.map((part) => part.frame);
  const shapes = framedParts.map((part) => part.shape);
  return { frame: productFrame(E, n, p, parts, frames), shape: productShape(parts, frames, shapes) };
}
