/**
 * What is likely to be asked next. Programs that iterate ask for the same sums again: after ⟨X, G⟩ for the value of f comes XᵀG for
 * the multiplier. A sum whose matrices were not written since the last message could have gone with it; the next time that message is
 * sent after the same one before it, it does. Solvers change the roles of X and G, so matrices are known by their place in the sum
 * that was sent, by how many writes ago they were written, or else by themselves. A wrong guess costs this rank's part of a sum; who
 * is wrong more often than right is not asked again.
 */
import { shape } from "@expen/linalg/engine";
import type { Contraction } from "./contraction.js";
import type { Spread } from "./spread.js";

/** A matrix of a guess, by a weak reference: a matrix that is gone is not needed again. */
type Role =
  | { readonly place: number }
  /** last written so many writes before the message */
  | { readonly ago: number; readonly shape: string }
  | { readonly itself: WeakRef<Spread>; readonly id: number };

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
  readonly guess: Guess;
  used: boolean;
}

export interface Expected extends Contraction {
  readonly guess: Guess;
}

export interface Foresight {
  /** The numbers of c, if they came with the last message and nothing was written since; a c that `waits` is remembered only then. */
  ask(c: Contraction, waits?: boolean): Float64Array | undefined;
  /** A message is sent for the sake of c: it is predicted the next time. */
  remember(c: Contraction): void;
  /** The sums to send along with a message for this one */
  expected(trigger: Contraction): Expected[];
  /** That message was sent, and these came with it. */
  came(trigger: Contraction, sums: readonly Expected[], numbers: (i: number) => Float64Array): void;
  wrote(A: Spread): void;
}

export const keyOf = ({ op, inputs }: Contraction): string => `${op} ${inputs.map((A) => A.id).join(" ")}`;
/** The same for other matrices of the same shapes; XᵀX is not XᵀY */
const shapesOf = ({ op, inputs }: Contraction): string =>
  `${op} ${inputs.map((A) => `${shape(A)} ${inputs.indexOf(A)}`).join(" ")}`;

/** Matrices whose last write is remembered, at least */
const KNOWN = 256;
/** Writes that are remembered */
const RECENT = 32;
/** Messages whose followers are remembered */
const REMEMBERED = 256;
const nothing: Contraction["part"] = () => undefined;

export function foresight(): Foresight {
  /** the last two messages → what followed them */
  const followers = new Map<string, Map<string, Guess>>();
  let known = new Map<string, Known>();
  /** the last message: its sum, and its name with that of the one before */
  let last: Contraction | undefined;
  let name = "";
  /** writes so far, and when the last message was sent */
  let [time, lastMessage] = [0, 0];
  const recent: { id: number; shape: string; weak: WeakRef<Spread> }[] = [];
  /** by the numbers of matrices, which are the same on all ranks when the matrices themselves may be gone */
  const lastWrite = new Map<number, number>();
  const old = ({ inputs }: { inputs: readonly Spread[] }): boolean => inputs.every((A) => A.writtenAt <= lastMessage);
  const following = (trigger: Contraction): string => `${last ? shapesOf(last) : ""} > ${shapesOf(trigger)}`;

  function remember(c: Contraction): void {
    if (!c.op || !last || !old(c)) return;
    let list = followers.get(name);
    if (!list) {
      if (followers.size >= REMEMBERED) followers.delete(followers.keys().next().value!);
      followers.set(name, (list = new Map()));
    }
    const roles = c.inputs.map(roleOf);
    const key = `${c.op} ${JSON.stringify(roles)}`;
    const guess = list.get(key);
    if (guess) guess.right++;
    else list.set(key, { op: c.op, size: c.size, part: c.part, roles, right: 1, wrong: 0 });
  }

  function roleOf(A: Spread): Role {
    const place = last!.inputs.indexOf(A);
    if (place >= 0) return { place };
    const ago = lastMessage - A.writtenAt;
    return ago < RECENT && A.writtenAt > 0 ? { ago, shape: shape(A) } : { itself: A.weak, id: A.id };
  }

  /** The matrix in that role now; undefined where it is gone, "none" where there is none on any rank */
  function inRole(role: Role, trigger: Contraction): Spread | undefined | "none" {
    if ("place" in role) return trigger.inputs[role.place];
    if ("itself" in role) return role.itself.deref();
    const at = time - role.ago;
    const slot = recent[at % RECENT];
    // written again since, or another one
    if (slot?.shape !== role.shape || lastWrite.get(slot.id) !== at) return "none";
    return slot.weak.deref();
  }

  function forget(): void {
    for (const [id, step] of lastWrite) if (step <= time - RECENT) lastWrite.delete(id);
  }

  return {
    wrote(A) {
      // a matrix that others may write stays what it is
      time++;
      if (A.kind !== "tall" || A.writtenAt === Number.POSITIVE_INFINITY) return;
      A.writtenAt = time;
      recent[time % RECENT] = { id: A.id, shape: shape(A), weak: A.weak };
      lastWrite.set(A.id, time);
      if (lastWrite.size > 4 * KNOWN) forget();
    },
    remember,
    ask(c, waits = false) {
      if (!c.op) return undefined;
      const entry = known.get(keyOf(c));
      if (entry || !waits) remember(c);
      if (!entry || !old(entry)) return undefined;
      entry.used = true;
      return entry.numbers;
    },
    expected(trigger) {
      const list: Expected[] = [];
      for (const guess of followers.get(following(trigger))?.values() ?? []) {
        if (guess.wrong > guess.right) continue;
        const inputs = guess.roles.map((role) => inRole(role, trigger));
        if (inputs.includes("none")) continue;
        // memory is collected at another time on every rank, and the message must be as long on all
        const isGone = inputs.includes(undefined);
        const { op, size, part } = guess;
        list.push({ op, size, part: isGone ? nothing : part, inputs: isGone ? [] : (inputs as Spread[]), guess });
      }
      return list;
    },
    came(trigger, sums, numbers) {
      for (const { guess, used } of known.values()) if (!used) guess.wrong += 2;
      known = new Map(
        sums.map((c, i) => [keyOf(c), { numbers: numbers(i), inputs: c.inputs, guess: c.guess, used: false }]),
      );
      name = following(trigger);
      last = trigger;
      lastMessage = time;
    },
  };
}
