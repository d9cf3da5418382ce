/** Engines by name. Each is imported when it is asked for, so that a page does not carry what it does not use. */

import type { Engine } from "@expen/linalg";
import {
  anything,
  chosenOptions,
  EngineError,
  environment,
  list,
  nearest,
  object,
  type SchemaOf,
  shown,
  text,
  whole,
} from "@expen/linalg";
import { onEngine } from "@expen/linalg/engine";
import { libraryOfUser } from "./blas/blas-variable.js";
import { native } from "./native.js";
import { requireThreads } from "./threads.js";

export interface EngineOptions {
  /** blas: path or name of the library */
  library?: string;
  /** wasm and blas: how many threads the products may take */
  threads?: number;
  /** auto: the size of X, where f is written in engine operations or as a formula, so that X may lie on a device */
  size?: { readonly n: number; readonly p: number };
  /** auto: where it writes what there is to say about its choice */
  notes?: string[];
  /** mpi: what works on the rows of a rank; left out: EXPEN_MPI_INNER, or the fastest there is */
  inner?: HostEngineName;
  /** cuda: which device, from 0; left out: EXPEN_CUDA_DEVICE, or the first */
  device?: number;
}

const engineSchema: SchemaOf<EngineOptions> = {
  library: text,
  // each engine says which numbers it takes
  threads: anything,
  size: object,
  notes: list,
  inner: anything,
  device: whole(0),
};

const openers = {
  cuda: (options: EngineOptions) => native.cuda(options),
  blas: (options: EngineOptions) => native.blas(options),
  wasm: async (options: EngineOptions) => (await import("./wasm/engine.js")).wasmEngine(options),
  js: async () => (await import("@expen/linalg/engine")).jsEngine(),
};

/** From this many entries of X on a device is faster than many cores, its opening included (docs/engines/cuda.md). */
export const WORTH_A_DEVICE = 2_000_000;

const ABSENT = /no NVIDIA driver|runs on Linux|package koffi/;

/** The engines, the fastest first */
export const engineNames = Object.keys(openers) as HostEngineName[];
export type HostEngineName = keyof typeof openers;

/** Engines of several processes, which `auto` never takes: rows over ranks, and data over ranks with X on each */
const spreadOpeners = {
  mpi: async (options: EngineOptions) => native.mpi(innerOf(options)),
  "mpi-data": async (options: EngineOptions) => native["mpi-data"](innerOf(options)),
};
export const spreadNames = Object.keys(spreadOpeners) as (keyof typeof spreadOpeners)[];
export type EngineName = "auto" | HostEngineName | keyof typeof spreadOpeners;

/** What works on the rows of a rank, which has one core as a rule. It is opened once MPI runs. */
function innerOf({ inner, threads = 1, ...rest }: EngineOptions): (device: number | undefined) => Promise<Engine> {
  const named = inner ?? (environment.EXPEN_MPI_INNER || "auto");
  const names: string[] = ["auto", ...engineNames];
  if (!names.includes(named)) {
    const guess = nearest(named, names);
    const hint = guess ? `; did you mean '${guess}'?` : ".";
    throw new EngineError(`mpi: the inner engine '${named}' is none of ${names.join(", ")}${hint}`);
  }
  return (device) => openEngine(named as EngineName, { ...rest, threads, device });
}

/**
 * `auto` takes the fastest engine there is; a device only where the size of X is known and worth it. A library that was named (here or in
 * EXPEN_BLAS and EXPEN_CUDA) but fails is an error, never passed over. EXPEN_BLAS=none hides the BLAS: `auto` passes it over.
 */
export async function openEngine(name: EngineName = "auto", given: EngineOptions = {}): Promise<Engine> {
  const options = chosenOptions("openEngine", given, engineSchema);
  if (name === "auto") return fastest(options);
  const all = { ...openers, ...spreadOpeners };
  if (!Object.hasOwn(all, name)) {
    const names = ["auto", ...engineNames, ...spreadNames];
    const guess = nearest(String(name), names);
    const hint = guess ? `; did you mean '${guess}'?` : ".";
    throw new EngineError(`engine: ${shown(name)} is none of ${names.join(", ")}${hint}`);
  }
  return all[name](options);
}

/** Works on the engine given, which stays open, or on the fastest there is, which is closed whatever becomes of the work. */
export const withEngine = <T>(
  given: Engine | undefined,
  work: (E: Engine) => Promise<T>,
  options: EngineOptions = {},
): Promise<T> => onEngine(given, () => openEngine("auto", options), work);

async function fastest(options: EngineOptions): Promise<Engine> {
  // an engine that refuses the number would be passed over
  requireThreads("engine auto", options.threads ?? 1);
  const named = {
    blas: options.library ?? libraryOfUser(),
    cuda: environment.EXPEN_CUDA,
    wasm: undefined,
    js: undefined,
  };
  const { size: { n, p } = { n: 0, p: 0 }, notes } = options;
  for (const name of engineNames) {
    if (name === "cuda" && !(n * p >= WORTH_A_DEVICE)) continue;
    const { engine, error } = await attempt(name, options);
    if (engine && name === "cuda") notes?.push(`engine auto took cuda: X has ${WORTH_A_DEVICE} entries or more`);
    if (engine) return engine;
    if (named[name]) throw error;
    // a machine without a device is nothing to speak of
    if (name === "cuda" && !ABSENT.test(error!.message)) notes?.push(`engine auto passed cuda over: ${error!.message}`);
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
export async function availableEngines(given: EngineOptions = {}): Promise<Availability[]> {
  const options = chosenOptions("availableEngines", given, engineSchema);
  return Promise.all(engineNames.map((name) => attempt(name, options)));
}
