/** What nearly every run needs, in one program: NVRTC takes as long for one short kernel as for many. */
import { type Beside, dotsFusion, type Fusion, fillFusion, kernelSource, sumDotsFusion, sumFusion } from "./fused.js";
import { rowSource } from "./row-kernels.js";

/** Sums and inner products up to this length are in the program; longer ones are compiled when they are needed. */
const MOST = 6;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

const SUM: Beside = { of: "sum" };
const term: Beside = { of: "term", at: 0 };
type Pair = readonly [Beside, Beside];

/**
 * Inner products that limited-memory methods ask for just after a sum: ⟨Z, Z⟩ of a direction Z, ⟨X_i, Z⟩ with its own terms, and ⟨D_i, G⟩
 * and ⟨G, G⟩ after y = G − G'
 */
const besides: (readonly [number, readonly Pair[]])[] = [
  ...upTo(5).map((count) => [count, [[SUM, SUM]]] as const),
  ...upTo(5).map((count) => [count, upTo(count).map((i): Pair => [{ of: "term", at: i - 1 }, SUM])] as const),
  ...upTo(4).map((others) => {
    const further = upTo(others).map((i): Pair => [{ of: "other", at: i - 1 }, term]);
    return [2, [...further, [term, term] as Pair]] as const;
  }),
];

/** A name for a sum with inner products, which says all about it */
export function besideName(count: number, pairs: readonly Pair[]): string {
  const letter = (b: Beside): string => (b.of === "sum" ? "z" : `${b.of === "term" ? "t" : "x"}${b.at}`);
  return `sum${count}_${pairs.map(([x, y]) => letter(x) + letter(y)).join("_")}`;
}

/** By name */
export const standard: ReadonlyMap<string, Fusion> = new Map([
  ["fill", fillFusion],
  ...upTo(MOST).map((k) => [`sum${k}`, sumFusion(k)] as const),
  ...upTo(MOST).map((k) => [`dots${k}`, dotsFusion(k)] as const),
  ...besides.map(([count, pairs]) => [besideName(count, pairs), sumDotsFusion(count, pairs)] as const),
]);

export const standardNames: ReadonlyMap<Fusion, string> = new Map([...standard].map(([name, f]) => [f, name]));

export const standardSource = `${rowSource}${[...standard].map(([name, f]) => kernelSource(f, name)).join("")}`;
