/** Files to download: the results as JSON, the charts as SVG or PNG. */
import type { ChartContent } from "./chart/series.js";
import { svgOf } from "./chart/svg.js";
import type { RunState } from "./run-state.js";

function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A document with the keys of `expen compare --json`; each run has the measured points as well. */
export function resultDocument(run: RunState, problem: string, link: string): Record<string, unknown> {
  const spec = run.spec.value!;
  return {
    problem,
    n: spec.n,
    p: spec.p,
    seed: spec.seed,
    title: run.course.value?.title ?? null,
    engine: run.course.value?.engine ?? null,
    link,
    runs: run.lanes.value.map(({ entrant, result, error, points }) => {
      if (!result)
        return { problem, solver: entrant.solver, options: entrant.options, status: "failed", error: error ?? null };
      const { X: _X, run: description, ...rest } = result;
      return { problem, ...description, ...rest, options: entrant.options, points };
    }),
  };
}

export function saveJson(name: string, document: Record<string, unknown>): void {
  save(`${name}.json`, new Blob([`${JSON.stringify(document, null, 2)}\n`], { type: "application/json" }));
}

export function saveSvg(name: string, charts: ChartContent[], night: boolean): void {
  save(`${name}.svg`, new Blob([svgOf(charts, { night })], { type: "image/svg+xml" }));
}

/** The SVG as a picture of twice its size. */
export async function savePng(name: string, charts: ChartContent[], night: boolean): Promise<void> {
  const url = URL.createObjectURL(new Blob([svgOf(charts, { night })], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    const ctx = canvas.getContext("2d")!;
    ctx.scale(2, 2);
    ctx.drawImage(image, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob) save(`${name}.png`, blob);
  } finally {
    URL.revokeObjectURL(url);
  }
}
