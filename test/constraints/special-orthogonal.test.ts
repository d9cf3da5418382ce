/** Rotations: where the sign of det X is known without an elimination, and that it is right everywhere. */
import { expect, test } from "vitest";
import { determinantSign } from "../../src/arrays/lu.js";
import { specialOrthogonalConstraint } from "../../src/constraints/special-orthogonal.js";
import { stiefelConstraint } from "../../src/constraints/stiefel.js";
import { jsEngine } from "../../src/engines/js.js";
import { random } from "../../src/random.js";
import type { Engine } from "../../src/types.js";
import { split } from "../engines/split.js";

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
  const [X, Y, Z, D] = [E.tall(n, n), E.tall(n, n), E.tall(n, n), E.tall(n, n)];
  on.random(X, r);
  const ways = [on.restorer(), on.projector()];
  const plain = [stiefel.restorer(), stiefel.projector()];
  ways[1]!(Y, X);
  for (let k = 0; k < 200; k++) {
    const length = k % 4 < 2 ? 0.85 : 3 + 3 * r.uniform();
    E.copy(X, Y);
    E.write(D, r.normal);
    E.combine(Z, 1, X, length / Math.sqrt(E.dot(D, D)), D);
    const sign = determinantSign(E.read(Z), n);
    reads = 0;
    plain[k % 2]!(D, Z);
    const least = reads;
    reads = 0;
    ways[k % 2]!(Y, Z);
    if (length < 1) expect([sign, reads]).toEqual([1, least]);
    else expect(reads).toBeGreaterThan(least);
    expect(determinantSign(E.read(Y), n)).toBe(1);
    expect(on.violation(Y)).toBeLessThan(1e-7);
  }
});

test("a random rotation is the same on an engine that keeps rows apart", () => {
  const [E, S] = [jsEngine(), split(jsEngine())];
  for (let seed = 1; seed < 9; seed++) {
    const [X, Y] = [E.tall(n, n), S.tall(n, n)];
    specialOrthogonalConstraint(E, n).random(X, random(seed, "rotation"));
    specialOrthogonalConstraint(S, n).random(Y, random(seed, "rotation"));
    const there = S.read(Y);
    for (const [i, x] of E.read(X).entries()) expect(Math.abs(x - there[i]!)).toBeLessThan(1e-13);
    expect(determinantSign(there, n)).toBe(1);
  }
});
