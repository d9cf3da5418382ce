/** Seeded random numbers: the same seed gives the same bits on every engine and machine. Never Math.random. */
import type { Engine } from "./contracts/engine.js";
import type { Matrix, Small, Tall } from "./contracts/matrix.js";

/** A stream of seeded random numbers */
export interface Random {
  /** uniform in [0, 1) with 53 bits */
  uniform(): number;
  /** standard normal */
  normal(): number;
  /** a whole number in [0, below) */
  integer(below: number): number;
}

/** The state of a generator of normals, for engines that draw the numbers themselves and advance it. */
interface NormalStream {
  /** whether the second number of the last pair is still unused */
  hasSpare(): boolean;
  /** the four words of xoshiro128** */
  state(): Uint32Array<ArrayBuffer>;
  /** Continues from these words, without an unused number. */
  restart(words: Uint32Array): void;
}

const streams = new WeakMap<() => number, NormalStream>();
/** The stream behind the `normal` of a `Random`; undefined for any other function */
export const normalStream = (next: () => number): NormalStream | undefined => streams.get(next);

/** xoshiro128** (Blackman and Vigna), its state filled by splitmix32 from the seed and the name of the stream. */
export function random(seed: number, stream = ""): Random {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`random: seed is ${seed}; it must be a whole number.`);
  let z = (seed | 0) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b);
  for (const c of stream) z = Math.imul(z ^ c.codePointAt(0)!, 0x01000193);
  const splitmix = (): number => {
    z = (z + 0x9e3779b9) | 0;
    let t = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    t = Math.imul(t ^ (t >>> 13), 0xc2b2ae35);
    return (t ^ (t >>> 16)) >>> 0;
  };
  let [s0, s1, s2, s3] = [splitmix(), splitmix(), splitmix(), splitmix()];

  function bits(): number {
    const m = Math.imul(s1, 5);
    const result = Math.imul((m << 7) | (m >>> 25), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    return result;
  }

  const uniform = (): number => ((bits() >>> 5) * 67108864 + (bits() >>> 6)) / 9007199254740992;
  let spare = Number.NaN;
  function normal(): number {
    if (!Number.isNaN(spare)) {
      const second = spare;
      spare = Number.NaN;
      return second;
    }
    // Marsaglia's polar method
    for (;;) {
      const u = 2 * uniform() - 1;
      const v = 2 * uniform() - 1;
      const q = u * u + v * v;
      if (q > 0 && q < 1) {
        const r = Math.sqrt((-2 * Math.log(q)) / q);
        spare = v * r;
        return u * r;
      }
    }
  }
  streams.set(normal, {
    hasSpare: () => !Number.isNaN(spare),
    state: () => Uint32Array.of(s0, s1, s2, s3),
    restart(words) {
      [s0, s1, s2, s3] = words as unknown as [number, number, number, number];
      spare = Number.NaN;
    },
  });
  return { uniform, normal, integer: (below) => Math.floor(uniform() * below) };
}

/** Fills M with independent standard normals, row after row: through its engine if given, else M must be in host memory. */
export function fillNormal(M: Tall | Small, r: Random, E: Engine): void;
export function fillNormal(M: Matrix, r: Random): void;
export function fillNormal(M: Matrix, r: Random, E?: Engine): void {
  if (E) E.write(M as Tall, r.normal);
  else for (let i = 0, d = M.data; i < d.length; i++) d[i] = r.normal();
}
