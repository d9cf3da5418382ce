/** Line plots as SVG text: linear or logarithmic axes, ticks at round numbers, colours from the page's style sheet. */

export interface Series {
  label: string;
  /** class of the line: its colour and dash are the style sheet's */
  style: string;
  points: readonly (readonly [x: number, y: number])[];
  /** a value holds until the next point */
  steps?: boolean;
}

interface Axis {
  label: string;
  log?: boolean;
  min?: number;
  max?: number;
}

interface Plot {
  title?: string;
  width: number;
  height: number;
  x: Axis;
  y: Axis;
  series: readonly Series[];
}

/** pixels around the axes, for their labels */
const MARGIN = { left: 58, right: 14, top: 26, bottom: 40 };

export const markup = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

interface Scale {
  at(v: number): number;
  ticks: { value: number; label: string }[];
  minor: number[];
  low: number;
  high: number;
}

/** From data to pixels `from` … `to`. */
function scale(axis: Axis, values: readonly number[], from: number, to: number): Scale {
  const usable = values.filter((v) => Number.isFinite(v) && (!axis.log || v > 0));
  let low = axis.min ?? (usable.length > 0 ? Math.min(...usable) : axis.log ? 0.1 : 0);
  let high = axis.max ?? (usable.length > 0 ? Math.max(...usable) : 1);
  if (axis.log) {
    low = axis.min ?? 10 ** Math.floor(Math.log10(low) + 1e-9);
    high = axis.max ?? 10 ** Math.ceil(Math.log10(high) - 1e-9);
    if (high <= low) high = 10 * low;
    const unit = (to - from) / Math.log10(high / low);
    return {
      at: (v) => from + unit * Math.log10(Math.min(Math.max(v, low), high) / low),
      ...decades(low, high),
      low,
      high,
    };
  }
  if (high <= low) high = low + 1;
  const step = roundStep((high - low) / 4);
  if (axis.max === undefined) high = step * Math.ceil(high / step - 1e-9);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9); k++) {
    ticks.push({ value: k * step, label: String(Number((k * step).toPrecision(6))) });
  }
  return { at: (v) => from + ((v - low) / (high - low)) * (to - from), ticks, minor: [], low, high };
}

const roundStep = (raw: number): number => {
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 2.5, 5, 10].find((m) => m * power >= raw * (1 - 1e-9)) ?? 10);
};

/** Ticks at powers of ten, so many that their labels have room; within two decades at 1, 2, 5 */
function decades(low: number, high: number): Pick<Scale, "ticks" | "minor"> {
  const [a, b] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  if (b - a < 2) {
    const values = [a - 1, a, b, b + 1].flatMap((k) => [1, 2, 5].map((m) => Number((m * 10 ** k).toPrecision(3))));
    const inside = [...new Set(values)]
      .filter((v) => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9))
      .sort((x, y) => x - y);
    return { ticks: inside.map((value) => ({ value, label: String(value) })), minor: [] };
  }
  const every = Math.ceil((b - a) / 6);
  const ticks = [];
  for (let k = a; k <= b; k += every) {
    const label =
      k >= 0 && k <= 3 && b <= 3 && a >= 0 ? String(10 ** k) : `10<tspan dy="-5" class="sup">${minus(k)}</tspan>`;
    ticks.push({ value: 10 ** k, label });
  }
  const minor = [];
  if (every === 1) for (let k = a; k < b; k++) for (let m = 2; m < 10; m++) minor.push(m * 10 ** k);
  return { ticks, minor };
}

const minus = (k: number): string => String(k).replace("-", "−");

export function svgPlot({ title, width, height, x, y, series }: Plot): string {
  const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, height - MARGIN.bottom];
  const sx = scale(
    x,
    series.flatMap((s) => s.points.map((q) => q[0])),
    left,
    right,
  );
  const sy = scale(
    y,
    series.flatMap((s) => s.points.map((q) => q[1])),
    bottom,
    top,
  );
  const parts: string[] = [];
  const n1 = (v: number): string => String(Math.round(v * 10) / 10);
  for (const { value, label } of sx.ticks) {
    const px = n1(sx.at(value));
    parts.push(`<line class="grid" x1="${px}" y1="${top}" x2="${px}" y2="${bottom}"/>`);
    parts.push(`<text class="tick" x="${px}" y="${bottom + 16}" text-anchor="middle">${label}</text>`);
  }
  for (const { value, label } of sy.ticks) {
    const py = sy.at(value);
    parts.push(`<line class="grid" x1="${left}" y1="${n1(py)}" x2="${right}" y2="${n1(py)}"/>`);
    parts.push(`<text class="tick" x="${left - 7}" y="${n1(py + 4)}" text-anchor="end">${label}</text>`);
  }
  for (const v of sy.minor)
    parts.push(`<line class="minor" x1="${left}" y1="${n1(sy.at(v))}" x2="${left + 3}" y2="${n1(sy.at(v))}"/>`);
  for (const v of sx.minor)
    parts.push(`<line class="minor" x1="${n1(sx.at(v))}" y1="${bottom}" x2="${n1(sx.at(v))}" y2="${bottom - 3}"/>`);
  parts.push(`<rect class="frame" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>`);
  for (const s of series) {
    const usable = s.points.filter(
      ([px, py]) => Number.isFinite(px) && Number.isFinite(py) && (!y.log || py > 0) && (!x.log || px > 0),
    );
    if (usable.length === 0) continue;
    const path = usable.map(([px, py], i) => {
      const [X, Y] = [n1(sx.at(px)), n1(sy.at(py))];
      return i === 0 ? `M${X} ${Y}` : s.steps ? `H${X}V${Y}` : `L${X} ${Y}`;
    });
    if (s.steps) path.push(`H${right}`);
    parts.push(`<path class="line ${s.style}" d="${path.join("")}"><title>${markup(s.label)}</title></path>`);
  }
  if (title)
    parts.push(
      `<text class="title" x="${(left + right) / 2}" y="${top - 9}" text-anchor="middle">${markup(title)}</text>`,
    );
  parts.push(
    `<text class="label" x="${(left + right) / 2}" y="${height - 6}" text-anchor="middle">${markup(x.label)}</text>`,
  );
  parts.push(
    `<text class="label" transform="translate(13 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${markup(y.label)}</text>`,
  );
  const name = markup(`${title ?? ""} ${y.label} over ${x.label}`.trim());
  return `<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">${parts.join("")}</svg>`;
}
