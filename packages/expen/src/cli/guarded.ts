import type { Objective } from "@expen/core";
import { requireNumber } from "@expen/core/check";
import type { Engine, Tall } from "@expen/linalg";

interface Guarded {
  objective: Objective;
  /** the first exception of the user's code */
  thrown(): Error | undefined;
  /** some evaluation did not throw */
  worked(): boolean;
}

/** The objective unchanged: if one of several processes throws, all must end. */
export const unguarded = (objective: Objective): Guarded => ({
  objective: { ...objective },
  thrown: () => undefined,
  worked: () => true,
});

/**
 * The same objective, with NaN in the place of an exception of the user's code: every solver survives NaN at its last good point.
 * The first exception is stored and `onThrow` called, so that the run ends and reports it.
 */
export function guarded(E: Engine, f: Objective, onThrow: () => void): Guarded {
  let first: Error | undefined;
  let worked = false;
  function recordError(error: unknown): number {
    first ??= error instanceof Error ? error : new Error(String(error));
    onThrow();
    return Number.NaN;
  }
  /** The value of `work`; NaN if it throws */
  function tryValue(work: () => number): number {
    try {
      const result = work();
      requireNumber(result);
      worked = true;
      return result;
    } catch (error) {
      return recordError(error);
    }
  }
  /** Runs `work`, which writes into Y; if it throws, every entry becomes NaN. */
  function tryWriting(Y: Tall, work: () => void): void {
    try {
      work();
    } catch (error) {
      E.fill(Y, recordError(error));
    }
  }

  const { hvp, linearize, quadratic } = f;
  return {
    thrown: () => first,
    worked: () => worked,
    objective: {
      ...f,
      f: (X) => tryValue(() => f.f(X)),
      fg: (G, X) => tryValue(() => f.fg(G, X)),
      ...(hvp && { hvp: (H: Tall, X: Tall, D: Tall) => tryWriting(H, () => hvp(H, X, D)) }),
      ...(linearize && {
        linearize(X: Tall) {
          try {
            const hessian = linearize(X);
            return (H: Tall, D: Tall) => tryWriting(H, () => hessian(H, D));
          } catch (error) {
            const nothing = recordError(error);
            return (H: Tall) => E.fill(H, nothing);
          }
        },
      }),
      ...(quadratic && {
        quadratic: { ...quadratic, apply: (Y: Tall, X: Tall) => tryWriting(Y, () => quadratic.apply(Y, X)) },
      }),
    },
  };
}
