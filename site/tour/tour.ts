/** The page of the tour: data, index, classes, and a picture that turns from plane to plane. */
import { type Axes, dragAxes, moveByKey } from "./hand.js";
import { indices, type PlaneFunction } from "./indices.js";
import { firstFrame, type Stop, stops } from "./path.js";
import { type Frame, geodesic, withAxisAt } from "./plane.js";
import { SAMPLES } from "./samples.js";
import { readTable, sphere, standardise, type Table } from "./table.js";
import { draw, reach } from "./view.js";

/** seconds that a plane stays before the tour goes on */
const REST = 1.6;
/** rad a second at speed 1 */
const SPEED = 0.6;

const part = <E extends HTMLElement>(selector: string): E => document.querySelector<E>(`.tour ${selector}`)!;
const canvas = part<HTMLCanvasElement>("canvas");
const [choice, file, index, byClass] = [
  part<HTMLSelectElement>("#tour-data"),
  part<HTMLInputElement>("#tour-file"),
  part<HTMLSelectElement>("#tour-index"),
  part<HTMLSelectElement>("#tour-class"),
];
const [button, speed, status, weights, legend] = [
  part<HTMLButtonElement>(".run"),
  part<HTMLInputElement>("#tour-speed"),
  part(".status"),
  part("tbody"),
  part(".legend"),
];

let table: Table = readTable(SAMPLES.iris!());
let rows: number[][] = [];
let classes: number[] = [];
let frame: Frame = [];
let scale = 1;
let way: { at(t: number): Frame; length: number; stop: Stop } | undefined;
/** of the way that is gone, rad */
let gone = 0;
let resting = 0;
/** the axis under the pointer or chosen by keys */
let marked: number | undefined;
let f: PlaneFunction | undefined;
let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
let tour: AsyncGenerator<Stop, never, Frame> | undefined;
/** a tour that has been replaced gives no more stops */
let generation = 0;
let seed = 1;

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function paint(): void {
  const side = canvas.clientWidth;
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(side * ratio)) canvas.width = canvas.height = Math.round(side * ratio);
  const ctx = canvas.getContext("2d")!;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const colours = {
    classes: [0, 1, 2, 3, 4, 5, 6].map((i) => css(`--c${i}`)),
    ink: css("--ink"),
    muted: css("--muted"),
    grid: css("--grid"),
  };
  draw(ctx, side, scale, { rows, classes, names: table.names, frame, marked, colours });
}

/** The plane as numbers, when the picture rests */
function describe({ value }: Stop): void {
  const title = indices[index.value]?.title;
  status.textContent =
    value === undefined || !title ? "A random plane." : `${title}: ${value.toFixed(4)}, a local best.`;
  listWeights();
}

function listWeights(): void {
  weights.replaceChildren(
    ...table.names.map((name, k) => {
      const line = document.createElement("tr");
      line.classList.toggle("marked", k === marked);
      line.addEventListener("pointerenter", () => mark(k));
      for (const text of [name, frame[k]![0].toFixed(2), frame[k]![1].toFixed(2)]) {
        line.append(Object.assign(document.createElement("td"), { textContent: text }));
      }
      return line;
    }),
  );
}

/** Asks for the next stop; `way` is there when the promise is kept. */
let arrival: Promise<void> = Promise.resolve();
function goOn(): void {
  const own = generation;
  way = undefined;
  const ask = async (): Promise<void> => {
    const { value: stop } = await tour!.next(frame);
    if (own === generation) [way, gone, resting] = [{ ...geodesic(frame, stop.frame), stop }, 0, 0];
  };
  arrival = ask().catch((error: Error) => {
    status.textContent = error.message;
    status.classList.add("bad");
  });
}

/** The rest of the way at once */
async function jump(): Promise<void> {
  if (way && gone === way.length) goOn();
  await arrival;
  if (!way) return;
  frame = way.at(1);
  gone = way.length;
  resting = 0;
  describe(way.stop);
  paint();
}

function begin(): void {
  generation++;
  way = undefined;
  f = indices[index.value]?.make(rows, classes);
  tour = stops(f, frame, seed++);
  status.textContent = "";
  goOn();
}

