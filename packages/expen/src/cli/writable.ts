import { open, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { CAUSES } from "@expen/data";
import { InputError } from "./input-error.js";

/** Of a file that is to be made: what is missing is its folder */
const CAUSES_OF_WRITING: Record<string, string> = {
  ...CAUSES,
  ENOENT: "there is no such folder",
  EEXIST: CAUSES.ENOTDIR!,
};

/** What the system says about a path, in a few words; undefined for errors that are not the system's */
export function systemCause(error: unknown): string | undefined {
  return CAUSES_OF_WRITING[(error as NodeJS.ErrnoException).code ?? ""];
}

/** Notices before a long run that its result could not be written. */
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
