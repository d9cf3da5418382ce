/** The whole state of the page is its address, #/view?name=value&…: what stands there is what is shown, and a link is a copy of it. */
import { computed, signal } from "@preact/signals";

export const VIEWS = ["race", "manifold", "own", "learn"] as const;
export type View = (typeof VIEWS)[number];

interface Place {
  view: View;
  query: Readonly<Record<string, string>>;
}

function parse(hash: string): Place {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const view = VIEWS.find((name) => name === path) ?? "race";
  return { view, query: Object.fromEntries(new URLSearchParams(search)) };
}

const format = ({ view, query }: Place): string => {
  const search = new URLSearchParams(query).toString();
  return `#/${view}${search ? `?${search}` : ""}`;
};

const place = signal<Place>(parse(location.hash));
/** Visits to an address with `run` in it begin by themselves; counted, so that following a second link begins again. */
export const arrivals = signal(0);

window.addEventListener("hashchange", () => {
  if (location.hash === format(place.value)) return;
  clearTimeout(timer);
  place.value = parse(location.hash);
  arrivals.value++;
});

export const view = computed(() => place.value.view);
export const query = computed(() => place.value.query);

/** A value of the address, or the one that stands for its absence. */
export const setting = (name: string, absent: string): string => query.value[name] ?? absent;

/** Writes values into the address; undefined takes one out. No entry in the history. */
export function change(values: Record<string, string | undefined>): void {
  const kept = { ...place.value.query };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete kept[name];
    else kept[name] = value;
  }
  move({ view: place.value.view, query: kept }, "replace");
}

export function go(view: View, query: Record<string, string> = {}): void {
  move({ view, query }, "push");
}

/** least ms between two changes of the address: browsers refuse more than some 100 in 30 s */
const PAUSE = 350;
let written = Number.NEGATIVE_INFINITY;
let timer = 0;

function replace(): void {
  clearTimeout(timer);
  const wait = written + PAUSE - performance.now();
  if (wait > 0) {
    timer = window.setTimeout(replace, wait);
    return;
  }
  written = performance.now();
  history.replaceState(null, "", format(place.value));
}

function move(to: Place, how: "push" | "replace"): void {
  place.value = to;
  if (how === "push") {
    clearTimeout(timer);
    history.pushState(null, "", format(to));
  } else replace();
}

/** Going back in the history changes the address without a hashchange where pushState wrote it. */
window.addEventListener("popstate", () => {
  clearTimeout(timer);
  place.value = parse(location.hash);
});

/** An address that runs when it is opened. */
export function shareLink(): string {
  return new URL(format({ view: view.value, query: { ...query.value, run: "1" } }), location.href).href;
}
