/** The time of a run by operation: seconds, calls and bytes of each operation of the engine. */
import type { Engine, Matrix } from "@expen/linalg";
import { clocks } from "./contender.js";

export interface Share {
  operation: string;
  calls: number;
  seconds: number;
  /** read and written if every matrix of a call were moved once */
  bytes: number;
}

const NOT_TIMED = new Set(["tall", "small", "operator", "dispose"]);

/** Numbers in all matrices of an argument: a matrix, or a family of them (its first `count`). */
function numbers(argument: unknown, count: number): number {
  if (Array.isArray(argument)) return argument.slice(0, count).reduce((sum, M) => sum + numbers(M, count), 0);
  if (typeof argument !== "object" || argument === null || !("rows" in argument)) return 0;
  return (argument as Matrix).rows * (argument as Matrix).cols;
}

/**
 * The same engine with a stopwatch at every operation, also those of its operators (without their own numbers) and factorizations: by
 * the wall, since asking for processor time takes longer than a short call.
 */
export function profiled(E: Engine, now = clocks.wall): { engine: Engine; shares: () => Share[] } {
  const shares = new Map<string, Share>();

  function watched<T extends object>(methods: T): T {
    const timed = Object.entries(methods).flatMap(([operation, call]) => {
      if (typeof call !== "function" || NOT_TIMED.has(operation)) return [];
      const share: Share = shares.get(operation) ?? { operation, calls: 0, seconds: 0, bytes: 0 };
      shares.set(operation, share);
      const counted = (...args: unknown[]): unknown => {
        const count = args.find((argument, i) => typeof argument === "number" && Array.isArray(args[i - 1])) as number;
        const began = now();
        const value = call(...args);
        share.seconds += now() - began;
        share.calls++;
        share.bytes += 8 * args.reduce<number>((sum, argument) => sum + numbers(argument, count), 0);
        return value;
      };
      return [[operation, counted]];
    });
    return { ...methods, ...Object.fromEntries(timed) };
  }

  return {
    engine: { ...watched(E), factor: watched(E.factor), operator: (A) => watched(E.operator(A)) },
    shares: () => [...shares.values()].filter(({ calls }) => calls > 0).sort((a, b) => b.seconds - a.seconds),
  };
}
