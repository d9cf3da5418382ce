/** The kernels of nearly every run, in one program: NVRTC takes as long for one short kernel as for many. */
import { dotsFusion, type Fusion, fillFusion, kernelSource, sumFusion } from "./fused.js";
import { type Combination, type Pair, type Pass, passOf } from "./pass.js";
import { rowSource } from "./row-kernels.js";

/** Sums and inner products up to this length are in the program; longer ones are compiled when they are needed. */
const MOST = 6;
/** Pairs of a limited-memory method */
const PAIRS = 5;
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const letters = (count: number, letter: string): string[] => upTo(count).map((i) => `${letter}${i}`);

/** Passes of limited-memory methods with k pairs, in the letters of solvers/quasi-newton/pairs.ts */
function passes(k: number): Pass<string>[] {
  const [Xs, Ds, ys] = [letters(k, "X"), letters(k - 1, "D"), letters(k - 1, "y")];
  const with_ = (Us: readonly string[], V: string): Pair<string>[] => Us.map((U) => [U, V]);
  const sum: Combination<string> = { Xs, Z: "Z" };
  const y: Combination<string> = { Xs: ["G", "old"], Z: "y" };
  const q: Combination<string> = { Xs: [...ys, "y", "G"], Z: "q" };
  const products = with_([...ys, "y", "G", "q"], "q");
  const D: Combination<string> = { Xs: [...letters(k, "D"), "R"], Z: "D" };
  return [
    // a sum with its length, or with its terms
    passOf([sum], [["Z", "Z"]]),
    passOf([sum], with_(Xs, "Z")),
    passOf([sum], with_([...Xs, "Z"], "Z")),
    // inner products by themselves; ⟨D, D⟩, ⟨D_i, G⟩ and ⟨G, G⟩ at a trial point
    passOf([], with_([...letters(k - 1, "X"), "Y"], "Y")),
    passOf([], [["D", "D"], ...with_([...Ds, "D", "G"], "G")]),
    // y with ⟨D_i, G⟩; y and q, with the products of q and without
    passOf([y], with_([...Ds, "D", "G"], "G")),
    passOf([y, q], [["y", "y"], ...products]),
    passOf([y, q], products),
    passOf([y, q], products.slice(0, -1)),
    passOf([y, q], []),
    // a direction and the first trial point along it
    passOf([D, { Xs: ["X", "D"], Z: "trial" }], []),
  ];
}

/** By name */
export const standard: ReadonlyMap<string, Fusion> = new Map([
  ["fill", fillFusion],
  ...upTo(MOST).map((k) => [`sum${k}`, sumFusion(k)] as const),
  ...upTo(MOST).map((k) => [`dots${k}`, dotsFusion(k)] as const),
  ...upTo(PAIRS)
    .flatMap(passes)
    .map((pass) => [pass.name, pass.fusion()] as const),
]);

export const standardNames: ReadonlyMap<Fusion, string> = new Map([...standard].map(([name, f]) => [f, name]));

export const standardSource: string = `${rowSource}${[...standard].map(([name, f]) => kernelSource(f, name)).join("")}`;
