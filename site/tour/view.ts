/** Draws a projection: points by class, and the axes of the data as arrows from the middle. */
import type { Frame } from "./plane.js";

export interface Scene {
  /** standardised rows */
  rows: readonly (readonly number[])[];
  /** number of the class of each row */
  classes: readonly number[];
  names: readonly string[];
  frame: Frame;
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

export function draw(ctx: CanvasRenderingContext2D, side: number, scale: number, scene: Scene): void {
  const { rows, classes, names, frame, colours } = scene;
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
  ctx.strokeStyle = colours.muted;
  ctx.fillStyle = colours.ink;
  ctx.font = "13px system-ui, sans-serif";
  for (const [k, [a, b]] of frame.entries()) {
    const [x, y] = [middle + ARROW * middle * a, middle - ARROW * middle * b];
    ctx.beginPath();
    ctx.moveTo(middle, middle);
    ctx.lineTo(x, y);
    ctx.stroke();
    if (Math.hypot(a, b) < LEAST_NAMED) continue;
    const width = ctx.measureText(names[k]!).width;
    const left = a < 0 ? x - 5 - width : x + 5;
    ctx.fillText(names[k]!, Math.max(2, Math.min(side - width - 2, left)), y + (b < 0 ? 12 : -4));
  }
}
