/** The likely reason why f or its gradient is not finite, as far as it can be seen from outside. */

import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";

/** Size of the move of each entry to a point nearby: far above roundoff, and well within the neighbourhood of the manifold */
const NEARBY = 1e-3;

/** The field of a matrix with its entries */
const NUMBERS = "data";

/** The likely mistake as the end of a sentence, from "; " on. Costs a few evaluations. */
export function whyNotFinite(E: Engine, f: Objective, X: Tall): string {
  if (f.compiled) return "; look for a division by 0, or a root or logarithm of a negative number, in the formula";
  const access = findReadOutside(E, f, X);
  if (access) return `; f or its gradient reads ${access}`;
  if (isFiniteNearby(E, f, X)) return "; both are finite nearby: look for 0/0 or the like at this very point";
  const { value, hasNoFinite } = nonFiniteParts(E, f, X);
  const arithmetic = "; look for 0/0, a division by 0, or a root or logarithm of a negative number";
  if (!hasNoFinite) return `${arithmetic}: some entries of the gradient are finite, others not`;
  if (Math.abs(value) === Number.POSITIVE_INFINITY) return "; look for a division by 0, or for numbers above 1.8e308";
  const memory =
    "; or, if f keeps the data of a matrix, read it afresh in every call: the memory grew, which empties such arrays";
  return arithmetic + (E.counters.emptied ? memory : "");
}

/** f(X), and whether it or all entries of the gradient are not finite: numbers computed from a detached array are all NaN. */
function nonFiniteParts(E: Engine, f: Objective, X: Tall): { value: number; hasNoFinite: boolean } {
  const G = E.tall(X.rows, X.cols);
  const value = f.fg(G, X);
  const numbers = E.read(G);
  const finite = numbers.reduce((count, g) => count + (Number.isFinite(g) ? 1 : 0), 0);
  return { value, hasNoFinite: !Number.isFinite(value) || finite === 0 };
}

/** The first read of f or its gradient outside of a matrix, with the right expression: undefined in arithmetic gives NaN. */
function findReadOutside(E: Engine, f: Objective, X: Tall): string | undefined {
  const reads: string[] = [];
  const count = X.rows * X.cols;
  const isIndex = (key: string | symbol): key is string => typeof key === "string" && /^-?\d+$/.test(key);
  const watchedNumbers = (name: string, data: Float64Array): Float64Array =>
    new Proxy(data, {
      get(target, key) {
        if (isIndex(key) && !(Number(key) >= 0 && Number(key) < count)) {
          reads.push(
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
          reads.push(
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
    // an engine takes only its own matrices
  }
  return reads[0];
}

function isFiniteNearby(E: Engine, f: Objective, X: Tall): boolean {
  const [Y, G] = [E.tall(X.rows, X.cols), E.tall(X.rows, X.cols)];
  E.write(Y, random(1, "nearby").normal);
  E.combine(Y, 1, X, NEARBY, Y);
  const value = f.fg(G, Y);
  return Number.isFinite(value + E.dot(G, G));
}
