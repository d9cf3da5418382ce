/** `npm run bench -- --suite specialists`: our applications beside the tools of each field, on measured data. */

import { measurer } from "@expen/core";
import { openEngine } from "@expen/engines";
import { tallOf } from "@expen/linalg/engine";
import type { Clock } from "../contender.js";
import { findPython, openPeer, type PeerContender } from "../peers.js";
import { commit, machine } from "../results.js";
import { textTable } from "../tables.js";
import { missingData } from "./data.js";
import { inTurns, judgeOf, ourLane, peerLane } from "./lanes.js";
import { identity, pose } from "./pose.js";
import { OURS, type SpecialistCase, type SpecialistResults } from "./results.js";
import { specialistTable } from "./tables.js";
import type { SpecialistTask } from "./task.js";
import { fields, tasksOf } from "./tasks.js";

export interface SpecialistOptions {
  chosen?: readonly string[];
  threads?: number;
  clock?: Clock;
  /** seconds a run may take */
  limit?: number;
  before?: SpecialistResults;
  save?(results: SpecialistResults): void;
  log?(line: string): void;
}

export async function benchSpecialists({
  chosen = fields,
  threads = 1,
  clock = "wall",
  limit = 60,
  before,
  save = () => {},
  log = console.log,
}: SpecialistOptions = {}): Promise<SpecialistResults> {
  const missing = missingData();
  if (missing.length > 0) throw new RangeError(`no data ${missing.join(", ")}; 'npm run bench:setup' puts it there.`);
  const E = await openEngine("auto", { threads });
  const judgeEngine = await openEngine("auto", { threads: 1 });
  const results: SpecialistResults = {
    suite: "specialists",
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    threads,
    clock,
    engine: E.description,
    contenders: { [OURS]: `the applications of expen on ${E.description}` },
    skipped: {},
    cases: before?.cases ?? [],
  };
  const peers = new Map<string, PeerContender>();
  try {
    for (const field of chosen) {
      for (const task of tasksOf(field)) {
        if (results.cases.some((known) => known.field === field && known.name === task.name)) continue;
        const one = await race(task);
        results.cases.push(one);
        save(results);
        const times = one.runs.map(({ contender, seconds }) => `${contender} ${seconds?.toPrecision(3) ?? "failed"}`);
        log(`${field} ${task.name}: ${times.join(", ")} s`);
      }
    }
  } finally {
    for (const peer of peers.values()) peer.end();
    E.dispose();
    judgeEngine.dispose();
  }
  log(`\n${textTable(specialistTable(results))}`);
  return results;

  async function race(task: SpecialistTask): Promise<SpecialistCase> {
    const judge = judgeOf(judgeEngine, task);
    const lanes = [ourLane(E, task, clock)];
    const posed = pose(judgeEngine, task);
    for (const name of task.peers) {
      const peer = await opened(name);
      if (peer) lanes.push(peerLane(peer, posed.starts, task, { limit, clock }, task.others?.includes(name) ?? false));
    }
    await inTurns(lanes);
    posed.dispose();
    const { field, name, starts, n, p } = task;
    const scale = Math.abs(
      measurer(judgeEngine, task.objective(judgeEngine)).measure(tallOf(judgeEngine, identity(n, p))).fval,
    );
    return { field, name, starts, scale, runs: lanes.map((lane) => lane.ended(judge)) };
  }

  async function opened(name: string): Promise<PeerContender | undefined> {
    const known = peers.get(name);
    if (known) return known;
    const python = findPython();
    const peer = python ? await openPeer(name, python, threads) : "no Python; 'npm run bench:setup' installs the tools";
    if (typeof peer === "string") {
      results.skipped[name] = peer;
      return undefined;
    }
    peers.set(name, peer);
    results.contenders[name] = peer.description;
    return peer;
  }
}
