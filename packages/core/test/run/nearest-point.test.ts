/** The nearest point of every manifold: feasible, itself where Z is feasible, and nearer to Z than all others. */

import type { Matrix, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { svd } from "@expen/linalg/dense";
import { definite, host, normals, small } from "@expen/testing/manifold-cases";
import {
  complexStiefel,
  euclidean,
  generalizedStiefel,
  grassmann,
  type Manifold,
  nearestPoint,
  oblique,
  product,
  specialOrthogonal,
  sphere,
  stiefel,
  type View,
} from "expen";
import { describe, expect, test } from "vitest";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";
import { violationOf } from "../../src/manifolds/violation.js";
import { readPoint } from "../../src/run/given-start.js";
import { randomPoint } from "../../src/run/start.js";

const B = definite(7, "metric");
const manifolds: Manifold<View>[] = [
  stiefel(6, 3),
  stiefel(4, 4),
  grassmann(6, 2),
  specialOrthogonal(3),
  oblique(4, 5),
  sphere(5),
  euclidean(3, 2),
  generalizedStiefel(B, 3),
  complexStiefel(5, 2) as unknown as Manifold<View>,
  product({ U: stiefel(5, 2), w: sphere(3), Q: specialOrthogonal(3) }) as unknown as Manifold<View>,
];

/** Random numbers in the places of a point */
function anywhere(on: Manifold<View>, seed: number): View {
  const { E, view } = on.bind(host);
  const X = E.tall(on.n, on.p);
  E.write(X, random(seed, "anywhere").normal);
  return plainOf(view(X));
}
const plainOf = (view: View): View =>
  "rows" in view
    ? { rows: view.rows as number, cols: view.cols as number, data: host.read(view as Tall) }
    : Object.fromEntries(Object.entries(view).map(([name, part]) => [name, plainOf(part)]));

describe.each(manifolds.map((on) => [on.text, on] as const))("%s", (text, on) => {
  const domain = on.bind(host);
  const { E } = domain;
  const read = (point: View): Tall => readPoint(domain, point, "a point");
  /** ‖X − Y‖ in the metric in which points are near: that of B, and Euclid's elsewhere */
  function distance(X: Tall, Y: Tall): number {
    const D = E.tall(on.n, on.p);
    E.combine(D, 1, X, -1, Y);
    if (!text.startsWith("generalized")) return Math.sqrt(E.dot(D, D));
    const BD = E.tall(on.n, on.p);
    E.operator(B).apply(BD, D);
    return Math.sqrt(E.dot(D, BD));
  }

  test.each([1, 2, 3])("no other point is nearer, draw %i", (seed) => {
    const Z = anywhere(on, seed);
    const Y = read(nearestPoint(on, Z as never));
    expect(violationOf(E, domain.on)(Y)).toBeLessThan(1e-13);
    expect(domain.on.traits.inComponent?.(Y) ?? true).toBe(true);
    const nearest = distance(read(Z), Y);
    const X = E.tall(on.n, on.p);
    for (let k = 0; k < 20; k++) {
      // near Y and far from it
      E.combine(X, 1, Y, 10 ** -(k % 5), randomPoint(domain, k));
      const other = read(nearestPoint(on, plainOf(domain.view(X)) as never));
      expect(distance(read(Z), other)).toBeGreaterThanOrEqual(nearest * (1 - 1e-13));
    }
  });

  test("a point of the manifold is its own nearest one", () => {
    const X = randomPoint(domain, 4);
    const Y = read(nearestPoint(on, plainOf(domain.view(X)) as never));
    expect(distance(X, Y)).toBeLessThan(1e-13);
  });
});

test("a complex matrix: U·Vᴴ, as of the real matrix with twice the rows", () => {
  const [n, p] = [7, 3];
  const Z = { re: normals(n, p, "Re Z"), im: normals(n, p, "Im Z") };
  /** [[Re, −Im], [Im, Re]]: products of these are those of complex matrices */
  const realForm = ({ re, im }: { re: Matrix; im: Matrix }): Matrix => {
    const data = new Float64Array(4 * n * p);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < p; j++) {
        const [a, b] = [re.data[i * p + j]!, im.data[i * p + j]!];
        data[i * 2 * p + j] = data[(n + i) * 2 * p + p + j] = a;
        data[i * 2 * p + p + j] = -b;
        data[(n + i) * 2 * p + j] = b;
      }
    }
    return { rows: 2 * n, cols: 2 * p, data };
  };
  const { U, V } = svd(host, small(realForm(Z)));
  const expected = host.small(2 * n, 2 * p);
  host.mulT(expected, U, V);
  const found = small(realForm(nearestPoint(complexStiefel(n, p), Z)));
  host.combine(found, 1, found, -1, expected);
  expect(Math.sqrt(host.dot(found, found))).toBeLessThan(1e-12);
});

test("of a matrix of lower rank the columns are completed", () => {
  const Z = { rows: 4, cols: 2, data: Float64Array.of(1, 1, 0, 0, 0, 0, 0, 0) };
  const X = nearestPoint(stiefel(4, 2), Z);
  expect(violationOf(host, stiefelConstraint(host, 4, 2))(host.tall(4, 2, X.data))).toBeLessThan(1e-14);
  expect(X.data[0]! + X.data[1]!).toBeCloseTo(Math.SQRT2, 12);
});

test("an argument that is not a manifold, or not a point, is refused with a sentence that names it", () => {
  const Z = normals(3, 2, "Z");
  expect(() => nearestPoint(Z as never, Z)).toThrow(/^nearestPoint: the manifold is an object; it must say where X/);
  expect(() => nearestPoint(stiefel(4, 2), Z)).toThrow("nearestPoint: Z: it is 3×2 but n×p is 4×2");
  const odd = { ...Z, data: Z.data.map((v, k) => (k === 3 ? Number.NaN : v)) };
  expect(() => nearestPoint(stiefel(3, 2), odd)).toThrow("nearestPoint: Z: entry (1, 1) is NaN; every entry must");
});
