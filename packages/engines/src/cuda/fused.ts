/**
 * Elementwise work as one kernel, from one description: what is read, the instructions of a chain on it, what is written, what is
 * summed up. `combine`, `combination`, `dots` and every `map` are such descriptions.
 */
import type { ElementwiseName, Instruction } from "@expen/linalg";

export interface Fusion {
  readonly inputs: number;
  readonly constants: number;
  readonly code: readonly Instruction[];
  readonly outputs: readonly number[];
  /** registers whose entries are summed up, each by itself */
  readonly sums: readonly number[];
}

/** Threads of a block */
export const THREADS = 256;
/** Entries that a thread of sums reads at once: it has few neighbours to hide the way to memory */
const SUMMED = 2;
/** The most sums of one kernel */
export const MOST_SUMS = 16;

/** In CUDA C, which is JavaScript too but for its types. NaN and −0 as JavaScript has them. */
const expressions: Record<ElementwiseName, (x: string, y: string, w: string) => string> = {
  copy: (x) => x,
  neg: (x) => `-${x}`,
  abs: (x) => `fabs(${x})`,
  sign: (x) => `${x} > 0 ? 1.0 : ${x} < 0 ? -1.0 : ${x}`,
  square: (x) => `${x} * ${x}`,
  reciprocal: (x) => `1.0 / ${x}`,
  sqrt: (x) => `sqrt(${x})`,
  exp: (x) => `exp(${x})`,
  expm1: (x) => `expm1(${x})`,
  log: (x) => `log(${x})`,
  log1p: (x) => `log1p(${x})`,
  tanh: (x) => `tanh(${x})`,
  logcosh: (x) => `logcosh(${x})`,
  softplus: (x) => `softplus(${x})`,
  sigmoid: (x) => `sigmoid(${x})`,
  sin: (x) => `sin(${x})`,
  cos: (x) => `cos(${x})`,
  atan: (x) => `atan(${x})`,
  add: (x, y) => `${x} + ${y}`,
  sub: (x, y) => `${x} - ${y}`,
  mul: (x, y) => `${x} * ${y}`,
  div: (x, y) => `${x} / ${y}`,
  max: (x, y) => `larger(${x}, ${y})`,
  min: (x, y) => `-larger(-${x}, -${y})`,
  less: (x, y) => `${x} < ${y} ? 1.0 : 0.0`,
  pow: (x, y) => `power(${x}, ${y})`,
  muladd: (x, y, w) => `${x} * ${y} + ${w}`,
  select: (x, y, w) => `${x} == 0 ? ${w} : ${y}`,
};

/** The functions that C does not have, by the name under which an expression calls them (elementwise/operations.ts) */
const functions: Record<string, string> = {
  logcosh: `
__device__ double logcosh(double x) {
  double a = fabs(x);
  double s = sinh(0.5 * a);
  return a < 0.85 ? log1p(2.0 * s * s) : a - 0.6931471805599453 + log1p(exp(-2.0 * a));
}`,
  softplus: `
__device__ double softplus(double x) { return (x > 0 ? x : x < 0 ? 0.0 : x) + log1p(exp(-fabs(x))); }`,
  sigmoid: `
__device__ double sigmoid(double x) {
  double t = exp(-fabs(x));
  return (x < 0 ? t : 1.0) / (1.0 + t);
}`,
  larger: `
__device__ double larger(double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return 1.0 / x < 0 ? y : x;
  return x > y ? x : y;
}`,
  power: `
__device__ double power(double x, double y) {
  if (y != y) return y;
  if (fabs(x) == 1.0 && fabs(y) > 1.7976931348623157e308) return y - y;
  return pow(x, y);
}`,
};

const list = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));

/** A kernel. Its parameters are n, the constants, the inputs, the outputs, and where the sums of each block go. */
export function fusedSource(fusion: Fusion, name: string): string {
  const called = Object.keys(functions).filter((f) => fusion.code.some(({ op }) => calls(op, f)));
  return `${called.map((f) => functions[f]).join("")}${kernelSource(fusion, name)}`;
}

