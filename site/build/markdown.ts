/** A page of Markdown as HTML with headings that can be linked, and as sections for the search. */
import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import markdownIt, { type MarkdownIt, type Token } from "markdown-it";
import { isPage, urlOf, wayTo } from "./chapters.js";
import { escapeHtml, highlight } from "./highlight.js";

export interface Section {
  heading: string;
  /** of the heading; empty for what stands before the first */
  id: string;
  level: number;
  text: string;
}

export interface Rendered {
  html: string;
  sections: Section[];
  /** files of the repository that are no pages, but shown as one */
  files: string[];
  folders: string[];
  /** pictures to be copied */
  pictures: string[];
}

/** As GitHub names anchors: small letters, hyphens for spaces, no other signs */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** The page that shows a source file */
export const sourceUrl = (file: string): string => `source/${file}.html`;

/** The words of a token and those in it */
const textOf = ({ type, content, children }: Token): string => {
  if (children) return children.map(textOf).join("");
  return type === "softbreak" || type === "hardbreak" ? " " : content;
};

interface Place {
  root: string;
  /** the Markdown file, and its page */
  file: string;
  url: string;
}

export function render(text: string, { root, file, url }: Place): Rendered {
  const files = new Set<string>();
  const folders = new Set<string>();
  const pictures = new Set<string>();
  const md = markdownIt({ html: true });
  const tokens = md.parse(text, {});
  const target = (href: string): string => {
    if (/^[a-z]+:/i.test(href) || href.startsWith("#")) return href;
    const [path, hash] = href.split("#") as [string, string?];
    const there = posix.join(posix.dirname(file), path).replace(/\/$/, "");
    const end = hash ? `#${hash}` : "";
    if (isPage(there)) return wayTo(url, urlOf(there) + end);
    if (!existsSync(join(root, there))) throw new Error(`${file}: there is no file ${there}, to which a link leads.`);
    if (/\.(svg|webp|png)$/.test(there)) {
      pictures.add(there);
      return wayTo(url, there.replace(/^docs\//, ""));
    }
    (statSync(join(root, there)).isDirectory() ? folders : files).add(there);
    return wayTo(url, sourceUrl(there)) + end;
  };
  const visit = (list: Token[]): void => {
    for (const token of list) {
      const name = token.type === "link_open" ? "href" : token.type === "image" ? "src" : undefined;
      if (name) token.attrSet(name, target(decodeURI(String(token.attrGet(name)))));
      if (token.children) visit(token.children);
    }
  };
  visit(tokens);
  const { sections, html } = withHeadings(md, tokens);
  return { html, sections, files: [...files], folders: [...folders], pictures: [...pictures] };
}

/** Headings get ids and a link to themselves, tables a box that can be scrolled. */
function withHeadings(md: MarkdownIt, tokens: Token[]): { html: string; sections: Section[] } {
  const sections: Section[] = [{ heading: "", id: "", level: 1, text: "" }];
  const seen = new Map<string, number>();
  for (const [i, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = textOf(tokens[i + 1]!);
      const name = slug(heading);
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      const id = times === 0 ? name : `${name}-${times}`;
      token.attrSet("id", id);
      sections.push({ heading, id, level: Number(token.tag.slice(1)), text: "" });
    } else if (token.type === "inline" && tokens[i - 1]?.type !== "heading_open") {
      sections.at(-1)!.text += `${textOf(token)} `;
    } else if (token.type === "fence" || token.type === "code_block") {
      sections.at(-1)!.text += `${token.content} `;
    }
  }
  const { rules } = md.renderer;
  const options = md.options;
  rules.heading_close = (list, i) => {
    const open = list[i - 2]!;
    if (open.tag === "h1") return "</h1>\n";
    const label = escapeHtml(`Link to ${textOf(list[i - 1]!)}`);
    return ` <a class="anchor" href="#${open.attrGet("id")}" aria-label="${label}">#</a></${open.tag}>\n`;
  };
  let tables = 0;
  rules.table_open = () => `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table>\n`;
  rules.table_close = () => "</table></div>\n";
  // a corner without words is no header
  for (const [rule, mark] of [
    ["th_open", "<"],
    ["th_close", "</"],
  ] as const) {
    const step = rule === "th_open" ? 1 : -1;
    rules[rule] = (list, i, o, _, self) => {
      if (list[i + step]!.content === "") return `${mark}td>`;
      return self.renderToken(list, i, o);
    };
  }
  withPrograms(md);
  return { html: md.renderer.render(tokens, options, {}), sections };
}

/** Blocks of code become programs. */
export function withPrograms(md: MarkdownIt): MarkdownIt {
  md.renderer.rules.fence = (list, i) => program(highlight(list[i]!.content, list[i]!.info.trim()));
  md.renderer.rules.code_block = (list, i) => program(escapeHtml(list[i]!.content));
  return md;
}

/** A block that the keyboard can scroll; src/page.ts adds the button that copies it. */
export const program = (html: string): string =>
  `<div class="program"><pre tabindex="0"><code>${html.replace(/\n$/, "")}</code></pre></div>\n`;
