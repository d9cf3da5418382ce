/**
 * Sums over ranks, as few messages as the program allows. A small matrix that is a sum (`tmul`, `gram`) is only sent when somebody
 * reads it, with all others that wait. A number (`dot`) is needed at once: everything that waits goes with it, and what was asked for right
 * after it the last time (foresight.ts).
 */
import { EngineError } from "@expen/linalg";
import { checksum } from "./checksum.js";
import type { Contraction } from "./contraction.js";
import { type Foresight, foresight } from "./foresight.js";
import type { Spread } from "./spread.js";
import { summing, type Wire } from "./wire.js";

/** Messages and bytes that this rank has sent: sums over ranks; and gathers, exchanges of rows and the like */
export interface Traffic {
  reductions: number;
  exchanges: number;
  bytes: number;
}

export interface Reductions {
  /** The numbers of c, valid until the next call */
  numbers(c: Contraction): Float64Array;
  /** S ← c, now or when S is read; `part` leaves this rank's part in S itself and `take` puts the sum there */
  later(S: Spread, c: Contraction, take: (from: Float64Array) => void, part: () => void): void;
  /** Puts c into the next message; `take` gets its numbers then. */
  request(c: Contraction, take: (numbers: Float64Array) => void): void;
  /** Sends all that waits, requests and sums. */
  send(): void;
  /** The same because a small matrix is read that is still to be summed */
  flush(): void;
  /** The sum of plain numbers, in place */
  plain(x: Float64Array): void;
  /** milliseconds on the clock of rank 0, as told with the last sum */
  now(): number;
  /** whether a rank said true before the last sum */
  any(value: boolean): boolean;
  /** The next sum is an error where this number was another one on another rank. */
  same(x: number): void;
  /** To be called before a matrix is written. */
  writes(A: Spread): void;
  readonly traffic: Traffic;
}

/** Each message begins with its own length, the clock of rank 0, how many ranks want to stop, and a mark of what must be the same. */
const HEAD = 4;

interface Waiting {
  readonly c: Contraction;
  /** it travels with others, and needs no prediction */
  readonly isRequest: boolean;
  readonly take: (from: Float64Array) => void;
  readonly read: (into: Float64Array, at: number) => void;
}

export function reductions(wire: Wire, readSmall: (S: Spread, into: Float64Array) => void): Reductions {
  const sum = summing(wire);
  const traffic: Traffic = { reductions: 0, exchanges: 0, bytes: 0 };
  const ahead: Foresight = foresight();
  let message = new Float64Array(256);
  let answer = new Float64Array(1);
  let waiting: Waiting[] = [];
  let [clock, stops, wants] = [performance.now(), false, false];
  /** 32 bits of all numbers given to `same` */
  let mark = 0;

  function room(size: number): void {
    if (message.length >= size) return;
    const larger = new Float64Array(2 * size);
    larger.set(message);
    message = larger;
  }

  /** Sends the first `size` numbers of the message, its head included. */
  function send(size: number): void {
    message[0] = size;
    message[1] = wire.rank === 0 ? performance.now() : 0;
    message[2] = wants ? 1 : 0;
    message[3] = mark;
    sum(message, size);
    if (message[0] !== size * wire.size) {
      throw new EngineError(
        `mpi: rank ${wire.rank} sent ${size} numbers and others not as many: the ranks have taken different ways; ` +
          "f must not depend on the rank, on time or on Math.random.",
      );
    }
    // where not all are the same, one of them is not the mean
    if (message[3] !== mark * wire.size) {
      throw new EngineError(
        "mpi: f is not the same on all ranks; add what each rank has of it with sumOf(E, f), or sumOverRanks for data.",
      );
    }
    clock = message[1]!;
    stops = message[2]! > 0;
    traffic.reductions++;
    traffic.bytes += 8 * size;
  }

  /** One message of all that waits, of c and of what is expected after it; the numbers of c begin at the place returned. */
  function exchange(trigger: Contraction, c?: Contraction): number {
    const list = waiting;
    waiting = [];
    let size = HEAD;
    const place = (count: number): number => {
      const at = size;
      size += count;
      room(size);
      return at;
    };
    const places = list.map(({ c, read }) => {
      const at = place(c.size);
      read(message, at);
      return at;
    });
    const at = c ? place(c.size) : 0;
    c?.part(c.inputs, message, at);
    const expected = ahead.expected(trigger);
    const predicted = expected.map((e) => {
      const at = place(e.size);
      message.fill(0, at, at + e.size);
      e.part(e.inputs, message, at);
      return at;
    });
    send(size);
    list.forEach(({ take, c }, i) => {
      take(message.subarray(places[i], places[i]! + c.size));
    });
    ahead.came(trigger, expected, (i) => message.slice(predicted[i], predicted[i]! + expected[i]!.size));
    return at;
  }

  function sendWaiting(): void {
    if (waiting.length > 0) exchange(waiting[0]!.c);
  }

  function flush(): void {
    for (const { c, isRequest } of waiting) if (!isRequest) ahead.remember(c);
    sendWaiting();
  }

  return {
    traffic,
    flush,
    send: sendWaiting,
    now: () => clock,
    any(value) {
      wants ||= value;
      return stops;
    },
    same(x) {
      mark = (Math.imul(mark, 0x01000193) ^ checksum([x])) >>> 0;
    },
    writes: (A) => ahead.wrote(A),
    request(c, take) {
      waiting.push({ c, take, isRequest: true, read: (into, at) => c.part(c.inputs, into, at) });
    },
    numbers(c) {
      const known = ahead.ask(c);
      if (known) return known;
      const at = exchange(c, c);
      if (answer.length < c.size) answer = new Float64Array(2 * c.size);
      answer.set(message.subarray(at, at + c.size));
      return answer;
    },
    later(S, c, take, part) {
      const known = ahead.ask(c, true);
      if (known) return take(known);
      part();
      if (S.pending) return;
      S.pending = true;
      const arrived = (numbers: Float64Array): void => {
        take(numbers);
        S.pending = false;
      };
      waiting.push({
        c,
        take: arrived,
        isRequest: false,
        read: (into, at) => readSmall(S, into.subarray(at, at + c.size)),
      });
    },
    plain(x) {
      const c: Contraction = {
        op: "plain",
        inputs: [],
        size: x.length,
        part: (_inputs, into, at) => into.set(x, at),
      };
      const at = exchange(c, c);
      x.set(message.subarray(at, at + x.length));
    },
  };
}
