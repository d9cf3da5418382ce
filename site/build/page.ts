/** The frame of every page: header with search, the guide's chapters at the left, the page's headings at the right. */
import { type Chapter, type Part, wayTo } from "./chapters.js";
import { escapeHtml } from "./highlight.js";
import type { Section } from "./markdown.js";

export interface Page {
  url: string;
  title: string;
  html: string;
  sections: Section[];
  /** whose chapters are listed beside it; the guide's, if absent */
  part?: Part;
  /** the page of the navigation that is marked */
  parent?: string;
  /** scripts of its own, relative to the site */
  scripts?: string[];
  /** "wide" leaves out the headings at the right, "home" the navigation as well */
  shape?: "wide" | "home";
}

const NAVIGATION: readonly [title: string, url: string][] = [
  ["Guide", "guide.html"],
  ["Gallery", "gallery/index.html"],
  ["Tour", "tour.html"],
  ["Reference", "reference/index.html"],
  ["Benchmarks", "benchmarks.html"],
  ["Playground", "play/index.html"],
];

/** The headings at the right: those of the second level, and the third where they are few */
const LONGEST_CONTENTS = 30;

function contents(sections: readonly Section[]): string {
  const all = sections.filter(({ level, id }) => id && (level === 2 || level === 3));
  const shown = all.length > LONGEST_CONTENTS ? all.filter(({ level }) => level === 2) : all;
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ id, heading, level }) => `<li class="l${level}"><a href="#${id}">${escapeHtml(heading)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join("")}</ul></nav>`;
}

function side(page: Page, chapters: readonly Chapter[]): string {
  const marked = page.parent ?? page.url;
  const lists = chapters
    .filter(({ part }) => part === (page.part ?? "guide"))
    .map(({ title, pages }) => {
      const items = pages.map(({ url, title: name }) => {
        const current = url === marked ? ' aria-current="page"' : "";
        return `<li><a href="${wayTo(page.url, url)}"${current}>${escapeHtml(name)}</a></li>`;
      });
      return `<p>${escapeHtml(title)}</p><ul>${items.join("")}</ul>`;
    });
  return `<nav class="side" id="side" aria-label="Pages">${lists.join("")}</nav>`;
}

/** The page before and the one after it, in the order of the chapters */
function neighbours(page: Page, chapters: readonly Chapter[]): string {
  const part = page.part ?? "guide";
  const order = chapters.filter((one) => one.part === part).flatMap(({ pages }) => pages);
  const at = order.findIndex(({ url }) => url === page.url);
  if (at < 0) return "";
  const link = (one: { url: string; title: string } | undefined, word: string): string =>
    one
      ? `<a class="${word}" href="${wayTo(page.url, one.url)}"><span>${word}</span>${escapeHtml(one.title)}</a>`
      : "<span></span>";
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(order[at - 1], "previous")}${link(order[at + 1], "next")}</nav>`;
}

export function wholePage(page: Page, chapters: readonly Chapter[]): string {
  const way = (to: string): string => wayTo(page.url, to);
  const root = way("index.html").replace(/index\.html$|^#$/, "");
  const top = NAVIGATION.map(([title, url]) => {
    const current = url.split("/")[0] === page.url.split("/")[0] ? ' aria-current="page"' : "";
    return `<a href="${way(url)}"${current}>${title}</a>`;
  });
  const scripts = ["site.js", ...(page.scripts ?? [])].map((name) => `<script defer src="${way(name)}"></script>`);
  const beside = page.shape === "home" ? "" : side(page, chapters);
  const name = page.url === "index.html" ? "expen" : `${escapeHtml(page.title)} · expen`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="icon" href="${way("icon.svg")}" type="image/svg+xml">
<script src="${way("theme.js")}"></script>
<link rel="stylesheet" href="${way("site.css")}">
${scripts.join("\n")}
</head>
<body class="${page.shape ?? "text"}" data-root="${root}">
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="name" href="${way("index.html")}">expen</a>
<nav class="top" aria-label="Site">${top.join("")}</nav>
<button type="button" class="open-search" aria-haspopup="dialog"><span>Search</span><kbd>/</kbd></button>
<button type="button" class="theme" aria-label="Dark colours">☾</button>
${beside && '<button type="button" class="menu" aria-expanded="false" aria-controls="side">Pages</button>'}
</header>
<div class="columns">
${beside}
<main id="main" tabindex="-1">
${page.html}
${neighbours(page, chapters)}
</main>
${page.shape ? "" : contents(page.sections)}
</div>
</body>
</html>
`;
}
