/**
 * The files that a file imports, directly or not, with their lines.
 *
 *     node scripts/closure.mjs FILE [--static] [--types] [--barrels] [--list]
 *
 * --static leaves out `await import(…)`, --types also follows `import type`, --list prints each file. Of an index.ts only the files of the
 * names that are imported count, as in a bundle; --barrels follows all of it, as a program without a bundler does.
 */
import { existsSync } from "node:fs";
import { closureOf, linesOf, report } from "./imports.mjs";

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const [entry] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (!entry || !existsSync(entry)) {
  console.error("usage: node scripts/closure.mjs FILE [--static] [--types] [--barrels] [--list]");
  process.exit(2);
}
const texts = closureOf(entry, {
  types: flags.includes("--types"),
  dynamic: !flags.includes("--static"),
  barrels: flags.includes("--barrels"),
});
report(new Map([...texts].map(([file, text]) => [file, linesOf(text)])), flags.includes("--list"));
