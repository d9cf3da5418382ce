/** The package that calls native libraries. It is imported when it is asked for, so that a page does not carry it. */
import { EngineError } from "../errors.js";

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
  if (!(globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node) {
    throw new EngineError(`${engine}: there is no native code in a browser; use the wasm engine.`);
  }
  try {
    // a variable, so that bundlers for browsers do not follow it
    const name = "koffi";
    const module = (await import(/* @vite-ignore */ name)) as { default: Koffi };
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
