import { open, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "./input-error.js";

const CAUSES: Record<string, string> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a part of the path is a file, not a folder",
  EACCES: "the permission is missing",
  EPERM: "the permission is missing",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EISDIR: "this is a folder, not a file",
  EDQUOT: "the quota of the disk is used up",
  ENAMETOOLONG: "the name is too long",
};

/** What the system says about a path, in a few words; undefined for errors that are not the system's */
export function systemCause(error: unknown): string | undefined {
  return CAUSES[(error as NodeJS.ErrnoException).code ?? ""];
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
