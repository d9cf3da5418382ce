/** Programs that a page runs: imports and exports, what they print, and the lines of their mistakes. */
import { expect, test } from "vitest";
import { programs } from "../gallery/gallery.js";
import { modules } from "../src/modules.js";
import { asBody, type ProgramError, runProgram } from "../src/program.js";

const own = { m: { a: 1, b: 2 }, n: { c: 3 } };
const mistake = async (text: string): Promise<ProgramError> => {
  try {
    await runProgram(text, own);
  } catch (error) {
    return error as ProgramError;
  }
  throw new Error("there was no mistake");
};

test("imports, exports and lines of print", async () => {
  const text =
    'import { a, b as d } from "m";\nimport * as whole from "n";\nexport const sum = a + d + whole.c;\nconsole.log("x", [sum]);\nexport function f() { return sum; }\n';
  const { exports, printed } = await runProgram(text, own);
  expect(exports.sum).toBe(6);
  expect((exports.f as () => number)()).toBe(6);
  expect(printed).toEqual(["x [6]"]);
});

test("imports over several lines leave the lines after them where they were", async () => {
  const { body } = asBody('import {\n  a,\n  b,\n} from "m";\nconst c = 1;\n');
  expect(body.split("\n")[4]).toBe("const c = 1;");
  expect((await mistake('import {\n  a,\n  b,\n} from "m";\n\nthrow new RangeError("bad");\n')).line).toBe(6);
});

test("a mistake has its sentence and its line, in functions and after waiting too", async () => {
  const error = await mistake("const f = () => {\n  gone();\n};\nawait null;\nf();\n");
  expect(error.message).toBe("gone is not defined");
  expect(error.line).toBe(2);
  expect((await mistake("const x = ;")).message).toMatch(/Unexpected token/);
  expect((await mistake('import { a } from "o";')).message).toBe('there is no module "o" here; take one of m, n.');
  expect((await mistake("throw null")).message).toBe("null");
});

test("words of a program that are no imports stay", async () => {
  const { exports } = await runProgram("export const s = 'say import { a } from \"m\"';", own);
  expect(exports.s).toBe('say import { a } from "m"');
});

test.each(programs.map(({ name, code }) => [name, code] as const))("%s has all that it imports", (_, code) => {
  const imports = [...code.matchAll(/^import \{([^}]+)\} from "([^"]+)";$/gm)];
  expect(imports.length).toBeGreaterThan(0);
  for (const [, names, from] of imports) {
    expect(Object.keys(modules)).toContain(from);
    for (const name of names!
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean))
      expect(modules[from!]).toHaveProperty(name);
  }
});
