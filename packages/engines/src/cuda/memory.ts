/** Matrices on the device. Their memory comes back when the garbage collector has found them dead, and is kept for the next ones. */
import { digits, EngineError } from "@expen/linalg";
import type { Kind, Memory, Owned } from "@expen/linalg/engine";
import { collectGarbage } from "../collect-garbage.js";
import type { Device } from "./device.js";
import type { NormalFill } from "./normal-fill.js";

/** Every block begins on such an address, and its size is a multiple of it. */
const LINE = 512;
/** The collector is told of blocks from this size on, and never of more than the second at once. */
const [HEAVY, HEAVIEST] = [2 ** 16, 2 ** 31];
/** Numbers that a function makes before they are sent */
const PIECE = 2 ** 17;

const gib = (bytes: number): string => digits(bytes / 2 ** 30);

/** Memory of the device that lives as long as this object */
export interface Block {
  readonly at: number;
}

interface Lent {
  readonly at: number;
  readonly bytes: number;
  readonly holder: WeakRef<object>;
  back: boolean;
}

/** One registry for all engines, alive for good (see ../wasm/heap.ts). */
const registry = new FinalizationRegistry<() => void>((release) => release());

export interface DeviceMemory extends Memory {
  /** Memory of so many bytes, not cleared */
  block(bytes: number, what: string): Block;
}

export class DeviceMatrix implements Owned {
  constructor(
    readonly rows: number,
    readonly cols: number,
    readonly owner: object,
    readonly kind: Kind,
    readonly block: Block,
  ) {}
  get at(): number {
    return this.block.at;
  }
  get data(): Float64Array {
    throw new EngineError(
      `data: this ${this.rows}×${this.cols} matrix lies on the device of a 'cuda' engine; ` +
        "copy it with read(), or write f as a formula or in engine operations.",
    );
  }
}

/** `fill`: writes what a seeded generator of normals would give, on the device itself; false where it cannot */
export function deviceMemory(device: Device, fill: NormalFill): DeviceMemory {
  /** by size: addresses that are free */
  const pool = new Map<number, number[]>();
  const heavy = new Set<Lent>();
  let piece: Float64Array<ArrayBuffer> | undefined;
  let open = true;
  let used = 0;

  function giveBack(lent: Lent): void {
    if (lent.back || !open) return;
    lent.back = true;
    heavy.delete(lent);
    used -= lent.bytes;
    const list = pool.get(lent.bytes);
    if (list) list.push(lent.at);
    else pool.set(lent.bytes, [lent.at]);
  }

  function emptyPool(): void {
    for (const list of pool.values()) for (const at of list) device.release(at);
    pool.clear();
  }

  /** Frees the matrices without references, without waiting for the event loop. */
  function reclaim(): void {
    collectGarbage();
    for (const lent of heavy) if (lent.holder.deref() === undefined) giveBack(lent);
    emptyPool();
  }

  function take(bytes: number, what: string): number {
    let at = pool.get(bytes)?.pop() ?? device.allocate(bytes);
    for (const makeRoom of [emptyPool, reclaim]) {
      if (at !== undefined) break;
      makeRoom();
      at = device.allocate(bytes);
    }
    if (at === undefined) {
      throw new EngineError(
        `${what}; ${gib(used)} of ${gib(device.capacity)} GiB of the device's memory are taken; use a smaller n or p.`,
      );
    }
    return at;
  }

  function block(size: number, what: string): Block {
    if (!open) throw new EngineError(`${what}: the engine was disposed; open a new engine.`);
    const bytes = Math.max(1, Math.ceil(size / LINE)) * LINE;
    const at = take(bytes, what);
    used += bytes;
    const entry = bytes >= HEAVY ? { at, ballast: ballast(bytes) } : { at };
    const lent: Lent = { at, bytes, holder: new WeakRef(entry), back: false };
    if (bytes >= HEAVY) heavy.add(lent);
    registry.register(entry, () => giveBack(lent));
    return entry;
  }

  return {
    block,
    alive: () => open,
    allocate(rows, cols, owner, kind) {
      const bytes = 8 * rows * cols;
      const allocation = block(bytes, `matrix: no memory for ${rows}×${cols} doubles (${gib(bytes)} GiB)`);
      if (bytes > 0) device.call("cuMemsetD8_v2", allocation.at, 0, bytes);
      return new DeviceMatrix(rows, cols, owner, kind, allocation);
    },
    read({ rows, cols, at }, into) {
      if (rows * cols > 0) device.download(into.subarray(0, rows * cols), at);
    },
    write({ rows, cols, at }, numbers) {
      const size = rows * cols;
      if (size === 0) return;
      if (typeof numbers !== "function") {
        device.upload(at, numbers instanceof Float64Array ? numbers : Float64Array.from(numbers));
        return;
      }
      const done = fill(at, size, numbers);
      if (done < size) piece ??= new Float64Array(PIECE);
      for (let first = done; first < size; first += PIECE) {
        const count = Math.min(PIECE, size - first);
        for (let i = 0; i < count; i++) piece![i] = numbers();
        device.upload(at + 8 * first, piece!.subarray(0, count));
      }
    },
    dispose() {
      if (open) device.dispose();
      open = false;
    },
  };
}

/** Makes the collector count what it cannot see (see ../wasm/heap.ts). */
function ballast(bytes: number): ArrayBuffer | undefined {
  const size = Math.min(bytes, HEAVIEST);
  try {
    return new ArrayBuffer(size, { maxByteLength: size });
  } catch {
    return undefined;
  }
}
