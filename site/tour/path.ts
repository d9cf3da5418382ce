/** Where a tour goes: from plane to plane, each a local best of an index or one at random. */
import { minimize, stiefel } from "@expen/core";
import { type Random, random } from "@expen/linalg";
import type { PlaneFunction } from "./indices.js";
import { angles, type Frame, orthonormal } from "./plane.js";

export interface Stop {
  frame: Frame;
  /** of the index there; absent: a random plane */
  value?: number;
}

export const randomFrame = (d: number, r: Random): Frame =>
  orthonormal(Array.from({ length: d }, () => [r.normal(), r.normal()]));

/** The first two axes */
export const firstFrame = (d: number): Frame => Array.from({ length: d }, (_, i) => [Number(i === 0), Number(i === 1)]);

export async function climb(f: PlaneFunction, from: Frame): Promise<Stop> {
  const d = from.length;
  const start = { rows: d, cols: 2, data: Float64Array.from(from.flat()) };
  // a picture needs no more: an angle of 1e-4 is less than a pixel
  const { X, fval } = await minimize(f, {
    on: stiefel(d, 2),
    start,
    tol: 1e-4,
    maxIterations: 200,
    certificateBudget: 0,
  });
  const rows = Array.from({ length: d }, (_, i) => [X.data[2 * i]!, X.data[2 * i + 1]!]);
  return { frame: orthonormal(rows), value: -fval };
}

/** rad: planes that are nearer look the same */
const NEAR = 0.05;
/** random planes that are tried for a local best that is another one */
const TRIES = 6;

/** The stops of a tour without end. Without an index it goes to random planes; with one, from best to best by way of random planes. */
export async function* stops(
  f: PlaneFunction | undefined,
  from: Frame,
  seed: number,
): AsyncGenerator<Stop, never, Frame> {
  const r = random(seed, "tour");
  let frame = from;
  if (f) {
    const first = await climb(f, frame);
    frame = yield first;
  }
  for (;;) {
    if (!f) {
      frame = yield { frame: randomFrame(frame.length, r) };
      continue;
    }
    let best: Stop | undefined;
    for (let k = 0; k < TRIES && !best; k++) {
      const found = await climb(f, randomFrame(frame.length, r));
      if (angles(frame, found.frame)[1] > NEAR) best = found;
    }
    // one best only: look around before it comes back
    if (!best) frame = yield { frame: randomFrame(frame.length, r) };
    frame = yield best ?? (await climb(f, frame));
  }
}
