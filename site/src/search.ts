/** Sections of the site that hold all words of a query, the best first. */
import type { Row } from "../build/search-index.js";

export interface Hit {
  url: string;
  page: string;
  heading: string;
  /** words around the first place */
  excerpt: string;
}

/** Points of a word by where it stands; a whole word counts more than the beginning of one. */
const POINTS = { heading: 8, page: 4, text: 1, whole: 2, exact: 20 };
/** characters around the first place */
const BEFORE = 40;
const AFTER = 110;

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Letters without accents and case, so that "Löwdin" is found by "lowdin" */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function pointsOf(word: string, { heading, page, text }: Record<"heading" | "page" | "text", string>): number {
  const begins = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, "u");
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "u");
  const of = (part: string, points: number): number =>
    whole.test(part) ? points * POINTS.whole : begins.test(part) ? points : part.includes(word) ? points / 2 : 0;
  return of(heading, POINTS.heading) + of(page, POINTS.page) + of(text, POINTS.text);
}

export function search(rows: readonly Row[], query: string, most = 12): Hit[] {
  const all = plain(query).split(/\s+/).filter(Boolean);
  // "of" and "a" need not be there, unless the query is nothing else
  const long = all.filter(({ length }) => length > 2);
  const words = long.length > 0 ? long : all;
  if (words.length === 0) return [];
  const hits: { points: number; row: Row }[] = [];
  for (const row of rows) {
    const parts = { heading: plain(row[2]), page: plain(row[1]), text: plain(row[3]) };
    const points = words.map((word) => pointsOf(word, parts));
    if (points.some((one) => one === 0)) continue;
    const exact = parts.heading === words.join(" ") ? POINTS.exact : 0;
    hits.push({ points: points.reduce((sum, one) => sum + one, exact), row });
  }
  hits.sort((a, b) => b.points - a.points);
  return hits.slice(0, most).map(({ row: [url, page, heading, text] }) => {
    const place = Math.max(0, plain(text).indexOf(words[0]!));
    const start = Math.max(0, place - BEFORE);
    const excerpt = text.slice(start, place + AFTER);
    return {
      url,
      page,
      heading,
      excerpt: `${start > 0 ? "…" : ""}${excerpt}${place + AFTER < text.length ? "…" : ""}`,
    };
  });
}
