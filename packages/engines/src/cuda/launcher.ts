/** How kernels are put on the device: by entries, by rows, and with sums that come back. */
import type { Device, Kernel } from "./device.js";
import { type Fusion, fusedSource, MOST_SUMS, THREADS } from "./fused.js";
import type { Argument } from "./launch-arguments.js";
import { standardNames, standardSource } from "./standard.js";

/** Blocks on each multiprocessor: of rows, of entries, and of sums, which want fewer blocks with more work each */
const [ROW_BLOCKS, BLOCKS, SUM_BLOCKS] = [64, 16, 4];
/** Entries of a thread below which another block of sums does not pay */
const LEAST_SUMMED = 4;
/** Threads along a row, and the part of them that should have work in every round */
const [LANES, BUSY] = [32, 0.85];

export interface Launcher {
  /** One thread for each entry or several; returns the sums. The numbers of `sums` are used again by the next call. */
  fused(
    fusion: Fusion,
    size: number,
    constants: ArrayLike<number>,
    inputs: readonly At[],
    outputs: readonly At[],
  ): Float64Array;
  /** A kernel of row-kernels.ts on n rows of p entries */
  rows(name: string, n: number, p: number, args: readonly Argument[]): void;
  /** A kernel of row-kernels.ts on the entries of n rows of p; its first three arguments are n, p and 1/p */
  entries(name: string, n: number, p: number, args: readonly Argument[]): void;
  /** The same for a kernel that gives one sum as well */
  entriesWithSum(name: string, n: number, p: number, args: readonly Argument[]): Float64Array;
  /** A kernel of row-kernels.ts on `count` independent pieces of work */
  each(name: string, count: number, args: readonly Argument[]): void;
}

interface At {
  readonly at: number;
}

export const address = ({ at }: At): bigint => BigInt(at);

export function launcher(device: Device): Launcher {
  const kernels = new Map<string, Kernel>();
  const most = BLOCKS * device.multiprocessors;
  const mostSums = SUM_BLOCKS * device.multiprocessors;
  const partial = device.allocate(8 * mostSums * MOST_SUMS)!;
  const [received, sums] = [new Float64Array(mostSums * MOST_SUMS), new Float64Array(MOST_SUMS)];
  const known = new WeakMap<Fusion, Kernel>();

  function fusedKernel(fusion: Fusion): Kernel {
    let kernel = known.get(fusion);
    if (kernel) return kernel;
    const name = standardNames.get(fusion);
    kernel = name ? device.kernel(standardSource, name) : device.kernel(fusedSource(fusion, "fused"), "fused");
    known.set(fusion, kernel);
    return kernel;
  }

  function rowKernel(name: string): Kernel {
    let kernel = kernels.get(name);
    if (!kernel) kernels.set(name, (kernel = device.kernel(standardSource, name)));
    return kernel;
  }

  function sumsOf(blocks: number, count: number): Float64Array {
    if (count === 0) return sums;
    const numbers = received.subarray(0, blocks * count);
    device.download(numbers, partial);
    for (let k = 0; k < count; k++) sums[k] = sumOf(numbers, k, count);
    return sums;
  }

  return {
    fused(fusion, size, constants, inputs, outputs) {
      const count = fusion.sums.length;
      const enough = Math.ceil(size / (count > 0 ? LEAST_SUMMED * THREADS : THREADS));
      const blocks = Math.min(enough, count > 0 ? mostSums : most);
      const args: Argument[] = [BigInt(size)];
      for (let i = 0; i < fusion.constants; i++) args.push(constants[i]!);
      for (const x of inputs) args.push(address(x));
      for (const y of outputs) args.push(address(y));
      if (count > 0) args.push(BigInt(partial));
      device.launch(fusedKernel(fusion), [blocks, 1], [THREADS, 1], args);
      return sumsOf(blocks, count);
    },

    rows(name, n, p, args) {
      const lanes = lanesFor(p);
      const height = THREADS / lanes;
      const blocks = Math.min(Math.ceil(n / height), ROW_BLOCKS * device.multiprocessors);
      device.launch(rowKernel(name), [blocks, 1], [lanes, height], args);
    },

    entries(name, n, p, args) {
      const blocks = Math.min(Math.ceil((n * p) / THREADS), most);
      device.launch(rowKernel(name), [blocks, 1], [THREADS, 1], [BigInt(n), BigInt(p), 1 / p, ...args]);
    },

    entriesWithSum(name, n, p, args) {
      const blocks = Math.min(Math.ceil((n * p) / (LEAST_SUMMED * THREADS)), mostSums);
      const all = [BigInt(n), BigInt(p), 1 / p, ...args, BigInt(partial)];
      device.launch(rowKernel(name), [blocks, 1], [THREADS, 1], all);
      return sumsOf(blocks, 1);
    },

    each(name, count, args) {
      device.launch(rowKernel(name), [Math.min(Math.ceil(count / THREADS), most), 1], [THREADS, 1], args);
    },
  };
}

/** A power of two, not larger than needed, that leaves few threads idle in the last round over p columns */
function lanesFor(p: number): number {
  let lanes = LANES;
  while (lanes > 1 && p / (Math.ceil(p / lanes) * lanes) < BUSY) lanes /= 2;
  return lanes;
}

/** Σ numbers[first + k·step], with the error of each addition kept [Neumaier 1974] */
function sumOf(numbers: Float64Array, first: number, step: number): number {
  let [total, compensation] = [0, 0];
  for (let i = first; i < numbers.length; i += step) {
    const t = numbers[i]!;
    const next = total + t;
    compensation += Math.abs(total) >= Math.abs(t) ? total - next + t : t - next + total;
    total = next;
  }
  return Number.isFinite(compensation) ? total + compensation : total;
}
