/** The suite specialists: our applications beside the tools of each field, on measured data. */
import { measurer } from "@expen/core";
import { openEngine } from "@expen/engines";
import { tallOf } from "@expen/linalg/engine";
import type { Clock } from "../contender.js";
import { type Side, type Sides, withSides } from "../contenders.js";
import { startResults } from "../store.js";
import type { Session } from "../suite.js";
import { textTable } from "../tables.js";
import { missingData } from "./data.js";
import { inTurns, judgeOf, ourLane, peerLane } from "./lanes.js";
import { identity, pose } from "./pose.js";
import { kind, OURS, type SpecialistCase, type SpecialistResults } from "./results.js";
import { specialistTable } from "./tables.js";
import type { SpecialistTask } from "./task.js";
import { fields, tasksOf } from "./tasks.js";

export interface SpecialistOptions extends Session<SpecialistResults> {
  fields?: readonly string[];
  threads?: number;
  clock?: Clock;
  /** seconds a run may take */
  limit?: number;
}

export async function benchSpecialists(options: SpecialistOptions = {}): Promise<SpecialistResults> {
  const missing = missingData();
  if (missing.length > 0) throw new RangeError(`no data ${missing.join(", ")}; 'npm run bench:setup' puts it there.`);
  const tasks = (options.fields ?? fields).flatMap(tasksOf);
  const tools = [...new Set(tasks.flatMap(({ peers }) => peers))];
  const noneOfOurs = () => undefined;
  return withSides(tools, options.threads ?? 1, noneOfOurs, (sides) => benchTasks(tasks, sides, options));
}

async function benchTasks(
  tasks: readonly SpecialistTask[],
  { peers, contenders, skipped }: Sides<Side>,
  { threads = 1, clock = "wall", limit = 60, before, save = () => {}, log = console.log }: SpecialistOptions,
): Promise<SpecialistResults> {
  const E = await openEngine("auto", { threads });
  const judgeEngine = await openEngine("auto", { threads: 1 });
  const all = { [OURS]: `the applications of expen on ${E.description}`, ...contenders };
  const settings = { threads, clock, limit, engine: E.description, contenders: all, skipped };
  const results = startResults<SpecialistResults>(kind, { ...settings, cases: [] }, before);
  for (const [name, why] of Object.entries(skipped)) log(`${name}: skipped, ${why}`);
  try {
    for (const task of tasks) {
      const { field, name } = task;
      if (results.cases.some((known) => known.field === field && known.name === name)) continue;
      const one = await race(task);
      results.cases.push(one);
      save(results);
      const times = one.runs.map(({ contender, seconds }) => `${contender} ${seconds?.toPrecision(3) ?? "failed"}`);
      log(`${field} ${name}: ${times.join(", ")} s`);
    }
  } finally {
    E.dispose();
    judgeEngine.dispose();
  }
  log(`\n${textTable(specialistTable(results))}`);
  return results;

  async function race(task: SpecialistTask): Promise<SpecialistCase> {
    const { field, name, starts, n, p, others = [] } = task;
    const judge = judgeOf(judgeEngine, task);
    const posed = pose(judgeEngine, task);
    const tools = peers.filter((peer) => task.peers.includes(peer.name));
    const lanes = [
      ourLane(E, task, clock),
      ...tools.map((peer) => peerLane(peer, posed.starts, task, { limit, clock }, others.includes(peer.name))),
    ];
    await inTurns(lanes);
    posed.dispose();
    const { measure } = measurer(judgeEngine, task.objective(judgeEngine));
    const scale = Math.abs(measure(tallOf(judgeEngine, identity(n, p))).fval);
    return { field, name, starts, scale, runs: lanes.map((lane) => lane.ended(judge)) };
  }
}
