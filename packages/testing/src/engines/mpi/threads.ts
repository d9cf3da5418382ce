/** Ranks without MPI: threads of this process, each with the whole program, that meet in shared memory. */
import type { Wire } from "@expen/engines/mpi";

/** Numbers that a mailbox holds; longer messages go in several pieces */
const CAPACITY = 4096;
const SLOT = 8 + 8 * CAPACITY;

/** One mailbox for each pair (from, to): a flag (0 empty, 1 full) and room for numbers */
export const mailboxes = (size: number): SharedArrayBuffer => new SharedArrayBuffer(size * size * SLOT);

export function threadWire(memory: SharedArrayBuffer, rank: number, size: number): Wire {
  const box = (from: number, to: number) => {
    const at = (from * size + to) * SLOT;
    return { flag: new Int32Array(memory, at, 1), numbers: new Float64Array(memory, at + 8, CAPACITY) };
  };
  const until = (flag: Int32Array, value: number): void => {
    while (Atomics.load(flag, 0) !== value) {
      if (Atomics.wait(flag, 0, 1 - value, 30_000) === "timed-out") throw new Error(`rank ${rank} waited in vain`);
    }
  };
  const put = (flag: Int32Array, value: number): void => {
    Atomics.store(flag, 0, value);
    Atomics.notify(flag, 0);
  };
  /** `out` to one rank and `into` from another, piece by piece */
  function pass(to: number, out: Float64Array, from: number, into: Float64Array): void {
    const [there, here] = [box(rank, to), box(from, rank)];
    for (let at = 0; at < Math.max(out.length, into.length); at += CAPACITY) {
      if (at < out.length) {
        until(there.flag, 0);
        there.numbers.set(out.subarray(at, at + CAPACITY));
        put(there.flag, 1);
      }
      if (at < into.length) {
        until(here.flag, 1);
        into.set(here.numbers.subarray(0, Math.min(CAPACITY, into.length - at)), at);
        put(here.flag, 0);
      }
    }
  }
  const none = new Float64Array(0);
  const starts = (counts: Int32Array): number[] =>
    Array.from(counts, (_, r) => counts.slice(0, r).reduce((a, b) => a + b, 0));
  const part = (x: Float64Array, counts: Int32Array, r: number): Float64Array => {
    const at = starts(counts)[r]!;
    return x.subarray(at, at + counts[r]!);
  };
  return {
    rank,
    size,
    local: size,
    name: "threads",
    swap: (partner, x, y, count) => pass(partner, x.subarray(0, count), partner, y.subarray(0, count)),
    send: (to, x, count) => pass(to, x.subarray(0, count), to, none),
    receive: (from, x, count) => pass(from, none, from, x.subarray(0, count)),
    gather(into, counts, mine) {
      part(into, counts, rank).set(mine);
      for (let s = 1; s < size; s++) {
        const from = (rank - s + size) % size;
        pass((rank + s) % size, mine, from, part(into, counts, from));
      }
    },
    deal(into, received, x, sent) {
      part(into, received, rank).set(part(x, sent, rank));
      for (let s = 1; s < size; s++) {
        const [to, from] = [(rank + s) % size, (rank - s + size) % size];
        pass(to, part(x, sent, to), from, part(into, received, from));
      }
    },
    broadcast(x) {
      for (let r = 1; r < size; r++) {
        if (rank === 0) pass(r, x, r, none);
        else if (rank === r) pass(0, none, 0, x);
      }
    },
    abort: () => undefined,
    leave: () => undefined,
    close: () => undefined,
  };
}
