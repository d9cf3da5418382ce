import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";

const MAIN = resolve("dist/cli/main.js");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the compiled command line, as a user would. */
export function start(args: string[], cwd = process.cwd()): { child: ChildProcess; ended: Promise<Ended> } {
  if (!existsSync(MAIN)) throw new Error("dist/cli/main.js is missing; run 'npm run build' first.");
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, NO_COLOR: "1" } });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, stdout, stderr })));
  return { child, ended };
}

export const expen = (args: string, cwd?: string): Promise<Ended> => start(args.split(" ").filter(Boolean), cwd).ended;

/** A folder that is gone after the tests of the file */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "expen-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
