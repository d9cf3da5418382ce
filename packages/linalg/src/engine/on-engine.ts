import type { Engine } from "../contracts/engine.js";
import { shown } from "../options.js";

/** Runs `work` on the given engine, which stays open, or on a new one, which is disposed of afterwards in any case. */
export async function onEngine<T>(
  given: Engine | undefined,
  open: () => Promise<Engine>,
  work: (E: Engine) => Promise<T>,
): Promise<T> {
  if (given !== undefined) {
    if (typeof Object(given).tall === "function") return work(given);
    throw new TypeError(`engine is ${shown(given)}; give one that openEngine opened.`);
  }
  const E = await open();
  try {
    return await work(E);
  } finally {
    E.dispose();
  }
}
