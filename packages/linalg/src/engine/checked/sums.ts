/** Inner products that are requested together (contracts/engine.ts, `Sums`). */
import type { Engine, Sums } from "../../contracts/engine.js";
import type { Tall } from "../../contracts/matrix.js";
import type { Owned } from "../kernels.js";
import type { Base } from "./given.js";

/** Without kernels for them each inner product is computed at its request, by `dot` and `dots`. */
export function requestedSums(
  { kernels, counters, own, family }: Base,
  { dot, dots }: Pick<Engine, "dot" | "dots">,
): Engine["sums"] {
  const { requests } = kernels;
  if (!requests) {
    return (places) => {
      const at = new Float64Array(places);
      return {
        at,
        dot(place, X, Y) {
          at[place] = dot(X, Y);
        },
        dots: (first, Xs, count, Y) => dots(at.subarray(first), Xs, count, Y),
        arrive: () => undefined,
      };
    };
  }
  return (places): Sums => {
    const at = new Float64Array(places);
    let expected = 0;
    function request(first: number, Xs: readonly Tall[], count: number, Y: Tall): void {
      const y = own(Y, "sums", "Y");
      family(Xs, count, at.subarray(first), Y, "sums");
      const size = Y.rows * Y.cols;
      counters.entries += count * size;
      if (size === 0) at.fill(0, first, first + count);
      if (size === 0 || count === 0) return;
      expected++;
      requests!.add(size, Xs.slice(0, count) as readonly unknown[] as readonly Owned[], y, (values) => {
        expected--;
        for (let i = 0; i < count; i++) at[first + i] = values[i]!;
      });
    }
    return {
      at,
      dot: (place, X, Y) => request(place, [X], 1, Y),
      dots: request,
      arrive() {
        if (expected > 0) requests!.arrive();
      },
    };
  };
}
