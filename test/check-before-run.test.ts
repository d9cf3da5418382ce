/** The check before the run: what it must find, and what it must let pass. */
import { describe, expect, test } from "vitest";
import { quickCheck } from "../src/check.js";
import { jsEngine } from "../src/engines/js.js";
import { random } from "../src/random.js";
import { randomStart } from "../src/start.js";
import type { Objective } from "../src/types.js";
import { rightObjectives } from "./support/right-objectives.js";

const E = jsEngine();
const LONG = process.env.EXPEN_LONG === "1";

test(`no false alarm on ${LONG ? 10_000 : 1000} right objectives`, () => {
  const alarms: string[] = [];
  for (const { name, seed, f } of rightObjectives(LONG ? 10_000 : 1000)) {
    const verdict = quickCheck(E, f, randomStart(E, f.n, f.p, seed), { seed });
    if (!verdict.passed) alarms.push(`${name}, seed ${seed}: ${verdict.text}`);
  }
  expect(alarms).toEqual([]);
});

describe("one wrong entry", () => {
  /** ½Σ a_i·x_i² + ⟨C, X⟩ + ¼Σ x_i⁴ with normal a and C: its gradient is as good as normal */
  function gaussian(n: number, p: number, seed: number): Objective {
    const r = random(seed, "gaussian");
    const [a, c] = [0, 1].map(() => Float64Array.from({ length: n * p }, () => r.normal())) as [
      Float64Array,
      Float64Array,
    ];
    const f: Objective["f"] = ({ data: x }) => {
      let sum = 0;
      for (let i = 0; i < x.length; i++) sum += (c[i]! + 0.5 * x[i]! * (a[i]! + 0.5 * x[i]! * x[i]!)) * x[i]!;
      return sum;
    };
    return {
      n,
      p,
      f,
      fg(G, X) {
        const { data: x } = X;
        for (let i = 0; i < x.length; i++) G.data[i] = c[i]! + x[i]! * (a[i]! + x[i]! * x[i]!);
        return f(X);
      },
    };
  }

  const wrongAt = (f: Objective, entry: number, factor: number): Objective => ({
    ...f,
    fg(G, X) {
      const value = f.fg(G, X);
      G.data[entry]! *= factor;
      return value;
    },
  });

  test.each([
    [1000, 10],
    ...(LONG
      ? [
          [100, 100],
          [10_000, 1],
        ]
      : []),
  ] as [number, number][])("of 1 % at %i×%i: found and named for 99 of 100 seeds", (n, p) => {
    const seeds = LONG ? 300 : 100;
    let found = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const entry = random(seed, "entry").integer(n * p);
      const f = wrongAt(gaussian(n, p, seed), entry, 1.01);
      const { passed, suspect } = quickCheck(E, f, randomStart(E, n, p, seed), { seed });
      if (!passed && suspect!.row === Math.floor(entry / p) && suspect!.column === entry % p) found++;
    }
    expect(found).toBeGreaterThanOrEqual(0.99 * seeds);
  });
});
