/** --engine: the engine of a run, and whether several processes work together on it. */
import { type EngineName, type EngineOptions, engineNames, openEngine, spreadNames } from "@expen/engines";
import { startedAs } from "@expen/engines/mpi";
import type { Engine } from "@expen/linalg";
import { InputError, oneOf } from "./input-error.js";

/** The names that --engine takes */
export const ENGINES: readonly EngineName[] = ["auto", ...engineNames, ...spreadNames];

/** Whether --engine names an engine of several processes, with or without an inner one */
export const isSpread = (engine: string): boolean =>
  (spreadNames as readonly string[]).includes(engine.split(":", 1)[0]!);

/** Refuses several processes of one mpirun without such an engine: each would do the same run, or wait for the others for ever. */
export function requireSpread({ engine = "" }: { engine?: string }): void {
  const { size, local } = startedAs() ?? { size: 1, local: 1 };
  const processes = size ?? local;
  if (processes < 2 || isSpread(engine)) return;
  throw new InputError(
    `mpirun started ${processes} processes, which work together only in 'expen solve … --engine mpi' (or mpi-data); ` +
      "add that option, or leave mpirun out.",
  );
}

/**
 * Opens the engine of --engine. `ranks`: whether several processes can run this command together. For `auto`: the `size` of X, if the
 * problem can run on a device, and `notes`, to which it adds a sentence about its choice.
 */
export async function openEngineOf(
  { engine, threads }: { engine: string; threads?: number },
  { ranks = false, ...auto }: { ranks?: boolean } & Pick<EngineOptions, "size" | "notes"> = {},
): Promise<Engine> {
  const [outer, inner] = engine.split(":", 2) as [string, string?];
  const name = oneOf("engine", outer, ENGINES);
  const spread = isSpread(name);
  if (spread && !ranks) throw new InputError(`--engine ${engine}: only 'expen solve' runs on several ranks.`);
  if (inner !== undefined && !spread)
    throw new InputError(`--engine ${engine}: only ${spreadNames.join(", ")} take an inner engine.`);
  return openEngine(name, {
    ...(threads !== undefined && { threads }),
    ...(inner !== undefined && { inner: oneOf("inner engine", inner, engineNames) }),
    ...(name === "auto" && auto),
  });
}
