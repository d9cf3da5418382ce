import { random } from "@expen/linalg";
import { expect, test } from "vitest";
import {
  type Columns,
  FINE,
  orthomaxCriterion,
  sweepPlanes,
  turnedAtRandom,
  unrotated,
} from "../src/orthomax-planes.js";

const [v, k] = [30, 4];
const L = Float64Array.from(
  { length: v * k },
  (
    (r) => () =>
      r.normal()
  )(random(1, "loadings")),
);

/** The criterion with columns i and j turned by an angle */
function turned(columns: Columns, [i, j]: readonly [number, number], angle: number, weight: number): number {
  const copy = columns.map((column) => column.slice());
  for (let row = 0; row < v; row++) {
    const [x, y] = [columns[i]![row]!, columns[j]![row]!];
    copy[i]![row] = Math.cos(angle) * x + Math.sin(angle) * y;
    copy[j]![row] = Math.cos(angle) * y - Math.sin(angle) * x;
  }
  return orthomaxCriterion(copy, v, weight);
}

test.each([0, 1 / v, 2 / v])("after the sweeps no plane rotation increases the criterion, weight %f", (weight) => {
  const columns = turnedAtRandom(unrotated(L, v, k), random(2, "start"));
  const before = orthomaxCriterion(columns, v, weight);
  for (let again = 0; again < 20; again++) sweepPlanes(columns, v, weight, FINE);
  const best = orthomaxCriterion(columns, v, weight);
  expect(best).toBeGreaterThan(before);
  for (let j = 1; j < k; j++) {
    for (let i = 0; i < j; i++) {
      for (let step = 1; step < 90; step++) {
        expect(turned(columns, [i, j], (step * Math.PI) / 180, weight)).toBeLessThanOrEqual(best * (1 + 1e-12));
      }
    }
  }
});

test("one sweep of two columns ends at the globally best angle", () => {
  const columns = unrotated(L, v, k).slice(0, 2);
  const best = Math.max(
    ...Array.from({ length: 9000 }, (_, s) => turned(columns, [0, 1], (s * Math.PI) / 1.8e4, 1 / v)),
  );
  sweepPlanes(columns, v, 1 / v, 1);
  expect(orthomaxCriterion(columns, v, 1 / v)).toBeCloseTo(best, 4);
  expect(orthomaxCriterion(columns, v, 1 / v)).toBeGreaterThanOrEqual(best);
});

test("the columns are those of [LX; X] with orthogonal X", () => {
  const columns = turnedAtRandom(unrotated(L, v, k), random(3, "start"));
  sweepPlanes(columns, v, 1 / v, FINE);
  const X = columns.map((column) => column.subarray(v));
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < k; j++) {
      const inner = X[i]!.reduce((sum, x, a) => sum + x * X[j]![a]!, 0);
      expect(inner).toBeCloseTo(i === j ? 1 : 0, 13);
    }
    for (let row = 0; row < v; row++) {
      const image = X[i]!.reduce((sum, x, a) => sum + L[row * k + a]! * x, 0);
      expect(columns[i]![row]).toBeCloseTo(image, 12);
    }
  }
});
