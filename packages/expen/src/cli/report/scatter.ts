/** Points of a matrix as SVG text: the first two columns, coloured by labels, with a tooltip for each. */
import type { Label, Table } from "@expen/linalg";
import { markup } from "../../plot/svg-plot.js";

/** Width, height and margin of the plot, in pixels */
const [WIDTH, HEIGHT, MARGIN] = [640, 460, 48];
/** Colours of the style sheet for labels, in their order; more labels share the last */
const COLOURS = 7;
/** Points that a page shows quickly; of more, evenly spaced ones are drawn */
const MOST_POINTS = 5000;

/** The classes of the labels in the order of the legend */
export const classesOf = (labels: readonly Label[] | undefined): string[] => [...new Set(labels?.map(String))].sort();

export function scatterPlot(M: Table, labels?: readonly Label[]): string {
  const classes = classesOf(labels);
  // one column: against the number of the row
  const x = (i: number): number => (M.cols > 1 ? M.data[i * M.cols]! : i + 1);
  const y = (i: number): number => (M.cols > 1 ? M.data[i * M.cols + 1]! : M.data[i]!);
  const step = Math.max(1, Math.ceil(M.rows / MOST_POINTS));
  const indices = Array.from({ length: Math.ceil(M.rows / step) }, (_, k) => k * step);
  const [sx, sy] = [axis(indices.map(x), MARGIN, WIDTH - 12), axis(indices.map(y), HEIGHT - MARGIN, 12)];
  const point = (i: number): string => {
    const label = labels?.[i];
    const colour = label === undefined ? 1 : Math.min(classes.indexOf(String(label)), COLOURS - 1);
    const title = `${label === undefined ? "" : `${label}, `}row ${i + 1}: ${short(x(i))}, ${short(y(i))}`;
    return `<circle class="p${colour}" cx="${at(sx.at(x(i)))}" cy="${at(sy.at(y(i)))}" r="3.4"><title>${markup(title)}</title></circle>`;
  };
  const [nameX, nameY] = M.cols > 1 ? [nameOf(M, 0), nameOf(M, 1)] : ["row", nameOf(M, 0)];
  const [right, bottom] = [WIDTH - 12, HEIGHT - MARGIN];
  const text = (px: number, py: number, words: string, more: string): string =>
    `<text x="${at(px)}" y="${at(py)}" ${more}>${markup(words)}</text>`;
  return [
    `<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${markup(`${nameY} against ${nameX}`)}">`,
    ...sx.ticks.map(
      (v) =>
        `<path class="grid" d="M${at(sx.at(v))} 12V${bottom}"/>${text(sx.at(v), bottom + 16, short(v), 'class="tick" text-anchor="middle"')}`,
    ),
    ...sy.ticks.map(
      (v) =>
        `<path class="grid" d="M${MARGIN} ${at(sy.at(v))}H${right}"/>${text(MARGIN - 6, sy.at(v) + 4, short(v), 'class="tick" text-anchor="end"')}`,
    ),
    `<rect class="frame" x="${MARGIN}" y="12" width="${right - MARGIN}" height="${bottom - 12}"/>`,
    ...indices.filter((i) => Number.isFinite(x(i)) && Number.isFinite(y(i))).map(point),
    text((MARGIN + right) / 2, HEIGHT - 10, nameX, 'class="label" text-anchor="middle"'),
    `<text class="label" text-anchor="middle" transform="translate(12 ${(12 + bottom) / 2}) rotate(-90)">${markup(nameY)}</text>`,
    "</svg>",
  ].join("\n");
}

const nameOf = ({ names }: Table, j: number): string => names?.[j] ?? `column ${j + 1}`;
const at = (v: number): string => String(Number(v.toFixed(2)));
const short = (v: number): string => String(Number(v.toPrecision(4))).replace("-", "−");

/** From numbers to pixels `from` … `to`, with ticks at round numbers */
function axis(values: readonly number[], from: number, to: number): { at(v: number): number; ticks: number[] } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const v of values) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  if (!(low <= high)) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - 1, high + 1];
  const room = 0.04 * (high - low);
  [low, high] = [low - room, high + room];
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= raw * (1 - 1e-9))!;
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => (first + k) * step);
  return { at: (v) => from + ((v - low) / (high - low)) * (to - from), ticks };
}
