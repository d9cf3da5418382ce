import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { solvers } from "@expen/solvers";
import { expen } from "@expen/testing/cli/run-cli";
import { runFile } from "@expen/testing/run-snippet";
import { afterAll, describe, expect, test } from "vitest";

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
  "expen eigs A.mtx --p 6 --which largest --out vectors.npy": "packages/expen/test/cli/applications.test.ts runs eigs",
  "expen reproduce all --quick": "minutes; packages/experiments/test/cli/reproduce.test.ts runs it on small sizes",
  "expen doctor": "measures for seconds; packages/expen/test/cli/doctor.test.ts runs it",
  "npm install expen": "test/package.test.ts runs the programs of packed packages",
  "npm start": "installs and builds; runs expen demo",
  "npm test": "is what runs this",
  "npm run docs": "builds for half a minute; site/test/browser/site.test.ts builds the pages and reads them",
  "npm run playground": "serves until it is ended; playground/test/browser/playground.test.ts runs the page",
};

/** The output of each program of a page, in the order of the page: known numbers, and the comments beside its console.log */
const prints: Record<string, RegExp[]> = {
  "README.md": [/^0\.958\d*,0\.0359\d* global$/, /^1\.03871792\d* global$/],
  "docs/constraints/inequalities.md": [
    /^converged true second-order\n1\.0000\d\n(true|false),(true|false),(true|false),(true|false)$/,
  ],
  "docs/constraints/own-manifold.md": [/^converged -1\.166667 second-order\n-1\.166667$/],
  "docs/constraints/nonnegative.md": [/^true 1 second-order$/],
  "docs/constraints/permutations.md": [/^\d+(\.\d+)? 0,1,2,3$/],
  "docs/constraints/complex.md": [/^-(64|63\.99999\d*|64\.00000\d*)$/],
  "docs/constraints/fixed-rank.md": [/^converged -?0\.0000$/],
  "docs/constraints/flag.md": [/^3 second-order$/],
  "docs/constraints/simplex.md": [/^0\.\d{3} 0\.\d{3} 0\.\d{3}$/, /^010100001$/],
  "docs/constraints/power.md": [/^-\d+\.\d+ 200$/],
  "docs/constraints/product.md": [/ (-3|-2\.9999999\d*|-3\.0000000\d*) second-order$/],
  "docs/first-programs.md": [
    /^1\.53\d*,-0\.63\d* global$/,
    /^1000 2 second-order$/,
    /^0\.8/,
    /^0 1 0 0 -?1/,
    /second-order$/,
  ],
  "docs/coming-from.md": [/ 1\.46321245\d* global$/],
  "docs/data.md": [/^\[\{"pc1":1\.2792\d*\}\]\n\[\{"sepal":6\.2793\d*,"petal":4\.5458\d*\}\]$/, /^rabbit$/],
  "docs/eigen.md": [/^(1|0\.9999999\d*|1\.0000000\d*) complete\n4 true\n6\.7082039\d*$/],
  "docs/fast-f.md": [
    /^0\.70969578\d*$/,
    /^converged 1\.38765731\d*$/,
    new RegExp(`^converged ${(1 + Math.exp(31 / 900) + Math.exp(62 / 900)).toString().slice(0, 9)}\\d*$`),
    /^354 1,8,27,64$/,
  ],
  "docs/formulas.md": [
    /^0\.00995\d*,0\.00497\d*,1\.0049\d*,.* second-order$/,
    /^-0\.29240158\d*$/,
    /^1\.0471975\d*,1\.570796\d*$/,
  ],
  "docs/hartree-fock.md": [/^-74\.96302314 -20\.24186\d*,-1\.26816\d*,.* second-order$/],
  "docs/many.md": [/^1000 0\.500000$/, /^0\.500000 true$/],
  // rounding
  "docs/penalty.md": [/^0\.1 \S+e-1\d\n1 \S+e-1\d\n10 \S+e-1\d\n\S+e-1\d$/],
  "docs/structure.md": [/^global$/],
  "docs/tutorial.md": [
    /^converged\n0\.0577935\d* \S+e-\d+ \S+e-1\d\nsecond-order point: /,
    /^spurious - the penalty's minimiser is infeasible: .*\nconverged second-order$/,
    /the gradient is half the right one; multiply it by 2/,
    /^line 1 is a header: .*\n0\.92\d*,0\.05\d* global$/,
    /^0: f = (.*\n){15}15: f = .*\niterations converged$/,
  ],
  "docs/solvers/README.md": [/^auto \d+ \d+ (4\.76971034)\d*\nrlbfgs \d+ \d+ \1\d*\nlanding \d+ \d+ \1\d*$/],
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
  const list: Snippet[] = [];
  const lines = readFileSync(file, "utf8").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const fence = /^```(\w*)/.exec(lines[i]!);
    if (fence) {
      const end = lines.indexOf("```", i + 1);
      const before = lines.slice(Math.max(0, i - 2), i).join("\n");
      const notRun = /<!-- not run: (.+?) -->\s*$/.exec(before)?.[1];
      const text = lines.slice(i + 1, end).join("\n");
      list.push({ page, line: i + 1, language: fence[1]!, text, ...(notRun && { notRun }) });
      i = end;
    } else if (/^ {4}(npx |expen |npm )/.test(lines[i]!)) {
      list.push({ page, line: i + 1, language: "bash", text: lines[i]!.trim() });
    }
  }
  return list;
}

