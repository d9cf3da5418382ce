/** Lines over logarithmic axes as an SVG that needs nothing else. */

export interface Panel {
  title: string;
  x: string;
  y: string;
  series: { name: string; points: readonly (readonly [number, number])[] }[];
  /** a dashed line of this power through the first point of the first series */
  guide?: { power: number; name: string };
}

const COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"];
const MARGIN = { left: 62, right: 14, top: 30, bottom: 44 };

const entities = (text: string): string => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
const tick = (power: number): string =>
  power >= -2 && power <= 3
    ? String(10 ** power)
    : `10<tspan dy="-4" font-size="8">${String(power).replace("-", "−")}</tspan>`;

export function logLogPlot({ width, height, panels }: { width: number; height: number; panels: Panel[] }): string {
  const inner = panels.map(
    (panel, i) => `<g transform="translate(${i * width} 0)">${drawPanel(panel, width, height)}</g>`,
  );
  const total = width * panels.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${height}" width="${total}" height="${height}" font-family="sans-serif" font-size="11">
<title>${panels.map((panel) => panel.title).join("; ")}</title>
<rect width="${total}" height="${height}" fill="#fff"/>
${inner.join("\n")}
</svg>
`;
}

function drawPanel({ title, x, y, series, guide }: Panel, width: number, height: number): string {
  const points = series.flatMap(({ points }) => points);
  const [horizontal, vertical] = [0, 1].map((k) => {
    const logs = points.map((point) => Math.log10(point[k as 0 | 1]));
    return [Math.floor(Math.min(...logs) + 1e-9), Math.ceil(Math.max(...logs) - 1e-9)] as [number, number];
  }) as [[number, number], [number, number]];
  const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, height - MARGIN.bottom];
  const scale = (v: number, [low, high]: [number, number], from: number, to: number): number =>
    from + ((Math.log10(v) - low) / Math.max(1, high - low)) * (to - from);
  const at = ([a, b]: readonly [number, number]): string =>
    `${scale(a, horizontal, left, right).toFixed(1)},${scale(b, vertical, bottom, top).toFixed(1)}`;
  const parts = [
    `<text x="${(left + right) / 2}" y="18" text-anchor="middle" font-size="13">${entities(title)}</text>`,
  ];
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#ddd"/>`;
  for (let k = horizontal[0]; k <= horizontal[1]; k++) {
    const u = scale(10 ** k, horizontal, left, right);
    parts.push(line(u, top, u, bottom), `<text x="${u}" y="${bottom + 15}" text-anchor="middle">${tick(k)}</text>`);
  }
  for (let k = vertical[0]; k <= vertical[1]; k++) {
    const v = scale(10 ** k, vertical, bottom, top);
    parts.push(line(left, v, right, v), `<text x="${left - 6}" y="${v + 4}" text-anchor="end">${tick(k)}</text>`);
  }
  parts.push(
    `<text x="${(left + right) / 2}" y="${height - 10}" text-anchor="middle">${entities(x)}</text>`,
    `<text x="14" y="${(top + bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(top + bottom) / 2})">${entities(y)}</text>`,
    `<clipPath id="clip-${x}"><rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/></clipPath>`,
  );
  const legend: [string, string, string][] = [];
  if (guide && points.length > 0) {
    const [x0, y0] = points[0]!;
    const ends = horizontal.map((k) => [10 ** k, y0 * (10 ** k / x0) ** guide.power] as const);
    parts.push(
      `<polyline clip-path="url(#clip-${x})" points="${ends.map(at).join(" ")}" fill="none" stroke="#888" stroke-dasharray="5 4"/>`,
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
