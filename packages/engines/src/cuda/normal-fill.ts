/** Seeded normals made where they are needed: the numbers of the host's generator, drawn by many threads (normal-source.ts). */
import { normalStream } from "@expen/linalg";
import type { Device, Kernel } from "./device.js";
import { normalSource } from "./normal-source.js";
import { jumps } from "./xoshiro-jump.js";

/**
 * The first numbers at an address ← what `next` would give. Returns how many of `size` are there: none where it is no generator that the
 * device can follow, fewer than all where the device is full. `next` gives the others.
 */
export type NormalFill = (at: number, size: number, next: () => number) => number;

/** Fewer numbers are made faster by the host. */
const LEAST = 2 ** 14;
/** Attempts of a thread, four words each; jumps by whole pieces, up to 2^LEVELS of them at a time */
const [LOG_ATTEMPTS, LEVELS] = [10, 20];
const ATTEMPTS = 2 ** LOG_ATTEMPTS;
/** threads of a block */
const THREADS = 128;

export function normalFill(device: Device): NormalFill {
  let kernels: { count: Kernel; write: Kernel; jumps: number } | undefined;

  function prepare(): typeof kernels {
    const matrices = jumps(LOG_ATTEMPTS + 2, LEVELS);
    const at = device.allocate(matrices.byteLength);
    if (at === undefined) return undefined;
    device.upload(at, matrices);
    const kernel = (name: string): Kernel => device.kernel(normalSource, name, ["--fmad=false"]);
    return { count: kernel("countNormals"), write: kernel("writeNormals"), jumps: at };
  }

  return (at, size, next) => {
    const stream = normalStream(next);
    if (!stream || size < LEAST) return 0;
    kernels ??= prepare();
    if (!kernels) return 0;
    let done = 0;
    if (stream.hasSpare()) {
      device.upload(at, Float64Array.of(next()));
      done = 1;
    }
    while (done < size) {
      // π/4 of the attempts give a pair
      const pairs = (size - done) / 2;
      const attempts = (4 / Math.PI) * pairs + 6 * Math.sqrt(pairs);
      const pieces = Math.min(2 ** LEVELS, Math.ceil(attempts / ATTEMPTS));
      const levels = Math.ceil(Math.log2(pieces + 1));
      // states, counts, where each piece writes, the state at the start
      const bytes = [16 * pieces, 4 * pieces + 8, 8 * pieces, 16];
      const room = device.allocate(bytes.reduce((sum, b) => sum + b, 0) + 64);
      if (room === undefined) return done;
      const [states, offsets, counts, start] = [room, room + bytes[0]!, room + 24 * pieces, room + 28 * pieces + 16];
      device.upload(start, stream.state());
      const grid = [Math.ceil(pieces / THREADS), 1] as const;
      const sizes = [BigInt(pieces), BigInt(ATTEMPTS)];
      const begin = [start, kernels.jumps, states, counts].map(BigInt);
      device.launch(kernels.count, grid, [THREADS, 1], [...sizes, BigInt(levels), ...begin]);
      const counted = new Uint32Array(pieces);
      device.download(counted, counts);
      const places = new Float64Array(pieces);
      for (let i = 0, place = done; i < pieces; i++) {
        places[i] = place;
        place += 2 * counted[i]!;
      }
      device.upload(offsets, places);
      const write = [states, offsets, at].map(BigInt);
      device.launch(kernels.write, grid, [THREADS, 1], [...sizes, BigInt(size), ...write]);
      done = moveOn(stream, next, size, places, counted, (words, i) => device.download(words, states + 16 * i));
      device.release(room);
    }
    return size;
  };
}

/** Brings the generator to where the host would have left it; returns how many numbers are there. */
function moveOn(
  stream: NonNullable<ReturnType<typeof normalStream>>,
  next: () => number,
  size: number,
  places: Float64Array,
  counted: Uint32Array,
  read: (words: Uint32Array, piece: number) => void,
): number {
  let last = places.length - 1;
  while (last > 0 && places[last]! >= size) last--;
  const words = new Uint32Array(4);
  read(words, last);
  stream.restart(words);
  const count = Math.min(size - places[last]!, 2 * counted[last]!);
  for (let i = 0; i < count; i++) next();
  return places[last]! + count;
}
