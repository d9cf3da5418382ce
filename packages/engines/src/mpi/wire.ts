/** Messages between ranks. MPI sends them (library.ts); tests have threads that meet in shared memory. All calls block. */
export interface Wire {
  readonly rank: number;
  readonly size: number;
  /** ranks on this machine */
  readonly local: number;
  /** for people: which MPI, which version */
  readonly name: string;
  /** Sends the first `count` numbers to the partner and receives as many of its own. */
  swap(partner: number, send: Float64Array, receive: Float64Array, count: number): void;
  send(to: number, numbers: Float64Array, count: number): void;
  receive(from: number, numbers: Float64Array, count: number): void;
  /** into ← the numbers of all ranks one after the other, counts[r] of rank r */
  gather(into: Float64Array, counts: Int32Array, mine: Float64Array): void;
  /** Rank q gets sent[q] of the numbers of `send`, one rank after the other; received[q] of them come from q. */
  deal(receive: Float64Array, received: Int32Array, send: Float64Array, sendCounts: Int32Array): void;
  /** numbers ← those of rank 0 */
  broadcast(numbers: Float64Array): void;
  /** Ends all ranks. */
  abort(code: number): void;
  /** To be called by all ranks that are done. */
  leave(): void;
  /** The last call */
  close(): void;
}

/** Numbers that came in to be added. Receiving has room for a longer message than was expected, to say that it was. */
const SLACK = 64;

/**
 * x ← Σ over ranks, the same bits on every rank and in every run: recursive doubling with partners rank ⊕ 1, ⊕ 2, ⊕ 4, …, in which both
 * partners add the same two numbers, and a + b = b + a also in floating point. Ranks beyond the largest power of two hand theirs to a
 * partner first. MPI_Allreduce promises neither.
 */
export function summing({ rank, size, swap, send, receive }: Wire): (x: Float64Array, count: number) => void {
  const core = 2 ** Math.floor(Math.log2(size));
  const helped = rank + core < size;
  let other = new Float64Array(SLACK);
  const add = (x: Float64Array, count: number): void => {
    for (let i = 0; i < count; i++) x[i]! += other[i]!;
  };
  return (x, count) => {
    if (size === 1) return;
    if (other.length < count + SLACK) other = new Float64Array(2 * count + SLACK);
    if (rank >= core) {
      send(rank - core, x, count);
      receive(rank - core, x, count);
      return;
    }
    if (helped) {
      receive(rank + core, other, count);
      add(x, count);
    }
    for (let bit = 1; bit < core; bit *= 2) {
      swap(rank ^ bit, x, other, count);
      add(x, count);
    }
    if (helped) send(rank + core, x, count);
  };
}
