/** The demands of a piece of work on the device, call by call: bytes of tall matrices, flops of products, and the time that they imply. */
import type { Cuda, FunctionName } from "@expen/engines/cuda";
import type { Speeds } from "@expen/linalg";

export interface Row {
  /** a kernel, or a routine of a library with its sizes */
  readonly name: string;
  count: number;
  bytes: number;
  flops: number;
}

export interface Traffic {
  /** the same functions, which count while `of` runs */
  readonly cuda: Cuda;
  /** bytes below which a block is a small matrix, which stays in the cache */
  of(work: () => void, tall: number): Row[];
}

export function traffic(cuda: Cuda): Traffic {
  const names = new Map<number, string>();
  const sizes = new Map<number, number>();
  let slots = new BigInt64Array(0);
  let rows: Map<string, Row> | undefined;
  let least = 0;
  const sizeAt = (at: number): number => ((sizes.get(at) ?? 0) >= least ? sizes.get(at)! : 0);

  function add(name: string, addresses: readonly number[], flops = 0): void {
    const bytes = addresses.reduce((sum, at) => sum + sizeAt(at), 0);
    if (!rows || bytes === 0) return;
    const row = rows.get(name) ?? { name, count: 0, bytes: 0, flops: 0 };
    rows.set(name, { ...row, count: row.count + 1, bytes: row.bytes + bytes, flops: row.flops + flops });
  }

  /** called after a successful call */
  const seen: Partial<Record<FunctionName, (...args: never[]) => void>> = {
    cuMemAlloc_v2: (out: BigUint64Array, bytes: number) => void sizes.set(Number(out[0]), bytes),
    cuMemFree_v2: (at: number) => void sizes.delete(at),
    cuModuleGetFunction: (out: BigUint64Array, _module: number, name: string) => void names.set(Number(out[0]), name),
    cuMemcpyDtoD_v2: (to: number, from: number) => add("copy", [to, from]),
    cuMemsetD8_v2: (at: number) => add("clear", [at]),
    cublasDgemm_v2: (...args: never[]) => {
      const [, tB, tA, n, m, k, , B, , A, , beta, C] = args as unknown as (number & Float64Array)[];
      const kind = tA ? "XᵀY" : tB ? "X·Sᵀ" : "X·S";
      const touched = [A!, ...(A === B ? [] : [B!]), C!, ...(beta![0] === 0 ? [] : [C!])];
      add(`dgemm ${kind}${beta![0] === 0 ? "" : " + Y"}`, touched, 2 * m! * n! * k!);
    },
    cublasDgemmStridedBatched: (...args: never[]) => {
      const [, , , n, m, k, , B, , , A, , , , , , , count] = args as unknown as number[];
      add("dgemm XᵀY", A === B ? [A!] : [A!, B!], 2 * m! * n! * k! * count!);
    },
    cuLaunchKernel: (kernel: number) => {
      if (!rows) return;
      const name = names.get(kernel) ?? "?";
      const values = Array.from(slots, Number);
      // inputs alone; a repeated one is read once
      add(name, /^(rowDots|dots\d+|d_.*)$/.test(name) ? [...new Set(values)] : values);
      slots.fill(0n);
    },
  };

  const counting = { ...cuda } as Cuda;
  for (const [name, look] of Object.entries(seen) as [FunctionName, (...args: unknown[]) => void][]) {
    counting[name] = (...args) => {
      const code = cuda[name](...args);
      if (code === 0) look(...args);
      return code;
    };
  }
  counting.addressOf = (array) => {
    slots = new BigInt64Array(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength / 8);
    return cuda.addressOf(array);
  };
  return {
    cuda: counting,
    of(work, tall) {
      [rows, least] = [new Map(), tall];
      slots.fill(0n);
      work();
      const found = [...rows.values()];
      rows = undefined;
      return found;
    },
  };
}

/** Seconds: the longer of memory and arithmetic, and a call for each */
export const predicted = (row: Row, { flops, bytes, call }: Speeds): number =>
  row.count * call + Math.max(row.bytes / bytes, row.flops / flops);
