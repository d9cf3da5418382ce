/** The gallery as pages: each program with the picture that it makes, which the builder runs, and an editor in the page. */
import { type Program, programs, type Shown } from "../gallery/gallery.js";
import { toSvg } from "../gallery/picture.js";
import type { Chapter } from "./chapters.js";
import { escapeHtml, highlight } from "./highlight.js";
import { program as programBlock, type Section } from "./markdown.js";
import type { Page } from "./page.js";

export interface Gallery {
  pages: Page[];
  chapter: Chapter[];
  /** pictures that stand alone: name in the site → SVG */
  files: Map<string, string>;
}

const urlOf = ({ name }: Program): string => `gallery/${name}.html`;

function programPage(program: Program, { text, picture, sounds }: Shown): Page {
  const autorun = picture.space || sounds ? ' data-autorun="yes"' : "";
  const html = `<h1>${escapeHtml(program.title)}</h1>
<p>${escapeHtml(program.sentence)}</p>
<section class="live"${autorun} aria-label="Program">
<div class="stage">${toSvg(picture)}</div>
<div class="sounds"></div>
<pre class="output" tabindex="0" aria-label="Output">${escapeHtml(text)}</pre>
<div class="controls">
<button type="button" class="run" hidden>Run</button>
<button type="button" class="reset" hidden>As it was</button>
<p class="status" role="status"></p>
</div>
<div class="code">${programBlock(highlight(program.code, "js"))}</div>
</section>`;
  const section: Section = { heading: "", id: "", level: 1, text: `${program.sentence} ${program.code}` };
  return {
    url: urlOf(program),
    title: program.title,
    html,
    sections: [section],
    scripts: ["live.js"],
    shape: "wide",
    part: "gallery",
  };
}

function indexPage(): Page {
  const chapters = [...new Set(programs.map(({ chapter }) => chapter))].map((chapter) => {
    const cards = programs
      .filter((one) => one.chapter === chapter)
      .map(({ name, title, sentence }) => {
        const [width, height] = [520, 360];
        const picture = `<img src="${name}.svg" alt="" width="${width}" height="${height}" loading="lazy">`;
        return `<li><a href="${name}.html">${picture}<strong>${escapeHtml(title)}</strong></a><p>${escapeHtml(sentence)}</p></li>`;
      });
    return `<h2>${escapeHtml(chapter)}</h2><ul class="cards">${cards.join("")}</ul>`;
  });
  const html = `<h1>Gallery</h1><p>Programs that run in their page and can be changed there. Nothing leaves your browser.</p>${chapters.join("\n")}`;
  return { url: "gallery/index.html", title: "Gallery", html, sections: [], shape: "wide", part: "gallery" };
}

/** Runs every program. */
export async function galleryPages(): Promise<Gallery> {
  const files = new Map<string, string>();
  const pages = [indexPage()];
  for (const program of programs) {
    const shown = await program.run();
    pages.push(programPage(program, shown));
    files.set(`gallery/${program.name}.svg`, toSvg(shown.picture, { alone: true }));
  }
  const titles = [...new Set(programs.map(({ chapter }) => chapter))];
  const chapter = titles.map((title): Chapter => {
    const own = programs.filter((one) => one.chapter === title);
    return { title, part: "gallery", pages: own.map((one) => ({ url: urlOf(one), title: one.title })) };
  });
  return { pages, chapter, files };
}
