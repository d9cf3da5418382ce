/** The reference as pages: one for each entry of the package, each name with its declaration, comment and examples. */
import markdownIt from "markdown-it";
import { wayTo } from "./chapters.js";
import { escapeHtml, highlight } from "./highlight.js";
import { program, type Section, sourceUrl, withPrograms } from "./markdown.js";
import type { Page } from "./page.js";
import type { Entry, Module } from "./reference.js";

export const moduleUrl = ({ short }: Pick<Module, "short">): string => `reference/${short}.html`;

/** Operators that comments write with letters are no Markdown: X* and a_i stay. */
const md = withPrograms(markdownIt({ html: false })).disable(["emphasis", "strikethrough"]);

/** Address of the first entry that exports this name */
export function addresses(modules: readonly Module[]): Map<string, string> {
  const all = modules.flatMap((one) => one.entries.map(({ name }) => [name, `${moduleUrl(one)}#${name}`] as const));
  return new Map(all.reverse());
}

function entryHtml(entry: Entry, page: string, links: Map<string, string>): string {
  const linkOf = (name: string): string | undefined => {
    const to = links.get(name);
    return to && name !== entry.name ? wayTo(page, to) : undefined;
  };
  const shown = entry.examples.map(({ code }) => program(highlight(code, "ts")));
  return `<section class="entry" id="${entry.name}">
<h2>${entry.name} <span class="kind">${entry.kind}</span> <a class="anchor" href="#${entry.name}" aria-label="Link to ${entry.name}">#</a></h2>
<div class="program declaration"><pre tabindex="0"><code>${highlight(entry.declaration, "ts", linkOf)}</code></pre></div>
${md.render(entry.comment)}
${shown.length > 0 ? `<p class="label">Example</p>${shown.join("")}` : ""}
<p class="origin"><a href="${wayTo(page, sourceUrl(entry.file))}">${escapeHtml(entry.file)}</a></p>
</section>`;
}

const firstSentence = (comment: string): string => /^[\s\S]*?(?:[.:](?=\s)|$)/.exec(comment)![0].replace(/\s+/g, " ");

function modulePage(module: Module, links: Map<string, string>): Page {
  const url = moduleUrl(module);
  const names = (title: string, isShown: (entry: Entry) => boolean): string => {
    const items = module.entries.filter(isShown).map(({ name }) => `<li><a href="#${name}">${name}</a></li>`);
    return items.length > 0 ? `<p class="label">${title}</p><ul class="names">${items.join("")}</ul>` : "";
  };
  const sections = module.entries.map(
    ({ name, comment, declaration }): Section => ({
      heading: name,
      id: name,
      level: 2,
      text: `${comment} ${declaration}`,
    }),
  );
  return {
    url,
    title: module.name,
    sections: [{ heading: "", id: "", level: 1, text: module.comment }, ...sections],
    html: `<h1>${module.name}</h1>${md.render(module.comment)}${names("Functions and values", ({ kind }) => kind !== "type")}${names("Types", ({ kind }) => kind === "type")}
${module.entries.map((entry) => entryHtml(entry, url, links)).join("\n")}`,
    shape: "wide",
    part: "reference",
    parent: url,
  };
}

export function referencePages(modules: readonly Module[]): Page[] {
  const links = addresses(modules);
  const url = "reference/index.html";
  const row =
    (to: string) =>
    ({ name, comment }: Entry) =>
      `<tr><td><a href="${to}#${name}">${name}</a></td><td>${md.renderInline(firstSentence(comment))}</td></tr>`;
  const parts = modules.map((one) => {
    const to = wayTo(url, moduleUrl(one));
    const rows = one.entries.filter(({ kind }) => kind !== "type").map(row(to));
    const count = one.entries.length - rows.length;
    return `<h2 id="${one.short}"><a href="${to}">${one.name}</a></h2><p>${escapeHtml(one.comment)}</p>
<div class="table" tabindex="0" role="region" aria-label="Functions of ${one.name}"><table><tbody>${rows.join("")}</tbody></table></div>
<p class="origin">${count} types beside these.</p>`;
  });
  const sections = modules.map(({ name, short }): Section => ({ heading: name, id: short, level: 2, text: "" }));
  const html = `<h1>Reference</h1><p>Every name that the package <code>expen</code> exports, by the entry that it is imported from.</p>${parts.join("\n")}`;
  return [
    { url, title: "Reference", html, sections, part: "reference" },
    ...modules.map((one) => modulePage(one, links)),
  ];
}
