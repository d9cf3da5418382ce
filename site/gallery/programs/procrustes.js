// A knot, and the same one turned, shifted, made larger and shaken. The alignment finds the motion; drag to look from elsewhere.
import { random } from "expen";
import { align } from "expen/apps";
import { space } from "../space.js";

const r = random(4, "gallery");
const n = 90;
const knot = Array.from({ length: n }, (_, i) => {
  const t = (2 * Math.PI * i) / n;
  return [Math.sin(t) + 2 * Math.sin(2 * t), Math.cos(t) - 2 * Math.cos(2 * t), -Math.sin(3 * t)];
});
const [c, s] = [Math.cos(2), Math.sin(2)];
const moved = knot.map(([x, y, z]) => [
  1.3 * (c * x - s * z) + 2 + 0.06 * r.normal(),
  1.3 * y - 2 + 0.06 * r.normal(),
  1.3 * (s * x + c * z) + 0.06 * r.normal(),
]);
const { aligned, scale, rms, run } = await align(knot, moved, { scaling: true });

export const text = `scale ${scale.toFixed(3)} (planted: 1.3), root mean square distance ${rms.toFixed(3)}; certificate: ${run.certificate.level}`;
export const answer = { scale, rms, level: run.certificate.level };
const ring = (from, group) => Array.from({ length: n }, (_, i) => [from + i, from + ((i + 1) % n), group]);
export const picture = space([...knot, ...moved, ...aligned.toRows()], {
  title: "A knot, its shaken copy, and the alignment",
  groups: [...knot.map(() => 5), ...moved.map(() => 1), ...knot.map(() => 0)],
  joined: [...ring(0, 5), ...ring(n, 1), ...ring(2 * n, 0)],
  radius: 3,
});
