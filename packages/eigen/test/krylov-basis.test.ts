/** The basis of a Krylov space: Y = V·H + Q·R at every block, also after the space became invariant; a sparse matrix made dense. */

import type { Engine, Tall } from "@expen/linalg";
import { random, unitSymmetric } from "@expen/linalg";
import { sparseFromTriplets, sparseToDense } from "@expen/linalg/arrays";
import { orthonormalizer } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { expect, test } from "vitest";
import { krylovBasis } from "../src/krylov/basis.js";
import { formNumbers } from "../src/krylov/direct-eigenvectors.js";

const [n, b, most] = [24, 2, 20];
const engines: [string, () => Engine][] = [
  ["js", jsEngine],
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
];

/** ‖A‖ */
const norm = (E: Engine, A: Tall): number => Math.sqrt(E.dot(A, A));

/** Blocks of the space of B from W, each checked; panels of six columns, so that blocks lie in several */
function grow(E: Engine, apply: (Y: Tall, X: Tall) => void): void {
  const basis = krylovBasis(E, n, b, 6);
  const [Y, W, h, r] = [E.tall(n, b), E.tall(n, b), new Float64Array(most * b), new Float64Array(b * b)];
  E.write(Y, random(3, "block").normal);
  orthonormalizer(E, n, b)(W, Y);
  let last = W;
  basis.append(last);
  while (basis.size + b <= most) {
    apply(Y, last);
    const [product, V] = [E.tall(n, b), E.tall(n, basis.size)];
    E.copy(product, Y);
    const size = norm(E, product);
    const Q = basis.orthogonalize(h, r, Y);
    basis.multiply(
      V,
      Float64Array.from({ length: basis.size ** 2 }, (_, k) => (k % (basis.size + 1) === 0 ? 1 : 0)),
    );
    E.mul(product, V, E.small(basis.size, b, h.subarray(0, basis.size * b)), -1, 1);
    E.mul(product, Q, E.small(b, b, r), -1, 1);
    expect(norm(E, product)).toBeLessThanOrEqual(1e-13 * size);
    const [S, I] = [E.small(basis.size, b), E.small(b, b)];
    E.tmul(S, V, Q);
    expect(Math.hypot(...E.read(S))).toBeLessThanOrEqual(1e-13);
    E.gram(I, Q);
    E.addDiagonal(I, -1);
    expect(Math.hypot(...E.read(I))).toBeLessThanOrEqual(1e-13);
    basis.append((last = Q));
  }
}

test.each(engines)("every block of a Krylov space satisfies the recurrence: %s", (_, open) => {
  const E = open();
  const { apply } = E.operator(unitSymmetric(n, random(1, "B")));
  grow(E, (Y, X) => apply(Y, X));
});

test.each(engines)(
  "of an invariant subspace nothing is left: other columns stand for it, orthogonal to all: %s",
  (_, open) => {
    const E = open();
    // two eigenvalues: the second block ends the space
    const { apply } = E.operator(
      sparseFromTriplets(
        n,
        n,
        Array.from({ length: n }, (_, i) => i),
        Array.from({ length: n }, (_, i) => i),
        Array.from({ length: n }, (_, i) => (i < n / 2 ? 1 : -2)),
      ),
    );
    grow(E, (Y, X) => apply(Y, X));
  },
);

test("a declared sparse matrix becomes a dense one without a product", () => {
  const A = sparseFromTriplets(3, 3, [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 2, 2], [1, 5, 5, 2, 3, 4]);
  const none = (): void => {
    throw new Error("a product");
  };
  expect(formNumbers(jsEngine(), { apply: none, matrix: A }, 3)).toEqual(sparseToDense(A).data);
});
