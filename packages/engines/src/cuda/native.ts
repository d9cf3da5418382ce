/** The functions of CUDA from the shared libraries of this machine, through koffi. */
import { EngineError, environment } from "@expen/linalg";
import { loadKoffi } from "../koffi.js";
import { candidates, DRIVER_NAMES, type Folders } from "./find.js";
import { type Cuda, type LibraryName, libraries } from "./functions.js";

type Native = (...args: unknown[]) => number;
interface Shared {
  func(name: string, result: string, args: readonly string[]): Native;
}
export interface Koffi {
  load(path: string): Shared;
  address(value: unknown): bigint;
}

/** Libraries that these libraries need. The system may not find them; loaded first, they are found by name. */
const NEEDED: Partial<Record<LibraryName, readonly string[]>> = {
  cublas: ["libcublasLt"],
  cusolver: ["libnvJitLink", "libcusparse"],
};

export async function nativeCuda(): Promise<Cuda> {
  const { platform } = process;
  if (platform !== "linux") {
    throw new EngineError(`cuda: this is ${platform}; the engine runs on Linux with an NVIDIA driver.`);
  }
  const koffi = (await loadKoffi("cuda")) as unknown as Koffi;
  const fs = await import("node:fs");
  const list = (folder: string): string[] => {
    try {
      return fs.readdirSync(folder);
    } catch {
      return [];
    }
  };
  return declareAll(koffi, { env: environment, list });
}

export function declareAll(koffi: Koffi, folders: Folders): Cuda {
  const functions: Record<string, unknown> = {};
  const paths: Partial<Record<LibraryName, string>> = {};
  for (const library of Object.keys(libraries) as LibraryName[]) {
    const names = library === "driver" ? DRIVER_NAMES : candidates(library, folders);
    const { shared, path } = firstOf(koffi, library, names, folders);
    paths[library] = path;
    for (const [name, args] of Object.entries(libraries[library])) {
      functions[name] = declared(shared, path, name, args);
    }
  }
  return { ...functions, paths, addressOf: koffi.address } as unknown as Cuda;
}

function firstOf(koffi: Koffi, library: LibraryName, names: readonly string[], { list }: Folders) {
  const reasons: string[] = [];
  for (const path of names) {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    for (const needed of folder ? (NEEDED[library] ?? []) : []) {
      for (const file of list(folder.slice(0, -1))) {
        if (file.startsWith(`${needed}.so.`)) attempt(() => koffi.load(folder + file));
      }
    }
    const shared = attempt(
      () => koffi.load(path),
      (reason) => reasons.push(reason),
    );
    if (shared) return { shared, path };
  }
  if (library === "driver") {
    throw new EngineError(
      "cuda: there is no NVIDIA driver on this machine (libcuda.so.1); install one, or use another engine.",
    );
  }
  const matches = names.filter((name) => name.includes("/"));
  throw new EngineError(
    matches.length > 0
      ? `cuda: '${matches[0]}' could not be loaded (${reasons[0]}); name a folder with CUDA 12 or 13 in EXPEN_CUDA.`
      : `cuda: lib${library} was not found; install CUDA 12 or 13, "pip install nvidia-${library}-cu12", ` +
          "or name its folder in EXPEN_CUDA.",
  );
}

function declared(shared: Shared, path: string, name: string, args: readonly string[]): Native {
  try {
    return shared.func(name, "int", args);
  } catch {
    throw new EngineError(`cuda: '${path}' has no function ${name}; it is too old: install CUDA 12 or 13.`);
  }
}

function attempt<T>(action: () => T, failed?: (reason: string) => void): T | undefined {
  try {
    return action();
  } catch (error) {
    failed?.((error as Error).message.replace(/^Failed to load shared library: /, "").split("\n")[0]!);
    return undefined;
  }
}
