/** The pages as they are written: every link leads somewhere, every page can be reached, the search finds what people look for. */
import { posix, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { chaptersOf } from "../build/chapters.js";
import { highlight } from "../build/highlight.js";
import { type Site, sitePages } from "../build/main.js";
import { render, slug } from "../build/markdown.js";
import { wholePage } from "../build/page.js";
import { type Row, searchRows } from "../build/search-index.js";
import { search } from "../src/search.js";

const root = resolve(import.meta.dirname, "../..");
/** what scripts/docs.mjs puts beside the pages */
const BESIDE = ["site.css", "site.js", "theme.js", "live.js", "tour.js", "icon.svg", "play/index.html"];

let site: Site;
let rows: Row[];
const html = new Map<string, string>();
beforeAll(async () => {
  site = await sitePages(root);
  rows = searchRows(site.pages);
  for (const page of site.pages) html.set(page.url, wholePage(page, site.chapters));
}, 120_000);

/** Addresses in a page, as the site has them: without those of other hosts */
const targets = (url: string): string[] =>
  [...html.get(url)!.matchAll(/ (?:href|src)="([^"]+)"/g)]
    .map(([, to]) => to!.replace(/&amp;/g, "&"))
    .filter((to) => !/^[a-z]+:/.test(to))
    .map((to) => {
      const [path, hash] = to.split("#") as [string, string?];
      const whole = path ? posix.join(posix.dirname(url), path) : url;
      return hash ? `${whole}#${hash}` : whole;
    });

test("pages have addresses of their own and one heading of the first level", () => {
  expect(html.size).toBe(site.pages.length);
  const wrong = [...html].filter(([, text]) => text.split("<h1").length !== 2).map(([url]) => url);
  expect(wrong).toEqual([]);
});

test("every link leads to a page, a place in it, a picture or a file beside", () => {
  const ids = new Map(
    [...html].map(([url, text]) => [url, new Set([...text.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]!))]),
  );
  const there = new Set([...html.keys(), ...site.pictures.values(), ...site.made.keys(), ...BESIDE]);
  const dead = [...html.keys()].flatMap((url) =>
    targets(url)
      .filter((to) => {
        const [path, hash] = to.split("#") as [string, string?];
        return (
          !there.has(path) ||
          (hash && hash !== "main" && ids.has(path) && !ids.get(path)!.has(decodeURIComponent(hash)))
        );
      })
      .map((to) => `${url} → ${to}`),
  );
  expect(dead).toEqual([]);
});

test("every page can be reached from the first", () => {
  const reached = new Set(["index.html"]);
  for (const url of reached) {
    for (const to of targets(url)) {
      const path = to.split("#")[0]!;
      if (html.has(path)) reached.add(path);
    }
  }
  expect([...html.keys()].filter((url) => !reached.has(url))).toEqual([]);
});

test("no page names a host but in links, or loads anything from one", () => {
  const foreign = [...html].filter(([, text]) => /<(?:script|img|link)[^>]+(?:src|href)="(?:https?:)?\/\//.test(text));
  expect(foreign.map(([url]) => url)).toEqual([]);
});

test.each([
  ["pca", /^reference\/apps\.html#pca$/],
  ["PcaOptions", /^reference\/apps\.html#PcaOptions$/],
  ["stiefel", /^(reference\/expen\.html#stiefel|constraints\/stiefel\.html)/],
  ["max-cut", /(cli|tutorial|specialists|apps)/],
  ["a driver of NVIDIA", /cuda/],
  ["hartree fock", /hartree-fock|hartreeFock/],
  ["lowdin", /./],
])("the search finds %s", (query, where) => {
  const hits = search(rows, query);
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.slice(0, 3).map(({ url }) => url)).toEqual(expect.arrayContaining([expect.stringMatching(where)]));
});

test("the search takes signs as they are, and finds nothing for nothing", () => {
  expect(search(rows, "")).toEqual([]);
  expect(search(rows, "  ")).toEqual([]);
  expect(search(rows, "(*[")).toEqual([]);
  expect(search(rows, "qqqqzzzz")).toEqual([]);
  const made: Row[] = [
    ["a", "A", "", "the word tape in a text"],
    ["b", "B", "tape", "…"],
  ];
  expect(search(made, "tape").map(({ url }) => url)).toEqual(["b", "a"]);
  expect(search(made, "TAPE text").map(({ url }) => url)).toEqual(["a"]);
});

test("Markdown becomes pages: headings, links, tables, programs", () => {
  const text =
    "# T\n\n## A `b` — c\n\n[x](../README.md#for-whom) [y](notation.md)\n\n## A b — c\n\n| | n |\n| - | - |\n| a | 1 |\n\n```ts\nconst a = 1 < 2;\n```\n";
  const { html: made, sections } = render(text, { root, file: "docs/tutorial.md", url: "tutorial.html" });
  expect(sections.map(({ id }) => id)).toEqual(["", "t", slug("A b — c"), `${slug("A b — c")}-1`]);
  expect(made).toContain('href="index.html#for-whom"');
  expect(made).toContain('href="notation.html"');
  expect(made).toContain("<td></td>");
  expect(made).toMatch(/tok-keyword">const/);
  expect(made).not.toContain("1 < 2");
  expect(() => render("[x](gone.ts)", { root, file: "docs/a.md", url: "a.html" })).toThrow(
    "docs/a.md: there is no file docs/gone.ts, to which a link leads.",
  );
});

test("programs keep their text, escaped, with links for names", () => {
  const code = 'const a: Matrix = f("<b>"); // &\n';
  const made = highlight(code, "ts", (name) => (name === "Matrix" ? "x.html#Matrix" : undefined));
  expect(made).toContain('<a href="x.html#Matrix">');
  const plain = made
    .replace(/<[^>]+>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"');
  expect(plain.replace(/&amp;/g, "&")).toBe(code);
  expect(highlight("a < b", "py")).toBe("a &lt; b");
});

test("the guide lists a page once", () => {
  const urls = site.chapters.filter(({ part }) => part === "guide").flatMap(({ pages }) => pages.map(({ url }) => url));
  expect(urls.length).toBeGreaterThan(20);
  expect(urls.filter((url, i) => urls.indexOf(url) !== i)).toEqual([]);
});

test("chapters are those of the guide, in its order", () => {
  const made = chaptersOf(
    "## One\n\n1. [A](a.md): text\n2. [B](./b/README.md)\n\n## Two\n\n1. [C](../CONTRIBUTING.md)\n",
  );
  expect(made.map(({ title, pages }) => [title, ...pages.map(({ url }) => url)])).toEqual([
    ["One", "a.html", "b/index.html"],
    ["Two", "contributing.html"],
  ]);
});
