/** `npm run bench:kernels`: GFLOP/s of the products, cost of a call, ns an entry, and whether the targets are met; ratios on one thread each. */
import "@expen/engines/relaxed-simd";
import { blasEngine } from "@expen/engines/blas";
import { wasmEngine } from "@expen/engines/wasm";
import type { Engine } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { entrywise, PRODUCTS, productOn, smallCalls } from "./cases.js";
import { openNumPy } from "./numpy.js";
import { type Runner, race, runner } from "./timing.js";

interface Candidate {
  name: string;
  open(): Promise<Engine>;
  /** excluded from ratios: it is timed after the others, which it would disturb */
  apart?: boolean;
}

const CANDIDATES: Candidate[] = [
  { name: "js", open: async () => jsEngine(), apart: true },
  { name: "simd", open: () => wasmEngine({ relaxed: false }) },
  { name: "relaxed", open: () => wasmEngine({ relaxed: true }) },
  { name: "2 threads", open: () => wasmEngine({ threads: 2 }), apart: true },
  { name: "blas", open: () => blasEngine({ threads: 1 }) },
];

/** Characters of a column. */
const WIDTH = 12;
const line = (title: string, cells: string[]): void =>
  console.log(title.padEnd(36) + cells.map((cell) => cell.padStart(WIDTH)).join(""));
const number = (v: number | undefined): string => (v === undefined ? "–" : v.toPrecision(3));

const engines: { name: string; E: Engine; apart: boolean }[] = [];
for (const { name, open, apart = false } of CANDIDATES) {
  try {
    const E = await open();
    engines.push({ name, E, apart });
    console.log(`${name}: ${E.description}`);
  } catch (error) {
    console.log(`${name}: skipped, ${(error as Error).message.split("\n")[0]}`);
  }
}
const numpy = await openNumPy();
console.log(typeof numpy === "string" ? `numpy: skipped, ${numpy}` : `numpy: ${numpy.version}, 1 thread`);

const names = engines.map(({ name }) => name);
/** title → engine → GFLOP/s */
const speed = new Map<string, Map<string, number>>();

console.log("\nGFLOP/s, best of many, in turns");
line("", [...names, "numpy"]);
for (const product of PRODUCTS) {
  const pick = (wanted: boolean): Runner[] =>
    engines.filter(({ apart }) => apart === wanted).map(({ name, E }) => runner(name, productOn(E, product)));
  const together = pick(false);
  if (typeof numpy !== "string") together.push(numpy.runner(product.kind, product.n, product.p));
  const best = [...(await race(together, 0.8)), ...(await race(pick(true), 0.2))];
  const gflops = new Map(best.map(([name, seconds]) => [name, product.flops / seconds / 1e9]));
  speed.set(product.title, gflops);
  line(
    product.title,
    [...names, "numpy"].map((name) => number(gflops.get(name))),
  );
}

console.log("\nns a call at 4×4");
line("", names);
const calls = engines.map(({ E }) => smallCalls(E));
/** engine → the most expensive call */
const dearest = new Map<string, number>();
for (const op of Object.keys(calls[0]!)) {
  const best = await race(
    names.map((name, i) => runner(name, calls[i]![op]!)),
    0.1,
  );
  for (const [name, seconds] of best) dearest.set(name, Math.max(dearest.get(name) ?? 0, seconds * 1e9));
  line(
    op,
    names.map((name) => number(best.get(name)! * 1e9)),
  );
}

for (const [n, p] of [
  [1000, 50],
  [20000, 100],
] as const) {
  console.log(`\nns an entry at ${n}×${p}`);
  line("", names);
  const operations = engines.map(({ E }) => entrywise(E, n, p));
  for (const op of Object.keys(operations[0]!)) {
    const best = await race(
      names.map((name, i) => runner(name, operations[i]![op]!)),
      0.15,
    );
    line(
      op,
      names.map((name) => number((best.get(name)! * 1e9) / (n * p))),
    );
  }
}

console.log("\nTargets");
function target(what: string, value: number | undefined, bound: number, less = false): void {
  const met = value !== undefined && (less ? value < bound : value >= bound);
  const verdict = value === undefined ? "not measured" : met ? "met" : "MISSED";
  line(what, [number(value), `${less ? "<" : "≥"} ${bound}`, verdict]);
}
function ratio(title: string, of: string, to: string, bound: number): void {
  const [a, b] = [of, to].map((name) => speed.get(title)!.get(name));
  target(`${of}/${to} ${title}`, a && b && a / b, bound);
}
const [gram, , mul] = PRODUCTS.map(({ title }) => title);
const apply = PRODUCTS.at(-1)!.title;
ratio(mul!, "relaxed", "blas", 0.4);
ratio(gram!, "relaxed", "blas", 0.4);
ratio(apply, "relaxed", "blas", 0.3);
for (const title of [mul!, gram!, apply]) ratio(title, "simd", "blas", 0.22);
if (typeof numpy !== "string") {
  for (const { title } of PRODUCTS) ratio(title, "blas", "numpy", 0.95);
}
for (const name of names) target(`${name}: ns a call at 4×4`, dearest.get(name), 1000, true);

if (typeof numpy !== "string") numpy.end();
for (const { E } of engines) E.dispose();
