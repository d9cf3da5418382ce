/** plotConvergence: the points of its lines, its names, and wrong input. */
import { expect, test } from "vitest";
import { plotConvergence, type RunHistory } from "../../src/plot.js";

const row = (k: number, f: number, gnorm: number) => ({ k, f, gnorm, seconds: 0.5 * k, evaluations: 2 * k });
const run = (solver: string, ratio: number): RunHistory => ({
  run: { solver, method: solver },
  history: Array.from({ length: 9 }, (_, k) => row(k, 1 + ratio ** (2 * k), ratio ** k)),
});

/** The pixels of the points of each line */
const linesOf = (svg: string): number[][][] =>
  [...svg.matchAll(/<path class="line c\d" d="(M[^"]*)"><title>/g)].map(([, d]) =>
    d!
      .split(/[ML]/)
      .filter(Boolean)
      .map((point) => point.split(" ").map(Number)),
  );

test("a linear rate is a straight line, and its slope the rate", () => {
  const [a, b] = linesOf(plotConvergence([run("auto", 0.1), run("rcg", 0.1 ** 0.5)])) as [number[][], number[][]];
  const slope = (points: number[][]): number => (points[8]![1]! - points[0]![1]!) / (points[8]![0]! - points[0]![0]!);
  for (const points of [a, b]) {
    expect(points.length).toBe(9);
    for (const [x, y] of points)
      expect(Math.abs(y! - points[0]![1]! - slope(points) * (x! - points[0]![0]!))).toBeLessThan(0.2);
  }
  // half the digits in an evaluation: half the slope; the vertical axis points down
  expect(slope(a)).toBeGreaterThan(0);
  expect(slope(a) / slope(b)).toBeCloseTo(2, 1);
});

test("f − f* over seconds, with the optimum given and without", () => {
  const own = linesOf(plotConvergence(run("auto", 0.5), { x: "seconds", y: "gap", optimum: 1 }))[0]!;
  const step = own[1]![1]! - own[0]![1]!;
  for (let k = 1; k < 9; k++) expect(Math.abs(own[k]![1]! - own[k - 1]![1]! - step)).toBeLessThan(0.2);
  // without one the lowest f is the optimum, and its own point, at 0, is not drawn
  expect(linesOf(plotConvergence(run("auto", 0.5), { y: "gap" }))[0]!.length).toBe(8);
});

test("a file of its own: well-formed, with names that are escaped", () => {
  const svg = plotConvergence({ "a < b & c": run("auto", 0.5), second: run("rcg", 0.4) }, { title: 'two "runs"' });
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(svg).toContain(">a &lt; b &amp; c</text>");
  expect(svg).toContain("two &quot;runs&quot;");
  const open = [...svg.matchAll(/<(\w+)[^>]*?(\/?)>/g)].filter(([, , self]) => !self).length;
  expect([...svg.matchAll(/<\/\w+>/g)].length).toBe(open);
});

test("runs of one solver have numbers", () => {
  const svg = plotConvergence([run("auto", 0.5), run("auto", 0.4)]);
  expect(svg).toContain(">auto 1</text>");
  expect(svg).toContain(">auto 2</text>");
});

test.each([
  [
    "no history",
    () => plotConvergence([{ run: { solver: "auto", method: "krylov" } }]),
    /'auto \(krylov\)' has no history; run it with history: true/,
  ],
  ["nothing", () => plotConvergence([]), /no result to draw/],
  ["a number", () => plotConvergence(3 as never), /give a result of minimize/],
  [
    "a wrong axis",
    () => plotConvergence(run("a", 0.5), { x: "time" as never }),
    /x is 'time'; it must be one of evaluations/,
  ],
  ["an unknown option", () => plotConvergence(run("a", 0.5), { log: true } as never), /no option 'log'/],
])("%s", (_, act, sentence) => {
  expect(act).toThrow(sentence);
});
