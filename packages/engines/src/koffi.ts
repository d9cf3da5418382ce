/** The package koffi, which calls native libraries. It is optional, and is imported with the first library. */
import { EngineError, isPermitted } from "@expen/linalg";

export type Native = (...args: unknown[]) => unknown;

/**
 * Bytes of stack for a call, the most that koffi allows (its default is 2 MiB): a threaded LU factorization of OpenBLAS is recursive and
 * takes half a megabyte of stack for each level.
 */
const STACK = 16 * 2 ** 20;

export interface Koffi {
  config(): Record<string, number>;
  config(settings: Record<string, number>): unknown;
  /** null: the libraries that the process has loaded, among them the C library */
  load(path: string | null, options?: { global?: boolean }): KoffiLibrary;
}

export interface KoffiLibrary {
  func(name: string, result: string, args: string[]): Native;
  unload(): void;
}

export async function loadKoffi(engine: string): Promise<Koffi> {
  if (!isPermitted({ name: "ffi" })) {
    throw new EngineError(
      `${engine}: Deno calls native libraries with --allow-ffi alone; run with it, or use the wasm engine.`,
    );
  }
  try {
    // a variable, as TypeScript would require the types of a literal name, and the package need not be installed
    const name = "koffi";
    const module = (await import(name)) as { default: Koffi };
    enlargeStack(module.default);
    return module.default;
  } catch (error) {
    const reason = (error as Error).message.split("\n")[0];
    throw new EngineError(`${engine}: the package koffi cannot be loaded (${reason}); run "npm install koffi".`);
  }
}

function enlargeStack(koffi: Koffi): void {
  const { sync_stack_size = 0, ...rest } = koffi.config();
  if (sync_stack_size >= STACK) return;
  try {
    koffi.config({ ...rest, sync_stack_size: STACK });
  } catch {
    // koffi refuses changes once the program itself has loaded a library
  }
}
