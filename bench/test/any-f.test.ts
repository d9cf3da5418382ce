import { readFileSync } from "node:fs";
import { randomStart } from "@expen/core";
import { gaussian, random } from "@expen/linalg";
import { jsEngine, tallOf } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { families } from "../any-f/families.js";
import { profilePlot, profiles } from "../any-f/profile.js";
import { type AnyResults, cost } from "../any-f/results.js";
import { benchAny } from "../any-f/run.js";
import { anyF } from "../any-f/suite.js";
import { againstFormer, againstMedian, familyTable, lostRows, meansOf, worseOptima } from "../any-f/tables.js";
import { work } from "../contender.js";

const E = jsEngine();

test.each(families.map((family) => [family.name, family] as const))(
  "%s: the gradient belongs to f",
  (_name, family) => {
    const [n, p] = family.sizes[0]!;
    const r = random(3, family.name);
    const data = family.draw(n, p, r);
    const fg = family.on(E, n, p, data);
    const [X, D] = [randomStart(E, n, p, 1), tallOf(E, gaussian(n, p, r))];
    const [G, Y, H, t] = [E.tall(n, p), E.tall(n, p), E.tall(n, p), 1e-6];
    fg(G, X);
    const at = (step: number): number => {
      E.combine(Y, 1, X, step, D);
      return fg(H, Y);
    };
    const slope = (at(t) - at(-t)) / (2 * t);
    const scale = Math.sqrt(E.dot(G, G) * E.dot(D, D));
    expect(Math.abs(slope - E.dot(G, D))).toBeLessThan(1e-5 * scale);
  },
);

test("there are 20 families or more, of two sizes each, and NumPy has every one", () => {
  expect(families.length).toBeGreaterThanOrEqual(20);
  expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  const numpy = readFileSync("bench/peers/any_f.py", "utf8");
  for (const { name, sizes } of families) {
    expect(sizes.length).toBe(2);
    expect(numpy).toContain(`"${name}": `);
  }
});

test("a run of two contenders on a family, and what comes out of it", async () => {
  const saved: number[] = [];
  const results = await benchAny({
    families: families.filter(({ name }) => name === "wine-robust-pca"),
    contenders: ["auto@js", "multiplier@js", "nobody"],
    seeds: 1,
    repeats: 1,
    warmUpSeconds: 0,
    save: ({ cases }) => void saved.push(cases.length),
    log: () => {},
  });
  expect(saved).toEqual([1, 2]);
  expect(Object.keys(results.skipped)).toEqual(["nobody"]);
  for (const one of results.cases) {
    for (const { status, stationarity, evaluations } of one.runs) {
      expect(status).toBe("converged");
      expect(stationarity).toBeLessThan(1.05 * one.tol);
      expect(work(evaluations!)).toBeGreaterThan(5);
    }
  }
}, 60_000);

describe("tables and profiles", () => {
  const run = (contender: string, calls: number, stationarity: number, f = 1) => ({
    contender,
    status: "converged",
    text: "",
    seconds: calls / 10,
    evaluations: { f: calls, grad: calls - 1, hvp: 0 },
    iterations: calls,
    f,
    stationarity,
  });
  const results: AnyResults = {
    suite: "any-f",
    format: 2,
    date: "2026-01-01",
    commit: "",
    machine: { name: "", cpu: "", cores: 1, memoryGB: 1, os: "", node: "", load: 0 },
    threads: 1,
    clock: "cpu",
    repeats: 1,
    tol: 1e-6,
    limit: 1,
    seeds: 1,
    contenders: { "a@js": "", peer: "" },
    skipped: {},
    cases: [
      { family: "one", n: 5, p: 2, seed: 1, tol: 1, runs: [run("a@js", 10, 0.5), run("peer", 40, 0.5, 1.1)] },
      { family: "two", n: 5, p: 2, seed: 1, tol: 1, runs: [run("a@js", 30, 0.5), run("peer", 20, 2)] },
    ],
  };

  test("a run that is not stationary costs infinitely much", () => {
    expect(cost(results.cases[1]!, "peer", "evaluations")).toBe(Number.POSITIVE_INFINITY);
    expect(cost(results.cases[0]!, "peer", "seconds")).toBe(4);
  });

  test("ratios are over the cases that both reached; failures and other minima are counted", () => {
    expect(meansOf(results).body).toEqual([
      ["a@js", "2 of 2", "1.00", "1.00"],
      ["peer", "1 of 2", "4.00", "4.00"],
      ["best peer", "", "4.00", "4.00"],
    ]);
    expect(familyTable(results).body[1]).toEqual(["two 5×2", "30", "–", "–", "–"]);
    expect(familyTable(results, ["a@js"]).body[0]).toEqual(["one 5×2", "10", "4.00", "4.00"]);
    expect(worseOptima(results)).toContain("`a@js` 0, `peer` 1");
    const page = anyF.page(results);
    expect(page).toMatch(/^# Any f: a suite of plain functions\n\nMeasured by `npm run bench -- --suite any-f`; /);
    expect(page).toContain("| peer | 1 of 2 | 4.00 | 4.00 |\n");
  });

  test("sentences name the rows beyond the bounds", () => {
    const second = [run("b@js", 8, 0.5), run("b@js", 30, 0.5)];
    const cases = results.cases.map((one, k) => ({ ...one, runs: [...one.runs, second[k]!] }));
    const both = { ...results, contenders: { ...results.contenders, "b@js": "" }, cases };
    expect(againstFormer(both, "a@js", "b@js", "evaluations", 1.1)).toBe(
      "`a@js` takes 1.12 of the evaluations of `b@js`. Rows above 1.1: one 5×2 (1.25).",
    );
    expect(againstFormer(both, "a@js", "b@js", "seconds", 1.5)).toMatch(
      / of the time of `b@js`\. Rows above 1\.5: none\.$/,
    );
    expect(lostRows(results, "a@js")).toContain("in: none.");
    const lost = { ...results.cases[0]!, runs: [run("a@js", 100, 0.5), run("peer", 40, 0.5)] };
    expect(lostRows({ ...results, cases: [lost] }, "a@js")).toContain("one 5×2 (0.40)");
    expect(againstMedian(results, "a@js")).toBe("`a@js` ended above the median peer in 0 cases, below it in 1.");
  });

  test("profiles are ratios to the least cost, unsolved cases missing", () => {
    expect(profiles(results, "evaluations").map(({ ratios }) => ratios)).toEqual([[1, 1], [4]]);
    expect(profilePlot(results)).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/);
  });
});