const calls = (op: ElementwiseName, name: string): boolean => expressions[op]("", "", "").includes(`${name}(`);

export function kernelSource({ inputs, constants, code, outputs, sums }: Fusion, name: string): string {
  const operand = (r: number): string => (r < 0 ? `c${-1 - r}` : `r${r}`);
  const parameters = [
    "long long n",
    ...list(constants, (i) => `double c${i}`),
    ...list(inputs, (i) => `const double* x${i}`),
    ...outputs.map((_, i) => `double* y${i}`),
    ...(sums.length > 0 ? ["double* partial"] : []),
  ];
  /** entry k of the so many that a thread has at hand: all are read before one is written */
  const value = (r: number, k: number): string => (r < 0 ? operand(r) : `${operand(r)}_${k}`);
  const at = (k: number): string => (k === 0 ? "[i]" : `[i + ${k} * step]`);
  const body = (entries: number): string =>
    [
      ...list(entries, (k) => list(inputs, (i) => `double r${i}_${k} = x${i}${at(k)};`)).flat(),
      ...list(entries, (k) => code.map((instruction, i) => computed(instruction, i, k))).flat(),
      ...list(entries, (k) => outputs.map((r, i) => `y${i}${at(k)} = ${value(r, k)};`)).flat(),
      ...list(entries, (k) => sums.map((r, i) => `s${i} += ${value(r, k)};`)).flat(),
    ].join("\n    ");
  const computed = ({ op, args }: Instruction, i: number, k: number): string => {
    const [x = "", y = "", w = ""] = args.map((r) => value(r, k));
    return `double r${inputs + i}_${k} = ${expressions[op](x, y, w)};`;
  };
  const several = sums.length > 0 ? SUMMED : 1;
  return `
extern "C" __global__ void ${name}(${parameters.join(", ")}) {
${sums.map((_, i) => `  double s${i} = 0;`).join("\n")}
  long long step = (long long)gridDim.x * blockDim.x;
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
${several > 1 ? `  for (; i + ${several - 1} * step < n; i += ${several} * step) {\n    ${body(several)}\n  }` : ""}
  for (; i < n; i += step) {
    ${body(1)}
  }
${sums.length > 0 ? blockSums(sums.length) : ""}
}
`;
}

/** partial[block·count + k] ← the sum of s_k over the threads of the block, by halves */
export const blockSums = (count: number): string => `
  __shared__ double t[${THREADS}];
${list(
  count,
  (k) => `
  t[threadIdx.x] = s${k};
  __syncthreads();
  for (int h = ${THREADS / 2}; h > 0; h >>= 1) {
    if (threadIdx.x < h) t[threadIdx.x] += t[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x * ${count} + ${k}] = t[0];
  __syncthreads();`,
).join("\n")}`;

/** Z ← Σ c_i·X_i */
export function sumFusion(count: number): Fusion {
  const code: Instruction[] = [{ op: "mul", args: [-1, 0] }];
  for (let i = 1; i < count; i++) code.push({ op: "muladd", args: [-1 - i, i, count + i - 1] });
  return { inputs: count, constants: count, code, outputs: [2 * count - 1], sums: [] };
}

/** ⟨X_i, Y⟩ for i < count; the last input is Y */
export function dotsFusion(count: number): Fusion {
  const code = Array.from({ length: count }, (_, i): Instruction => ({ op: "mul", args: [i, count] }));
  return { inputs: count + 1, constants: 0, code, outputs: [], sums: code.map((_, i) => count + 1 + i) };
}

/** a in every entry */
export const fillFusion: Fusion = {
  inputs: 0,
  constants: 1,
  code: [{ op: "copy", args: [-1] }],
  outputs: [0],
  sums: [],
};
