import { randomStart } from "@expen/core";
import { gaussian, random } from "@expen/linalg";
import { jsEngine, tallOf } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { families } from "../any-f/families.js";
import { objectiveOn } from "../any-f/instance.js";
import { casesOf } from "../hold-out/family.js";
import { rlbfgs } from "../hold-out/rlbfgs.js";
import { race } from "../hold-out/run.js";
import { holdOut, holdOutFamilies, ratios, summary } from "../hold-out/suite.js";

const E = jsEngine();
const [first, second] = [casesOf(holdOutFamilies, 1), casesOf(holdOutFamilies, 2)];
const smallest = holdOutFamilies.map(({ name }) => {
  const own = first.filter(({ family }) => family.name === name);
  return own.reduce((least, one) => (one.n * one.p < least.n * least.p ? one : least));
});

describe("the cases of a seed", () => {
  test("are those of no family of any-f, and other sizes for another seed", () => {
    const names = holdOutFamilies.map(({ name, formula }) => `${name}: ${formula}`);
    expect(new Set(names).size).toBe(names.length);
    const known = new Set(families.map(({ name, formula }) => `${name}: ${formula}`));
    expect(names.filter((name) => known.has(name))).toEqual([]);
    expect(second.length).toBe(first.length);
    expect(second.filter(({ n, p }, k) => n !== first[k]!.n || p !== first[k]!.p).length).toBeGreaterThan(
      first.length / 2,
    );
    expect(casesOf(holdOutFamilies, 1)).toEqual(first);
  });

  test.each(smallest.map((one) => [one.family.name, one] as const))(
    "%s: the gradient belongs to f",
    (name, { family, n, p }) => {
      const r = random(3, name);
      const fg = family.on(E, n, p, family.draw(n, p, r));
      const [X, D] = [randomStart(E, n, p, 1), tallOf(E, gaussian(n, p, r))];
      const [G, Y, H, t] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), 1e-5];
      fg(G, X);
      const at = (step: number): number => {
        E.combine(Y, 1, X, step / Math.sqrt(E.dot(D, D)), D);
        return fg(H, Y);
      };
      const slope = (8 * (at(t) - at(-t)) - (at(2 * t) - at(-2 * t))) / (12 * t);
      const [own, scale] = [E.dot(G, D) / Math.sqrt(E.dot(D, D)), Math.sqrt(E.dot(G, G))];
      expect(Math.abs(slope - own)).toBeLessThan(1e-6 * scale);
    },
  );
});

describe("Riemannian L-BFGS", () => {
  const A = Float64Array.from({ length: 36 }, (_, k) => (k % 7 === 0 ? 1 + k / 7 : 0));
  const eigen = objectiveOn(
    E,
    {
      family: {
        name: "",
        formula: "",
        sizes: [],
        draw: () => ({}),
        on: (engine) => {
          const B = engine.operator({ rows: 6, cols: 6, data: A });
          return (G, X) => {
            B.apply(G, X);
            return 0.5 * engine.dot(X, G);
          };
        },
      },
      n: 6,
      p: 2,
      seed: 1,
    },
    {},
  );
  const X0 = { rows: 6, cols: 2, data: Float64Array.from(E.read(randomStart(E, 6, 2, 1))) };

  test("finds the lowest eigenvectors, and counts every evaluation", () => {
    let calls = 0;
    const counted = {
      ...eigen,
      fg: (...args: Parameters<typeof eigen.fg>) => {
        calls++;
        return eigen.fg(...args);
      },
    };
    const { converged, X, evaluations } = rlbfgs(E, counted, X0, { tol: 1e-9, most: 1000 });
    expect(converged).toBe(true);
    expect(evaluations).toBe(calls);
    expect(eigen.fg(E.tall(6, 2), X)).toBeCloseTo(1.5, 12);
  });

  test("ends after the given evaluations, as not converged", () => {
    const { converged, evaluations } = rlbfgs(E, eigen, X0, { tol: 0, most: 5 });
    expect(converged).toBe(false);
    expect(evaluations).toBeGreaterThanOrEqual(5);
    expect(evaluations).toBeLessThan(5 + 25);
  });
});

describe("the race", () => {
  test("counts the calls of each lane, those with a certificate the most", async () => {
    const one = smallest.find(({ family }) => family.name === "entropy")!;
    const row = await race(E, one, ["run", "with check", "with certificate"]);
    expect(row.peer).toBeGreaterThan(5);
    expect(row.ours.run).toBeGreaterThan(5);
    expect(row.ours["with check"]).toBeGreaterThanOrEqual(row.ours.run!);
    expect(row.ours["with certificate"]).toBeGreaterThan(row.ours.run!);
  });

  test("means are over the cases that both reached, and those of one minimum are apart", () => {
    const row = { family: "one", n: 5, p: 2, seed: 1, method: "frame" };
    const rows = [
      { ...row, peer: 40, ours: { run: 10 }, higher: 0 },
      { ...row, peer: 20, ours: { run: 20 }, higher: 1 },
      { ...row, peer: Number.POSITIVE_INFINITY, ours: { run: 20 }, higher: 0 },
      { ...row, peer: 9, ours: { run: Number.POSITIVE_INFINITY }, higher: 0 },
    ];
    expect(ratios(rows, "run")).toEqual([4, 1]);
    expect(summary(rows, ["run"]).body).toEqual([["run", "2.00", "4.00", "1.00", "0", "3 of 4"]]);
  });

  test("a seed that is not a number is refused with one sentence", async () => {
    const { error } = console;
    const said: unknown[] = [];
    console.error = (line: unknown) => void said.push(line);
    try {
      expect(await holdOut.bench(["--seeds", "x"])).toBe(2);
    } finally {
      console.error = error;
    }
    expect(said).toEqual(["--seeds: 'x' is no seed; they are whole numbers from 1 on, 101,102,103 by default."]);
  });
});
