/** Where the shared libraries of CUDA may be. Nothing of Node is imported before it is asked for. */
import { EngineError } from "@expen/linalg";
import type { LibraryName } from "./functions.js";

/** The numbers of the files of CUDA 13 and 12; cuSOLVER counts one less. */
const VERSIONS = { cublas: [13, 12], nvrtc: [13, 12], cusolver: [12, 11] } as const;
/** In which folder of the wheels of NVIDIA a library lies: site-packages/nvidia/…/lib */
const WHEELS: Record<Exclude<LibraryName, "driver">, readonly string[]> = {
  cublas: ["cu13", "cublas"],
  nvrtc: ["cu13", "cuda_nvrtc"],
  cusolver: ["cu13", "cusolver"],
};
const SYSTEM = [
  "/usr/local/cuda/lib64",
  "/usr/local/cuda/targets/x86_64-linux/lib",
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
];

/** Questions about the machine; tests answer for another one. */
export interface Folders {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** the names in a folder, none where there is no such folder */
  list(folder: string): string[];
}

/** The driver is found by the system alone. */
export const DRIVER_NAMES: readonly string[] = [
  "libcuda.so.1",
  "/usr/local/nvidia/lib64/libcuda.so.1",
  "/usr/lib/wsl/lib/libcuda.so.1",
];

/** The files to try for a library, the best first; its bare names last, which the system may know. */
export function candidates(name: Exclude<LibraryName, "driver">, { env, list }: Folders): string[] {
  const file = `lib${name}.so`;
  const versions: readonly number[] = VERSIONS[name];
  const place = (entry: string): number => versions.indexOf(Number(entry.slice(file.length + 1).split(".")[0]));
  const within = (folder: string): string[] =>
    list(folder)
      .filter((entry) => entry.startsWith(`${file}.`) && place(entry) >= 0)
      .sort((a, b) => place(a) - place(b) || a.length - b.length)
      .map((entry) => `${folder}/${entry}`);
  if (env.EXPEN_CUDA) {
    const matches = [env.EXPEN_CUDA, `${env.EXPEN_CUDA}/lib64`, `${env.EXPEN_CUDA}/lib`].flatMap(within);
    if (matches.length > 0) return matches;
    throw new EngineError(
      `cuda: the folder EXPEN_CUDA = '${env.EXPEN_CUDA}' has no ${file}; name the folder with the libraries of CUDA 12 or 13.`,
    );
  }
  const folders = [...(env.LD_LIBRARY_PATH?.split(":").filter(Boolean) ?? []), ...SYSTEM, ...wheels(name, env, list)];
  return [...folders.flatMap(within), ...versions.map((version) => `${file}.${version}`)];
}

function wheels(name: keyof typeof WHEELS, env: Folders["env"], list: Folders["list"]): string[] {
  const roots = [env.VIRTUAL_ENV, env.CONDA_PREFIX, "/usr/local", "/usr", `${env.HOME ?? ""}/.local`];
  return roots.flatMap((root) =>
    (root ? list(`${root}/lib`) : [])
      .filter((entry) => /^python3\.\d+$/.test(entry))
      .flatMap((python) =>
        ["site-packages", "dist-packages"].flatMap((packages) =>
          WHEELS[name].map((wheel) => `${root}/lib/${python}/${packages}/nvidia/${wheel}/lib`),
        ),
      ),
  );
}
