/** What the search looks through: a script and no JSON, for a page that is opened as a file may load nothing else. */
import type { Page } from "./page.js";

/** [address, title of the page, heading, words] */
export type Row = [url: string, page: string, heading: string, text: string];

export function searchRows(pages: readonly Page[]): Row[] {
  return pages
    .filter(({ url }) => !url.startsWith("source/"))
    .flatMap(({ url, title, sections }) =>
      sections.map(
        ({ id, heading, text }): Row => [
          id ? `${url}#${id}` : url,
          title,
          heading === title ? "" : heading,
          text.replace(/\s+/g, " ").trim(),
        ],
      ),
    )
    .filter(([, , heading, text]) => heading !== "" || text !== "");
}

export const searchScript = (rows: readonly Row[]): string => `globalThis.searchRows = ${JSON.stringify(rows)};\n`;
