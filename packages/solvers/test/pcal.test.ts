import { plainPoint, randomStart } from "@expen/core";
import { noeig } from "@expen/experiments/paper";
import type { Engine, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { augmented } from "../src/augmented.js";
import { pcal, sphericalField, unitColumns } from "../src/pcal.js";

solverContract("pcal");

const [n, p] = [14, 4];
const diagonal = (E: Engine, X: Tall, Y: Tall): number[] => {
  const S = E.small(p, p);
  E.tmul(S, X, Y);
  return Array.from({ length: p }, (_, j) => S.data[j * (p + 1)]!);
};

describe("pcal", () => {
  test("its field is tangent to the unit spheres of the columns, also at columns that are not orthogonal", () => {
    const E = jsEngine();
    const [X, Z, D] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
    fillNormal(Z, random(1));
    unitColumns(E, n, p).retract(plainPoint(X), plainPoint(Z), 0, D);
    for (const length of diagonal(E, X, X)) expect(length).toBeCloseTo(1, 14);
    const h = augmented(E, noeig(E, { n, p }).objective, 7, sphericalField(E, p));
    h.fg(D, X);
    const size = Math.sqrt(E.dot(D, D));
    expect(size).toBeGreaterThan(1);
    for (const d of diagonal(E, X, D)) expect(Math.abs(d)).toBeLessThan(1e-13 * size);
  });

  test("a normal step follows a step out of the tube, and no other step", () => {
    const E = jsEngine();
    const X = randomStart(E, n, p, 1);
    const [D, Y, Z, K] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), E.small(p, p)];
    fillNormal(D, random(2));
    const apart = (A: Tall): number => {
      E.gram(K, A);
      E.addDiagonal(K, -1);
      return Math.sqrt(E.dot(K, K));
    };
    const [held, free] = [unitColumns(E, n, p), unitColumns(E, n, p, Number.POSITIVE_INFINITY)];
    held.retract(plainPoint(Y), plainPoint(X), 1e-3, D);
    free.retract(plainPoint(Z), plainPoint(X), 1e-3, D);
    expect([...Y.data]).toEqual([...Z.data]);
    held.retract(plainPoint(Y), plainPoint(X), 0.05, D);
    free.retract(plainPoint(Z), plainPoint(X), 0.05, D);
    expect(apart(Z)).toBeGreaterThan(0.05);
    expect(apart(Y)).toBeLessThan(0.5 * apart(Z));
    for (const length of diagonal(E, Y, Y)) expect(length).toBeCloseTo(1, 14);
  });

  test("the columns of every iterate have length 1", () => {
    const E = jsEngine();
    const steps = pcal(E, noeig(E, { n, p }).objective, randomStart(E, n, p, 1));
    for (let k = 0; k < 20; k++) {
      const next = steps.next();
      if (next.done) break;
      for (const length of diagonal(E, next.value.X, next.value.X)) expect(length).toBeCloseTo(1, 14);
    }
  });
});
