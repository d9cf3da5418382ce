// Two states of a helix of 24 residues: a hinge bends it in the middle. Superposed by its first half, the second half shows the motion.
import { align } from "expen/apps";
import { space } from "../space.js";

const n = 24;
// 100° and 1.5 Å a residue at 2.3 Å from the axis: the α helix
const helix = Array.from({ length: n }, (_, i) => {
  const a = (100 * Math.PI * i) / 180;
  return [2.3 * Math.cos(a), 2.3 * Math.sin(a), 1.5 * i];
});
const bent = helix.map(([x, y, z]) => {
  if (z <= 18) return [y + 7, z, x];
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  return [c * y - s * (z - 18) + 7, s * y + c * (z - 18) + 18, x];
});
const half = (rows) => rows.slice(0, n / 2);
const { rotation, translation, rms } = await align(half(helix), half(bent));
const R = rotation.toRows();
const placed = helix.map((x) => [0, 1, 2].map((j) => x.reduce((sum, v, k) => sum + v * R[k][j], translation[j])));
const distance = placed.map((x, i) => Math.hypot(...x.map((v, k) => v - bent[i][k])));

export const text = `first half: root mean square distance ${rms.toExponential(1)} Å; the last residue has moved by ${distance[n - 1].toFixed(1)} Å`;
export const answer = { rms, distance };
const chain = (from, group) => Array.from({ length: n - 1 }, (_, i) => [from + i, from + i + 1, group]);
export const picture = space([...placed, ...bent], {
  title: "A helix before and after it bends",
  names: ["before", "after"],
  groups: [...placed.map(() => 0), ...bent.map(() => 1)],
  joined: [...chain(0, 0), ...chain(n, 1)],
});
