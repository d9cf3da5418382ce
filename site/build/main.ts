/** Writes the site: pages of the documentation, the reference, sources that they lead to, scripts and the playground. */
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Chapter, readSources } from "./chapters.js";
import { render } from "./markdown.js";
import { type Page, wholePage } from "./page.js";
import { readReference } from "./reference.js";
import { moduleUrl, referencePages } from "./reference-pages.js";
import { searchRows, searchScript } from "./search-index.js";
import { folderPage, sourcePage } from "./source-pages.js";

export interface Site {
  pages: Page[];
  chapters: Chapter[];
  /** picture in the repository → its place in the site */
  pictures: Map<string, string>;
}

/** All pages, without writing any */
export function sitePages(root: string): Site {
  const { sources, chapters } = readSources(root);
  const pages: Page[] = [];
  const files = new Set<string>();
  const pictures = new Map<string, string>();
  for (const { file, url, title, text, parent } of sources) {
    const made = render(text, { root, file, url });
    for (const one of made.files) files.add(one);
    for (const one of made.pictures) pictures.set(one, one.replace(/^docs\//, ""));
    for (const one of made.folders) {
      const { page, files: inside } = folderPage(root, one);
      if (!pages.some((other) => other.url === page.url)) pages.push(page);
      for (const name of inside) files.add(name);
    }
    pages.push({
      url,
      title,
      parent,
      html: made.html,
      sections: made.sections,
      ...(url === "index.html" && { shape: "home" }),
    });
  }
  const modules = readReference(root);
  for (const { entries } of modules) for (const { file } of entries) files.add(file);
  pages.push(...referencePages(modules), ...[...files].sort().map((file) => sourcePage(root, file)));
  const reference = modules.map((one) => ({ url: moduleUrl(one), title: one.name }));
  return {
    pages,
    chapters: [
      ...chapters,
      {
        title: "Reference",
        part: "reference",
        pages: [{ url: "reference/index.html", title: "All names" }, ...reference],
      },
    ],
    pictures,
  };
}

export function writeSite(root: string, out: string, { pages, chapters, pictures }: Site): void {
  if (existsSync(out) && statSync(out).isDirectory()) rmSync(out, { recursive: true });
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), text);
  };
  for (const page of pages) write(page.url, wholePage(page, chapters));
  write("search-rows.js", searchScript(searchRows(pages)));
  for (const [from, to] of pictures) {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    copyFileSync(join(root, from), join(out, to));
  }
  copyFileSync(join(root, "playground/public/icon.svg"), join(out, "icon.svg"));
}
