/** The contract of line searches, on scalar functions: what a search promises holds at the step it returns. */

import type { Ray, Search } from "@expen/core";
import { describe, expect, test } from "vitest";

export interface Curve {
  title: string;
  f(t: number): number;
  d(t: number): number;
}

export const curves: Curve[] = [
  { title: "parabola with its minimum at 3", f: (t) => (t - 3) ** 2, d: (t) => 2 * (t - 3) },
  { title: "minimum at 1e-6", f: (t) => (t * 1e6 - 1) ** 2, d: (t) => 2e6 * (t * 1e6 - 1) },
  { title: "minimum at 1e5", f: (t) => (t * 1e-5 - 1) ** 2, d: (t) => 2e-5 * (t * 1e-5 - 1) },
  { title: "Moré–Thuente 1: −t/(t² + 2)", f: (t) => -t / (t * t + 2), d: (t) => (t * t - 2) / (t * t + 2) ** 2 },
  {
    title: "Moré–Thuente 2: flat start",
    f: (t) => (t + 0.004) ** 5 - 2 * (t + 0.004) ** 4,
    d: (t) => 5 * (t + 0.004) ** 4 - 8 * (t + 0.004) ** 3,
  },
  { title: "wavy: t²/10 − sin 5t", f: (t) => t * t * 0.1 - Math.sin(5 * t), d: (t) => 0.2 * t - 5 * Math.cos(5 * t) },
  {
    title: "not a number beyond 0.5",
    f: (t) => (t > 0.5 ? Number.NaN : (t - 0.3) ** 2),
    d: (t) => (t > 0.5 ? Number.NaN : 2 * (t - 0.3)),
  },
  {
    title: "barrier: −log(1 − t) − 3t",
    f: (t) => (t >= 1 ? Number.NaN : -Math.log(1 - t) - 3 * t),
    d: (t) => 1 / (1 - t) - 3,
  },
];

/** A ray that remembers where it was. */
export function rayOf({ f, d }: Curve, max = 1e10) {
  let last = 0;
  let trials = 0;
  const ray: { -readonly [K in keyof Ray]: Ray[K] } = {
    f0: f(0),
    slope0: d(0),
    max,
    t: 0,
    ft: Number.NaN,
    slopeT: Number.NaN,
    move() {
      last = ray.t;
      trials++;
      ray.ft = f(ray.t);
    },
    differentiate() {
      ray.slopeT = d(ray.t);
    },
  };
  return { ray, last: () => last, trials: () => trials };
}

/** The step that the search finds from a first trial, 0 if there is none. */
export function stepFrom(search: Search, ray: Ray, first: number): number {
  ray.t = first;
  return search(ray) ? ray.t : 0;
}

export function searchContract(
  title: string,
  make: () => Search,
  promise: (c: Curve, t: number) => boolean,
  skip: string[] = [],
): void {
  describe(`search contract: ${title}`, () => {
    const here = curves.filter((c) => !skip.some((word) => c.title.includes(word)));
    test.each(here.flatMap((c) => [1e-3, 1, 100].map((first) => [c.title, first, c] as const)))(
      "%s from %f",
      (_t, first, c) => {
        const { ray, last } = rayOf(c);
        const t = stepFrom(make(), ray, first);
        expect(t).toBeGreaterThan(0);
        expect(t).toBe(last());
        expect(promise(c, t)).toBe(true);
      },
    );
    test("no step along a direction that ascends", () => {
      const { ray } = rayOf({ title: "", f: (t) => t, d: () => 1 });
      const t = stepFrom(make(), ray, 1);
      expect(t === 0 || ray.ft < 0).toBe(true);
    });
    test("a step to the height of φ(0) is none: the decrease is in proportion to the slope", () => {
      // φ(2) = φ(0)
      const { ray } = rayOf({ title: "", f: (t) => (t - 1) ** 2, d: (t) => 2 * (t - 1) });
      expect(Math.abs(stepFrom(make(), ray, 2) - 1)).toBeLessThan(0.9);
    });
    test("never beyond the cap", () => {
      const { ray } = rayOf({ title: "", f: (t) => -t, d: () => -1 }, 2.5);
      let most = 0;
      const { move } = ray;
      ray.move = () => {
        most = Math.max(most, ray.t);
        move();
      };
      stepFrom(make(), ray, 1);
      expect(most).toBeLessThanOrEqual(2.5);
    });
    test("f that is never a number ends without a step", () => {
      const { ray } = rayOf({ title: "", f: (t) => (t === 0 ? 0 : Number.NaN), d: () => -1 });
      expect(stepFrom(make(), ray, 1)).toBe(0);
    });
  });
}
