/** Rotations: where the sign of det X is known without an elimination, and that it is right everywhere. */

import type { Engine } from "@expen/linalg";
import { random } from "@expen/linalg";
import { determinantSign } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { split } from "@expen/testing/engines/split";
import { expect, test } from "vitest";
import { plainPoint } from "../../src/manifolds/point.js";
import { specialOrthogonalConstraint } from "../../src/manifolds/special-orthogonal.js";
import { stiefelConstraint } from "../../src/manifolds/stiefel.js";

const n = 5;

test("steps short of 1 read nothing; longer ones do, and all end at rotations", () => {
  const E = jsEngine();
  let reads = 0;
  const counting: Engine = {
    ...E,
    read(A, into) {
      reads++;
      return E.read(A, into);
    },
  };
  const on = specialOrthogonalConstraint(counting, n);
  const stiefel = stiefelConstraint(counting, n, n);
  const r = random(1, "rotations");
  const [x, y, d, Z, K] = [on.point(), on.point(), on.point(), E.tall(n, n), E.small(n, n)];
  const [X, Y, D] = [x.X, y.X, d.X];
  on.random(x, r);
  const ways = [on.restore, on.project];
  const plain = [stiefel.restore, stiefel.project];
  on.project(y, X);
  for (let k = 0; k < 200; k++) {
    const length = k % 4 < 2 ? 0.85 : 3 + 3 * r.uniform();
    E.copy(X, Y);
    E.write(D, r.normal);
    E.combine(Z, 1, X, length / Math.sqrt(E.dot(D, D)), D);
    const sign = determinantSign(E.read(Z), n);
    reads = 0;
    plain[k % 2]!(d, Z);
    const least = reads;
    reads = 0;
    ways[k % 2]!(y, Z);
    if (length < 1) expect([sign, reads]).toEqual([1, least]);
    else expect(reads).toBeGreaterThan(least);
    expect(determinantSign(E.read(Y), n)).toBe(1);
    expect(on.dissolver.K(K, y)).toBeLessThan(1e-7);
  }
});

test("a random rotation is the same on an engine that keeps rows apart", () => {
  const [E, S] = [jsEngine(), split(jsEngine())];
  for (let seed = 1; seed < 9; seed++) {
    const [x, y] = [plainPoint(E.tall(n, n)), plainPoint(S.tall(n, n))];
    specialOrthogonalConstraint(E, n).random(x, random(seed, "rotation"));
    specialOrthogonalConstraint(S, n).random(y, random(seed, "rotation"));
    const there = S.read(y.X);
    for (const [i, x_i] of E.read(x.X).entries()) expect(Math.abs(x_i - there[i]!)).toBeLessThan(1e-13);
    expect(determinantSign(there, n)).toBe(1);
  }
});
