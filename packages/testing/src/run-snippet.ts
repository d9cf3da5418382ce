import { ownModules } from "expen/cli";
import { createJiti } from "jiti";
import { vi } from "vitest";

/** Runs a TypeScript file as a user would, `expen` being this source tree; gives what it prints. */
export async function runFile(path: string): Promise<string> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((...words: unknown[]) => {
    lines.push(words.map(String).join(" "));
  });
  try {
    const jiti = createJiti(import.meta.url, {
      virtualModules: await ownModules(),
      moduleCache: false,
    });
    await jiti.import(path);
  } finally {
    spy.mockRestore();
  }
  return lines.join("\n");
}
