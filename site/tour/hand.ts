/** Axes of the picture in the hand: dragged by a pointer, moved by keys. */
import type { Frame } from "./plane.js";
import { axisNear, axisTo } from "./view.js";

export interface Axes {
  frame(): Frame;
  /** the axis under the pointer, in the hand, or chosen by keys */
  marked(): number | undefined;
  mark(k: number | undefined): void;
  move(k: number, to: readonly [number, number]): void;
  /** after a move: the axis is no longer held */
  release(): void;
}

/** px from the end of an axis that takes it: a finger needs more */
const WITHIN = { mouse: 14, touch: 28 };
/** Steps of the keys along the plane */
const STEP = 0.05;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};
/** With two columns there is one plane alone. */
const LEAST_COLUMNS = 3;

/** Lets the pointer drag the ends of the axes on `canvas`; the answer says whether one is held. */
export function dragAxes(canvas: HTMLCanvasElement, axes: Axes): () => boolean {
  let isHolding = false;
  const placeOf = (event: PointerEvent): [number, number] => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const near = (event: PointerEvent): number | undefined => {
    const within = event.pointerType === "mouse" ? WITHIN.mouse : WITHIN.touch;
    return axisNear(axes.frame(), ...placeOf(event), canvas.clientWidth, within);
  };
  canvas.addEventListener("pointermove", (event) => {
    if (isHolding) axes.move(axes.marked()!, axisTo(...placeOf(event), canvas.clientWidth));
    else if (event.pointerType === "mouse") axes.mark(near(event));
    canvas.style.cursor = isHolding ? "grabbing" : axes.marked() === undefined ? "" : "grab";
  });
  canvas.addEventListener("pointerdown", (event) => {
    axes.mark(near(event));
    if (axes.marked() === undefined || axes.frame().length < LEAST_COLUMNS) return;
    isHolding = true;
    canvas.setPointerCapture(event.pointerId);
  });
  // a finger that holds an axis does not scroll the page
  const stay = (event: TouchEvent): void => {
    if (isHolding) event.preventDefault();
  };
  canvas.addEventListener("touchmove", stay, { passive: false });
  const release = (): void => {
    if (!isHolding) return;
    isHolding = false;
    axes.release();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  return () => isHolding;
}

/** Page keys choose an axis, arrows move it; whether the key was one of these */
export function moveByKey(key: string, axes: Axes): boolean {
  const [d, k, step] = [axes.frame().length, axes.marked(), ARROWS[key]];
  if (key === "PageDown") axes.mark(((k ?? -1) + 1) % d);
  else if (key === "PageUp") axes.mark(((k ?? d) + d - 1) % d);
  else if (step && k !== undefined && d >= LEAST_COLUMNS) {
    const [a, b] = axes.frame()[k]!;
    axes.move(k, [a + step[0], b + step[1]]);
    axes.release();
  } else return false;
  return true;
}
