/** Engines by name. Each is imported when it is opened, so that a page loads only the engine that it uses. */

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

/** Options of `openEngine` */
export interface EngineOptions {
  /** blas: path or name of the library */
  library?: string;
  /** wasm and blas: number of threads */
  threads?: number;
  /** auto: the size of X, if f is written in engine operations or as a formula, so that X may lie on a device */
  size?: { readonly n: number; readonly p: number };
  /** auto: receives remarks on the choice */
  notes?: string[];
  /** mpi: the engine for the rows of a rank; left out: EXPEN_MPI_INNER, or the fastest available */
  inner?: HostEngineName;
  /** cuda: number of the device, from 0; left out: EXPEN_CUDA_DEVICE, or the first */
  device?: number;
}

const engineSchema: SchemaOf<EngineOptions> = {
  library: text,
  // checked by each engine
  threads: anything,
  size: object,
  notes: list,
  inner: anything,
  device: whole(0),
};

const openers = {
  cuda: (options: EngineOptions): Promise<Engine> => native.cuda(options),
  blas: (options: EngineOptions): Promise<Engine> => native.blas(options),
  wasm: async (options: EngineOptions): Promise<Engine> => (await import("./wasm/engine.js")).wasmEngine(options),
  js: async (): Promise<Engine> => (await import("@expen/linalg/engine")).jsEngine(),
};

/** Entries of X from which a device is faster than many cores, with the time to open it (npm run bench:cuda; docs/engines/cuda.md). */
export const WORTH_A_DEVICE = 2_000_000;

/** Errors of a machine without a device, which need no note */
const ABSENT = /no NVIDIA driver|runs on Linux|package koffi/;

/** The engines of one process, the fastest first */
export const engineNames = Object.keys(openers) as HostEngineName[];
export type HostEngineName = keyof typeof openers;

/** Engines of several processes, which `auto` never opens: rows of X distributed over ranks, or data distributed and X replicated */
const spreadOpeners = {
  mpi: async (options: EngineOptions): Promise<Engine> => native.mpi(innerOf(options)),
  "mpi-data": async (options: EngineOptions): Promise<Engine> => native["mpi-data"](innerOf(options)),
};
export const spreadNames = Object.keys(spreadOpeners) as (keyof typeof spreadOpeners)[];
/** The engines by name; `auto` is the fastest one available */
export type EngineName = "auto" | HostEngineName | keyof typeof spreadOpeners;

/** Opens the engine for the rows of a rank, after MPI has started; a rank usually has one core. */
function innerOf({ inner, threads = 1, ...rest }: EngineOptions): (device: number | undefined) => Promise<Engine> {
  const name = inner ?? (environment.EXPEN_MPI_INNER || "auto");
  const names: string[] = ["auto", ...engineNames];
  if (!names.includes(name)) {
    throw new EngineError(`mpi: the inner engine '${name}' is none of ${names.join(", ")}${guessOf(name, names)}`);
  }
  return (device) => openEngine(name as EngineName, { ...rest, threads, device });
}

/** The end of a sentence about a wrong name: the name that was probably meant */
function guessOf(name: string, names: string[]): string {
  const guess = nearest(name, names);
  return guess ? `; did you mean '${guess}'?` : ".";
}

/**
 * Opens an engine by its name. `auto` is the fastest available engine; a device only if the size of X is known and large enough. Where a
 * library is named (here, in EXPEN_BLAS or in EXPEN_CUDA) and fails, `auto` fails too. EXPEN_BLAS=none hides every BLAS from `auto`.
 */
export async function openEngine(name: EngineName = "auto", user: EngineOptions = {}): Promise<Engine> {
  const options = chosenOptions("openEngine", user, engineSchema);
  if (name === "auto") return fastest(options);
  const all = { ...openers, ...spreadOpeners };
  if (!Object.hasOwn(all, name)) {
    const names = ["auto", ...engineNames, ...spreadNames];
    throw new EngineError(`engine: ${shown(name)} is none of ${names.join(", ")}${guessOf(String(name), names)}`);
  }
  return all[name](options);
}

/**
 * Runs `work` on `given`, which stays open, or on the engine of that name, or the fastest available, which is closed at the end, also after
 * an error.
 */
export const withEngine = <T>(
  choice: Engine | EngineName | undefined,
  work: (E: Engine) => Promise<T>,
  options: EngineOptions = {},
): Promise<T> => onEngine(choice, (name = "auto") => openEngine(name as EngineName, options), work);

async function fastest(options: EngineOptions): Promise<Engine> {
  // checked first, as an engine that refuses the number would be skipped
  requireThreads("engine auto", options.threads ?? 1);
  const byName = {
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
    if (byName[name]) throw error;
    if (name === "cuda" && !ABSENT.test(error!.message)) notes?.push(`engine auto passed cuda over: ${error!.message}`);
  }
  throw new EngineError("engine: none could be opened.");
}

/** An engine by its name, or the error with which it fails to open */
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

/** Opens every engine of one process, the fastest first; an engine that fails comes with its error. */
export async function availableEngines(user: EngineOptions = {}): Promise<Availability[]> {
  const options = chosenOptions("availableEngines", user, engineSchema);
  return Promise.all(engineNames.map((name) => attempt(name, options)));
}
