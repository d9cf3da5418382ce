/** A module's text as the body of a function, for hosts that load no modules: imports become constants, exports go to an object. */

const IMPORT = /^import\s+(?:\{([^}]*)\}|\*\s+as\s+(\w+))\s+from\s+(["'])([^"']+)\3;?/gm;
const EXPORT = /^export\s+(const|let|function|async function|class)\s+(\w+)/gm;

/** The text with as many lines as before, and the names that it exports */
export function asBody(text: string): { body: string; exports: string[] } {
  const exports = [...text.matchAll(EXPORT)].map((match) => match[2]!);
  const body = text
    .replace(IMPORT, (_, names: string | undefined, whole: string | undefined, __, from: string) => {
      const target = whole ?? `{${names!.replace(/\bas\b/g, ":")}}`;
      return `const ${target} = importModule(${JSON.stringify(from)});`;
    })
    .replace(EXPORT, "$1 $2");
  return { body, exports };
}

const SOURCE = "gallery-program";

type Body = (
  importModule: (name: string) => unknown,
  console: Pick<Console, "log">,
) => Promise<Record<string, unknown>>;
// an async function has no constructor with a name of its own
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => Body;

const compile = (body: string, source: string): Body =>
  new AsyncFunction("importModule", "console", `"use strict";${body}\n//# sourceURL=${source}`);

/** Line of the first frame in this source, as the host counts */
const lineIn = (stack: string, source: string): number | undefined => {
  const match = new RegExp(`${source}:(\\d+)`).exec(stack);
  return match ? Number(match[1]) : undefined;
};

/** Lines that the host puts before a body: measured, since hosts differ */
async function linesBefore(): Promise<number> {
  try {
    await compile("throw new Error()", `${SOURCE}-probe`)(() => undefined, { log: () => {} });
  } catch (error) {
    return (lineIn((error as Error).stack ?? "", `${SOURCE}-probe`) ?? 1) - 1;
  }
  return 0;
}

/** A mistake in a program, with its line where the host tells one */
export class ProgramError extends Error {
  override name = "ProgramError";
  constructor(
    message: string,
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

export interface Run {
  exports: Record<string, unknown>;
  printed: string[];
}

const shown = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));

/** Runs the text of a module that imports these modules. */
export async function runProgram(text: string, modules: Readonly<Record<string, unknown>>): Promise<Run> {
  const printed: string[] = [];
  const { body, exports } = asBody(text);
  const importModule = (name: string): unknown => {
    if (Object.hasOwn(modules, name)) return modules[name];
    throw new TypeError(`there is no module "${name}" here; take one of ${Object.keys(modules).join(", ")}.`);
  };
  const skipped = await linesBefore();
  try {
    const f = compile(`${body}\nreturn { ${exports.join(", ")} };`, SOURCE);
    return {
      exports: await f(importModule, { log: (...values) => void printed.push(values.map(shown).join(" ")) }),
      printed,
    };
  } catch (error) {
    const { message = String(error), stack = "" } = Object(error) as Partial<Error>;
    const line = lineIn(stack, SOURCE);
    throw new ProgramError(message, line === undefined ? undefined : line - skipped);
  }
}
