/** A task as files, for tools in other languages. */
import { randomStart } from "@expen/core";
import type { Engine, Matrix } from "@expen/linalg";
import { plain } from "@expen/linalg";
import { writeMatrices } from "../left-behind.js";
import type { Posed } from "../peers.js";
import type { SpecialistTask } from "./task.js";

/** Writes the data once, and the start of each seed. */
export function pose(E: Engine, task: SpecialistTask): { starts: Posed[]; dispose(): void } {
  const { field, n, p, start, data } = task;
  const points = Array.from({ length: task.starts }, (_, k): [string, Matrix] => [
    `X0-${k}`,
    task.starts > 1 ? random(E, n, p, k + 1) : (start ?? identity(n, p)),
  ]);
  const { folder, files, dispose } = writeMatrices({ ...data, ...Object.fromEntries(points) });
  const letters = Object.fromEntries(Object.keys(data).map((letter) => [letter, files[letter]!]));
  const starts = points.map(
    ([name]): Posed => ({ problem: `specialists/${field}`, n, p, files: { X0: files[name]!, ...letters }, folder }),
  );
  return { starts, dispose };
}

function random(E: Engine, n: number, p: number, seed: number): Matrix {
  return { rows: n, cols: p, data: E.read(randomStart(E, n, p, seed)) };
}

export function identity(n: number, p: number): Matrix {
  const I = plain(n, p);
  for (let j = 0; j < p; j++) I.data[j * (p + 1)] = 1;
  return I;
}
