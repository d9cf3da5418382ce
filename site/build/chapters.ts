/** The pages of the documentation, in the order of docs/README.md: chapters, their pages, and the pages below a page's folder. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";

export type Part = "guide" | "gallery" | "reference";

export interface Source {
  /** Markdown file in the repository, with slashes */
  file: string;
  /** its page, relative to the site */
  url: string;
  title: string;
  text: string;
  /** the page in the guide that this one belongs to, itself if it stands there */
  parent: string;
}

export interface Chapter {
  title: string;
  /** the part of the site in whose pages it is listed */
  part: Part;
  pages: { url: string; title: string }[];
}

const titleOf = (text: string): string => (/^# (.+)$/m.exec(text)?.[1] ?? "").replace(/[`*]/g, "");

/** Folders of Markdown files that are pages; the decisions are for readers of the repository. */
const FOLDERS = ["docs", "bench/reports"] as const;
const isDecision = (file: string): boolean => file.startsWith("docs/decisions/");

/** Is this Markdown file a page of the site? Links lead to others as to sources. */
export const isPage = (file: string): boolean =>
  file.endsWith(".md") &&
  (FOLDERS.some((folder) => file.startsWith(`${folder}/`)) || /^[A-Z]+\.md$/.test(file)) &&
  !isDecision(file);

/** docs/a/README.md → a/index.html; README.md → index.html; docs/README.md → guide.html; bench/reports/a.md → reports/a.html */
export function urlOf(file: string): string {
  if (file === "README.md") return "index.html";
  if (file === "docs/README.md") return "guide.html";
  const path = file.replace(/^(docs|bench)\//, "").replace(/README\.md$/, "index.md");
  return path.replace(/\.md$/, ".html").toLowerCase();
}

const LINK = /^\d+\. \[([^\]]+)\]\(([^)#]+)\)/;

/** Chapters as docs/README.md lists them: a heading, then numbered links */
export function chaptersOf(guide: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const line of guide.split("\n")) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading) chapters.push({ title: heading, part: "guide", pages: [] });
    const [, title, target] = LINK.exec(line) ?? [];
    if (title && target) chapters.at(-1)!.pages.push({ url: urlOf(posix.join("docs", target)), title });
  }
  return chapters;
}

export function readSources(root: string): { sources: Source[]; chapters: Chapter[] } {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => posix.join(folder, name.split(sep).join("/")))
      .filter(isPage),
  );
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const chapters = chaptersOf(read("docs/README.md"));
  const inGuide = new Set(chapters.flatMap(({ pages }) => pages.map(({ url }) => url)));
  const sources = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...found].map((file) => {
    const [url, text] = [urlOf(file), read(file)];
    const above = url.startsWith("reports/") ? "benchmarks.html" : posix.join(dirname(url), "index.html");
    return { file, url, title: titleOf(text), text, parent: inGuide.has(url) ? url : inGuide.has(above) ? above : url };
  });
  const missing = [...inGuide].filter((url) => !sources.some((one) => one.url === url));
  if (missing.length > 0) throw new Error(`docs/README.md lists pages that there are not: ${missing.join(", ")}.`);
  return { sources, chapters };
}

/** The way from one page of the site to another */
export function wayTo(from: string, to: string): string {
  const [path, hash] = to.split("#") as [string, string?];
  const way = path === from ? "" : relative(dirname(from), path).split(sep).join("/");
  return way + (hash === undefined ? "" : `#${hash}`) || "#";
}
