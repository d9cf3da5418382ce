/** Plots for the programs of the gallery: each gives a picture. */
import { ticks } from "@expen/playground/ticks";
import type { Look, Mark, Picture } from "./picture.js";

const [WIDTH, HEIGHT] = [520, 360];
/** px around the plot: numbers at the left and below, a title and names above */
const FRAME = { left: 46, top: 48, right: 14, bottom: 44 };

const lookOf = (i: number): Look => `c${(i % 7) as 0}`;

interface Axes {
  title: string;
  x?: string;
  y?: string;
  /** one unit is as long on both axes */
  equal?: boolean;
}

interface Scales {
  px(x: number): number;
  py(y: number): number;
  marks: Mark[];
}

const extent = (values: readonly number[]): [number, number] => {
  const finite = values.filter(Number.isFinite);
  const [a, b] = [Math.min(...finite), Math.max(...finite)];
  const room = 0.04 * (b - a) || 1;
  return [a - room, b + room];
};

/** Scales that hold all points, with the marks of title, axes and grid */
function axes(xs: readonly number[], ys: readonly number[], { title, x = "", y = "", equal = false }: Axes): Scales {
  const [inner, outer] = [WIDTH - FRAME.left - FRAME.right, HEIGHT - FRAME.top - FRAME.bottom];
  let [[x0, x1], [y0, y1]] = [extent(xs), extent(ys)];
  if (equal) {
    const unit = Math.max((x1 - x0) / inner, (y1 - y0) / outer);
    const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
    [x0, x1, y0, y1] = [
      cx - (unit * inner) / 2,
      cx + (unit * inner) / 2,
      cy - (unit * outer) / 2,
      cy + (unit * outer) / 2,
    ];
  }
  const px = (v: number): number => FRAME.left + (inner * (v - x0)) / (x1 - x0);
  const py = (v: number): number => FRAME.top + (outer * (y1 - v)) / (y1 - y0);
  const bottom = HEIGHT - FRAME.bottom;
  const marks: Mark[] = [{ tag: "text", x: 14, y: 20, text: title, anchor: "start", look: "strong" }];
  for (const v of ticks(x0, x1, 6)) {
    marks.push({ tag: "path", d: `M${px(v).toFixed(1)},${FRAME.top}V${bottom}`, look: "grid" });
    marks.push({ tag: "text", x: px(v), y: bottom + 17, text: String(v), anchor: "middle", look: "label" });
  }
  for (const v of ticks(y0, y1, 5)) {
    marks.push({ tag: "path", d: `M${FRAME.left},${py(v).toFixed(1)}H${WIDTH - FRAME.right}`, look: "grid" });
    marks.push({ tag: "text", x: FRAME.left - 6, y: py(v) + 4, text: String(v), anchor: "end", look: "label" });
  }
  marks.push({
    tag: "text",
    x: FRAME.left + inner / 2,
    y: HEIGHT - 8,
    text: [x && `${x} →`, y && `${y} ↑`].filter(Boolean).join("   "),
    anchor: "middle",
    look: "label",
  });
  return { px, py, marks };
}

const pathOf = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)},${y.toFixed(1)}`).join("");

interface Legend {
  /** names of the groups or lines, in the order of their colours */
  names?: readonly string[];
}

function legend(names: readonly string[] = []): Mark[] {
  let x = 14;
  return names.flatMap((text, i): Mark[] => {
    const left = x;
    x += 7 * text.length + 30;
    return [
      { tag: "circle", cx: left + 5, cy: 35, r: 4, look: lookOf(i) },
      { tag: "text", x: left + 14, y: 39, text, anchor: "start", look: "label" },
    ];
  });
}

/** An arrow from the origin with a name, for the axes of a biplot */
export interface Arrow {
  to: readonly [number, number];
  name: string;
}

export interface ScatterOptions extends Axes, Legend {
  /** group of each point, from 0 */
  groups?: readonly number[];
  arrows?: readonly Arrow[];
  /** pairs of points that a segment joins, with the group of the segment */
  joined?: readonly (readonly [number, number, number?])[];
  radius?: number;
}

/** Points in a plane: [x, y] each, coloured by group */
export function scatter(points: readonly (readonly number[])[], o: ScatterOptions): Picture {
  const { groups = [], arrows = [], joined = [], radius = 3.4 } = o;
  const xs = [...points.map(([x]) => x!), ...arrows.map(({ to }) => to[0])];
  const ys = [...points.map(([, y]) => y!), ...arrows.map(({ to }) => to[1])];
  const { px, py, marks } = axes(xs, ys, o);
  const at = (i: number): [number, number] => [px(points[i]![0]!), py(points[i]![1]!)];
  for (const [i, j, group] of joined) {
    marks.push({ tag: "path", d: pathOf([at(i), at(j)]), look: group === undefined ? "faint" : lookOf(group) });
  }
  for (const [i, point] of points.entries()) {
    marks.push({ tag: "circle", cx: px(point[0]!), cy: py(point[1]!), r: radius, look: lookOf(groups[i] ?? 0) });
  }
  for (const { to, name } of arrows) {
    const end: [number, number] = [px(to[0]), py(to[1])];
    const side = to[1] < 0 ? 16 : -7;
    marks.push({ tag: "path", d: pathOf([[px(0), py(0)], end]), look: "strong" });
    marks.push({ tag: "text", x: end[0], y: end[1] + side, text: name, anchor: "middle", look: "strong" });
  }
  marks.push(...legend(o.names));
  return { width: WIDTH, height: HEIGHT, label: o.title, marks };
}

/** Lines over their index, or over `at` */
export function lines(
  series: readonly (readonly number[])[],
  o: Axes & Legend & { at?: readonly number[]; log?: boolean },
): Picture {
  const value = (v: number): number => (o.log ? Math.log10(Math.max(v, 1e-300)) : v);
  const at = o.at ?? Array.from({ length: Math.max(...series.map(({ length }) => length)) }, (_, i) => i);
  const all = series.flatMap((values) => values.map(value));
  const { px, py, marks } = axes([...at], all, o);
  for (const [i, values] of series.entries()) {
    marks.push({ tag: "path", d: pathOf(values.map((v, k) => [px(at[k]!), py(value(v))])), look: lookOf(i) });
  }
  marks.push(...legend(o.names));
  return { width: WIDTH, height: HEIGHT, label: o.title, marks };
}
