/** The descriptions of applications agree with the library and are the source of the list in docs/cli.md. EXPEN_DOCS=write updates it. */
import { readFileSync, writeFileSync } from "node:fs";
import { jsEngine } from "@expen/linalg/engine";
import { normal, plain } from "@expen/testing/applications/support";
import { expect, test } from "vitest";
import type { Description } from "../src/description.js";
import { descriptions } from "../src/descriptions.js";
import * as apps from "../src/index.js";

const page = new URL("../../../docs/cli.md", import.meta.url);
const [FROM, TO] = ["<!-- applications -->\n", "<!-- end of applications -->"];

const code = (text: string): string => `\`${text}\``;
function tableRow({ name, summary, files }: Description): string {
  const words = files.map(({ name, repeats, optional }) => (optional ? `[${name}]` : `${name}${repeats ? " …" : ""}`));
  return `| ${code([name, ...words].join(" "))} | ${summary} |`;
}

test("docs/cli.md lists all applications", () => {
  const table = ["| `expen …` | |", "| --- | --- |", ...descriptions.map(tableRow)];
  const text = readFileSync(page, "utf8");
  const [before, rest] = [text.slice(0, text.indexOf(FROM) + FROM.length), text.slice(text.indexOf(TO))];
  const wanted = `${before}\n${table.join("\n")}\n\n${rest}`;
  if (process.env.EXPEN_DOCS === "write") writeFileSync(page, wanted);
  expect(text.includes(FROM) && text.includes(TO)).toBe(true);
  expect(readFileSync(page, "utf8")).toBe(wanted);
});

test("every application has one description with a unique name", () => {
  const functions = Object.values(apps).filter((value) => typeof value === "function");
  expect(descriptions.length).toBe(functions.length);
  expect(new Set(descriptions.map(({ name }) => name)).size).toBe(descriptions.length);
});

test("docs/tutorial.md names the function of each", () => {
  const tutorial = readFileSync(new URL("../../../docs/tutorial.md", import.meta.url), "utf8");
  const functions = Object.entries(apps).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
  expect(functions.filter((name) => !tutorial.includes(`\`${name}\``))).toEqual([]);
});

/** Files for each, so that a run ends quickly */
const square = plain(normal(4, 4, 1));
const symmetric = { ...square, data: square.data.map((v, k) => v + square.data[(k % 4) * 4 + Math.floor(k / 4)]!) };

test.each(descriptions)("$name: the library knows its options", async ({ files, options, run }) => {
  const given = files.map(({ holds }) => (holds === "molecule" ? {} : { ...symmetric, labels: [1, 1, 2, 2] }));
  for (const { name, type } of options) {
    const wrong = type === "boolean" ? 17.5 : "wrong";
    await expect(run(given, { ...needed(options), [name]: wrong, engine: jsEngine() })).rejects.toThrow(`${name} is`);
  }
  await expect(run(given, { ...needed(options), nonsense: 1, engine: jsEngine() })).rejects.toThrow(/nonsense/);
});

const needed = (options: Description["options"]) =>
  Object.fromEntries(
    options.flatMap(({ name, type, required }) => (required ? [[name, type === "integers" ? [1, 1, 1] : 1]] : [])),
  );
