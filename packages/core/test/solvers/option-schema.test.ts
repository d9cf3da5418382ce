/** The schemas of the solvers: what they say is what the library, the command line and the page read. */

import { brockett } from "@expen/experiments/paper";
import { requireKind } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize, type SolverName, solvers } from "@expen/solvers";
import { describe, expect, test } from "vitest";
import type { Solver } from "../../src/contracts/method.js";
import type { Option, SolverEntry } from "../../src/contracts/solver.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { frameExpen } from "../../src/methods/quasi-newton/frame-expen.js";
import { isText, kindOf, namesOf, readOption } from "../../src/run/option-schema.js";
import { randomStart } from "../../src/run/start.js";

const options: [string, string, Option][] = Object.entries(solvers as Record<string, SolverEntry>).flatMap(
  ([solver, { schema }]) => Object.entries(schema).map(([name, o]): [string, string, Option] => [solver, name, o]),
);

test.each(options)("%s: values and default of %s are read back from their texts", (_solver, name, option) => {
  if (!isText(option)) {
    expect(() => requireKind(name, kindOf(option), 5)).toThrow(`${name} is 5; it must be a`);
    return;
  }
  for (const value of namesOf(option)) expect(readOption(name, option, value)).toBe(value);
  if (option.default !== undefined) expect(readOption(name, option, String(option.default))).toBe(option.default);
  for (const bad of ["", "-1", "none of them", "NaN"]) {
    expect(() => readOption(name, option, bad), bad).toThrow(/'; it must be .*[.?]$|' is none of .*[.?]$/);
    expect(() => requireKind(name, kindOf(option), bad), bad).toThrow(/'; it must be .*\.$/);
  }
  if (option.kind !== "choice") expect(readOption(name, option, "7")).toBe(7);
});

describe("the library refuses in a sentence, before it calls f,", () => {
  const f = (): never => {
    throw new Error("f was called");
  };
  test.each([
    [{ memory: 0 }, "memory is 0; it must be a whole number, 1 or more."],
    [{ solver: "rlbfgs", memory: 2.5 }, "memory is 2.5; it must be a whole number, 1 or more."],
    [{ solver: "trivialization", rebase: -1 }, "rebase is -1; it must be a whole number, 1 or more, or Infinity."],
    [{ solver: "rcg", rule: "xx" }, "rule is 'xx'; it must be one of fr, pr, "],
    [{ solver: "mcm", variant: "plain" }, "variant is 'plain'; it must be one of gp, gr."],
    [{ solver: "rtr", retraction: "back" }, "retraction is 'back'; it must be one of qr, "],
    [{ beta: Number.NaN }, "beta is NaN; it must be a positive number or one of auto, paper, cdopt, theory."],
    [{ precondition: 5 }, "precondition is 5; it must be a function."],
    // options that the solver does not read
    [{ rule: "qqq" }, "rule is 'qqq'; it must be one of "],
    [{ solver: "landing", memory: 0 }, "memory is 0; it must be a whole number, 1 or more."],
    [{ solver: "rcg", memory: "5" }, "memory is '5'; it must be a whole number, 1 or more."],
    [{ solver: "plam", rebase: Symbol("x") }, "it must be a whole number, 1 or more, or Infinity."],
    [{ retraction: null }, "retraction is null; it must be one of "],
  ])("%o", async (given, sentence) => {
    const all = { on: stiefel(4, 2), engine: jsEngine(), ...given } as never;
    await expect(minimize({ f, fg: f }, all)).rejects.toThrow(sentence);
  });
});

test("an option that a solver does not read is left alone if it is what some solver takes", async () => {
  const E = jsEngine();
  const { objective } = brockett(E, { n: 6, p: 2 });
  const run = (solver: SolverName, more: object) =>
    minimize(objective, { on: stiefel(6, 2), engine: E, solver, ...more });
  expect((await run("landing", { memory: 9 })).fval).toBe((await run("landing", {})).fval);
  expect((await run("landing", { rule: "fr", retraction: "polar" })).fval).toBe((await run("landing", {})).fval);
  expect((await run("trivialization", { rebase: Number.POSITIVE_INFINITY })).status).toBe("converged");
});

test("the defaults that entries state are those of the methods", async () => {
  const E = jsEngine();
  const { objective: f } = brockett(E, { n: 12, p: 3 });
  const X0 = randomStart(E, 12, 3, 1);
  const values = (solver: Solver): number[] =>
    Array.from({ length: 25 }, () => solver.next()).flatMap(({ done, value }) => (done ? [] : value.f));
  expect(values(await solvers.frame.create(E, f, X0, {}))).toEqual(values(frameExpen(E, f, X0)));
  expect(values(frameExpen(E, f, X0)).length).toBeGreaterThan(10);
});
