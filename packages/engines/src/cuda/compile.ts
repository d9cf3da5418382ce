/** Kernels in CUDA C become functions of the device when they are first needed, by NVRTC. */
import { EngineError } from "@expen/linalg";
import type { Cuda, FunctionName } from "./functions.js";

type Call = (name: FunctionName, ...args: unknown[]) => void;
type Handle = (name: FunctionName, ...args: unknown[]) => number;

export interface Compiler {
  /** The kernel `name` of a source; each source is compiled once, with further options of NVRTC. */
  kernel(source: string, name: string, options?: readonly string[]): { readonly handle: number };
  dispose(): void;
}

export function compiler(cuda: Cuda, call: Call, handle: Handle, architecture: string): Compiler {
  const modules = new Map<string, number>();
  const kernels = new Map<string, { handle: number }>();

  function moduleOf(source: string, options: readonly string[]): number {
    let module = modules.get(source);
    if (module === undefined) modules.set(source, (module = handle("cuModuleLoadData", compiled(source, options))));
    return module;
  }

  function compiled(source: string, further: readonly string[]): Uint8Array {
    const program = new BigUint64Array(1);
    call("nvrtcCreateProgram", program, source, "expen.cu", 0, null, null);
    const at = Number(program[0]);
    const options = [`--gpu-architecture=${architecture}`, ...further];
    const code = cuda.nvrtcCompileProgram(at, options.length, options);
    if (code !== 0) throw refused(at, code);
    const size = new BigUint64Array(1);
    call("nvrtcGetCUBINSize", at, size);
    const cubin = new Uint8Array(Number(size[0]));
    call("nvrtcGetCUBIN", at, cubin);
    call("nvrtcDestroyProgram", program);
    return cubin;
  }

  function refused(at: number, code: number): EngineError {
    const size = new BigUint64Array(1);
    call("nvrtcGetProgramLogSize", at, size);
    const log = new Uint8Array(Number(size[0]));
    call("nvrtcGetProgramLog", at, log);
    const words = new TextDecoder().decode(log).split("\n")[0]!.replaceAll("\0", "").trim();
    return new EngineError(
      `cuda: NVRTC gave ${code} for ${architecture} (${words}); install a CUDA that knows this device.`,
    );
  }

  return {
    kernel(source, name, options = []) {
      const key = `${name}\n${source}`;
      let kernel = kernels.get(key);
      if (!kernel)
        kernels.set(key, (kernel = { handle: handle("cuModuleGetFunction", moduleOf(source, options), name) }));
      return kernel;
    },
    dispose() {
      for (const module of modules.values()) cuda.cuModuleUnload(module);
      modules.clear();
      kernels.clear();
    },
  };
}
