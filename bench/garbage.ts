/** Frees the space of dead matrices before a measurement: it takes a garbage collection and a turn of the event loop. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

export async function collectGarbage(): Promise<void> {
  collect();
  await setImmediate();
}
