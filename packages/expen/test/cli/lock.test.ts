/** The lock of a folder between two processes: what happens between two calls of the file system. */
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { scratch } from "@expen/testing/cli/run-cli";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import type { lock as Lock } from "../../src/cli/lock.js";

/** done once, after the file was read */
let afterRead: { path: string; act: () => void } | undefined;
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const readFileSync = (path: string, ...rest: never[]): unknown => {
    const text = real.readFileSync(path, ...rest);
    if (afterRead?.path !== path) return text;
    const { act } = afterRead;
    afterRead = undefined;
    act();
    return text;
  };
  return { ...real, readFileSync };
});
// files of one worker share their modules: this one is loaded anew, as another may have loaded it with the real node:fs
const ANEW = "../../src/cli/lock.js?anew";
const { lock } = (await import(/* @vite-ignore */ ANEW)) as { lock: typeof Lock };

const folder = scratch();
const at = (name: string): string => join(folder, name);
const LEFT = `${process.pid} 1`;
const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
afterEach(() => {
  afterRead = undefined;
});
afterAll(() => void other.kill());

/** The name under which the other process would hold a lock: its number, and on Linux when it began */
function nameOfOther(): string {
  const stat = `/proc/${other.pid}/stat`;
  if (!fs.existsSync(stat)) return String(other.pid);
  // the 22nd field; the second, in brackets, may have spaces
  const fields = fs
    .readFileSync(stat, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return `${other.pid} ${fields[19]}`;
}

test("a lock that another process takes while a left one is looked at stays with it", () => {
  const path = at("raced");
  fs.writeFileSync(path, LEFT);
  afterRead = { path, act: () => fs.writeFileSync(path, nameOfOther()) };
  expect(() => lock(path, "it")).toThrow(`it is in use by process ${other.pid}; wait for it, or choose another place.`);
  expect(fs.readFileSync(path, "utf8")).toBe(nameOfOther());
});

test("a file without a name is nobody's", () => {
  const path = at("unnamed");
  fs.writeFileSync(path, "");
  lock(path, "it")();
  expect(fs.existsSync(path)).toBe(false);
});

test("a process that was killed while it took the lock leaves nothing for long", () => {
  const path = at("taking");
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  fs.writeFileSync(`${path}.${dead}`, `${dead} 1`);
  fs.writeFileSync(`${path}.${other.pid}`, nameOfOther());
  lock(path, "it")();
  expect(fs.readdirSync(folder).filter((name) => name.startsWith("taking"))).toEqual([`taking.${other.pid}`]);
});

test("what a process leaves that was killed between two removals goes with the next lock; what a live one holds stays", () => {
  const path = at("remains");
  fs.writeFileSync(`${path}.left`, LEFT);
  lock(path, "it")();
  expect(fs.existsSync(`${path}.left`)).toBe(false);
  fs.writeFileSync(`${path}.left`, nameOfOther());
  lock(path, "it")();
  expect(fs.readFileSync(`${path}.left`, "utf8")).toBe(nameOfOther());
});
