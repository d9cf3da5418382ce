/** The examples of Manopt and Pymanopt as programs of ours: they run, and the table of examples/peers/README.md has their lengths. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runFile } from "@expen/testing/run-snippet";
import { describe, expect, test } from "vitest";
import { root } from "./workspace.js";

const folder = join(root, "examples/peers");
const programs = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "data.ts");

/** Lines that are neither blank, nor a comment, nor an import */
function linesOf(name: string): number {
  const text = readFileSync(join(folder, name), "utf8").replace(/^import [\s\S]*?;$/gm, "");
  return text.split("\n").filter((line) => line.trim() !== "" && !/^\s*(\/\/|\/\*|\*)/.test(line)).length;
}

/** A status, a level, a fact that is true, or two numbers that agree */
function isRight(output: string): boolean {
  const words = output.trim().split(/\s+/);
  const numbers = words.map(Number);
  if (words.length === 2 && numbers.every(Number.isFinite))
    return Math.abs(numbers[0]! - numbers[1]!) <= 1e-6 * (1 + Math.abs(numbers[1]!));
  return words.every((word) => ["converged", "second-order", "global", "true"].includes(word));
}

describe("examples of peers", () => {
  test.each(programs)("%s", async (name) => {
    const output = await runFile(join(folder, name));
    expect(isRight(output), output).toBe(true);
  });

  test("the table has each of them with its length", () => {
    const table = readFileSync(join(root, "examples/peers/README.md"), "utf8");
    const rows = [...table.matchAll(/\]\(([\w-]+\.ts)\) \| (\d+) \|/g)];
    const told = Object.fromEntries(rows.map(([, name, lines]) => [name, Number(lines)]));
    expect(told).toEqual(Object.fromEntries(programs.map((name) => [name, linesOf(name)])));
  });
});
