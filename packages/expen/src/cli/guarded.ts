import type { Objective } from "@expen/core";
import { requireNumber } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";

interface Guarded {
  objective: Objective;
  /** the first exception of the user's code */
  thrown(): Error | undefined;
  /** some evaluation did not throw */
  worked(): boolean;
}

/** The objective as it is: where one of several processes throws, all must end. */
export const unguarded = (objective: Objective): Guarded => ({
  objective: { ...objective },
  thrown: () => undefined,
  worked: () => true,
});

/**
 * The same objective, with an exception of the user's code turned into NaN, which every solver survives at its last good point.
 * The first one is kept and `onThrow` called, so that the run can end and say it.
 */
export function guarded(E: Engine, f: Objective, onThrow: () => void): Guarded {
  let first: Error | undefined;
  let worked = false;
  function caught(error: unknown): number {
    first ??= error instanceof Error ? error : new Error(String(error));
    onThrow();
    return Number.NaN;
  }
  /** The value of `work`, or NaN */
  function value(work: () => number): number {
    try {
      const result = work();
      requireNumber(result);
      worked = true;
      return result;
    } catch (error) {
      return caught(error);
    }
  }
  /** What `work` writes into Y, or NaN in every entry */
  function written(Y: Tall, work: () => void): void {
    try {
      work();
    } catch (error) {
      E.fill(Y, caught(error));
    }
  }

  const { hvp, linearize, quadratic } = f;
  return {
    thrown: () => first,
    worked: () => worked,
    objective: {
      ...f,
      f: (X) => value(() => f.f(X)),
      fg: (G, X) => value(() => f.fg(G, X)),
      ...(hvp && { hvp: (H: Tall, X: Tall, D: Tall) => written(H, () => hvp(H, X, D)) }),
      ...(linearize && {
        linearize(X: Tall) {
          try {
            const hessian = linearize(X);
            return (H: Tall, D: Tall) => written(H, () => hessian(H, D));
          } catch (error) {
            const nothing = caught(error);
            return (H: Tall) => E.fill(H, nothing);
          }
        },
      }),
      ...(quadratic && {
        quadratic: { ...quadratic, apply: (Y: Tall, X: Tall) => written(Y, () => quadratic.apply(Y, X)) },
      }),
    },
  };
}
