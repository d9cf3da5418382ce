/** The same chart as a file. */
import { decade } from "../format.js";
import { markerPath } from "../palette.js";
import { type ChartContent, decades, limits, markerIndices, onLog } from "./series.js";
import { ticks } from "./ticks.js";

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
const r1 = (x: number): string => x.toFixed(1);

/** Charts one below the other, with one legend. */
export function svgOf(charts: ChartContent[], { width = 800, height = 300, night = false } = {}): string {
  const [ink, grid, paper] = night ? ["#d5dae2", "#343b46", "#14181e"] : ["#3b434d", "#e3e6ea", "#ffffff"];
  const legend = charts[0]!.series.filter((s) => !s.hidden);
  const top = 14 + 20 * Math.ceil(legend.length / 3);
  const parts: string[] = [];
  for (const [i, s] of legend.entries()) {
    const [x, y] = [64 + (i % 3) * ((width - 80) / 3), 18 + 20 * Math.floor(i / 3)];
    const stroke = `stroke="${s.look.colour}" stroke-width="2" stroke-dasharray="${s.look.dash.join(" ")}"`;
    parts.push(
      `<path d="M${x},${y}h34" ${stroke}/><path d="${markerPath(s.look.marker, x + 17, y, 3.6)}" fill="${s.look.colour}" stroke="${s.look.colour}"/><text x="${x + 42}" y="${y + 4}">${escaped(s.label)}</text>`,
    );
  }
  for (const [i, content] of charts.entries()) parts.push(one(content, width, height, top + i * height, ink, grid));
  const total = top + charts.length * height + 6;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="system-ui, sans-serif" font-size="12" fill="${ink}"><rect width="100%" height="100%" fill="${paper}"/>${parts.join("")}</svg>`;
}

function one(content: ChartContent, width: number, height: number, dy: number, ink: string, grid: string): string {
  const { series, log, title, xLabel } = content;
  const box = { left: 64, top: dy + 30, width: width - 80, height: height - 74 };
  const xs = series.flatMap((s) => (s.hidden ? [] : s.x));
  const [x0, x1] = xs.length > 0 ? [Math.min(...xs), Math.max(...xs)] : [0, 1];
  const [y0, y1] = limits(content);
  const px = (x: number): number => box.left + (box.width * (x - x0)) / (x1 - x0 || 1);
  const share = (y: number): number =>
    log ? Math.log10(onLog(y) / y0) / Math.log10(y1 / y0) : (y - y0) / (y1 - y0 || 1);
  const py = (y: number): number => box.top + box.height * (1 - share(y));
  const parts = [`<text x="${box.left}" y="${dy + 20}" font-weight="600">${escaped(title)}</text>`];
  for (const v of log ? decades(y0, y1, 8) : ticks(y0, y1, 5)) {
    parts.push(`<path d="M${box.left},${r1(py(v))}h${box.width}" stroke="${grid}"/>`);
    parts.push(`<text x="${box.left - 8}" y="${r1(py(v) + 4)}" text-anchor="end">${log ? decade(v) : v}</text>`);
  }
  for (const v of ticks(x0, x1 > x0 ? x1 : x0 + 1, 6)) {
    parts.push(`<path d="M${r1(px(v))},${box.top}v${box.height}" stroke="${grid}"/>`);
    parts.push(`<text x="${r1(px(v))}" y="${box.top + box.height + 18}" text-anchor="middle">${v}</text>`);
  }
  parts.push(
    `<text x="${box.left + box.width / 2}" y="${box.top + box.height + 36}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<path d="M${box.left},${box.top}v${box.height}h${box.width}" fill="none" stroke="${ink}"/>`,
    `<clipPath id="c${dy}"><rect x="${box.left - 4}" y="${box.top - 4}" width="${box.width + 8}" height="${box.height + 8}"/></clipPath><g clip-path="url(#c${dy})">`,
  );
  for (const { x, y, look, marks, hidden } of series) {
    if (hidden || x.length === 0) continue;
    const points = x.flatMap((v, i) => (Number.isFinite(y[i]!) ? [`${r1(px(v))},${r1(py(y[i]!))}`] : []));
    parts.push(
      `<polyline points="${points.join(" ")}" fill="none" stroke="${look.colour}" stroke-width="2" stroke-linejoin="round" stroke-dasharray="${look.dash.join(" ")}"/>`,
    );
    const dots = marks
      ? marks.map(
          (m) =>
            `<circle cx="${r1(px(m.x))}" cy="${r1(py(m.y))}" r="4.5" fill="${m.filled ? look.colour : "none"}" stroke="${look.colour}" stroke-width="1.5"/>`,
        )
      : markerIndices(x.length).map(
          (i) =>
            `<path d="${markerPath(look.marker, px(x[i]!), py(y[i]!), 3.6)}" fill="${look.colour}" stroke="${look.colour}"/>`,
        );
    parts.push(...dots);
  }
  return `${parts.join("")}</g>`;
}