/** Pages write to /tmp; a test has a folder of its own. */
const folder = mkdtempSync(join(tmpdir(), "expen-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const all = pages.flatMap(snippets);
const isProblem = ({ text }: Snippet): boolean => text.includes("export default");
const programs = all.filter((s) => s.language === "ts" && !s.notRun && !isProblem(s));
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

mkdirSync(join(folder, "examples"));
const wine = readFileSync(join(root, "examples/data/wine.csv"), "utf8");
writeFileSync(join(folder, "data.csv"), wine);
// file by file into folders of our own: cpSync makes folders that cannot be written where those of the clone cannot
for (const entry of readdirSync(join(root, "examples/data"), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const to = join(folder, relative(root, entry.parentPath));
  mkdirSync(to, { recursive: true });
  copyFileSync(join(entry.parentPath, entry.name), join(to, entry.name));
}
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
    const inPages = new Set(all.flatMap((s) => commands(s.text)));
    for (const command of [...Object.keys(smaller), ...Object.keys(elsewhere)]) {
      expect(inPages, command).toContain(command);
    }
  });

  test("every program of a page has an expectation, and the other way round", () => {
    const counts = (names: string[]) =>
      Object.fromEntries(names.map((page) => [page, names.filter((n) => n === page).length]));
    const expected = Object.entries(prints).flatMap(([page, patterns]) => patterns.map(() => page));
    expect(counts(programs.map(({ page }) => page))).toEqual(counts(expected));
  });

  for (const snippet of all) {
    const { page, line, language, text, notRun } = snippet;
    if (language === "json") test(`${page}:${line} is JSON`, () => expect(JSON.parse(text)).toBeTruthy());
    if (language !== "ts") continue;
    test.skipIf(notRun)(
      `${page}:${line} ${isProblem(snippet) ? "is solved" : "prints what it says"}${notRun ? ` (not run: ${notRun})` : ""}`,
      async () => {
        const file = join(folder, `snippet-${page.replace(/\W/g, "-")}-${line}.ts`);
        writeFileSync(file, text.replaceAll('"/tmp/', `"${folder}/`));
        if (isProblem(snippet)) {
          const { code, stdout, stderr } = await expen(["solve", file, ..."--n 12 --p 2 --json".split(" ")]);
          expect([code, stderr]).toEqual([0, ""]);
          expect(JSON.parse(stdout).status).toBe("converged");
          return;
        }
        const place = programs.filter((s) => s.page === page).indexOf(snippet);
        expect(await runFile(file)).toMatch(prints[page]![place]!);
      },
    );
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
        const { code, stderr } = await expen(what.slice("expen ".length).replaceAll(" /tmp/", " "), folder);
        expect(code, stderr).toBe(0);
      });
    }
  }
});

