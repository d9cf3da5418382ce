/**
 * What is likely to be asked next. Programs that iterate ask for the same sums again: after ⟨X, G⟩ for the value of f comes XᵀG for the
 * multiplier. A sum whose matrices were not written since the last message could have gone with it; the next time that message is sent
 * after the same one before it, it does. Matrices are known by their place in the sum that was sent, as solvers change the roles of X and
 * G, or else by themselves. A wrong guess costs this rank's part of a sum; who is wrong more often than right is not asked again.
 */
import type { Contraction } from "./reductions.js";
import type { Spread } from "./spread.js";

/** A matrix of a guess: its place in the sum that was sent, or itself, not held: nobody asks again for one that is gone */
type Role = number | WeakRef<Spread>;

interface Guess {
  readonly op: string;
  readonly roles: readonly Role[];
  readonly size: number;
  readonly part: Contraction["part"];
  right: number;
  wrong: number;
}

/** A sum that came with the last message, and who guessed it */
interface Known {
  readonly numbers: Float64Array;
  readonly inputs: readonly Spread[];
  readonly guess: Guess | undefined;
  used: boolean;
}

export interface Expected extends Contraction {
  readonly guess?: Guess;
}

export interface Foresight {
  /** The numbers of c, if they came with the last message and nothing was written since. */
  ask(c: Contraction): Float64Array | undefined;
  /** c will be asked for after the next message. */
  announce(c: Contraction): void;
  /** What to send along with a message for this sum */
  expected(trigger: Contraction): Expected[];
  /** That message was sent, and these came with it. */
  came(trigger: Contraction, sums: readonly Expected[], numbers: (i: number) => Float64Array): void;
  wrote(A: Spread): void;
}

export const keyOf = ({ op, inputs }: Contraction): string => `${op} ${inputs.map((A) => A.id).join(" ")}`;
/** The same for other matrices of the same shapes; XᵀX is not XᵀY */
const shapesOf = ({ op, inputs }: Contraction): string =>
  `${op} ${inputs.map((A) => `${A.rows}×${A.cols} ${inputs.indexOf(A)}`).join(" ")}`;

/** Messages whose followers are remembered */
const REMEMBERED = 256;
const nothing: Contraction["part"] = () => undefined;

export function foresight(): Foresight {
  /** the last two messages → what followed them */
  const followers = new Map<string, Map<string, Guess>>();
  let known = new Map<string, Known>();
  let announced: Contraction[] = [];
  /** the last message: its sum, and its name with that of the one before */
  let last: Contraction | undefined;
  let name = "";
  /** writes so far, and when the last message was sent */
  let [time, sent] = [0, 0];
  const old = ({ inputs }: { inputs: readonly Spread[] }): boolean => inputs.every((A) => A.written <= sent);
  const following = (trigger: Contraction): string => `${last ? shapesOf(last) : ""} > ${shapesOf(trigger)}`;

  function remember(c: Contraction): void {
    if (!last || !old(c)) return;
    let list = followers.get(name);
    if (!list) {
      if (followers.size >= REMEMBERED) followers.delete(followers.keys().next().value!);
      followers.set(name, (list = new Map()));
    }
    const places = c.inputs.map((A) => last!.inputs.indexOf(A));
    const key = `${c.op} ${places.map((place, i) => (place < 0 ? `#${c.inputs[i]!.id}` : place)).join(" ")}`;
    const guess = list.get(key);
    if (guess) guess.right++;
    else {
      const roles = places.map((place, i) => (place < 0 ? new WeakRef(c.inputs[i]!) : place));
      list.set(key, { op: c.op, size: c.size, part: c.part, roles, right: 1, wrong: 0 });
    }
  }

  return {
    wrote(A) {
      A.written = ++time;
    },
    announce: (c) => void announced.push(c),
    ask(c) {
      if (!c.op) return undefined;
      const there = known.get(keyOf(c));
      // what was announced needs no guess
      if (!there || there.guess) remember(c);
      if (!there || !old(there)) return undefined;
      there.used = true;
      return there.numbers;
    },
    expected(trigger) {
      const list: Expected[] = announced;
      announced = [];
      for (const guess of followers.get(following(trigger))?.values() ?? []) {
        if (guess.wrong > guess.right) continue;
        const inputs = guess.roles.map((role) => (typeof role === "number" ? trigger.inputs[role] : role.deref()));
        // memory is collected at another time on every rank, and the message must be as long on all
        const gone = inputs.includes(undefined);
        const { op, size, part } = guess;
        list.push({ op, size, part: gone ? nothing : part, inputs: gone ? [] : (inputs as Spread[]), guess });
      }
      return list;
    },
    came(trigger, sums, numbers) {
      for (const { guess, used } of known.values()) if (guess && !used) guess.wrong += 2;
      known = new Map(
        sums.map((c, i) => [keyOf(c), { numbers: numbers(i), inputs: c.inputs, guess: c.guess, used: false }]),
      );
      name = following(trigger);
      last = trigger;
      sent = time;
    },
  };
}
