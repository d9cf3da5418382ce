/** A task as the tools of other languages take it: files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomStart } from "@expen/core";
import { writeNpy } from "@expen/data";
import type { Engine, Matrix } from "@expen/linalg";
import { plain } from "@expen/linalg";
import type { Posed } from "../peers.js";
import type { SpecialistTask } from "./task.js";

/** The data as .npy files, once, and the start of each seed. */
export function pose(E: Engine, task: SpecialistTask): { starts: Posed[]; dispose(): void } {
  const folder = mkdtempSync(join(tmpdir(), "expen-specialists-"));
  const save = (name: string, A: Matrix): string => {
    const path = join(folder, `${name}.npy`);
    writeFileSync(path, writeNpy(A));
    return path;
  };
  const shared = Object.fromEntries(Object.entries(task.data).map(([letter, A]) => [letter, save(letter, A)]));
  const starts = Array.from({ length: task.starts }, (_, k): Posed => {
    const X0 = task.starts > 1 ? random(E, task.n, task.p, k + 1) : (task.start ?? identity(task.n, task.p));
    const { field, n, p } = task;
    return { problem: `specialists/${field}`, n, p, files: { X0: save(`X0-${k}`, X0), ...shared }, folder };
  });
  return { starts, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

function random(E: Engine, n: number, p: number, seed: number): Matrix {
  return { rows: n, cols: p, data: E.read(randomStart(E, n, p, seed)) };
}

export function identity(n: number, p: number): Matrix {
  const I = plain(n, p);
  for (let j = 0; j < p; j++) I.data[j * (p + 1)] = 1;
  return I;
}
