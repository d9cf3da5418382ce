import type { Space } from "./space.js";
import type { Objective } from "./types.js";

/** The same objective, and ‖∇f‖ where its gradient was asked for first: NaN before that. */
export function firstGradient(E: Space, f: Objective): { f: Objective; norm(): number } {
  let norm = Number.NaN;
  let seen = false;
  const fg: Objective["fg"] = (G, X) => {
    const value = f.fg(G, X);
    if (!seen) {
      seen = true;
      norm = Math.sqrt(E.dot(G, G));
    }
    return value;
  };
  return { f: { ...f, fg }, norm: () => norm };
}
