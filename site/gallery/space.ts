/** Points and edges in space as a picture that a page can turn. */
import type { Look, Mark, Picture } from "./picture.js";

const [WIDTH, HEIGHT] = [520, 400];
/** px around the points */
const MARGIN = 34;

export interface SpaceOptions {
  title: string;
  /** group of each point, from 0; negative: no mark */
  groups?: readonly number[];
  names?: readonly string[];
  /** pairs of points that a segment joins, with the group of the segment */
  joined?: readonly (readonly [number, number, number?])[];
  /** px of a point in the middle */
  radius?: number;
  /** the viewer's angles, radians */
  turn?: number;
  tilt?: number;
}

/** What a page needs to draw the picture from elsewhere */
export interface Turnable {
  points: readonly (readonly number[])[];
  options: SpaceOptions;
}

const lookOf = (i: number): Look => `c${(i % 7) as 0}`;

/** Points as they are seen: right, up, and towards the viewer, in pixels */
function seen(points: Turnable["points"], turn: number, tilt: number): number[][] {
  const centre = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + (p[k] ?? 0), 0) / points.length);
  const from = points.map((p) => centre.map((c, k) => (p[k] ?? 0) - c));
  const reach = Math.max(...from.map((p) => Math.hypot(...p))) || 1;
  const unit = (Math.min(WIDTH, HEIGHT) / 2 - MARGIN) / reach;
  const [c, s, ct, st] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  return from.map(([x = 0, y = 0, z = 0]) => {
    const [right, back] = [c * x - s * y, s * x + c * y];
    return [unit * right, unit * (ct * z - st * back), -unit * (ct * back + st * z)];
  });
}

/** Points of ℝ³ from `turn` and `tilt`, the farthest first */
export function space(points: readonly (readonly number[])[], options: SpaceOptions): Picture & { space: Turnable } {
  const { groups = [], joined = [], names = [], radius = 4, turn = 0.6, tilt = -0.35, title } = options;
  const places = seen(points, turn, tilt);
  const half = Math.min(WIDTH, HEIGHT) / 2;
  const at = (i: number): [number, number] => [WIDTH / 2 + places[i]![0]!, HEIGHT / 2 + 12 - places[i]![1]!];
  const items: { depth: number; mark: Mark }[] = joined.map(([i, j, group]) => {
    const [[a, b], [c, d]] = [at(i), at(j)];
    const path = `M${a.toFixed(1)},${b.toFixed(1)}L${c.toFixed(1)},${d.toFixed(1)}`;
    const look: Look = group === undefined ? "faint" : lookOf(group);
    return { depth: (places[i]![2]! + places[j]![2]!) / 2, mark: { tag: "path", d: path, look } };
  });
  for (const [i, place] of places.entries()) {
    const [cx, cy] = at(i);
    // nearer points are larger, as by a lens
    const r = radius * (1 + (0.35 * place[2]!) / half);
    if (r > 0 && (groups[i] ?? 0) >= 0)
      items.push({ depth: place[2]!, mark: { tag: "circle", cx, cy, r, look: lookOf(groups[i] ?? 0) } });
  }
  items.sort((a, b) => a.depth - b.depth);
  const marks = items.map(({ mark }) => mark);
  marks.push({ tag: "text", x: 14, y: 20, text: title, anchor: "start", look: "strong" });
  let x = 14;
  for (const [i, text] of names.entries()) {
    marks.push({ tag: "circle", cx: x + 5, cy: 35, r: 4, look: lookOf(i) });
    marks.push({ tag: "text", x: x + 14, y: 39, text, anchor: "start", look: "label" });
    x += 7 * text.length + 30;
  }
  return { width: WIDTH, height: HEIGHT, label: title, marks, space: { points, options } };
}
