/** Programs of the gallery in their page: an editor, a worker that runs them, and what comes of it. */
import { editor } from "@expen/playground/editor";
import { type Picture, toSvg } from "../gallery/picture.js";
import { space, type Turnable } from "../gallery/space.js";
import { play } from "./play.js";
import type { Answer, Outcome } from "./runner.js";

declare global {
  /** runner.js sets it: the worker's whole program as a function, whose text makes a worker even where files may load none */
  var expenRunner: (() => void) | undefined;
}

const loadRunner = (root: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const done = (): void => {
      const text = `(${String(globalThis.expenRunner)})();`;
      resolve(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    };
    if (globalThis.expenRunner) return done();
    const script = document.createElement("script");
    script.src = `${root}runner.js`;
    script.onload = done;
    script.onerror = () => reject(new Error("runner.js could not be loaded; is it beside these pages?"));
    document.head.append(script);
  });

/** radians a pixel, and a press of an arrow key */
const BY_PIXEL = 0.01;
const BY_KEY = 0.12;

/** A picture of space turns by dragging and by the arrow keys. */
function makeTurnable(box: HTMLElement, { points, options }: Turnable): void {
  let [turn, tilt] = [options.turn ?? 0.6, options.tilt ?? -0.35];
  const draw = (): void => {
    box.innerHTML = toSvg(space(points, { ...options, turn, tilt }));
  };
  const by = (dx: number, dy: number): void => {
    turn += dx;
    tilt = Math.max(-1.5, Math.min(1.5, tilt + dy));
    draw();
  };
  box.tabIndex = 0;
  box.classList.add("turnable");
  box.setAttribute("role", "application");
  box.setAttribute("aria-label", `${options.title}; the arrow keys turn it`);
  box.onpointerdown = (event) => box.setPointerCapture(event.pointerId);
  box.onpointermove = (event) => {
    if (box.hasPointerCapture(event.pointerId)) by(event.movementX * BY_PIXEL, -event.movementY * BY_PIXEL);
  };
  box.onkeydown = (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    by(BY_KEY * step[0]!, BY_KEY * step[1]!);
  };
}

function showPicture(box: HTMLElement, picture: Picture & { space?: Turnable }): void {
  box.innerHTML = toSvg(picture);
  if (picture.space) makeTurnable(box, picture.space);
}

function soundButtons(sounds: NonNullable<Outcome["sounds"]>): HTMLElement[] {
  return sounds.map((sound) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `▶ ${sound.name}`;
    button.addEventListener("click", () => play(sound));
    return button;
  });
}

function setUp(box: HTMLElement): void {
  const root = document.body.dataset.root ?? "";
  const part = <E extends HTMLElement>(selector: string): E => box.querySelector<E>(selector)!;
  const [run, reset, status] = [part<HTMLButtonElement>(".run"), part<HTMLButtonElement>(".reset"), part(".status")];
  const [output, picture, sounds] = [part(".output"), part(".stage"), part(".sounds")];
  const original = part(".code pre").textContent ?? "";
  const place = part(".code");
  place.replaceChildren();
  const code = editor(place, { text: original, names: [], label: "Program", changed: () => (reset.disabled = false) });

  let worker: Worker | undefined;
  const end = (): void => {
    worker?.terminate();
    worker = undefined;
    run.textContent = "Run";
  };
  const fail = (text: string, line?: number): void => {
    const at = line === undefined ? code.firstSyntaxError() : { line, column: 1 };
    code.show(at ? { text, ...at } : null);
    status.textContent = at ? `Line ${at.line}: ${text}` : text;
    status.classList.add("bad");
  };
  const receive = ({ data }: { data: Answer }): void => {
    end();
    if ("error" in data) {
      fail(data.error.text, data.error.line);
      return;
    }
    const { text, picture: made, sounds: tones = [], seconds } = data.outcome;
    output.textContent = text;
    if (made) showPicture(picture, made);
    sounds.replaceChildren(...soundButtons(tones));
    status.textContent = `${seconds < 1 ? `${Math.round(1000 * seconds)} ms` : `${seconds.toFixed(1)} s`} in this page`;
  };
  const start = async (): Promise<void> => {
    code.show(null);
    status.classList.remove("bad");
    status.textContent = "Running …";
    run.textContent = "Stop";
    try {
      const address = await loadRunner(root);
      worker = new Worker(address);
      URL.revokeObjectURL(address);
      worker.onmessage = receive;
      worker.onerror = (event) => {
        end();
        fail(event.message || "the worker could not start; another browser may allow it.");
      };
      worker.postMessage(code.text());
    } catch (error) {
      end();
      fail((error as Error).message);
    }
  };
  run.addEventListener("click", () => {
    if (!worker) return void start();
    end();
    status.textContent = "Stopped.";
  });
  reset.addEventListener("click", () => {
    code.replace(original);
    code.show(null);
    reset.disabled = true;
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      end();
      void start();
    }
  });
  run.hidden = reset.hidden = false;
  reset.disabled = true;
  // pictures of space can be turned at once, sounds played: what they are made of comes with a run
  if (box.dataset.autorun === "yes") void start();
}

for (const box of document.querySelectorAll<HTMLElement>(".live")) setUp(box);