/** 31 500 words were reached, and 3 % are left: a page that grows should replace another, so that each fact is found once. */
const MOST_WORDS = 32_400;

test("README, changelog and docs stay below their number of words", () => {
  const counted = [...pages.filter((page) => !relative(root, page).startsWith("examples")), join(root, "CHANGELOG.md")];
  const words = counted.map((page) => readFileSync(page, "utf8").split(/\s+/).filter(Boolean).length);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_WORDS);
});

const texts = [
  ...pages,
  ...["CONTRIBUTING.md", "CHANGELOG.md", "packages/core/src/expen/README.md", "bench/README.md"].map((path) =>
    join(root, path),
  ),
  ...readdirSync(join(root, "bench/reports"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(root, "bench/reports", name)),
];

test("every link to a file of the repository leads to one", () => {
  for (const file of texts) {
    for (const [, target] of readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)) {
      expect(() => readdirSync(join(file, "..", target!, "..")), `${relative(root, file)} → ${target}`).not.toThrow();
      const folder = join(file, "..", target!, "..");
      const name = join(file, "..", target!).split("/").at(-1)!;
      expect(readdirSync(folder), `${relative(root, file)} → ${target}`).toContain(name);
    }
  }
});

test("every path of a package that a page names exists", () => {
  const pattern = /(?:packages|playground|bench|scripts|test)\/[\w./-]*\w/g;
  for (const file of texts) {
    for (const { 0: path, index, input } of readFileSync(file, "utf8").matchAll(pattern)) {
      const isPattern = /\b(name|subject|dist|results)\b/.test(path) || /[*{<]/.test(input[index + path.length] ?? "");
      if (isPattern || /[\w./@-]/.test(input[index - 1] ?? "")) continue;
      expect(existsSync(join(root, path)), `${relative(root, file)}: ${path}`).toBe(true);
    }
  }
});

test("every page and decision that a source names exists", () => {
  const decisions = new Set(readdirSync(join(root, "docs/decisions")).map((name) => name.slice(0, 4)));
  const wrong = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })
    .filter((name) => /^\w+[\\/]src[\\/].*\.ts$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(root, "packages", name), "utf8");
      const absent = [...text.matchAll(/\bdocs\/[\w/-]+\.md/g)].filter(([path]) => !existsSync(join(root, path)));
      const gone = [...text.matchAll(/\bdecision (\d+)/g)].filter(
        ([, number]) => !decisions.has(number!.padStart(4, "0")),
      );
      return [...absent, ...gone].map(([words]) => `packages/${name}: ${words}`);
    });
  expect(wrong).toEqual([]);
});

test("docs/solvers has a page for each solver, and no other", () => {
  const names = readdirSync(join(root, "docs/solvers")).map((name) => name.replace(/\.md$/, ""));
  expect(names.filter((name) => name !== "README").sort()).toEqual(Object.keys(solvers).sort());
});

test("docs/solvers/README.md lists them with their titles; EXPEN_DOCS=write updates it", () => {
  const page = join(root, "docs/solvers/README.md");
  const [from, to] = ["<!-- solvers -->\n", "<!-- end of solvers -->"];
  const rows = Object.entries(solvers).map(([name, { title }]) => `| [\`${name}\`](${name}.md) | ${title} |`);
  const text = readFileSync(page, "utf8");
  const before = text.slice(0, text.indexOf(from) + from.length);
  const wanted = [before, "| solver | method |", "| --- | --- |", ...rows, "", text.slice(text.indexOf(to))].join("\n");
  if (process.env.EXPEN_DOCS === "write") writeFileSync(page, wanted);
  expect(readFileSync(page, "utf8")).toBe(wanted);
});
