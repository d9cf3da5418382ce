/** A picture as data: a page draws it with its own elements, a file gets it as SVG. No text of a program becomes markup. */

/** How a mark looks; the colours are those of the page's style sheet or of `STYLE`. */
export type Look = "axis" | "grid" | "label" | "strong" | `c${0 | 1 | 2 | 3 | 4 | 5 | 6}` | "faint";

export type Mark =
  | { tag: "circle"; cx: number; cy: number; r: number; look: Look }
  | { tag: "path"; d: string; look: Look }
  | { tag: "area"; d: string; fill: string }
  | { tag: "text"; x: number; y: number; text: string; anchor: "start" | "middle" | "end"; look: Look };

export interface Picture {
  width: number;
  height: number;
  /** what it shows, in words */
  label: string;
  marks: Mark[];
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => ESCAPES[c]!);

/** Tenths of a pixel are enough for every screen. */
const round = (x: number): number => Math.round(10 * x) / 10;

/** Attributes of a mark by their names in SVG */
export function attributes(mark: Mark): Record<string, string | number> {
  switch (mark.tag) {
    case "circle":
      return { cx: round(mark.cx), cy: round(mark.cy), r: round(mark.r), class: `mark ${mark.look}` };
    case "path":
      return { d: mark.d, class: `line ${mark.look}` };
    case "area":
      return { d: mark.d, fill: mark.fill };
    case "text":
      return { x: round(mark.x), y: round(mark.y), "text-anchor": mark.anchor, class: mark.look };
  }
}

const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#b3578f", "#8a6d00", "#2f8fc4", "#444444"];
/** Style of a file that stands alone, on white */
const STYLE = [
  "text{font:13px system-ui,sans-serif;fill:#566170}text.strong{fill:#1b2430;font-weight:600;paint-order:stroke;stroke:#fff;stroke-width:3px}",
  ".line{fill:none;stroke-width:1.6;stroke-linejoin:round}.grid{stroke:#e2e6eb}.axis{stroke:#8a949f}.line.strong{stroke:#1b2430}.faint{stroke:#aab3bd;fill:#aab3bd}",
  ...LIGHT.map((colour, i) => `.line.c${i}{stroke:${colour}}.mark.c${i},text.c${i}{fill:${colour}}`),
].join("");

/** The marks of a picture in an <svg>; `alone`: with its own style and paper, for a file */
export function toSvg({ width, height, label, marks }: Picture, { alone = false } = {}): string {
  const parts = marks.map((mark) => {
    const words = Object.entries(attributes(mark)).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
    const inside = mark.tag === "text" ? escaped(mark.text) : "";
    const tag = mark.tag === "area" ? "path" : mark.tag;
    return `<${tag}${words.join("")}>${inside}</${tag}>`;
  });
  const paper = alone ? `<style>${STYLE}</style><rect width="${width}" height="${height}" fill="#fff"/>` : "";
  const head = `xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 ${width} ${height}" role="img"`;
  const size = alone ? ` width="${width}" height="${height}"` : "";
  return `<svg ${head}${size} aria-label="${escaped(label)}">${paper}${parts.join("")}</svg>`;
}
