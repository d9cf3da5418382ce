/**
 * Sums that wait, and inner products that are requested together. A large sum is put off until something else is called: the next operation
 * may be done in the same pass over memory. Requested inner products are computed at once, so that the host waits once for all of them.
 */
import type { Owned } from "@expen/linalg/engine";
import type { Deferred, Device } from "./device.js";
import { dotsFusion, type Fusion, MOST_SUMS, sumFusion } from "./fused.js";
import type { Launcher } from "./launcher.js";
import { type Combination, type Pair, passOf } from "./pass.js";
import { standard } from "./standard.js";

/** Sums of so many entries wait; shorter ones are done before the host would ask. */
const WORTH_WAITING = 2 ** 17;
/** number of sums that wait together at most */
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
  /** Inner products that are computed with others at `arrive` */
  request(request: Request): void;
  arrive(): void;
}

export interface Request {
  readonly size: number;
  /** MOST_SUMS matrices at most */
  readonly Xs: readonly Owned[];
  readonly Y: Owned;
  take(values: ArrayLike<number>): void;
}

export function pending(
  device: Device,
  { fused }: Launcher,
  once: (name: string, make: () => Fusion) => Fusion,
): Pending {
  let group: Group | undefined;
  let requests: Request[] = [];

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
  const valueAt = (pair: Pair<Owned>, pairs: readonly Pair<Owned>[], values: Float64Array): number =>
    values[pairs.findIndex((other) => same(pair, other))]!;
  const union = (pairs: readonly Pair<Owned>[]): Pair<Owned>[] =>
    pairs.filter((pair, i) => pairs.findIndex((other) => same(pair, other)) === i);

  /** The inner products, with the sums that wait if one kernel does both; undefined if there is no kernel for them */
  function compute(size: number, pairs: readonly Pair<Owned>[]): Float64Array | undefined {
    const here = waiting();
    const touched = here?.sums.some(({ Z }) => pairs.flat().includes(Z));
    const joined = here?.size === size ? inOnePass(size, here.sums, pairs) : undefined;
    if (joined) return joined;
    if (!touched) {
      const alone = () => inOnePass(size, [], pairs);
      return here ? device.aside(alone) : alone();
    }
    if (here!.sums.length === 1) return undefined;
    // the last of them with the inner products is more than nothing
    const first = here!.sums.shift()!;
    device.aside(() => lone(here!.size, first));
    return compute(size, pairs);
  }

  const pairsOf = ({ Xs, Y }: Pick<Request, "Xs" | "Y">): Pair<Owned>[] => Xs.map((X) => [X, Y] as const);

  function dots(size: number, Xs: readonly Owned[], Y: Owned): ArrayLike<number> {
    const own = waiting() ? undefined : device.deferred()?.dots?.(size, Xs, Y);
    if (own) return own;
    const wishes = pairsOf({ Xs, Y });
    const pairs = union(wishes);
    const values = compute(size, pairs);
    if (values) return wishes.map((pair) => valueAt(pair, pairs, values));
    return fused(
      once(`dots${Xs.length}`, () => dotsFusion(Xs.length)),
      size,
      [],
      [...Xs, Y],
      [],
    );
  }

  return {
    sum(size, c, Xs, Z) {
      const sum = { c, Xs, Z };
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

    dots,

    request: (request) => void requests.push(request),

    arrive() {
      const all = requests;
      requests = [];
      for (const size of new Set(all.map((request) => request.size))) {
        const list = all.filter((request) => request.size === size);
        const pairs = union(list.flatMap(pairsOf));
        const values = list.length > 1 ? compute(size, pairs) : undefined;
        for (const request of list) {
          const { Xs, Y, take } = request;
          take(values ? pairsOf(request).map((pair) => valueAt(pair, pairs, values)) : dots(size, Xs, Y));
        }
      }
    },
  };
}
