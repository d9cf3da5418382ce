/** A user's own problem: a .ts, .js or .mjs file whose default export makes an objective. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Domain, Formula, Manifold, Objective, Subject, View } from "@expen/core";
import { objectiveOn, type UserObjective } from "@expen/core";
import { asMatrix } from "@expen/data";
import type { Engine } from "@expen/linalg";
import { described, isPromise } from "@expen/linalg";
import { InputError, messageOf } from "./input-error.js";
import { manifoldOf } from "./manifold.js";
import { ownModules } from "./own-modules.js";

export const FILE_ENDINGS: RegExp = /\.(ts|mts|cts|js|mjs|cjs)$/;

export interface UserProblem {
  objective: Objective;
  optimum?: number;
  start?: View;
  subjectTo?: readonly Subject[];
}

interface UserFileArguments {
  n: number;
  p: number;
  seed: number;
  engine: Engine;
  /** the manifold of X */
  on: Manifold<View>;
}

type Factory = (args: UserFileArguments) => unknown;

interface UserFile {
  factory: Factory;
  /** its export `on` */
  on?: unknown;
}

export async function loadUserFile(path: string): Promise<UserFile> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new InputError(`${path}: there is no such file.`);
  if (!stats.isFile()) throw new InputError(`${path}: it is a folder, or no regular file.`);
  const full = resolve(path);
  // loaded here because no other command needs its compiler
  const { createJiti } = await import("jiti");
  const jiti = createJiti(pathToFileURL(full).href, {
    virtualModules: await ownModules(),
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
  if (/^class\b/.test(Function.prototype.toString.call(factory))) {
    throw new InputError(`${path}: the default export is a class; export a function that returns an instance of it.`);
  }
  const { on } = loaded as { on?: unknown };
  return { factory: factory as Factory, ...(on !== undefined && { on }) };
}

/** The manifold that a file exports as `on`: one of the library, or a text as --on takes it. */
export async function exportedManifold(path: string, on: unknown): Promise<Manifold<View>> {
  if (typeof on === "string") return manifoldOf(on);
  const { bind, shapes } = Object(on) as { bind?: unknown; shapes?: unknown };
  if (typeof bind === "function" && Array.isArray(shapes)) return on as Manifold<View>;
  throw new InputError(
    `${path}: on is ${described(on)}; export a manifold, as complexStiefel(20, 5), or a text, "complex-stiefel(20, 5)".`,
  );
}

/** Calls the file's function, and completes its return value to an objective. */
export function callUserFile(
  path: string,
  factory: Factory,
  args: UserFileArguments,
  bound: Domain<View>,
): UserProblem {
  const problem = explain(path, "the default export throws", () => factory(args));
  const late = isPromise(problem);
  if (typeof problem !== "object" || problem === null || Array.isArray(problem) || late) {
    const how = late ? "; load data at the top of the file, with await, and leave out async" : "";
    throw new InputError(
      `${path}: the default export returns ${described(problem)}; it must return { f, grad }, { fg } or formula((X) => …)${how}.`,
    );
  }
  const { optimum, start, subjectTo, convex, f, grad, fg, hvp, linearize } = problem as Record<string, unknown>;
  for (const [name, value] of Object.entries({ f, grad, fg, hvp, linearize })) {
    if (value !== undefined && typeof value !== "function") {
      throw new InputError(`${path}: ${name} is of type ${typeof value}; it must be a function.`);
    }
  }
  if (optimum !== undefined && !(typeof optimum === "number" && Number.isFinite(optimum))) {
    throw new InputError(`${path}: optimum is ${described(optimum)}; it must be a finite number.`);
  }
  if (convex !== undefined && typeof convex !== "boolean") {
    throw new InputError(`${path}: convex is ${described(convex)}; it must be true or false.`);
  }
  if (subjectTo !== undefined && !Array.isArray(subjectTo)) {
    throw new InputError(`${path}: subjectTo is ${described(subjectTo)}; give a list, as in [nonnegative()].`);
  }
  // with an optimum, a start or constraints, a formula is given as `objective`
  const { objective = problem } = problem as { objective?: unknown };
  const complete = explain(path, "", () => objectiveOn(bound, objective as UserObjective<View> | Formula));
  return {
    objective: complete,
    ...(optimum !== undefined && { optimum }),
    ...(start !== undefined && { start: explain(path, "start", () => asPoint(start)) }),
    ...(subjectTo !== undefined && { subjectTo: subjectTo as Subject[] }),
  };
}

/** A matrix in any of its forms, or an object of such by name */
function asPoint(point: unknown): View {
  const isParts = typeof point === "object" && point !== null && !Array.isArray(point) && !ArrayBuffer.isView(point);
  if (!isParts || "data" in point) return asMatrix(point).matrix;
  return Object.fromEntries(Object.entries(point).map(([name, part]) => [name, asPoint(part)]));
}

function explain<T>(path: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new InputError(`${path}: ${what}${what ? ": " : ""}${messageOf(error)}`, { cause: error });
  }
}
