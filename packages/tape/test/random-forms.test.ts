/** Of random formulas of degree two those are found, and those alone, whose Hessian is one tensor B ⊗ C. */

import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { compile } from "../src/index.js";
import { isForm } from "./is-form.js";
import { randomForm } from "./random-forms.js";

test("found if and only if the Hessian is one tensor", () => {
  const E = jsEngine();
  const seen = { found: 0, refused: 0 };
  for (let seed = 1; seed <= 80; seed++) {
    const { n, p, formula, parts } = randomForm(seed);
    const f = compile(E, { n, p }, formula);
    const found = f.quadratic !== undefined;
    expect(found, `seed ${seed}, ${n}×${p}: ${parts.join(", ")}`).toBe(isForm(E, f, 10));
    seen[found ? "found" : "refused"]++;
  }
  expect(Math.min(seen.found, seen.refused)).toBeGreaterThan(15);
});
