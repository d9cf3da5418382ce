// Points that were rotated, scaled, shifted and perturbed: the best transformation between them, with a proof.

import { random } from "expen";
import * as apps from "expen/apps";

const r = random(1, "example");
const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
const points = Array.from({ length: 40 }, () => [r.normal(), r.normal(), r.normal()]);
const moved = points.map(([x, y, z]) => [
  2 * (c * x! - s * y!) + 5 + 0.01 * r.normal(),
  2 * (s * x! + c * y!) - 1 + 0.01 * r.normal(),
  2 * z! + 0.01 * r.normal(),
]);
const matrix = (rows: number[][]) => ({ rows: rows.length, cols: 3, data: Float64Array.from(rows.flat()) });

const { scale, translation, rotation, rms, run } = await apps.align(matrix(points), matrix(moved), { scaling: true });
console.log(`scale ${scale.toFixed(3)}, shift (${Array.from(translation, (v) => v.toFixed(2)).join(", ")})`);
console.log(
  `angle ${Math.atan2(rotation.data[1]!, rotation.data[0]!).toFixed(3)} rad, rms distance after alignment ${rms.toFixed(3)}`,
);
console.log(run.certificate.text);
