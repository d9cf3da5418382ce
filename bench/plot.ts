/** Lines over logarithmic axes as an SVG. */

export interface Panel {
  title: string;
  x: string;
  y: string;
  /** the least range of the vertical axis */
  range?: readonly [number, number];
  series: { name: string; points: readonly (readonly [number, number])[] }[];
  /** a dashed line of this power through a point: the first one of the first series, if none is given */
  guide?: { power: number; name: string; through?: readonly [number, number] };
}

const COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"];
const MARGIN = { left: 62, right: 14, top: 30, bottom: 44 };

const round = (v: number): number => Math.round(v * 10) / 10;
const entities = (text: string): string => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
const tick = (value: number): string => {
  const power = Math.floor(Math.log10(value) + 1e-9);
  if (power >= -2 && power <= 3) return String(Number(value.toPrecision(1)));
  const digit = Math.round(value / 10 ** power);
  return `${digit === 1 ? "" : `${digit}·`}10<tspan dy="-4" font-size="8">${String(power).replace("-", "−")}</tspan>`;
};

/** Logarithms of the ends of an axis, with a little room, and its ticks: powers of ten, with 2 and 5 between where there are few. */
function axis(values: number[]): { ends: [number, number]; ticks: number[] } {
  const logs = values.map(Math.log10);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const room = Math.max(0.05, 0.06 * (high - low));
  const ends: [number, number] = [low - room, high + room];
  const digits = high - low < 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let k = Math.floor(ends[0]); k <= ends[1]; k++) ticks.push(...digits.map((digit) => digit * 10 ** k));
  return { ends, ticks: ticks.filter((v) => Math.log10(v) >= ends[0] && Math.log10(v) <= ends[1]) };
}

export function logLogPlot({ width, height, panels }: { width: number; height: number; panels: Panel[] }): string {
  const inner = panels.map(
    (panel, i) => `<g transform="translate(${i * width} 0)">${drawPanel(panel, width, height, `clip-${i}`)}</g>`,
  );
  const total = width * panels.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${height}" width="${total}" height="${height}" font-family="sans-serif" font-size="11">
<title>${panels.map((panel) => panel.title).join("; ")}</title>
<rect width="${total}" height="${height}" fill="#fff"/>
${inner.join("\n")}
</svg>
`;
}

function drawPanel({ title, x, y, range, series, guide }: Panel, width: number, height: number, clip: string): string {
  const points = series.flatMap(({ points }) => points);
  const [horizontal, vertical] = [axis(points.map(([a]) => a)), axis([...points.map(([, b]) => b), ...(range ?? [])])];
  const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, height - MARGIN.bottom];
  const scale = (v: number, [low, high]: [number, number], from: number, to: number): number =>
    from + ((Math.log10(v) - low) / (high - low)) * (to - from);
  const at = ([a, b]: readonly [number, number]): string =>
    `${scale(a, horizontal.ends, left, right).toFixed(1)},${scale(b, vertical.ends, bottom, top).toFixed(1)}`;
  const parts = [
    `<text x="${(left + right) / 2}" y="18" text-anchor="middle" font-size="13">${entities(title)}</text>`,
  ];
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#ddd"/>`;
  for (const value of horizontal.ticks) {
    const u = round(scale(value, horizontal.ends, left, right));
    parts.push(line(u, top, u, bottom), `<text x="${u}" y="${bottom + 15}" text-anchor="middle">${tick(value)}</text>`);
  }
  for (const value of vertical.ticks) {
    const v = round(scale(value, vertical.ends, bottom, top));
    parts.push(line(left, v, right, v), `<text x="${left - 6}" y="${v + 4}" text-anchor="end">${tick(value)}</text>`);
  }
  parts.push(
    `<text x="${(left + right) / 2}" y="${height - 10}" text-anchor="middle">${entities(x)}</text>`,
    `<text x="14" y="${(top + bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(top + bottom) / 2})">${entities(y)}</text>`,
    `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="none" stroke="#999"/>`,
    `<clipPath id="${clip}"><rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/></clipPath>`,
  );
  const legend: [string, string, string][] = [];
  if (guide && points.length > 0) {
    const [x0, y0] = guide.through ?? points[0]!;
    const ends = horizontal.ends.map((k) => [10 ** k, y0 * (10 ** k / x0) ** guide.power] as const);
    parts.push(
      `<polyline clip-path="url(#${clip})" points="${ends.map(at).join(" ")}" fill="none" stroke="#888" stroke-dasharray="5 4"/>`,
    );
    legend.push([guide.name, "#888", "5 4"]);
  }
  for (const [i, { name, points }] of series.entries()) {
    const colour = COLOURS[i % COLOURS.length]!;
    parts.push(`<polyline points="${points.map(at).join(" ")}" fill="none" stroke="${colour}" stroke-width="1.8"/>`);
    for (const point of points) {
      const [u, v] = at(point).split(",");
      parts.push(`<circle cx="${u}" cy="${v}" r="2.8" fill="${colour}"/>`);
    }
    legend.push([name, colour, ""]);
  }
  for (const [i, [name, colour, dash]] of legend.entries()) {
    const v = top + 14 + 15 * i;
    parts.push(
      `<line x1="${left + 8}" y1="${v - 4}" x2="${left + 30}" y2="${v - 4}" stroke="${colour}" stroke-width="1.8" stroke-dasharray="${dash}"/>`,
      `<text x="${left + 36}" y="${v}">${entities(name)}</text>`,
    );
  }
  return parts.join("\n");
}
