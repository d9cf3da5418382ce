/** Space of dead matrices comes back when the collector has run and the event loop has turned; a measurement must not wait for chance. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

export async function collectGarbage(): Promise<void> {
  collect();
  await setImmediate();
}
