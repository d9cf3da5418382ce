import { open, realpath, stat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CAUSES } from "@expen/data";
import { InputError } from "./input-error.js";

/** Causes when a file is created: ENOENT means that its folder is missing */
const CAUSES_OF_WRITING: Record<string, string> = {
  ...CAUSES,
  ENOENT: "there is no such folder",
  EEXIST: CAUSES.ENOTDIR!,
};

/** The cause of an error of the file system in a few words; undefined for other errors */
export function systemCause(error: unknown): string | undefined {
  return CAUSES_OF_WRITING[(error as NodeJS.ErrnoException).code ?? ""];
}

/** Refuses, before a long run, a path that its result cannot be written to. */
export async function checkWritable(option: string, path: string): Promise<void> {
  const probe = `${path}.${process.pid}.probe`;
  try {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    await (await open(probe, "w")).close();
    await unlink(probe);
  } catch (error) {
    const cause = systemCause(error) ?? String(error);
    throw new InputError(`--${option} ${path} cannot be written: ${cause} (${dirname(path)}).`);
  }
}

/** Refuses to write over a file that the command reads: a mistyped name would lose the data. */
export async function requireOther(option: string, path: string, inputs: readonly string[]): Promise<void> {
  const real = (name: string): Promise<string> => realpath(name).catch(() => resolve(name));
  const own = await real(path);
  for (const input of inputs) {
    if ((await real(input)) === own)
      throw new InputError(`--${option} ${path} is the file that is read; give another name.`);
  }
}
