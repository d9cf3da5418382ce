import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expen as commandLine } from "expen/cli";
import { afterAll, vi } from "vitest";

const MAIN = resolve("packages/expen/dist/main.js");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the compiled command line, as a user would. */
export function start(args: string[], cwd = process.cwd()): { child: ChildProcess; ended: Promise<Ended> } {
  if (!existsSync(MAIN)) throw new Error("packages/expen/dist/main.js is missing; run 'npm run build' first.");
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, NO_COLOR: "1" } });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, stdout, stderr })));
  return { child, ended };
}

/** One command after the other: each has the working folder and the two streams of this process for itself. */
let last: Promise<unknown> = Promise.resolve();

/** The command line of this source tree, in this process: a process of its own takes a tenth of a second to begin. */
export function expen(args: string | string[], cwd = process.cwd()): Promise<Ended> {
  // what stands in quotes is one word
  const split = (text: string): string[] => (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
  const words = typeof args === "string" ? split(args) : args;
  const ended = last.then(() => here(words, cwd));
  last = ended.catch(() => {});
  return ended;
}

async function here(words: string[], cwd: string): Promise<Ended> {
  const text = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
      text[stream] += chunk;
      return true;
    }),
  );
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return { code: await commandLine(words), ...text };
  } finally {
    process.chdir(before);
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

/** A folder that is gone after the tests of the file */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "expen-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
