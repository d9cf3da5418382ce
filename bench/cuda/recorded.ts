/** An engine on the device whose calls of cuBLAS are recorded, so that they can be repeated alone. */

import type { Cuda, FunctionName } from "@expen/engines/cuda";
import { type CudaEngine, cudaEngineOn, nativeCuda } from "@expen/engines/cuda";
import { type Traffic, traffic } from "./traffic.js";

export interface Recorded {
  readonly E: CudaEngine;
  /** Waits until the device has done everything. */
  wait(): void;
  /** the demands of `work` on the device (traffic.ts) */
  readonly trafficOf: Traffic["of"];
  /** Seconds of the products of `work` alone in sequence: the best of some rounds */
  productsOf(work: () => void): { seconds: number; count: number };
  /** Seconds of one call: the best mean over some rounds of `times` calls */
  seconds(work: () => void, times?: number, rounds?: number): number;
}

const PRODUCTS: readonly FunctionName[] = ["cublasDgemm_v2", "cublasDgemmStridedBatched"];

export async function recorded(): Promise<Recorded> {
  const cuda = await nativeCuda();
  let calls: (() => number)[] | undefined;
  const recording: Cuda = { ...cuda };
  for (const name of PRODUCTS) {
    recording[name] = (...args: unknown[]) => {
      // the engine reuses the arrays of α and β
      const kept = args.map((x) => (x instanceof Float64Array ? x.slice() : x));
      calls?.push(() => cuda[name](...kept));
      return cuda[name](...args);
    };
  }
  const counted = traffic(recording);
  const E = cudaEngineOn(counted.cuda);
  const wait = (): void => void cuda.cuCtxSynchronize();

  function seconds(work: () => void, times = 5, rounds = 3): number {
    let best = Number.POSITIVE_INFINITY;
    work();
    wait();
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      for (let i = 0; i < times; i++) work();
      wait();
      best = Math.min(best, (performance.now() - began) / 1000 / times);
    }
    return best;
  }

  function productsOf(work: () => void): { seconds: number; count: number } {
    const kept: (() => number)[] = [];
    calls = kept;
    work();
    calls = undefined;
    const again = (): void => {
      for (const call of kept) call();
    };
    return { count: kept.length, seconds: seconds(again, 3) };
  }

  return { E, wait, trafficOf: counted.of, productsOf, seconds };
}
