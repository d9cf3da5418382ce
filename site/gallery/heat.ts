/** Matrices as pictures of their entries. */
import type { Mark, Picture } from "./picture.js";

const [WIDTH, HEIGHT] = [520, 330];
/** px between matrices, and for the title and names */
const GAP = 14;
const WORDS = 74;
const TOP = 40;
/** px for names of rows */
const ROW_NAMES = 140;
/** colours on each side of 0; more are not told apart, and each is a path of the picture */
const LEVELS = 32;

/** Blue for −1, paper for 0, red for 1 */
function diverging(t: number): string {
  const end = t < 0 ? [0, 90, 170] : [200, 60, 0];
  const channel = (c: number): number => Math.round(245 + (c - 245) * Math.abs(t));
  return `rgb(${end.map(channel).join(",")})`;
}

const short = (x: number): string => String(Math.round(10 * x) / 10);

/** Rectangles of one colour in one path, those that touch in a row as one; NaN is left out. */
function areas(matrix: readonly (readonly number[])[], left: number, top: number, wide: number, high: number): Mark[] {
  const largest = Math.max(...matrix.flat().map(Math.abs).filter(Number.isFinite)) || 1;
  const paths = new Map<number, string>();
  for (const [i, row] of matrix.entries()) {
    const levels = row.map((v) => Math.round((LEVELS * v) / largest));
    for (let j = 0; j < levels.length; ) {
      const level = levels[j]!;
      const start = j;
      while (j < levels.length && Object.is(levels[j], level)) j++;
      if (Number.isNaN(level)) continue;
      const [x, y] = [left + start * wide, top + i * high];
      // a third of a pixel more, so that no seams are seen
      const path = `M${short(x)},${short(y)}h${short((j - start) * wide + 0.3)}v${short(high + 0.3)}H${short(x)}z`;
      paths.set(level, (paths.get(level) ?? "") + path);
    }
  }
  return [...paths].map(([level, d]) => ({ tag: "area", d, fill: diverging(level / LEVELS) }));
}

export interface HeatOptions {
  title: string;
  /** of the matrices */
  names?: readonly string[];
  /** of their rows */
  rows?: readonly string[];
}

/** Matrices side by side, each with its own scale */
export function heat(
  matrices: readonly (readonly (readonly number[])[])[],
  { title, names = [], rows = [] }: HeatOptions,
): Picture {
  const words = rows.length > 0 ? ROW_NAMES : 0;
  const side = Math.min((WIDTH - words - 24 - GAP * (matrices.length - 1)) / matrices.length, HEIGHT - WORDS);
  const start = words + (WIDTH - words - matrices.length * side - GAP * (matrices.length - 1)) / 2;
  const marks: Mark[] = [{ tag: "text", x: 14, y: 20, text: title, anchor: "start", look: "strong" }];
  for (const [i, text] of rows.entries()) {
    const y = TOP + ((i + 0.5) * side) / rows.length + 4;
    marks.push({ tag: "text", x: start - 6, y, text, anchor: "end", look: "label" });
  }
  for (const [k, matrix] of matrices.entries()) {
    const left = start + k * (side + GAP);
    marks.push(...areas(matrix, left, TOP, side / matrix[0]!.length, side / matrix.length));
    const text = names[k];
    if (text)
      marks.push({ tag: "text", x: left + side / 2, y: TOP + side + 18, text, anchor: "middle", look: "label" });
  }
  return { width: WIDTH, height: TOP + side + 30, label: title, marks };
}
