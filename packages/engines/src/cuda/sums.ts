/**
 * Sums that wait and inner products that are announced. A large sum is put off until something else is asked for: what comes next may be
 * done in the same pass over memory. Inner products that are announced come with the next one, so that the host waits once for all of them.
 */
import type { Owned } from "@expen/linalg/engine";
import type { Deferred, Device } from "./device.js";
import { dotsFusion, type Fusion, MOST_SUMS, sumFusion } from "./fused.js";
import type { Launcher } from "./launcher.js";
import { type Combination, type Pair, passOf } from "./pass.js";
import { standard } from "./standard.js";

/** Sums of so many entries wait; shorter ones are done before the host would ask. */
const WORTH_WAITING = 2 ** 17;
/** So many sums wait together. */
const MOST_WAITING = 2;

interface Sum extends Combination<Owned> {
  readonly c: readonly number[];
}

interface Group extends Deferred {
  readonly size: number;
  readonly sums: Sum[];
}

export interface Pending {
  /** Z ← Σ c_i·X_i; Z may be one of them */
  sum(size: number, c: readonly number[], Xs: readonly Owned[], Z: Owned): void;
  /** ⟨X_i, Y⟩, for MOST_SUMS matrices at most */
  dots(size: number, Xs: readonly Owned[], Y: Owned): ArrayLike<number>;
  /** The inner products that `work` asks for come with the next one; what it gets is NaN. They are to be asked for again then. */
  foresee(work: () => void): void;
}

export function pending(
  device: Device,
  { fused }: Launcher,
  once: (name: string, make: () => Fusion) => Fusion,
): Pending {
  let group: Group | undefined;
  let looking = false;
  let announced: { size: number; pair: Pair<Owned> }[] = [];
  /** inner products that came before they were asked for: good until anything is done on the device or one of the two is written */
  let known: { pair: Pair<Owned>; value: number }[] = [];
  let knownAt = 0;

  const lone = (size: number, { c, Xs, Z }: Sum): void =>
    void fused(
      once(`sum${c.length}`, () => sumFusion(c.length)),
      size,
      c,
      Xs,
      [Z],
    );

  /** All that waits and these inner products in one pass; undefined, with nothing done, where the program has no kernel for it */
  function inOnePass(size: number, sums: readonly Sum[], pairs: readonly Pair<Owned>[]): Float64Array | undefined {
    if (pairs.length > MOST_SUMS) return undefined;
    const { name, inputs, outputs } = passOf(sums, pairs);
    const fusion = standard.get(name);
    if (!fusion) return undefined;
    if (sums.length > 0) device.claim();
    return fused(
      fusion,
      size,
      sums.flatMap(({ c }) => c),
      inputs,
      outputs,
    );
  }

  function newGroup(size: number): Group {
    const sums: Sum[] = [];
    const run = (): void => {
      if (sums.length === 1 || !inOnePass(size, sums, [])) for (const sum of sums) lone(size, sum);
    };
    return { size, sums, run };
  }

  const waiting = (): Group | undefined => (group && device.deferred() === group ? group : undefined);

  const same = ([a, b]: Pair<Owned>, [c, d]: Pair<Owned>): boolean => (a === c && b === d) || (a === d && b === c);
  const union = (pairs: readonly Pair<Owned>[]): Pair<Owned>[] =>
    pairs.filter((pair, i) => pairs.findIndex((other) => same(pair, other)) === i);
  const knownOf = (pair: Pair<Owned>): number | undefined =>
    knownAt === device.calls.count ? known.find((k) => same(k.pair, pair))?.value : undefined;

  /** Those asked for and those announced, with the sums that wait where that can be; the values are kept until the next call */
  function compute(size: number, asked: readonly Pair<Owned>[], ahead: readonly Pair<Owned>[]): boolean {
    const here = waiting();
    const touched = here?.sums.some(({ Z }) => asked.flat().includes(Z) || ahead.flat().includes(Z));
    for (const pairs of ahead.length > 0 ? [union([...ahead, ...asked]), asked] : [asked]) {
      const joined = here?.size === size ? inOnePass(size, here.sums, pairs) : undefined;
      const alone = () => inOnePass(size, [], pairs);
      const values = joined ?? (touched ? undefined : here ? device.aside(alone) : alone());
      if (!values) continue;
      known = pairs.map((pair, i) => ({ pair, value: values[i]! }));
      knownAt = device.calls.count;
      return true;
    }
    if (!touched || here!.sums.length === 1) return false;
    // the last of them with the inner products is more than nothing
    const first = here!.sums.shift()!;
    device.aside(() => lone(here!.size, first));
    return compute(size, asked, ahead);
  }

  return {
    sum(size, c, Xs, Z) {
      const sum = { c, Xs, Z };
      known = known.filter(({ pair }) => !pair.includes(Z));
      if (size < WORTH_WAITING) return lone(size, sum);
      const here = waiting();
      if (here?.size === size && here.sums.length < MOST_WAITING) {
        here.sums.push(sum);
        return;
      }
      group = newGroup(size);
      group.sums.push(sum);
      device.defer(group);
    },

    dots(size, Xs, Y) {
      const asked = Xs.map((X) => [X, Y] as const);
      if (looking) {
        announced.push(...asked.map((pair) => ({ size, pair })));
        return asked.map(() => Number.NaN);
      }
      const ahead = announced.filter((a) => a.size === size).map(({ pair }) => pair);
      announced = [];
      const found = asked.map(knownOf);
      if (found.every((x) => x !== undefined)) return found;
      const own = waiting() ? undefined : device.deferred()?.dots?.(size, Xs, Y);
      if (own) return own;
      if (compute(size, union(asked), ahead)) return asked.map((pair) => knownOf(pair)!);
      return fused(
        once(`dots${Xs.length}`, () => dotsFusion(Xs.length)),
        size,
        [],
        [...Xs, Y],
        [],
      );
    },

    foresee(work) {
      looking = true;
      try {
        work();
      } finally {
        looking = false;
      }
    },
  };
}
