/** A call of CUDA that failed, in a sentence. */
import { EngineError } from "@expen/linalg";
import type { FunctionName } from "./functions.js";

/** Meanings of some codes of the driver; the libraries have codes of their own. */
const WORDS: Record<number, string> = {
  2: "the device is out of memory",
  100: "there is no device",
  214: "the device met an uncorrectable memory error",
  700: "a kernel read or wrote outside of its memory",
  719: "a kernel failed and the device must be opened anew",
  999: "the device is lost",
};

export function failure(name: FunctionName, code: number): EngineError {
  const words = name.startsWith("cu") && !/^cu(blas|solver)/.test(name) ? WORDS[code] : undefined;
  return new EngineError(
    `cuda: ${name} failed with code ${code}${words ? ` (${words})` : ""}; see nvidia-smi, or use another engine.`,
  );
}
