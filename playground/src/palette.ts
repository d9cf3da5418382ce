/** Colours of Okabe and Ito, told apart by people with every kind of colour vision; dashes and markers say the same a second time. */

const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#b3578f", "#8a6d00", "#2f8fc4", "#444444"];
const DARK = ["#56b4e9", "#ff8c42", "#2fd3a5", "#e79ac6", "#f0e442", "#9ecbff", "#dddddd"];
const DASHES: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5]];
export const MARKERS = ["circle", "square", "triangle", "diamond", "cross", "down", "plus"] as const;

export interface Look {
  colour: string;
  dash: number[];
  /** none: a line that stands for no run */
  marker: (typeof MARKERS)[number] | "none";
}

export function look(index: number, dark: boolean): Look {
  const colours = dark ? DARK : LIGHT;
  return {
    colour: colours[index % colours.length]!,
    dash: DASHES[(index + Math.floor(index / DASHES.length)) % DASHES.length]!,
    marker: MARKERS[index % MARKERS.length]!,
  };
}

/** The marker around (x, y) as an SVG path, which canvas draws too. */
export function markerPath(marker: Look["marker"], x: number, y: number, r: number): string {
  const d = r * 0.85;
  switch (marker) {
    case "none":
      return "";
    case "circle":
      return `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`;
    case "square":
      return `M${x - d},${y - d}h${2 * d}v${2 * d}h${-2 * d}Z`;
    case "triangle":
      return `M${x},${y - r}L${x + r},${y + d}L${x - r},${y + d}Z`;
    case "down":
      return `M${x},${y + r}L${x + r},${y - d}L${x - r},${y - d}Z`;
    case "diamond":
      return `M${x},${y - r * 1.2}L${x + r},${y}L${x},${y + r * 1.2}L${x - r},${y}Z`;
    case "cross":
      return `M${x - r},${y - r}l${2 * r},${2 * r}M${x - r},${y + r}l${2 * r},${-2 * r}`;
    case "plus":
      return `M${x - r * 1.2},${y}h${2.4 * r}M${x},${y - r * 1.2}v${2.4 * r}`;
  }
}
