/** The packages of this repository, read from their package.json. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");
const SOURCE = "@expen/source";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/** Folders of those that are published, and their package.json */
export const published: readonly { folder: string; manifest: Manifest }[] = readdirSync(join(root, "packages"))
  .filter((name) => name !== "testing")
  .map((name) => `packages/${name}`)
  .map((folder) => ({ folder, manifest: manifestOf(folder) }));

/** Sources by the name of an entry as it is imported: "@expen/linalg/dense" → …/src/dense/index.ts */
export function entriesOf({ folder, manifest }: { folder: string; manifest: Manifest }): Map<string, string> {
  const own = Object.entries(manifest.exports).filter(([, to]) => to[SOURCE]);
  return new Map(own.map(([entry, to]) => [manifest.name + entry.slice(1), join(root, folder, to[SOURCE]!)]));
}

const expen = published.find(({ manifest }) => manifest.name === "expen")!;
/** The entries for users; that of the command line is for the repository's own programs. */
export const umbrella = new Map([...entriesOf(expen)].filter(([name]) => name !== "expen/cli"));