/** Rows as the index wants them; classes by the chosen column */
function prepare(): void {
  const words = table.classes[byClass.value] ?? [];
  const names = [...new Set(words)].sort();
  classes = table.rows.map((_, i) => Math.max(0, names.indexOf(words[i]!)));
  const standard = standardise(table.rows);
  rows = indices[index.value]?.sphered ? sphere(standard) : standard;
  scale = reach(rows);
  if (frame.length !== table.names.length) frame = firstFrame(table.names.length);
  const swatch = (name: string, i: number): HTMLElement => {
    const item = Object.assign(document.createElement("li"), {
      textContent: /^\d+$/.test(name) ? `${byClass.value} ${name}` : name,
    });
    item.style.setProperty("--swatch", `var(--c${i % 7})`);
    return item;
  };
  legend.replaceChildren(...names.map(swatch));
  const noClasses = names.length < 2;
  for (const option of index.options) option.disabled = noClasses && (indices[option.value]?.needsClasses ?? false);
  part(".help").textContent = indices[index.value]?.help ?? "Planes at random: every view comes by in time.";
}

function show(source: string | Uint8Array): void {
  table = readTable(source);
  marked = undefined;
  byClass.replaceChildren(...[...Object.keys(table.classes), ""].map((name) => new Option(name || "none", name)));
  frame = [];
  if (index.value === "classes" && Object.keys(table.classes).length === 0) index.value = "holes";
  prepare();
  begin();
  paint();
}

function attempt(act: () => void): void {
  status.classList.remove("bad");
  try {
    act();
  } catch (error) {
    status.textContent = (error as Error).message;
    status.classList.add("bad");
  }
}

async function open(own: File): Promise<void> {
  const bytes = new Uint8Array(await own.arrayBuffer());
  attempt(() => show(bytes));
}

function setPlaying(value: boolean): void {
  playing = value;
  button.textContent = playing ? "Pause" : "Play";
}

/** The same axis in the picture and in the table */
function mark(k: number | undefined): void {
  if (k === marked) return;
  marked = k;
  for (const [i, line] of [...weights.children].entries()) line.classList.toggle("marked", i === k);
  paint();
}

/** Puts an axis at a point of the plane; the index follows. */
function moveAxis(k: number, to: readonly [number, number]): void {
  frame = withAxisAt(frame, k, to);
  way = undefined;
  generation++;
  const title = indices[index.value]?.title;
  const X = { rows: frame.length, cols: 2, data: Float64Array.from(frame.flat()) };
  const [a, b] = frame[k]!.map((v) => v.toFixed(2));
  status.textContent = `${table.names[k]} at (${a}, ${b})${f && title ? `; ${title}: ${(-f.f(X)).toFixed(4)}` : ""}.`;
  listWeights();
  paint();
}

const axes: Axes = {
  frame: () => frame,
  marked: () => marked,
  mark,
  move: moveAxis,
  release() {
    setPlaying(false);
    // the next stop is the local best that is uphill from here
    tour = stops(f, frame, seed++);
    goOn();
  },
};
const isHolding = dragAxes(canvas, axes);

let before = 0;
function step(now: number): void {
  const seconds = Math.min(0.1, (now - before) / 1000);
  before = now;
  if (playing && way && !isHolding()) {
    const { length, stop } = way;
    if (gone < length) {
      gone = Math.min(length, gone + seconds * SPEED * Number(speed.value));
      frame = way.at(gone / length);
      if (gone === length) describe(stop);
      paint();
    } else {
      if (resting === 0) describe(stop);
      resting += seconds;
      if (resting > REST) goOn();
    }
  }
  requestAnimationFrame(step);
}

choice.addEventListener("change", () => attempt(() => show(SAMPLES[choice.value]!())));
file.addEventListener("change", async () => {
  const [own] = file.files ?? [];
  if (own) await open(own);
});
const stage = part(".stage");
stage.addEventListener("dragover", (event) => event.preventDefault());
stage.addEventListener("drop", (event) => {
  event.preventDefault();
  const own = event.dataTransfer?.files[0];
  if (own) void open(own);
});
for (const select of [index, byClass]) {
  select.addEventListener("change", () =>
    attempt(() => {
      prepare();
      begin();
      paint();
    }),
  );
}
button.addEventListener("click", () => setPlaying(!playing));
part(".next").addEventListener("click", () => void jump());
canvas.addEventListener("keydown", (event) => {
  if (event.key === " ") setPlaying(!playing);
  else if (!moveByKey(event.key, axes)) return;
  event.preventDefault();
});
new ResizeObserver(paint).observe(canvas);
new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
setPlaying(playing);
show(SAMPLES.iris!());
requestAnimationFrame(step);
