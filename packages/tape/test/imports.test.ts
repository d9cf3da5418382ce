/** The files of the tape import one another in one direction. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../src");

/** What a file imports of the same folder, types aside: they leave nothing behind */
function imported(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found = [...text.matchAll(/^(?:import|export) (?!type )([^;]*?) from "(\.[^"]+)\.js";/gms)];
  return found
    .filter(([, names]) => names!.replace(/[{}\s]/g, "").length > 0)
    .filter(([, names]) => !/^\{(\s*type \w+( as \w+)?,?)+\s*\}$/.test(names!))
    .map(([, , path]) => `${normalize(join(dirname(file), path!))}.ts`)
    .filter((path) => !path.startsWith(".."));
}

test("no circle of imports in the tape", () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const left = new Map(files.map((file) => [normalize(file), imported(file)]));
  expect(left.get("compile.ts")).toContain("program.ts");
  // files whose imports are all gone leave, until none is left or a circle
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, paths] of left) if (!paths.some((path) => left.has(path))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
});
