/** Which formulas are forms is not only said but worked out, by the tape's Hessian. */

import { n, p } from "@expen/bench/structure/formulas";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { compile, norm, square } from "../src/index.js";
import { isForm } from "./is-form.js";
import { lookAlikes, odd } from "./odd-forms.js";

const E = jsEngine();

test.each(odd)("found: %s", (_name, formula) => {
  const f = compile(E, { n, p }, formula);
  expect(isForm(E, f)).toBe(true);
  expect(f.quadratic).toBeDefined();
});

/** Too near to a form for numbers to tell */
const NEAR = /2.000001|nearly 0|10⁻⁸|is 0 now|not always a number/;

test("a multiple of I on the right, of any writing, is no C", () => {
  const all = Object.fromEntries(odd);
  for (const name of ["column after column", "norms of rows, squared, with weights", "the square of a distance"]) {
    expect(compile(E, { n, p }, all[name]!).quadratic).not.toHaveProperty("C");
  }
});

test("a squared length has a gradient where it is 0", () => {
  const f = compile(E, { n, p }, (X) => square(norm(X)));
  const [X, G] = [E.tall(n, p), E.tall(n, p)];
  expect(f.fg(G, X)).toBe(0);
  expect(E.dot(G, G)).toBe(0);
});

test.each(lookAlikes)("refused: %s", (name, formula) => {
  const f = compile(E, { n, p }, formula);
  if (!NEAR.test(name)) expect(isForm(E, f)).toBe(false);
  expect(f.quadratic).toBeUndefined();
});
