/** The package that calls native libraries. It is optional, and imported when the first library is. */
import { EngineError, isPermitted } from "@expen/linalg";

export type Native = (...args: unknown[]) => unknown;

/**
 * The most that koffi gives a call, in place of 2 MiB: where threads share an LU factorization, OpenBLAS takes half a megabyte of stack for
 * each level of its recursion.
 */
const STACK = 16 * 2 ** 20;

export interface Koffi {
  config(): Record<string, number>;
  config(changed: Record<string, number>): unknown;
  /** null: what the process has loaded, the C library among it */
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
    // a variable, as TypeScript would miss the types of a package that need not be installed
    const name = "koffi";
    const module = (await import(name)) as { default: Koffi };
    widen(module.default);
    return module.default;
  } catch (error) {
    const reason = (error as Error).message.split("\n")[0];
    throw new EngineError(`${engine}: the package koffi cannot be loaded (${reason}); run "npm install koffi".`);
  }
}

function widen(koffi: Koffi): void {
  const { sync_stack_size = 0, ...rest } = koffi.config();
  if (sync_stack_size >= STACK) return;
  try {
    koffi.config({ ...rest, sync_stack_size: STACK });
  } catch {
    // a program that has loaded a library by itself keeps its own setting
  }
}
