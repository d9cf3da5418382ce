import { armijo, nonmonotone } from "@expen/solvers/rivals";
import { type Curve, rayOf, searchContract, stepFrom } from "@expen/testing/contracts/search";
import { expect, test } from "vitest";
import { hagerZhang } from "../../src/search/hager-zhang.js";
import { moreThuente } from "../../src/search/more-thuente.js";
import { scipySearch } from "../../src/search/scipy.js";
import { zoom } from "../../src/search/zoom.js";

const decrease = (c1: number) => (c: Curve, t: number) => c.f(t) <= c.f(0) + c1 * t * c.d(0) + 1e-15;
const strongWolfe = (c1: number, c2: number) => (c: Curve, t: number) =>
  decrease(c1)(c, t) && Math.abs(c.d(t)) <= c2 * Math.abs(c.d(0));
const wolfeOrApproximate = (c: Curve, t: number) => {
  const wolfe = decrease(0.1)(c, t) && c.d(t) >= 0.9 * c.d(0);
  const approximate =
    (0.2 - 1) * c.d(0) >= c.d(t) && c.d(t) >= 0.9 * c.d(0) && c.f(t) <= c.f(0) + 1e-6 * Math.abs(c.f(0));
  return wolfe || approximate;
};

// A strong Wolfe search of MINPACK's kind gives up where f is not finite; the combined one falls back.
searchContract("Moré–Thuente", () => moreThuente({ c2: 0.1 }), strongWolfe(1e-4, 0.1), ["not a number", "barrier"]);
searchContract("zoom", () => zoom({ c2: 0.4, expansions: 40, trials: 60 }), strongWolfe(1e-4, 0.4));
// Ten doublings and eleven trials do not reach every minimum; SciPy fails there too.
searchContract("SciPy's", () => scipySearch(), strongWolfe(1e-4, 0.4), ["1e-6", "1e5", "flat start", "barrier"]);
searchContract("Hager–Zhang", () => hagerZhang(), wolfeOrApproximate);
searchContract("Armijo", () => armijo(), decrease(1e-4));
searchContract("nonmonotone", () => nonmonotone(), decrease(1e-4));

test("Hager–Zhang works where differences of f are rounding: slopes decide", () => {
  // φ(t) = 1 + 1e-18·((t − 1)² − 1) cannot be told from 1, its slope can
  const { ray } = rayOf({ title: "", f: () => 1, d: (t) => 2e-18 * (t - 1) });
  const t = stepFrom(hagerZhang(), ray, 0.01);
  expect(Math.abs(t - 1)).toBeLessThan(0.91);
  expect(t).toBeGreaterThan(0.09);
});

test("the nonmonotone search accepts a rise below its reference, Armijo does not", () => {
  const search = nonmonotone({ gamma: 1 });
  const down: Curve = { title: "", f: (t) => 10 - t, d: () => -1 };
  stepFrom(search, rayOf(down).ray, 1);
  const bump: Curve = { title: "", f: (t) => (t === 0 ? 1 : 2), d: () => -1 };
  expect(stepFrom(search, rayOf(bump).ray, 1)).toBe(1);
  expect(stepFrom(armijo({ trials: 5 }), rayOf(bump).ray, 1)).toBe(0);
});

test("scipySearch falls back to zoom where the point of Moré–Thuente is not acceptable to the solver", () => {
  const { ray, last } = rayOf({ title: "", f: (t) => (t - 3) ** 2, d: (t) => 2 * (t - 3) });
  let refused = 0;
  ray.acceptable = () => refused++ > 0;
  expect(stepFrom(scipySearch(), ray, 2.5)).toBe(last());
  expect(refused).toBeGreaterThan(1);
});
