/** Every mistake in `ownManifold` ends in one sentence: what, which value, what to do. */

import type { Matrix, Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import { minimize } from "../../src/minimize.js";
import { ownManifold } from "../../src/own/own-manifold.js";
import { nearestPoint } from "../../src/run/nearest-point.js";
import { ellipsoid, matrixOf, nearestTo, unitSphere } from "./problems.js";

const E = jsEngine();
type Loose = (options?: unknown) => Manifold;
const bound = (options: unknown) => () => (ownManifold as Loose)(options).bind(E);
const sphere = { rows: 3, cols: 1, ...unitSphere };
const first = ({ data }: Tall): number => data[0]!;

test.each([
  ["nothing", undefined, /^ownManifold: it has undefined; give \{ rows, cols, c \}\.$/],
  ["no rows", { cols: 1, c: unitSphere.c }, /^ownManifold: rows is undefined; it must be a whole number, 1 or more\.$/],
  ["cols of 0", { ...sphere, cols: 0 }, /^ownManifold: cols is 0; it must be a whole number/],
  ["another spelling", { ...sphere, jac: unitSphere.jacobian }, /^ownManifold: .*'jac'/],
  ["no c", { rows: 3, cols: 1 }, /^ownManifold: c is undefined; give formula\(\(X\) => …\), a function of X/],
  ["c as a text", { rows: 3, cols: 1, c: "x·x = 1" }, /^ownManifold: c is .*; give formula/],
  ["c without value", { rows: 3, cols: 1, c: { size: 1, adjoint() {} } }, /^ownManifold: c\.value is undefined; give/],
  [
    "c of size 0",
    { rows: 3, cols: 1, c: { size: 0, value() {}, adjoint() {} } },
    /^ownManifold: c\.size is 0; it must be/,
  ],
  [
    "an empty list",
    { ...sphere, c: () => [] },
    /^ownManifold: c\(X\) is an empty list; it must have a number for each/,
  ],
  ["c that returns nothing", { ...sphere, c: () => {} }, /^ownManifold: c\(X\) is undefined; it must be a list/],
  [
    "a Jacobian of another size",
    { ...sphere, jacobian: () => [[1, 2]] },
    /^ownManifold: jacobian\(X\) has 1 rows with 2 numbers; it must have 1 rows with 3 each\.$/,
  ],
  [
    "a Jacobian with a row too many",
    {
      ...sphere,
      jacobian: () => [
        [1, 2, 3],
        [1, 2, 3],
      ],
    },
    /has 2 rows with 3 numbers; it must have 1 rows with 3 each/,
  ],
  [
    "half of the Jacobian",
    { ...sphere, jacobian: ({ data }: Tall) => [data] },
    /^ownManifold: the Jacobian does not belong to c: it gives .* where differences of c give/,
  ],
  [
    "a Jacobian beside a c that has one",
    { rows: 3, cols: 1, c: { size: 1, value() {}, adjoint() {} }, jacobian() {} },
    /^ownManifold: jacobian belongs to a c that is a function; leave it out\.$/,
  ],
  [
    "c that is not finite",
    { ...sphere, c: () => [Number.NaN], jacobian: () => [[0, 0, 0]] },
    /^ownManifold: c or its Jacobian is not finite at the start/,
  ],
  [
    "a start of another shape",
    { ...sphere, start: matrixOf(2, 1, () => 1) },
    /^ownManifold: start: it is 2×1 but n×p is 3×1; give a matrix of that shape\.$/,
  ],
  ["a start that is a text", { ...sphere, start: "1, 0, 0" }, /^ownManifold: start: /],
  [
    "a set without points",
    { ...sphere, c: ({ data: x }: Tall) => [x.reduce((s, v) => s + v * v, 1)] },
    /^ownManifold: no X with c\(X\) = 0 was found from 5 random points: steps end where ‖c‖ is .* and falls no further; give a start near the set\.$/,
  ],
  [
    "equations that contradict each other",
    { rows: 3, cols: 1, c: (X: Tall) => [first(X), first(X) - 1], start: matrixOf(3, 1, () => 1) },
    /^ownManifold: no X with c\(X\) = 0 was found from the start: .*; give another start\.$/,
  ],
  [
    "the square of an equation",
    {
      ...sphere,
      c: (X: Tall) => [unitSphere.c(X)[0]! ** 2],
      jacobian: (X: Tall) => [X.data.map((v) => 4 * v * unitSphere.c(X)[0]!)],
    },
    /^ownManifold: the Jacobian of c vanishes at a point with c\(X\) = 0, .*; write the equations without squares, c in the place of c²\.$/,
  ],
])("%s", (_, options, sentence) => {
  expect(bound(options)).toThrow(sentence);
});

test("c that changes its size is refused", () => {
  let calls = 0;
  const c = (X: Tall): number[] => (++calls > 3 ? [1, 2] : unitSphere.c(X));
  expect(bound({ ...sphere, c })).toThrow(/^ownManifold: c\(X\) has 2 numbers, and had 1 before\.$/);
});

test("a start of a run that no step leads from is refused, a distant one taken to the set with a note", async () => {
  const { rows, cols, c, f } = ellipsoid(6, 1);
  const on = ownManifold({ rows, cols, c }) as Manifold<View>;
  const zero: Matrix = matrixOf(rows, cols, () => 0);
  await expect(minimize(f(E), { on, engine: E, start: zero })).rejects.toThrow(
    /^ownManifold: no feasible point was found near the one given, where ‖c‖ is .*; steps end where it is .*: give another start\.$/,
  );
  const { notes, status } = await minimize(f(E), { on, engine: E, start: matrixOf(rows, cols, () => 2) });
  expect(status).toBe("converged");
  expect(notes.join("; ")).toMatch(
    /the start was not on the manifold \(‖K‖ = .*\); a feasible point near it was taken/,
  );
});

test.each([
  ["beta", { beta: 2 }, /^beta is 2; ExPen's penalty is not known on own-manifold: leave it out\.$/],
  [
    "finish",
    { finish: "newton" },
    /^finish is 'newton'; ExPen's penalty is not known on own-manifold: leave it out\.$/,
  ],
  [
    "a solver that leaves the set",
    { solver: "expen" },
    /^solver 'expen' has no meaning on own-manifold; take one of auto, frame/,
  ],
] as const)("%s is refused", async (_, options, sentence) => {
  const on = ownManifold(sphere) as Manifold<View>;
  const f = nearestTo(matrixOf(3, 1, (i) => i))(E);
  await expect(minimize(f, { on, engine: E, ...options } as never)).rejects.toThrow(sentence);
});

test("nearestPoint is refused, as steps towards the set do not end at the nearest point", () => {
  expect(() =>
    nearestPoint(
      ownManifold(sphere),
      matrixOf(3, 1, () => 1),
    ),
  ).toThrow(
    /^nearestPoint: own-manifold\(3, 1\) has no formula for it; minimise ½‖X − Z‖², whose gradient is X − Z\.$/,
  );
});
