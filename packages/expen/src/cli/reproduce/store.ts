/** The finished runs on disk: one JSON document a line, each there as soon as its run has ended. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "@expen/experiments/paper";
import { InputError, messageOf } from "../input-error.js";
import { lock } from "../lock.js";
import { clearPartials } from "../whole-file.js";
import { systemCause } from "../writable.js";

export interface Store {
  readonly records: ReadonlyMap<string, RunRecord>;
  add(record: RunRecord): void;
  close(): void;
}

const FILE = "runs.jsonl";

/**
 * Opens or creates the folder and reads what is there; a line cut off by a crash is passed over. It belongs to one process at a time; what a
 * killed one has left half written is taken away.
 */
export function openStore(folder: string): Store {
  const path = join(folder, FILE);
  const records = new Map<string, RunRecord>();
  let unlock = (): void => {};
  const file = explain(path, () => {
    mkdirSync(folder, { recursive: true });
    unlock = lock(join(folder, "lock"), `the folder ${folder}`);
    for (const name of ["report.json", "report.md", "report.html"]) clearPartials(join(folder, name));
    if (existsSync(path)) for (const record of parse(readFileSync(path, "utf8"))) records.set(record.key, record);
    return openSync(path, "a+");
  });
  explain(path, () => {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n") appendFileSync(file, "\n");
  });
  return {
    records,
    add(record) {
      explain(path, () => {
        appendFileSync(file, `${JSON.stringify(record)}\n`);
        fsyncSync(file);
      });
      records.set(record.key, record);
    },
    close() {
      closeSync(file);
      unlock();
    },
  };
}

function* parse(text: string): Generator<RunRecord> {
  for (const line of text.split("\n")) {
    try {
      const record = JSON.parse(line) as RunRecord;
      // a solver that failed is tried again
      if (typeof record?.key === "string" && record.status !== "failed") yield record;
    } catch {
      // an empty line, or one that was cut off: its run is made again
    }
  }
}

/** Writing goes wrong for reasons of the system: said in one sentence, what was finished stays. */
export function explain<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const cause = systemCause(error) ?? messageOf(error);
    throw new InputError(`${path} cannot be written: ${cause}; the runs finished so far are kept.`, { cause: error });
  }
}
