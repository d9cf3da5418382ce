/** A user's own problem: a .ts, .js or .mjs file whose default export makes an objective. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createJiti } from "jiti";
import { compile } from "../src/autodiff/index.js";
import { asMatrix } from "../src/data/array-like.js";
import { objective, type UserObjective } from "../src/objective.js";
import type { Engine, Matrix, Objective } from "../src/types.js";
import { InputError, messageOf } from "./input-error.js";

export const FILE_ENDINGS = /\.(ts|mts|cts|js|mjs|cjs)$/;

export interface UserProblem {
  objective: Objective;
  optimum?: number;
  start?: Matrix;
}

export interface UserFileArguments {
  n: number;
  p: number;
  seed: number;
  engine: Engine;
}

type Factory = (args: UserFileArguments) => unknown;

export async function loadUserFile(path: string): Promise<Factory> {
  if (!existsSync(path)) throw new InputError(`${path}: there is no such file.`);
  const full = resolve(path);
  const jiti = createJiti(pathToFileURL(full).href, {
    // `import … from "expen"` is this very package, installed or not
    virtualModules: { expen: await import("../src/index.js"), "expen/data": await import("../src/data/load.js") },
    moduleCache: false,
    interopDefault: false,
  });
  let loaded: unknown;
  try {
    loaded = await jiti.import(full);
  } catch (error) {
    throw new InputError(`${path}: it cannot be loaded (${messageOf(error).split("\n")[0]}).`);
  }
  const factory = (loaded as { default?: unknown }).default;
  if (factory === undefined) {
    throw new InputError(
      `${path}: it has no default export; write 'export default ({ n, p, seed }) => ({ f, grad })'.`,
    );
  }
  if (typeof factory !== "function") {
    throw new InputError(
      `${path}: the default export is of type ${typeof factory}; it must be a function ({ n, p, seed }) => ({ f, grad }).`,
    );
  }
  return factory as Factory;
}

/** What the file's function returns, completed to an objective. */
export function callUserFile(path: string, factory: Factory, args: UserFileArguments): UserProblem {
  const { n, p, engine: E } = args;
  const made = explained(path, "the default export throws", () => factory(args));
  if (typeof made !== "object" || made === null || made instanceof Promise) {
    const what = made instanceof Promise ? "a promise" : made === null ? "null" : typeof made;
    throw new InputError(
      `${path}: the default export returns ${what}; it must return { f, grad }, { fg } or { tape }.`,
    );
  }
  const { optimum, start, tape, f, grad, fg, hvp } = made as Record<string, unknown>;
  for (const [name, value] of Object.entries({ tape, f, grad, fg, hvp })) {
    if (value !== undefined && typeof value !== "function") {
      throw new InputError(`${path}: ${name} is of type ${typeof value}; it must be a function.`);
    }
  }
  if (optimum !== undefined && typeof optimum !== "number") {
    throw new InputError(`${path}: optimum is of type ${typeof optimum}; it must be a number.`);
  }
  const complete = explained(path, "", () =>
    tape ? compile(E, { n, p }, tape as Parameters<typeof compile>[2]) : objective(E, made as UserObjective, n, p),
  );
  return {
    objective: complete,
    ...(optimum !== undefined && { optimum }),
    ...(start !== undefined && { start: explained(path, "start", () => asMatrix(start).matrix) }),
  };
}

function explained<T>(path: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new InputError(`${path}: ${what}${what ? ": " : ""}${messageOf(error)}`, { cause: error });
  }
}

/**
 * The same objective, with an exception of the user's code turned into NaN, which every solver survives at its last good point.
 * The first one is kept and `onThrow` called, so that the run can end and say it; `worked`: some evaluation did not throw.
 */
export function guarded(
  f: Objective,
  onThrow: () => void,
): { objective: Objective; thrown: () => Error | undefined; worked: () => boolean } {
  let first: Error | undefined;
  let worked = false;
  const caught = (error: unknown): number => {
    first ??= error instanceof Error ? error : new Error(String(error));
    onThrow();
    return Number.NaN;
  };
  const { hvp } = f;
  return {
    thrown: () => first,
    worked: () => worked,
    objective: {
      ...f,
      f(X) {
        try {
          const value = f.f(X);
          worked = true;
          return value;
        } catch (error) {
          return caught(error);
        }
      },
      fg(G, X) {
        try {
          const value = f.fg(G, X);
          worked = true;
          return value;
        } catch (error) {
          return caught(error);
        }
      },
      ...(hvp && {
        hvp(H: Matrix, X: Matrix, D: Matrix) {
          try {
            hvp(H, X, D);
          } catch (error) {
            H.data.fill(caught(error));
          }
        },
      }),
    },
  };
}
