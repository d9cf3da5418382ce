/** Draws a projection: points by class, and the axes of the data as arrows from the middle. */
import type { Frame } from "./plane.js";

export interface Scene {
  /** standardised rows */
  rows: readonly (readonly number[])[];
  /** number of the class of each row */
  classes: readonly number[];
  names: readonly string[];
  frame: Frame;
  /** the axis under the pointer, or in the hand */
  marked?: number | undefined;
  /** colours of classes, ink, muted, paper */
  colours: { classes: string[]; ink: string; muted: string; grid: string };
}

/** part of the half side that the arrow of an axis in the plane takes */
const ARROW = 0.62;
/** arrows that are shorter have no name */
const LEAST_NAMED = 0.18;

/**
 * Half of the side in units of the data. A plane shows the part √(2/d) of the length of a point in all directions alike; a power between that and
 * none leaves room for planes that are chosen because they show more.
 */
export function reach(rows: Scene["rows"]): number {
  const lengths = rows.map((row) => Math.hypot(...row)).sort((a, b) => a - b);
  const long = lengths[Math.floor(0.99 * (lengths.length - 1))]! || 1;
  return long * (3 / rows[0]!.length) ** (1 / 3);
}

/** The place of the end of an axis on a canvas of that side */
export function tipOf([a, b]: Frame[number], side: number): [number, number] {
  const middle = side / 2;
  return [middle + ARROW * middle * a, middle - ARROW * middle * b];
}

/** The row of the frame whose axis ends there */
export function axisTo(x: number, y: number, side: number): [number, number] {
  const middle = side / 2;
  return [(x - middle) / (ARROW * middle), (middle - y) / (ARROW * middle)];
}

/** The axis whose end is nearest to a point, if one is within `reach` */
export function axisNear(frame: Frame, x: number, y: number, side: number, within: number): number | undefined {
  const distances = frame.map((row) => {
    const [a, b] = tipOf(row, side);
    return Math.hypot(a - x, b - y);
  });
  const least = Math.min(...distances);
  return least <= within ? distances.indexOf(least) : undefined;
}

export function draw(ctx: CanvasRenderingContext2D, side: number, scale: number, scene: Scene): void {
  const { rows, classes, names, frame, marked, colours } = scene;
  const middle = side / 2;
  const unit = (0.94 * middle) / scale;
  ctx.clearRect(0, 0, side, side);
  ctx.strokeStyle = colours.grid;
  ctx.beginPath();
  ctx.arc(middle, middle, ARROW * middle, 0, 2 * Math.PI);
  ctx.stroke();
  const radius = rows.length > 1500 ? 1.8 : 3.2;
  for (const [i, row] of rows.entries()) {
    let [x, y] = [0, 0];
    for (const [k, v] of row.entries()) {
      x += v * frame[k]![0];
      y += v * frame[k]![1];
    }
    ctx.fillStyle = colours.classes[classes[i]! % colours.classes.length]!;
    ctx.globalAlpha = 0.8;
    ctx.beginPath();
    ctx.arc(middle + unit * x, middle - unit * y, radius, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  ctx.font = "13px system-ui, sans-serif";
  for (const [k, [a, b]] of frame.entries()) {
    const [x, y] = tipOf([a, b], side);
    const isMarked = k === marked;
    ctx.strokeStyle = isMarked ? colours.ink : colours.muted;
    ctx.lineWidth = isMarked ? 2 : 1;
    ctx.beginPath();
    ctx.moveTo(middle, middle);
    ctx.lineTo(x, y);
    ctx.stroke();
    // a handle to be dragged
    ctx.fillStyle = ctx.strokeStyle;
    ctx.beginPath();
    ctx.arc(x, y, isMarked ? 6 : 3, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = colours.ink;
    if (Math.hypot(a, b) < LEAST_NAMED && !isMarked) continue;
    const width = ctx.measureText(names[k]!).width;
    const left = a < 0 ? x - 8 - width : x + 8;
    ctx.fillText(names[k]!, Math.max(2, Math.min(side - width - 2, left)), y + (b < 0 ? 12 : -4));
  }
}
