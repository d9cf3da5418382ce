/** Performance profiles (Dolan and Moré, Math. Program. 91, 2002): the part of all cases solved at τ times the least cost, as an SVG. */
import { type AnyResults, cost, type Measure } from "./results.js";

export interface Profile {
  contender: string;
  /** cost over the least cost of all contenders, ascending; unsolved cases are missing */
  ratios: number[];
}

export function profiles({ contenders, cases }: AnyResults, measure: Measure): Profile[] {
  const names = Object.keys(contenders);
  const least = cases.map((one) => Math.min(...names.map((name) => cost(one, name, measure))));
  return names.map((contender) => ({
    contender,
    ratios: cases
      .map((one, i) => cost(one, contender, measure) / least[i]!)
      .filter(Number.isFinite)
      .sort((a, b) => a - b),
  }));
}

const COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"];
const [WIDTH, HEIGHT] = [460, 360];
const BOX = { left: 52, right: WIDTH - 14, top: 30, bottom: HEIGHT - 44 };
/** the largest ratio shown */
const MOST = 32;

const across = (ratio: number): number => BOX.left + (Math.log2(ratio) / Math.log2(MOST)) * (BOX.right - BOX.left);
const up = (part: number): number => BOX.bottom - part * (BOX.bottom - BOX.top);
const point = (ratio: number, part: number): string => `${across(ratio).toFixed(1)},${up(part).toFixed(1)}`;

/** A staircase: one more solved case at each ratio. */
function stair({ ratios }: Profile, total: number): string {
  const points: string[] = [];
  let solved = 0;
  for (const ratio of ratios.filter((value) => value <= MOST)) {
    if (points.length > 0) points.push(point(ratio, solved / total));
    solved++;
    points.push(point(ratio, solved / total));
  }
  points.push(point(MOST, solved / total));
  return points.join(" ");
}

function panel(results: AnyResults, measure: Measure): string {
  const parts = [
    `<text x="${(BOX.left + BOX.right) / 2}" y="18" text-anchor="middle" font-size="13">${measure}</text>`,
  ];
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#ddd"/>`;
  for (let ratio = 1; ratio <= MOST; ratio *= 2) {
    const x = across(ratio);
    parts.push(line(x, BOX.top, x, BOX.bottom));
    parts.push(`<text x="${x.toFixed(1)}" y="${BOX.bottom + 15}" text-anchor="middle">${ratio}</text>`);
  }
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(line(BOX.left, up(part), BOX.right, up(part)));
    parts.push(`<text x="${BOX.left - 6}" y="${(up(part) + 4).toFixed(1)}" text-anchor="end">${100 * part} %</text>`);
  }
  parts.push(`<text x="${(BOX.left + BOX.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">times the least</text>`);
  for (const [i, profile] of profiles(results, measure).entries()) {
    const [colour, y] = [COLOURS[i % COLOURS.length]!, BOX.bottom - 12 - 14 * i];
    parts.push(
      `<polyline points="${stair(profile, results.cases.length)}" fill="none" stroke="${colour}" stroke-width="1.6"/>`,
      `<line x1="${BOX.right - 128}" y1="${y - 4}" x2="${BOX.right - 112}" y2="${y - 4}" stroke="${colour}" stroke-width="1.6"/>`,
      `<text x="${BOX.right - 106}" y="${y}">${profile.contender}</text>`,
    );
  }
  return parts.join("\n");
}

export function profilePlot(results: AnyResults): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH} ${HEIGHT}" width="${2 * WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="11">
<title>Performance profiles: part of all cases solved at so many times the least evaluations, and the least time</title>
<rect width="${2 * WIDTH}" height="${HEIGHT}" fill="#fff"/>
<g>${panel(results, "evaluations")}</g>
<g transform="translate(${WIDTH} 0)">${panel(results, "seconds")}</g>
</svg>
`;
}
