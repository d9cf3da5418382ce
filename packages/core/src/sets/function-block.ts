import { described } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import type { Domain, View } from "../contracts/manifold.js";
import type { Block } from "./block.js";
import type { FunctionSubject, VectorFunction } from "./subject.js";

/** The constraints of { size, value, adjoint }; Θ and V are numbers in host memory, on several processes the same on each. */
export function functionBlock(
  { view }: Domain<View>,
  { kind, text, bound, g }: FunctionSubject,
  sizes?: Float64Array,
): Block {
  const { size, value, adjoint } = g as unknown as VectorFunction<View>;
  const E = jsEngine();
  const [theta, change] = [E.tall(size, 1), E.tall(size, 1)];
  const [out, t, V, w] = [0, 1, 2, 3].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let isChecked = false;

  function evaluate(X: View): void {
    if (!isChecked) out.fill(Number.NaN);
    const returned: unknown = value.call(g, out, X);
    if (isChecked) return;
    isChecked = true;
    requireValues(kind, returned, out);
  }

  return {
    text,
    kind,
    sizes,
    E,
    shifts: [theta],
    changes: [change],
    add(G, X, rho) {
      const at = view(X);
      evaluate(at);
      E.read(theta, t);
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const size = sizes?.[i] ?? 1;
        const shifted = t[i]! + (out[i]! - bound) / size;
        // not Math.max, so that NaN stays
        const a = kind === "equal" || !(shifted < 0) ? shifted : 0;
        V[i] = a - t[i]!;
        sum += a * a - t[i]! * t[i]!;
        w[i] = (rho * a) / size;
      }
      E.write(change, V);
      adjoint.call(g, view(G), at, w);
      return 0.5 * rho * sum;
    },
    multipliers(rho) {
      E.read(change, V);
      return E.read(theta, t).map((x, i) => (rho * (x + V[i]!)) / (sizes?.[i] ?? 1));
    },
  };
}

/** Throws a sentence where `value` has not written all of its numbers at the start, or returns some of its own. */
function requireValues(kind: string, returned: unknown, out: Float64Array): void {
  if (returned !== undefined) {
    throw new TypeError(`${kind}: value returns ${described(returned)}; it must write into its first argument.`);
  }
  const missing = out.findIndex(Number.isNaN);
  if (missing < 0) return;
  throw new RangeError(
    `${kind}: value ${missing} of ${out.length} is NaN at the start; write all of them into out, or give another size.`,
  );
}
