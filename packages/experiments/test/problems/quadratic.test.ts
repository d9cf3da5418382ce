import { plain, random, unitSymmetric } from "@expen/linalg";
import { sparseFromTriplets } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { columns, eigen } from "@expen/testing/problems/eigenvectors";
import { describe, expect, test } from "vitest";
import { quadratic } from "../../src/problems/quadratic.js";

const A = unitSymmetric(13, random(2, "quadratic A"));
const diagonal = sparseFromTriplets(6, 6, [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5], [3, -1, 4, 1, -5, 9]);

objectiveContract("quadratic", (E) => quadratic(E, { n: 13, p: 4 }));
objectiveContract("quadratic without linear term", (E) => quadratic(E, { n: 13, p: 4, seed: 2, kappa: 0 }), {
  minimiser: () => columns([0, 1, 2, 3].map(eigen(A).vector)),
});
objectiveContract("quadratic, sparse", (E) => quadratic(E, { n: 6, p: 2, A: diagonal, G: plain(6, 2) }), {
  minimiser: () => columns([[0, 0, 0, 0, 1, 0], [0, 1, 0, 0, 0, 0]]),
}); // biome-ignore format: columns in a row

describe("quadratic", () => {
  test("known values", () => {
    const E = jsEngine();
    expect(quadratic(E, { n: 6, p: 2, A: diagonal, kappa: 0 }).optimum).toBeCloseTo(-3, 14);
    expect(quadratic(E, { n: 6, p: 2 }).optimum).toBeUndefined();
  });
  test("the seeded linear term has spectral norm kappa", () => {
    const L = quadratic(jsEngine(), { n: 9, p: 1, kappa: 0.3 }).objective.quadratic!.L!;
    expect(Math.hypot(...L.data)).toBeCloseTo(0.3, 14);
  });
});
