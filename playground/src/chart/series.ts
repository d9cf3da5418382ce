/** The content of a chart, for the screen (uPlot) and for files (SVG). */
import type { Look } from "../palette.js";

export interface Series {
  label: string;
  look: Look;
  /** ascending */
  x: number[];
  y: number[];
  /** points that mean something by themselves: filled (a minimum) or hollow */
  marks?: { x: number; y: number; filled: boolean }[];
  hidden?: boolean;
}

export interface ChartContent {
  title: string;
  xLabel: string;
  yLabel: string;
  /** logarithmic y */
  log: boolean;
  series: Series[];
  /** fixed limits of y, where the data would give useless ones */
  yLimits?: [number, number];
}

/** lowest value on a logarithmic axis: values below it, and 0, are drawn at it */
export const FLOOR = 1e-17;

/** 10ᵉ to the last bit, which 10 ** e is not */
const ten = (e: number): number => Number(`1e${e}`);

export const onLog = (y: number): number => Math.max(y, FLOOR);

/** Limits of y that hold all visible data: whole decades on a logarithmic axis, 5 % of air otherwise. */
export function limits({ series, log, yLimits }: ChartContent): [number, number] {
  if (yLimits) return yLimits;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { y, hidden } of series) {
    if (hidden) continue;
    for (const raw of y) {
      if (!Number.isFinite(raw)) continue;
      const v = log ? onLog(raw) : raw;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  }
  if (!(low <= high)) return log ? [1e-8, 1] : [0, 1];
  if (log) {
    const [a, b] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
    return [ten(a), ten(b > a ? b : a + 1)];
  }
  const air = 0.05 * (high - low);
  return widened(low - air, high + air);
}

/** Limits far enough apart for an axis to have different numbers on it: zooms and rounding end here. */
export function widened(low: number, high: number): [number, number] {
  const least = 1e-6 * Math.max(Math.abs(low), Math.abs(high)) || 1;
  return high - low >= least ? [low, high] : [(low + high - least) / 2, (low + high + least) / 2];
}

/** Indices at which markers stand: some eight a curve, evenly over its points. */
export function markerIndices(length: number): number[] {
  const step = Math.max(1, Math.ceil(length / 8));
  const found: number[] = [];
  for (let i = 0; i < length; i += step) found.push(i);
  if (length > 1 && (length - 1) % step > step / 2) found.push(length - 1);
  return found;
}

/** All x in one ascending array, and each y at its place in it. */
export function aligned(series: Series[], log: boolean): [number[], ...(number | null | undefined)[][]] {
  const found = [...new Set(series.flatMap((s) => s.x))].sort((a, b) => a - b);
  // an axis needs two ends even where there is nothing to show
  const xs = found.length > 0 ? found : [0, 1];
  const at = new Map(xs.map((x, i) => [x, i]));
  const columns = series.map(({ x, y }) => {
    const column: (number | null | undefined)[] = new Array(xs.length).fill(undefined);
    for (const [i, v] of x.entries()) {
      const value = y[i]!;
      column[at.get(v)!] = Number.isFinite(value) ? (log ? onLog(value) : value) : null;
    }
    return column;
  });
  return [xs, ...columns];
}

/** Powers of ten from a to b, at most `count` of them. */
export function decades(a: number, b: number, count: number): number[] {
  const [low, high] = [Math.ceil(Math.log10(a) - 1e-9), Math.floor(Math.log10(b) + 1e-9)];
  const step = Math.max(1, Math.ceil((high - low) / count));
  const found: number[] = [];
  for (let e = high - step * Math.floor((high - low) / step); e <= high; e += step) found.push(ten(e));
  return found;
}
