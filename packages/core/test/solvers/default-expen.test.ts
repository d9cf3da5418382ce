import { noeig } from "@expen/experiments/paper";
import type { Engine, Tall } from "@expen/linalg";
import { random, unitSymmetric } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { solvers } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Solver } from "../../src/contracts/method.js";
import type { Objective } from "../../src/contracts/objective.js";
import { dissolvedExpen } from "../../src/expen/dissolved.js";
import { frameExpen } from "../../src/methods/quasi-newton/frame-expen.js";
import { evaluator, noEvaluations } from "../../src/objective/evaluator.js";
import { objective } from "../../src/objective/objective.js";
import { randomStart } from "../../src/run/start.js";

const [n, p] = [40, 4];
const engines: Record<string, () => Engine> = {
  js: jsEngine,
  opaque: () => opaque(jsEngine()),
  split: () => split(jsEngine()),
};

/** Values and evaluations of the first steps, as a run sees them. */
async function steps(
  E: Engine,
  f: Objective,
  method: (f: Objective, X0: Tall) => Solver | Promise<Solver>,
): Promise<number[]> {
  const evaluations = noEvaluations();
  const list: number[] = [];
  for (const { f: value } of await method(evaluator(E, f, evaluations), randomStart(E, n, p, 3))) {
    list.push(value, evaluations.grad);
    if (list.length === 24) break;
  }
  return list;
}

/** ½⟨X, AX⟩ + Σ X⁴/4 with a product of the engine. */
function multiplying(E: Engine): Objective {
  const A = E.operator(unitSymmetric(n, random(1, "default")));
  const fg: Objective["fg"] = (G, X) => {
    A.apply(G, X);
    return 0.5 * E.dot(X, G);
  };
  return objective(E, { fg }, n, p);
}

/** Σ w_i·X_ij² in loops of its own, and one operation of the engine. */
function looping(E: Engine): Objective {
  const fg = (G: Tall, X: Tall): number => {
    for (let k = 0; k < n * p; k++) G.data[k] = (1 + (k % 17)) * X.data[k]!;
    return 0.5 * E.dot(X, G);
  };
  return objective(E, { fg }, n, p);
}

describe.each(Object.keys(engines))("the default on %s, to the bit and without an evaluation more", (name) => {
  const E = engines[name]!();
  const compared = async (f: Objective) => ({
    chosen: await steps(E, f, (g, X0) => solvers.auto.create(E, g, X0, {})),
    dissolved: await steps(E, f, (g, X0) => dissolvedExpen(E, g, X0)),
    frame: await steps(E, f, (g, X0) => frameExpen(E, g, X0)),
  });

  test("an f of passes over X alone is cheap: the multiplier's metric", async () => {
    const { chosen, dissolved, frame } = await compared(noeig(E, { n, p }).objective);
    expect(chosen).toEqual(dissolved);
    expect(chosen).not.toEqual(frame);
  });

  test("an f that multiplies is dear: the moving frame", async () => {
    const { chosen, dissolved, frame } = await compared(multiplying(E));
    expect(chosen).toEqual(frame);
    expect(chosen).not.toEqual(dissolved);
  });

  if (name === "js") {
    test("so is an f that works in loops of its own", async () => {
      const { chosen, frame } = await compared(looping(E));
      expect(chosen).toEqual(frame);
    });
  }
});

test("it is called anew for every point after the first", async () => {
  const E = jsEngine();
  const seen: number[] = [];
  const f = multiplying(E);
  const spied: Objective = {
    ...f,
    fg(G, X) {
      seen.push(X.data[0]!);
      return f.fg(G, X);
    },
  };
  const run = await solvers.auto.create(E, spied, randomStart(E, n, p, 3), {});
  for (let k = 0; k < 4; k++) run.next();
  expect(seen.length).toBeGreaterThanOrEqual(4);
  expect(new Set(seen).size).toBe(seen.length);
});
