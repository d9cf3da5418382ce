import type { Engine } from "../contracts/engine.js";
import { shown } from "../options.js";

/**
 * Runs `work` on the given engine, which stays open, or on a new one, by its name if one is given, which is disposed of afterwards in any
 * case.
 */
export async function onEngine<T>(
  given: Engine | string | undefined,
  open: (name?: string) => Promise<Engine>,
  work: (E: Engine) => Promise<T>,
): Promise<T> {
  if (given !== undefined && typeof given !== "string") {
    if (typeof Object(given).tall === "function") return work(given);
    throw new TypeError(`engine is ${shown(given)}; give one that openEngine opened, or its name.`);
  }
  const E = await open(given);
  try {
    return await work(E);
  } finally {
    E.dispose();
  }
}
