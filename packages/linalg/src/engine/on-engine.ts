import type { Engine } from "../contracts/engine.js";
import { quoted } from "../options.js";

/**
 * Runs `work` on the given engine, which stays open, or on a new one, by its name if one is given, which is disposed of afterwards in any
 * case.
 */
export async function onEngine<T>(
  choice: Engine | string | undefined,
  open: (name?: string) => Promise<Engine>,
  work: (E: Engine) => Promise<T>,
): Promise<T> {
  if (choice !== undefined && typeof choice !== "string") {
    if (typeof Object(choice).tall === "function") return work(choice);
    throw new TypeError(`engine is ${quoted(choice)}; give one that openEngine opened, or its name.`);
  }
  const E = await open(choice);
  try {
    return await work(E);
  } finally {
    E.dispose();
  }
}
