/** Writes the site: pages of the documentation, the reference, sources that they lead to, scripts and the playground. */
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Chapter, readSources } from "./chapters.js";
import { galleryPages } from "./gallery-pages.js";
import { render } from "./markdown.js";
import { type Page, wholePage } from "./page.js";
import { readReference } from "./reference.js";
import { moduleUrl, referencePages } from "./reference-pages.js";
import { searchRows, searchScript } from "./search-index.js";
import { folderPage, sourcePage } from "./source-pages.js";
import { tourPage } from "./tour-page.js";

export interface Site {
  pages: Page[];
  chapters: Chapter[];
  /** picture in the repository → its place in the site */
  pictures: Map<string, string>;
  /** pictures that programs made: place in the site → SVG */
  made: Map<string, string>;
}

/** All pages, without writing any */
export async function sitePages(root: string): Promise<Site> {
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
  const gallery = await galleryPages();
  pages.push(...gallery.pages, tourPage());
  const modules = readReference(root);
  for (const { entries } of modules) for (const { file } of entries) files.add(file);
  pages.push(...referencePages(modules), ...[...files].sort().map((file) => sourcePage(root, file)));
  const reference = modules.map((one) => ({ url: moduleUrl(one), title: one.name }));
  const entries = [{ url: "reference/index.html", title: "All names" }, ...reference];
  const tour: Chapter = {
    title: "Your data",
    part: "gallery",
    pages: [{ url: "tour.html", title: "A tour of your data" }],
  };
  const order: Chapter[] = [
    ...chapters,
    tour,
    ...gallery.chapter,
    { title: "Reference", part: "reference", pages: entries },
  ];
  return { pages, chapters: order, pictures, made: gallery.files };
}

export function writeSite(root: string, out: string, { pages, chapters, pictures, made }: Site): void {
  if (existsSync(out) && statSync(out).isDirectory()) rmSync(out, { recursive: true });
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), text);
  };
  for (const page of pages) write(page.url, wholePage(page, chapters));
  write("search-rows.js", searchScript(searchRows(pages)));
  for (const [name, text] of made) write(name, text);
  for (const [from, to] of pictures) {
    mkdirSync(dirname(join(out, to)), { recursive: true });
    copyFileSync(join(root, from), join(out, to));
  }
  copyFileSync(join(root, "playground/public/icon.svg"), join(out, "icon.svg"));
}
