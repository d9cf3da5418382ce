/** Rules for stopping, at their borders: at the bound they stop, just beyond it they do not. */
import { expect, test } from "vitest";
import type { State, Stop } from "../../src/contracts/method.js";
import {
  aborted,
  all,
  any,
  evaluations,
  gradientBelow,
  gradientBelowRelative,
  iterations,
  roundingBelow,
  seconds,
  stepBelow,
  valueChangeBelow,
} from "../../src/run/stop-rules.js";

/** Numbers for which every bound is a power of two */
const state = (changed: object = {}): State =>
  ({
    k: 3,
    f: -4,
    gnorm: 0.25,
    gnormMax: 8,
    step: 0.5,
    decrease: 0.125,
    seconds: 2,
    evaluations: { f: 5, grad: 7, hvp: 2 },
    X: { rows: 9, cols: 4 },
    ...changed,
  }) as never;

const below = 1 - 2 ** -52;

test.each<[string, (bound: number) => Stop, number, boolean]>([
  ["‖g‖ ≤ tol", gradientBelow, 0.25, true],
  ["‖g‖ ≤ tol·max ‖g‖", gradientBelowRelative, 0.25 / 8, true],
  ["‖X_k − X_{k−1}‖ ≤ tol·√p", stepBelow, 0.5 / 2, true],
  ["|f_{k−1} − f_k| ≤ tol·|f_k|", valueChangeBelow, 0.125 / 4, true],
])("%s", (_title, rule, tol, converged) => {
  expect(rule(tol)(state())).toMatchObject({ converged });
  expect(rule(tol * below)(state())).toBeUndefined();
});

test("a bound by rounding names the tolerance that it takes the place of", () => {
  expect(roundingBelow(0.25, 1e-9)(state())).toEqual({
    kind: "rounding",
    converged: true,
    text: "gradient norm 0.250 ≤ 0.250, 4ε of the gradient at the start: rounding reaches no tolerance of 1.00e-9",
  });
  expect(roundingBelow(0.25 * below, 1e-9)(state())).toBeUndefined();
});

test("below 1 the change of f is absolute, and a rise is a change", () => {
  const small = { f: 0.5, decrease: -0.125 };
  expect(valueChangeBelow(0.125)(state(small))).toMatchObject({ kind: "value" });
  expect(valueChangeBelow(0.125 * below)(state(small))).toBeUndefined();
});

test("the start has made no step", () => {
  const start = { k: 0, step: 0, decrease: 0 };
  for (const rule of [stepBelow(1), valueChangeBelow(1)]) expect(rule(state(start))).toBeUndefined();
});

test.each<[string, (limit: number) => Stop, number]>([
  ["iterations", iterations, 3],
  ["evaluations", evaluations, 9],
  ["time", seconds, 2],
])("a limit of %s is no convergence", (kind, rule, limit) => {
  expect(rule(limit)(state())).toMatchObject({ kind, converged: false });
  expect(rule(limit + 1)(state())).toBeUndefined();
});

test("any gives the first reason, all the words of each, and converged only where each is", () => {
  const [yes, no, limit] = [gradientBelow(1), gradientBelow(0), iterations(1)];
  expect(any(no, limit, yes)(state())).toMatchObject({ kind: "iterations" });
  expect(any(no, no)(state())).toBeUndefined();
  expect(all(yes, no)(state())).toBeUndefined();
  expect(all(limit, yes)(state())).toMatchObject({ kind: "gradient", converged: false });
  expect(all(limit, yes)(state())!.text).toMatch(/^stopped after 3 iterations.* and gradient norm/);
  expect(all(yes, stepBelow(1))(state())).toMatchObject({ kind: "step", converged: true });
});

test("a signal stops when it is given", () => {
  const controller = new AbortController();
  const rule = aborted(controller.signal);
  expect(rule(state())).toBeUndefined();
  controller.abort();
  expect(rule(state())).toMatchObject({ kind: "aborted", converged: false });
});
