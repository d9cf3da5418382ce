/** Unit columns, also where the squares of lengths lose their digits or are zero. */

import { diagonalEngine } from "@expen/linalg/algebras";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import { obliqueConstraint } from "../../src/manifolds/oblique.js";
import { plainPoint } from "../../src/manifolds/point.js";

const E = diagonalEngine(jsEngine());

test.each([1, 1e-150, 1e-156, 1e-159, 1e-160, 1e-162, 1e-200])(
  "columns of a length near %f become unit columns",
  (length) => {
    const Y = E.tall(3, 2);
    obliqueConstraint(E, 3, 2).project(
      plainPoint(Y),
      E.tall(
        3,
        2,
        [2, 3, 0, 0, 1, 4].map((v) => v * length),
      ),
    );
    const y = E.read(Y);
    for (const j of [0, 1]) expect(Math.abs(Math.hypot(y[j]!, y[2 + j]!, y[4 + j]!) - 1)).toBeLessThan(1e-8);
  },
);

test.each([
  [1e160, 1e-170],
  [1e-300, 1],
  [1e300, 1e-300],
])("columns of lengths near %f and %f become the unit columns of their directions", (first, second) => {
  const Y = E.tall(3, 2);
  const numbers = [2, 3, 0, 0, 1, 4];
  const scaled = numbers.map((v, k) => v * (k % 2 ? second : first));
  expect(obliqueConstraint(E, 3, 2).project(plainPoint(Y), E.tall(3, 2, scaled))).toBe(2);
  const lengths = [Math.sqrt(5), 5];
  for (const [k, y] of E.read(Y).entries()) expect(y).toBeCloseTo(numbers[k]! / lengths[k % 2]!, 14);
});
