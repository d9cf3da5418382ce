/**
 * `reproduce` and `bench` killed (SIGKILL) at random moments and started again: the report must be the same as without kills, with no part lost or repeated.
 * Half of the kills come at a time drawn beforehand, half at the moment when a file changes, so that writing is hit too.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { random } from "@expen/linalg";
import { scriptOptions } from "./arguments.js";
import { ROOT } from "./peers.js";

export interface Kills {
  kills: number;
  /** starts that continued a killed run */
  resumed: number;
  /** differences from a run without kills, in sentences */
  differences: string[];
}

/** A command that can be resumed. */
interface Victim {
  name: string;
  args(folder: string): string[];
  /** finished parts, key and contents; undefined if what is there cannot be read */
  parts(folder: string): [string, string][] | undefined;
  /** the whole answer without its times */
  answer(folder: string): string;
}

const TIMES = ["seconds", "secondsToGap", "date", "at", "machine"];
const timeless = (value: unknown): string =>
  JSON.stringify(value, (key, v) => (TIMES.includes(key) || v?.measure === "seconds" ? undefined : v));
const json = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

export const reproduce: Victim = {
  name: "reproduce",
  args: (folder) => [
    ...["reproduce", "all", "--runs", "2", "--sizes", "60x3,90x4", "--solvers", "auto,expen-cg"],
    ...["--engine", "wasm", "--quiet", "--out", folder],
  ],
  parts(folder) {
    const path = join(folder, "runs.jsonl");
    if (!existsSync(path)) return [];
    // a truncated last line is no part
    const whole = readFileSync(path, "utf8").split("\n").filter(parses);
    return whole.map((line) => [(JSON.parse(line) as { key: string }).key, line]);
  },
  answer: (folder) => timeless(json(join(folder, "report.json"))),
};

export const bench: Victim = {
  name: "bench",
  args: (folder) => [
    ...["bench", "--rows", "noeig:60x4,brockett:60x4,noeig:90x4,brockett:90x4,noeig:120x5,brockett:120x5"],
    ...[
      "--contenders",
      "auto@js",
      "--repeats",
      "1",
      "--gap",
      "0",
      "--clock",
      "cpu",
      "--out",
      join(folder, "bench.json"),
    ],
    ...(existsSync(join(folder, "bench.json")) ? ["--resume"] : []),
  ],
  parts(folder) {
    const path = join(folder, "bench.json");
    if (!existsSync(path)) return [];
    const text = readFileSync(path, "utf8");
    if (!parses(text)) return undefined;
    return (JSON.parse(text) as { rows: { id: string }[] }).rows.map((row) => [row.id, JSON.stringify(row)]);
  },
  answer: (folder) => timeless(json<{ rows: unknown }>(join(folder, "bench.json")).rows),
};

function parses(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** The moment of a kill: after `ms` milliseconds, or at the given change in the folder */
type Moment = { ms: number } | { change: number } | undefined;

/** Runs the command; returns whether it was killed, its errors and its time. */
function start(victim: Victim, folder: string, moment: Moment) {
  return new Promise<{ killed: boolean; code: number | null; said: string; ms: number }>((resolve) => {
    const began = performance.now();
    const child = spawn(process.execPath, [join(ROOT, "packages/expen/dist/main.js"), ...victim.args(folder)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const kill = (): void => void child.kill("SIGKILL");
    const timer = moment && "ms" in moment ? setTimeout(kill, moment.ms) : undefined;
    let left = moment && "change" in moment ? moment.change : 0;
    const watcher = left > 0 ? watch(folder, () => --left === 0 && kill()) : undefined;
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      watcher?.close();
      resolve({ killed: signal === "SIGKILL", code, said: said.trim(), ms: performance.now() - began });
    });
  });
}

/** Kills each of the two commands `count` times. */
export async function runKills(count: number, seed: number, victims = [reproduce, bench]): Promise<Kills> {
  const total: Kills = { kills: 0, resumed: 0, differences: [] };
  for (const victim of victims) {
    const { kills, resumed, differences } = await killOften(victim, count, seed);
    total.kills += kills;
    total.resumed += resumed;
    total.differences.push(...differences.map((text) => `${victim.name}: ${text}`));
  }
  return total;
}

async function killOften(victim: Victim, count: number, seed: number): Promise<Kills> {
  const r = random(seed, `kills of ${victim.name}`);
  const top = mkdtempSync(join(tmpdir(), "expen-kills-"));
  const differences: string[] = [];
  const fresh = (name: string): string => {
    mkdirSync(join(top, name));
    return join(top, name);
  };
  try {
    const whole = fresh("whole");
    const { code: usual, said, ms } = await start(victim, whole, undefined);
    // 1: some run did not converge, which does not matter here
    if (usual !== 0 && usual !== 1)
      throw new Error(`kills: '${victim.name}' failed without any kill (${usual}): ${said}`);
    const [expected, size] = [victim.answer(whole), victim.parts(whole)!.length];
    let [kills, resumed, round] = [0, 0, 0];
    /** finished parts of this round */
    let kept = new Map<string, string>();
    let folder = fresh("round 0");
    for (let starts = 0; kills < count || kept.size > 0; starts++) {
      if (starts > 10 * count + 10)
        throw new Error(`kills: '${victim.name}' ended too early to be killed ${count} times.`);
      const moment: Moment =
        kills >= count ? undefined : r.uniform() < 0.5 ? { ms: r.uniform() * ms } : { change: 1 + r.integer(8) };
      if (readdirSync(folder).length > 0) resumed++;
      const { killed, code, said } = await start(victim, folder, moment);
      const parts = victim.parts(folder);
      if (!parts) differences.push(`after kill ${kills + 1} its file cannot be read`);
      const now = new Map(parts ?? []);
      if (parts && parts.length > now.size) differences.push(`a part is there twice after kill ${kills + 1}`);
      for (const [key, text] of kept) if (now.get(key) !== text) differences.push(`'${key}' was finished and got lost`);
      kept = now;
      if (killed) {
        kills++;
        if (kills === count && kept.size === 0) break;
        continue;
      }
      if (code !== usual) differences.push(`started again it ended with ${code} instead of ${usual}: ${said}`);
      else if (now.size !== size) differences.push(`${now.size} parts instead of ${size}`);
      else if (victim.answer(folder) !== expected)
        differences.push("the answer differs from that of a run without kills");
      const left = readdirSync(folder).filter((name) => /partial|lock/.test(name));
      if (left.length > 0) differences.push(`${left.join(", ")} is left behind`);
      kept = new Map();
      folder = fresh(`round ${++round}`);
    }
    return { kills, resumed, differences };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { count, seed } = scriptOptions({ count: (text = "20") => Number(text), seed: (text = "1") => Number(text) });
  const { kills, resumed, differences } = await runKills(count, seed);
  for (const text of differences) console.error(text);
  console.log(`${kills} kills, resumed ${resumed} times, ${differences.length} differences`);
  process.exitCode = differences.length > 0 ? 1 : 0;
}
