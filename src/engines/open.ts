/** Engines by name. Each is imported when it is asked for, so that a page does not carry what it does not use. */
import { nearest } from "../nearest.js";
import type { Engine } from "../types.js";
import { EngineError } from "./engine.js";

export interface EngineOptions {
  /** blas: path or name of the library */
  library?: string;
  /** wasm and blas: how many threads the products may take */
  threads?: number;
  /** mpi: what works on the rows of a rank; left out: EXPEN_MPI_INNER, or the fastest there is */
  inner?: HostEngineName;
}

const openers = {
  blas: async (options: EngineOptions) => (await import("./blas.js")).blasEngine(options),
  wasm: async ({ threads }: EngineOptions) =>
    (await import("./wasm.js")).wasmEngine(threads === undefined ? {} : { threads }),
  js: async () => (await import("./js.js")).jsEngine(),
};

/** The engines, the fastest first */
export const engineNames = Object.keys(openers) as HostEngineName[];
export type HostEngineName = keyof typeof openers;

/** Engines of several processes, which `auto` never takes: rows over ranks, and data over ranks with X on each */
const spreadOpeners = {
  mpi: async (options: EngineOptions) => (await import("./mpi-open.js")).openRows(options),
  "mpi-data": async (options: EngineOptions) => (await import("./mpi-open.js")).openData(options),
};
export const spreadNames = Object.keys(spreadOpeners) as (keyof typeof spreadOpeners)[];
export type EngineName = "auto" | HostEngineName | keyof typeof spreadOpeners;

/** `auto` takes the fastest engine there is. A library that was named (here or in EXPEN_BLAS) but fails is an error, never passed over. */
export async function openEngine(name: EngineName = "auto", options: EngineOptions = {}): Promise<Engine> {
  if (name === "auto") return fastest(options);
  const all = { ...openers, ...spreadOpeners };
  if (!Object.hasOwn(all, name)) {
    const names = ["auto", ...engineNames, ...spreadNames];
    const guess = nearest(String(name), names);
    const hint = guess ? `; did you mean '${guess}'?` : ".";
    throw new EngineError(`engine: '${name}' is none of ${names.join(", ")}${hint}`);
  }
  return all[name](options);
}

/** Works on the engine given, which stays open, or on the fastest there is, which is closed whatever becomes of the work. */
export async function withEngine<T>(given: Engine | undefined, work: (E: Engine) => Promise<T>): Promise<T> {
  if (given) {
    if (typeof given.tall === "function") return work(given);
    throw new TypeError(
      `engine is ${typeof given === "string" ? `'${given}'` : typeof given}; give one that openEngine opened.`,
    );
  }
  const E = await openEngine("auto");
  try {
    return await work(E);
  } finally {
    E.dispose();
  }
}

async function fastest(options: EngineOptions): Promise<Engine> {
  const named = options.library ?? globalThis.process?.env?.EXPEN_BLAS;
  for (const name of engineNames) {
    const { engine, error } = await attempt(name, options);
    if (engine) return engine;
    if (name === "blas" && named) throw error;
  }
  throw new EngineError("engine: none could be opened.");
}

/** An engine by its name, or why there is none */
export interface Availability {
  name: HostEngineName;
  engine?: Engine;
  error?: Error;
}

async function attempt(name: Availability["name"], options: EngineOptions): Promise<Availability> {
  try {
    return { name, engine: await openers[name](options) };
  } catch (error) {
    return { name, error: error as Error };
  }
}

/** Every engine, the fastest first, opened where it can be. */
export function availableEngines(options: EngineOptions = {}): Promise<Availability[]> {
  return Promise.all(engineNames.map((name) => attempt(name, options)));
}
