import type { Space } from "./space.js";
import type { Objective, Tall } from "./types.js";

/** The same objective, and ‖∇f‖ where its gradient was asked for first: NaN before that. `look`: is shown that gradient */
export function firstGradient(E: Space, f: Objective, look?: (G: Tall) => void): { f: Objective; norm(): number } {
  let norm = Number.NaN;
  let seen = false;
  const fg: Objective["fg"] = (G, X) => {
    const value = f.fg(G, X);
    if (!seen) {
      seen = true;
      norm = Math.sqrt(E.dot(G, G));
      look?.(G);
    }
    return value;
  };
  return { f: { ...f, fg }, norm: () => norm };
}
