/** Three small functions of the suite any-f, at the sizes of short runs. */
import type { UserObjective } from "@expen/core";
import { type Engine, gaussian, plainProduct, random, randomOrthonormal } from "@expen/linalg";
import { components } from "../any-f/components.js";
import { noisy, scaledBy } from "../any-f/draw.js";
import type { Family } from "../any-f/family.js";
import { fits } from "../any-f/fits.js";

export interface ShortProblem {
  readonly name: string;
  readonly n: number;
  readonly p: number;
  on(E: Engine): UserObjective;
}

function problem(families: readonly Family[], name: string, n: number, p: number, draw?: Family["draw"]): ShortProblem {
  const family = families.find((one) => one.name === name)!;
  const data = (draw ?? family.draw)(n, p, random(1, name));
  return { name, n, p, on: (E) => ({ fg: family.on(E, n, p, data) }) };
}

/** ½‖AX − B‖² with twice as many equations as rows, as data have: few steps */
const overdetermined: Family["draw"] = (n, p, r) => {
  const A = scaledBy(1 / Math.sqrt(2 * n), gaussian(2 * n, n, r));
  return { A, B: noisy(plainProduct(A, randomOrthonormal(n, p, r)), 0.1, r) };
};

export const problems: readonly ShortProblem[] = [
  problem(fits, "procrustes", 100, 10, overdetermined),
  problem(components, "varimax", 6, 6),
  problem(components, "dictionary", 10, 10),
];
