/** Files of the repository that the documentation leads to, as pages, so that no link dies outside of a clone. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { wayTo } from "./chapters.js";
import { escapeHtml, highlight } from "./highlight.js";
import { program, sourceUrl } from "./markdown.js";
import type { Page } from "./page.js";

export function sourcePage(root: string, file: string): Page {
  const language = extname(file).slice(1);
  const code = readFileSync(join(root, file), "utf8");
  const html = `<h1>${escapeHtml(basename(file))}</h1><p class="origin">${escapeHtml(file)}</p>${program(highlight(code, language))}`;
  return { url: sourceUrl(file), title: basename(file), html, sections: [], shape: "wide" };
}

/** A folder: the first comment of each file that is directly in it */
export function folderPage(root: string, folder: string): { page: Page; files: string[] } {
  const url = sourceUrl(folder);
  const files = readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((file) => statSync(join(root, file)).isFile() && file.endsWith(".ts"));
  const items = files.map((file) => {
    const [, line = ""] = /^(?:\/\/|\/\*\*?) *(.*?)(?: *\*\/)?$/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
    return `<li><a href="${wayTo(url, sourceUrl(file))}">${escapeHtml(basename(file))}</a> ${escapeHtml(line)}</li>`;
  });
  const html = `<h1>${escapeHtml(folder)}</h1><ul>${items.join("")}</ul>`;
  return { page: { url, title: folder, html, sections: [] }, files };
}
