/** Why an f or its gradient is not finite, where that can be seen from outside. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** Entries of X move by about this to a point nearby: far above rounding, and well within the manifold's neighbourhood */
const NEARBY = 1e-3;

/** The field of a matrix that has its entries */
const NUMBERS = "data";

/** The likely mistake, from "; " on; "" where none is seen. A few evaluations. */
export function whyNotFinite(E: Engine, f: Objective, X: Tall): string {
  if (f.compiled) return "; look for a division by 0, or a root or logarithm of a negative number, in the formula";
  const read = readsNothing(E, f, X);
  if (read) return `; f or its gradient reads ${read}`;
  if (finiteNearby(E, f, X)) return "; both are finite nearby: look for 0/0 or the like at this very point";
  const { value, whole } = whatIsNotFinite(E, f, X);
  const arithmetic = "; look for 0/0, a division by 0, or a root or logarithm of a negative number";
  if (!whole) return `${arithmetic}: some entries of the gradient are finite, others not`;
  if (Math.abs(value) === Number.POSITIVE_INFINITY) return "; look for a division by 0, or for numbers above 1.8e308";
  const memory =
    "; or, if f keeps the data of a matrix, read it afresh in every call: the memory grew, which empties such arrays";
  return arithmetic + (E.counters.emptied ? memory : "");
}

/** An array that memory has emptied makes NaN of all that is computed with it, and no infinite number. */
function whatIsNotFinite(E: Engine, f: Objective, X: Tall): { value: number; whole: boolean } {
  const G = E.tall(X.rows, X.cols);
  const value = f.fg(G, X);
  const numbers = E.read(G);
  const finite = numbers.reduce((count, g) => count + (Number.isFinite(g) ? 1 : 0), 0);
  return { value, whole: !Number.isFinite(value) || finite === 0 };
}

/** An entry that f or its gradient reads where there is none, and what to read: undefined in arithmetic gives NaN. */
function readsNothing(E: Engine, f: Objective, X: Tall): string | undefined {
  const found: string[] = [];
  const count = X.rows * X.cols;
  const isIndex = (key: string | symbol): key is string => typeof key === "string" && /^-?\d+$/.test(key);
  const watchedNumbers = (name: string, data: Float64Array): Float64Array =>
    new Proxy(data, {
      get(target, key) {
        if (isIndex(key) && !(Number(key) >= 0 && Number(key) < count)) {
          found.push(
            `${name}.${NUMBERS}[${key}], but ${name} has ${count} numbers, ${name}.${NUMBERS}[0] to ${name}.${NUMBERS}[${count - 1}]`,
          );
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const watched = (name: string, M: Tall): Tall =>
    new Proxy(M, {
      get(target, key) {
        if (isIndex(key)) {
          found.push(
            `${name}[${key}], which is undefined; the numbers of a matrix are in its ${NUMBERS}, row by row: ${name}.${NUMBERS}[${key}]`,
          );
        }
        const value: unknown = Reflect.get(target, key, target);
        return key === NUMBERS && value instanceof Float64Array ? watchedNumbers(name, value) : value;
      },
    });
  const G = E.tall(X.rows, X.cols);
  try {
    f.fg(watched("G", G), watched("X", X));
  } catch {
    // engines know their own matrices alone
  }
  return found[0];
}

function finiteNearby(E: Engine, f: Objective, X: Tall): boolean {
  const [Y, G] = [E.tall(X.rows, X.cols), E.tall(X.rows, X.cols)];
  E.write(Y, random(1, "nearby").normal);
  E.combine(Y, 1, X, NEARBY, Y);
  const value = f.fg(G, Y);
  return Number.isFinite(value + E.dot(G, G));
}
