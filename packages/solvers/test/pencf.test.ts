import { randomStart } from "@expen/core";
import { noeig } from "@expen/experiments/paper";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { augmented, penaltyField } from "../src/augmented.js";

solverContract("pencf");

describe("PenC", () => {
  test("∇h = field − ½∇²f[XK] − ½∇f·K, by differences off the manifold", () => {
    const E = jsEngine();
    const [n, p] = [12, 3];
    const { objective: f } = noeig(E, { n, p });
    const h = augmented(E, f, 9, penaltyField(E, p));
    const make = () => E.tall(n, p);
    const [D, G, F, XK, H, Y] = [make(), make(), make(), make(), make(), make()];
    const X = randomStart(E, n, p, 2);
    fillNormal(D, random(5));
    E.combine(X, 0.05, D, 1, X);
    fillNormal(D, random(6));
    h.fg(F, X);
    expect(h.feasibility).toBeGreaterThan(0.1);
    f.fg(G, X);
    const { K } = h.parts;
    E.mul(XK, X, K);
    f.hvp!(H, X, XK);
    E.combine(F, -0.5, H, 1, F);
    E.mul(F, G, K, -0.5, 1);
    const t = 1e-5;
    E.combine(Y, 1, X, t, D);
    const up = h.f(Y);
    E.combine(Y, 1, X, -t, D);
    const slope = (up - h.f(Y)) / (2 * t);
    expect(Math.abs(slope - E.dot(F, D))).toBeLessThan(1e-7 * Math.abs(slope));
  });

  test("on the manifold the field is the Riemannian gradient", () => {
    const E = jsEngine();
    const [n, p] = [12, 3];
    const { objective: f } = noeig(E, { n, p });
    const X = randomStart(E, n, p, 2);
    const [F, G, S] = [E.tall(n, p), E.tall(n, p), E.small(p, p)];
    const value = augmented(E, f, 9, penaltyField(E, p)).fg(F, X);
    expect(value).toBeCloseTo(f.fg(G, X), 12);
    E.tmul(S, X, G);
    E.symmetrize(S);
    E.mul(G, X, S, -1, 1);
    E.combine(F, -1, G, 1, F);
    expect(Math.sqrt(E.dot(F, F))).toBeLessThan(1e-13 * Math.sqrt(E.dot(G, G)));
  });
});
