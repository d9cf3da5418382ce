/**
 * CUDA C as far as the engine writes it, run by JavaScript: types go, integer division is a function, a thread is a generator that
 * yields at each __syncthreads(), and at each __syncwarp() too. So the kernels themselves are tested, with their bounds and barriers, on a machine without a device.
 */
export type Parameter = "real" | "whole" | "reals" | "ints" | "unsigneds";
export type Numbers = Float64Array | Int32Array | Uint32Array;

interface Three {
  x: number;
  y: number;
}
export interface TranslatedKernel {
  readonly parameters: readonly Parameter[];
  launch(grid: Three, block: Three, args: readonly (number | Numbers)[]): void;
}

type Thread = (
  threadIdx: Three,
  blockIdx: Three,
  blockDim: Three,
  gridDim: Three,
  shared: (name: string, size: number) => Float64Array,
  ...args: unknown[]
) => Generator<void> | undefined;

const TYPES: readonly [RegExp, Parameter][] = [
  [/^(const )?double\*/, "reals"],
  [/^(const )?unsigned int\*/, "unsigneds"],
  [/^(const )?int\*/, "ints"],
  [/^double\b/, "real"],
  [/^(long long|int|unsigned int)\b/, "whole"],
];

const parameterOf = (text: string): Parameter => {
  const found = TYPES.find(([pattern]) => pattern.test(text));
  if (!found) throw new Error(`a parameter of a kernel is '${text}'; all are of 8 bytes`);
  return found[1];
};
const parametersOf = (text: string): string[] => text.split(",").map((part) => part.trim().replace(/\s+/g, " "));
const namesOf = (text: string): string =>
  parametersOf(text)
    .map((part) => part.split(/[ *]/).at(-1))
    .join(", ");

/** What C has and JavaScript has under another name, or writes in another way */
const PRELUDE = `
const { sqrt, exp, expm1, log, log1p, tanh, sinh, sin, cos, atan, abs: fabs, pow } = Math;
const quotient = (a, b) => Math.floor(a / b);
const rowOf = (k, inverse) => Math.floor((k + 0.5) * inverse);
const power2 = (k) => 2 ** k;
const product32 = (a, b) => Math.imul(a, b) >>> 0;
const rotated = (a, k) => ((a << k) | (a >>> (32 - k))) >>> 0;
const shifted = (a, k) => a >>> k;
const [pair, halves] = ((b) => [new Float64Array(b), new Uint32Array(b)])(new ArrayBuffer(8));
const highWord = (x) => { pair[0] = x; return halves[1]; };
const withHighWord = (x, high) => { pair[0] = x; halves[1] = high; return pair[0]; };
`;
const KNOWN = ["quotient", "rowOf", "power2", "product32", "rotated", "shifted", "highWord", "withHighWord"];

/** Kernels keep nothing between launches: every device that loads the same program may have the same ones. */
const translated = new Map<string, Map<string, TranslatedKernel>>();

export function translate(source: string): Map<string, TranslatedKernel> {
  const known = translated.get(source) ?? translation(source);
  translated.set(source, known);
  return known;
}

function translation(source: string): Map<string, TranslatedKernel> {
  const signatures = new Map<string, readonly Parameter[]>();
  const types = "(?:const )?(?:unsigned int|long long|double|int)";
  let text = source;
  for (const name of KNOWN) text = text.replace(new RegExp(`__device__ [\\w ]+ ${name}\\(.*\\n`), "");
  text = text
    .replace(/extern "C" __global__ void (\w+)\(([^)]*)\)/g, (_, name: string, parameters: string) => {
      signatures.set(name, parametersOf(parameters).map(parameterOf));
      return `kernels.${name} = GENERATOR (threadIdx, blockIdx, blockDim, gridDim, shared, ${namesOf(parameters)})`;
    })
    .replace(new RegExp(`__device__ ${types} (\\w+)\\(([^)]*)\\)`, "g"), (_, name: string, parameters: string) => {
      return `function ${name}(${namesOf(parameters)})`;
    })
    .replace(/__shared__ double (\w+)\[(\d+)\];/g, 'const $1 = shared("$1", $2);')
    .replace(/\b__device__ const (?:double|unsigned int) (\w+)\[\d*\] = \{([^}]*)\}/g, "const $1 = [$2]")
    .replace(/__sync(threads|warp)\(\);/g, "yield;")
    .replace(/\((long long|unsigned int)\)/g, "")
    .replace(new RegExp(`\\b${types} (?=\\w+( =|;|,))`, "g"), "let ");
  // a kernel without barriers is a plain function
  text = text
    .split(/(?=kernels\.)/)
    .map((part) => part.replace("GENERATOR", part.includes("yield;") ? "function*" : "function"))
    .join("\n;");
  const kernels: Record<string, Thread> = {};
  new Function("kernels", `"use strict";${PRELUDE}${text}`)(kernels);
  return new Map(
    [...signatures].map(([name, parameters]) => [name, { parameters, launch: launcher(kernels[name]!) }] as const),
  );
}

const launcher =
  (thread: Thread): TranslatedKernel["launch"] =>
  (gridDim, blockDim, args) => {
    for (let by = 0; by < gridDim.y; by++) {
      for (let bx = 0; bx < gridDim.x; bx++) {
        const arrays = new Map<string, Float64Array>();
        const shared = (name: string, size: number): Float64Array => {
          if (!arrays.has(name)) arrays.set(name, new Float64Array(size).fill(Number.NaN));
          return arrays.get(name)!;
        };
        const waiting: Generator<void>[] = [];
        for (let y = 0; y < blockDim.y; y++) {
          for (let x = 0; x < blockDim.x; x++) {
            const started = thread({ x, y }, { x: bx, y: by }, blockDim, gridDim, shared, ...args);
            if (started) waiting.push(started);
          }
        }
        runToBarriers(waiting);
      }
    }
  };

/** All threads of a block reach each barrier, or none: anything else hangs on a device. */
function runToBarriers(threads: readonly Generator<void>[]): void {
  for (;;) {
    const ended = threads.filter((thread) => thread.next().done).length;
    if (ended === threads.length) return;
    if (ended > 0) throw new Error(`${ended} of ${threads.length} threads miss a barrier`);
  }
}
