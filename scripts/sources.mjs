/**
 * The packages from their sources, as `exports` of their package.json names them: for vitest and vite. (The condition "@expen/source" would do
 * as well, but vitest hands conditions on to every process that a test starts.)
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./clone.mjs";

export const SOURCE = "@expen/source";

const folders = [...readdirSync(join(root, "packages")).map((name) => `packages/${name}`), "playground", "bench"];
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

export const aliases = folders.flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return Object.entries(exports)
    .filter(([, to]) => to[SOURCE])
    .map(([entry, to]) => ({
      find: new RegExp(`^${escaped(name + entry.slice(1)).replace("\\*", "(.*)")}$`),
      replacement: join(root, folder, to[SOURCE].replace("*", "$1")),
    }));
});
