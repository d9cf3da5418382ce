/** A camera around the origin: three numbers to two, with depth. */

export interface Camera {
  /** angles in radians */
  turn: number;
  tilt: number;
  centre: [number, number];
  /** pixels a unit */
  scale: number;
}

export interface Seen {
  x: number;
  y: number;
  /** towards the viewer */
  depth: number;
}

/** Rotation about the vertical axis by `turn`, then about the horizontal one by `tilt`; parallel projection. */
export function project({ turn, tilt, centre, scale }: Camera, x: number, y: number, z: number): Seen {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [a, b] = [c * x - s * y, s * x + c * y];
  const [ct, st] = [Math.cos(tilt), Math.sin(tilt)];
  return { x: centre[0] + scale * a, y: centre[1] - scale * (ct * z - st * b), depth: -(ct * b + st * z) };
}
