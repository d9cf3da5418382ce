// Mean and median of noisy rotations with outliers.

import { type Matrix, random } from "expen";
import * as apps from "expen/apps";

/** about the z axis, then about the x axis */
function rotation(a: number, b: number): Matrix {
  const [c, s, d, u] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return { rows: 3, cols: 3, data: Float64Array.from([c, -s * d, s * u, s, c * d, -c * u, 0, u, d]) };
}
const distance = (P: Matrix, Q: Matrix) => Math.hypot(...P.data.map((v, k) => v - Q.data[k]!));

const r = random(1, "example");
const truth = rotation(0.8, 0.3);
const good = Array.from({ length: 30 }, () => rotation(0.8 + 0.05 * r.normal(), 0.3 + 0.05 * r.normal()));
const outliers = Array.from({ length: 12 }, () => rotation(-1.2, 0.3 + 0.05 * r.normal()));

for (const kind of ["chordal", "geodesic", "median"] as const) {
  const answer = await apps.meanRotation([...good, ...outliers], { kind });
  console.log(
    `${kind}: distance ${distance(answer.rotation, truth).toFixed(2)} from the true rotation, certificate: ${answer.run.certificate.level}`,
  );
}
