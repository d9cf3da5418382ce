/**
 * What is likely to be asked next. Programs that iterate ask for the same sums of the same matrices again: after ⟨X, G⟩ for the value of f
 * comes XᵀG for the multiplier. A sum whose matrices were not written since the last message could have gone with it; the next time that
 * message is sent, it does. A wrong guess costs this rank's part of a sum; who guesses wrong more often than right is not asked again.
 */
import type { Contraction } from "./reductions.js";
import type { Spread } from "./spread.js";

interface Guess {
  readonly key: string;
  /** not held: nobody asks again for a matrix that is gone */
  readonly inputs: readonly WeakRef<Spread>[];
  readonly size: number;
  readonly part: Contraction["part"];
  right: number;
  wrong: number;
}

interface Known {
  readonly key: string;
  readonly size: number;
  readonly numbers: Float64Array;
  readonly inputs: readonly Spread[];
}

export interface Foresight {
  /** The numbers of c, if they came with the last message and nothing was written since. */
  ask(c: Contraction): Float64Array | undefined;
  /** What to send along with the message of this key */
  expected(trigger: string, there: (key: string) => boolean): Contraction[];
  /** The message of this key was sent, and these came with it. */
  came(trigger: string, known: Known[]): void;
  wrote(A: Spread): void;
}

/** Messages whose followers are remembered */
const REMEMBERED = 512;

const nothing: Contraction["part"] = () => undefined;

export function foresight(): Foresight {
  /** trigger → what followed it */
  const followers = new Map<string, Map<string, Guess>>();
  let known = new Map<string, Known>();
  let used = new Set<string>();
  let last = "";
  /** writes so far, and when the last message was sent */
  let [time, sent] = [0, 0];
  const old = ({ inputs }: { inputs: readonly Spread[] }): boolean => inputs.every((A) => A.written <= sent);

  function remember(c: Contraction): void {
    if (last === "" || !old(c)) return;
    let list = followers.get(last);
    if (!list) {
      if (followers.size >= REMEMBERED) followers.delete(followers.keys().next().value!);
      followers.set(last, (list = new Map()));
    }
    const guess = list.get(c.key);
    if (guess) guess.right++;
    else {
      const inputs = c.inputs.map((A) => new WeakRef(A));
      list.set(c.key, { key: c.key, size: c.size, part: c.part, inputs, right: 1, wrong: 0 });
    }
  }

  return {
    wrote(A) {
      A.written = ++time;
    },
    ask(c) {
      if (!c.key) return undefined;
      remember(c);
      const there = known.get(c.key);
      if (!there || !old(there)) return undefined;
      used.add(c.key);
      return there.numbers;
    },
    expected(trigger, there) {
      const list: Contraction[] = [];
      for (const { inputs, wrong, right, ...guess } of followers.get(trigger)?.values() ?? []) {
        if (wrong > right || there(guess.key)) continue;
        const alive = inputs.map((A) => A.deref());
        // memory is collected at another time on every rank, and the message must be as long on all
        if (alive.includes(undefined)) list.push({ ...guess, inputs: [], part: nothing });
        else list.push({ ...guess, inputs: alive as Spread[] });
      }
      return list;
    },
    came(trigger, list) {
      const before = followers.get(last);
      for (const key of known.keys()) {
        const guess = before?.get(key);
        if (guess && !used.has(key)) guess.wrong += 2;
      }
      known = new Map(list.map((k) => [k.key, k]));
      used = new Set();
      last = trigger;
      sent = time;
    },
  };
}
