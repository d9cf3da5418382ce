/** What nearly every run needs, in one program: NVRTC takes as long for one short kernel as for many. */
import { dotsFusion, type Fusion, fillFusion, kernelSource, sumFusion } from "./fused.js";
import { rowSource } from "./row-kernels.js";

/** Sums and inner products up to this length are in the program; longer ones are compiled when they are needed. */
const MOST = 6;

const lengths = Array.from({ length: MOST }, (_, i) => i + 1);
/** By name. `sums[k]` adds k matrices, `dots[k]` takes k inner products. */
export const standard = {
  fill: fillFusion,
  sums: [undefined, ...lengths.map(sumFusion)] as readonly (Fusion | undefined)[],
  dots: [undefined, ...lengths.map(dotsFusion)] as readonly (Fusion | undefined)[],
};

/** The name in the program of each description */
export const standardNames: ReadonlyMap<Fusion, string> = new Map([
  [standard.fill, "fill"],
  ...lengths.map((k) => [standard.sums[k]!, `sum${k}`] as const),
  ...lengths.map((k) => [standard.dots[k]!, `dots${k}`] as const),
]);

export const standardSource = `${rowSource}${[...standardNames].map(([f, name]) => kernelSource(f, name)).join("")}`;
