/** A piece of the curve: colour, dash and marker. */
import { type Look, markerPath } from "../palette.js";

export function Swatch({ look }: { look: Look }) {
  const hollow = look.marker === "cross" || look.marker === "plus";
  return (
    <svg class="swatch" width="34" height="12" viewBox="0 0 34 12" aria-hidden="true">
      <path d="M0,6h34" stroke={look.colour} stroke-width="2" stroke-dasharray={look.dash.join(" ")} />
      <path
        d={markerPath(look.marker, 17, 6, 3.8)}
        fill={hollow ? "none" : look.colour}
        stroke={look.colour}
        stroke-width="1.5"
      />
    </svg>
  );
}
