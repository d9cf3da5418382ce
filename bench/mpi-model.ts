/** The cost of messages: a sum over R ranks is ⌈log₂R⌉ rounds of latency + bytes/bandwidth each (packages/engines/src/mpi/wire.ts). */
import type { MpiSpeed } from "expen/cli";
import type { MpiRun } from "./mpi-run.js";

export interface Network {
  readonly name: string;
  /** seconds of an empty message */
  readonly latency: number;
  /** bytes a second */
  readonly bandwidth: number;
}

/** This machine as measured, and two common ones */
export function networks({ sums }: MpiSpeed): Network[] {
  const [empty, , large] = sums as [MpiSpeed["sums"][0], MpiSpeed["sums"][0], MpiSpeed["sums"][0]];
  const latency = empty.microseconds / 1e6;
  const bandwidth = (8 * (large.numbers - empty.numbers)) / ((large.microseconds - empty.microseconds) / 1e6);
  return [
    { name: "this machine", latency, bandwidth },
    { name: "InfiniBand (3 µs, 10 GB/s)", latency: 3e-6, bandwidth: 1e10 },
    { name: "Ethernet (30 µs, 1 GB/s)", latency: 3e-5, bandwidth: 1e9 },
  ];
}

/**
 * Seconds of an evaluation: the work of one process over R ranks; the sums; the gather of the tridiagonal solve, which grows with R; and
 * a row of p numbers to each neighbour. Reading in JavaScript is in the measured latency.
 */
export function perEvaluation(
  { latency, bandwidth }: Network,
  ranks: number,
  alone: number,
  p: number,
  { reductions, exchanges, bytes }: Pick<MpiRun, "reductions" | "exchanges" | "bytes">,
): number {
  const rounds = Math.ceil(Math.log2(ranks));
  const sums = rounds * (reductions * latency + bytes / bandwidth);
  const gathered = 8 * 2 * ranks;
  const others = exchanges * (rounds * latency) + (gathered + 16 * p) / bandwidth;
  return alone / ranks + sums + others;
}
