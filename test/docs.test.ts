import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { expen } from "./cli/run-cli.js";
import { runFile } from "./support/run-snippet.js";

const root = resolve(import.meta.dirname, "..");
const pages = [
  join(root, "README.md"),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("api"))
    .map((name) => join(root, "docs", name)),
  ...readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "examples", name)),
];

/** Commands that are run smaller, and those that other tests run; each must still stand in a page. */
const smaller: Record<string, string> = {
  "expen compare brockett --n 500 --p 20 --solvers all": "expen compare brockett --n 24 --p 2 --solvers all",
};
const elsewhere: Record<string, string> = {
  "expen reproduce all --quick": "minutes; test/cli/reproduce.test.ts runs it on small sizes",
  "expen doctor": "measures for seconds; test/cli/doctor.test.ts runs it",
  "npm start": "installs and builds; runs expen demo",
  "npm test": "is what runs this",
  "npm run playground": "serves until it is ended; test/browser/playground.test.ts runs the page",
};

interface Snippet {
  page: string;
  line: number;
  language: string;
  text: string;
  notRun?: string;
}

/** Fenced blocks with the comment before them, and indented lines that are commands */
function snippets(file: string): Snippet[] {
  const page = relative(root, file);
  const found: Snippet[] = [];
  const lines = readFileSync(file, "utf8").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const fence = /^```(\w*)/.exec(lines[i]!);
    if (fence) {
      const end = lines.indexOf("```", i + 1);
      const before = lines.slice(Math.max(0, i - 2), i).join("\n");
      const notRun = /<!-- not run: (.+?) -->\s*$/.exec(before)?.[1];
      const text = lines.slice(i + 1, end).join("\n");
      found.push({ page, line: i + 1, language: fence[1]!, text, ...(notRun && { notRun }) });
      i = end;
    } else if (/^ {4}(npx |expen |npm )/.test(lines[i]!)) {
      found.push({ page, line: i + 1, language: "bash", text: lines[i]!.trim() });
    }
  }
  return found;
}

const all = pages.flatMap(snippets);
const commands = (text: string): string[] =>
  text
    .split("\n")
    .map((line) =>
      line
        .replace(/\s+# .*$/, "")
        .replace(/^npx /, "")
        .trim(),
    )
    .filter((line) => /^(expen|npm|npx|node) /.test(line));
/** "expen solve <problem>   minimise, …": a synopsis, not a command */
const isSynopsis = (command: string): boolean => /[<[]|\s{3,}\S/.test(command);

const folder = mkdtempSync(join(tmpdir(), "expen-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "examples"));
const wine = readFileSync(join(root, "examples/data/wine.csv"), "utf8");
writeFileSync(join(folder, "data.csv"), wine);
cpSync(join(root, "examples/data"), join(folder, "examples/data"), { recursive: true });
const ownProblem = all.find(({ text }) => text.includes("export default") && text.includes("grad("));
writeFileSync(join(folder, "my-problem.ts"), ownProblem!.text);

describe("snippets", () => {
  test("there are some in the README and in most pages", () => {
    expect(all.filter((s) => s.language === "ts" && s.page === "README.md").length).toBeGreaterThan(0);
    expect(all.filter((s) => s.language === "ts").length).toBeGreaterThan(8);
    expect(all.flatMap((s) => (s.language === "bash" ? commands(s.text) : [])).length).toBeGreaterThan(5);
  });

  test("every language is one that is run, or says why not", () => {
    for (const { page, line, language, notRun } of all) {
      if (["ts", "bash", "json", ""].includes(language)) continue;
      expect(notRun, `${page}:${line} is ${language} without <!-- not run: reason -->`).toBeTruthy();
    }
  });

  test("every exception still stands in a page", () => {
    const written = new Set(all.flatMap((s) => commands(s.text)));
    for (const command of [...Object.keys(smaller), ...Object.keys(elsewhere)]) {
      expect(written, command).toContain(command);
    }
  });

  for (const { page, line, language, text, notRun } of all) {
    if (language === "json") test(`${page}:${line} is JSON`, () => expect(JSON.parse(text)).toBeTruthy());
    if (language !== "ts") continue;
    test.skipIf(notRun)(`${page}:${line} runs${notRun ? ` (not run: ${notRun})` : ""}`, async () => {
      const file = join(folder, `snippet-${page.replace(/\W/g, "-")}-${line}.ts`);
      writeFileSync(file, text);
      if (text.includes("export default")) {
        const { code, stdout, stderr } = await expen(`solve ${file} --n 12 --p 2 --json`);
        expect([code, stderr]).toEqual([0, ""]);
        expect(JSON.parse(stdout).status).toBe("converged");
      } else expect(await runFile(file)).not.toBe("");
    });
  }

  const runnable = all.filter((s) => !s.notRun && (s.language === "bash" || s.language === ""));
  for (const { page, line, text } of runnable) {
    for (const command of commands(text)) {
      if (command in elsewhere) continue;
      if (isSynopsis(command)) {
        const [, name] = command.split(/\s+/);
        test(`${page}:${line} '${name}' is a command`, async () => {
          const { code } = await expen(`${name} --help`);
          expect(code).toBe(0);
        });
        continue;
      }
      test(`${page}:${line} ${command}`, async () => {
        const what = smaller[command] ?? command;
        expect(what).toMatch(/^expen /);
        const { code, stderr } = await expen(what.slice("expen ".length), folder);
        expect(code, stderr).toBe(0);
      });
    }
  }
});

test("every link to a file of the repository leads to one", () => {
  for (const file of pages) {
    for (const [, target] of readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)) {
      expect(() => readdirSync(join(file, "..", target!, "..")), `${relative(root, file)} → ${target}`).not.toThrow();
      const folder = join(file, "..", target!, "..");
      const name = join(file, "..", target!).split("/").at(-1)!;
      expect(readdirSync(folder), `${relative(root, file)} → ${target}`).toContain(name);
    }
  }
});
