import type { State } from "@expen/core";
import type { RunRecord } from "@expen/experiments/paper";
import { type Task, taskKey } from "@expen/experiments/paper";
import { duration, small } from "../format.js";

/** The progress of a reproduction. The time left comes from the paper's times of the tasks, scaled by those that are finished. */
export function reproduceProgress(tasks: readonly Task[], engine: string, quiet: boolean) {
  const { stderr } = process;
  const live = Boolean(stderr.isTTY) && !quiet;
  let [doneWeight, elapsed, last] = [0, 0, 0];
  let weightLeft = tasks.reduce((sum, t) => sum + t.weight, 0);
  let position = 0;
  const name = (t: Task): string => `${t.problem} ${t.n}×${t.p} ${t.competitor.label}, start ${t.start}`;
  const remaining = (): string =>
    doneWeight > 0 && position < tasks.length ? `, about ${duration((weightLeft * elapsed) / doneWeight)} left` : "";
  return {
    begin(task: Task): void {
      position++;
      last = performance.now();
      if (live) stderr.write(`\r\u001b[2K[${position}/${tasks.length}] ${name(task)}${remaining()}`);
    },
    see(task: Task, s: State): void {
      const now = performance.now();
      if (!live || now - last < 200) return;
      last = now;
      stderr.write(
        `\r\u001b[2K[${position}/${tasks.length}] ${name(task)}  k ${s.k}  ‖g‖ ${small(s.gnorm)}${remaining()}`,
      );
    },
    end(task: Task, record: RunRecord, seconds: number): void {
      doneWeight += task.weight;
      elapsed += seconds;
      weightLeft -= task.weight;
      if (quiet || record.key !== taskKey(task, engine)) return;
      const text = `[${position}/${tasks.length}] ${name(task)}: ${record.converged ? "" : `${record.status}, `}${record.iterations} iterations, ${duration(record.seconds)}${remaining()}`;
      stderr.write(`${live ? "\r\u001b[2K" : ""}${text}\n`);
    },
  };
}
