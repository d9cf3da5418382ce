/** Runs programs of the gallery in a worker: everything of expen, without a server. */

import type { Sound } from "../gallery/gallery.js";
import type { Picture } from "../gallery/picture.js";
import type { Turnable } from "../gallery/space.js";
import { modules } from "./modules.js";
import { ProgramError, runProgram } from "./program.js";

export interface Outcome {
  /** what the program says and prints */
  text: string;
  picture?: Picture & { space?: Turnable };
  sounds?: Sound[];
  seconds: number;
}

export type Answer = { outcome: Outcome } | { error: { text: string; line?: number } };

const scope = globalThis as unknown as {
  onmessage: (event: { data: string }) => void;
  postMessage(answer: Answer): void;
};

scope.onmessage = async ({ data }) => {
  const start = performance.now();
  try {
    const { exports, printed } = await runProgram(data, modules);
    const { text, picture, sounds } = exports as Partial<Outcome>;
    const lines = [...(text === undefined ? [] : [String(text)]), ...printed];
    scope.postMessage({
      outcome: {
        text: lines.join("\n"),
        ...(picture && { picture }),
        ...(sounds && { sounds }),
        seconds: (performance.now() - start) / 1000,
      },
    });
  } catch (error) {
    const line = error instanceof ProgramError ? error.line : undefined;
    const text = error instanceof Error ? error.message : String(error);
    scope.postMessage({ error: { text, ...(line !== undefined && { line }) } });
  }
};
