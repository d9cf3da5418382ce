/** The page's own arithmetic: what goes into the address, into axes and into files. */
import { describe, expect, test } from "vitest";
import { aligned, type ChartContent, decades, limits, markerIndices } from "../src/chart/series.js";
import { svgOf } from "../src/chart/svg.js";
import { ticks } from "../src/chart/ticks.js";
import { project } from "../src/components/projection.js";
import { entrantLabel, readEntrants, writeEntrants } from "../src/entrants.js";
import { decade, power } from "../src/format.js";
import { look, MARKERS, markerPath } from "../src/palette.js";
import type { Entrant } from "../src/protocol.js";
import { fingerprint, packTable, unpackTable } from "../src/shared-tables.js";

test("entrants come back from the address as they went in", () => {
  const entrants: Entrant[] = [
    { solver: "auto", options: {} },
    { solver: "expen-cg", options: { beta: "1e-3", rule: "pr+" } },
  ];
  expect(readEntrants(writeEntrants(entrants))).toEqual(entrants);
  expect(entrantLabel(entrants[1]!)).toBe("expen-cg β 1e-3 PR+");
  expect(entrantLabel({ solver: "rlbfgs", options: { memory: "3", retraction: "polar" } })).toBe(
    "rlbfgs memory 3 polar",
  );
  expect(readEntrants("")).toEqual([]);
});

describe("tables in a link", () => {
  const table = (rows: number, cols: number, f: (i: number) => number) => ({
    name: "a~b.csv",
    rows,
    cols,
    data: Float64Array.from({ length: rows * cols }, (_, i) => f(i)),
  });

  test("small ones come back to the bit", async () => {
    const A = table(7, 3, (i) => Math.sin(i) * 1e-300 ** (i % 2));
    const found = await unpackTable(await packTable(A));
    expect(found).toEqual({ table: { ...A, name: "a-b.csv" } });
    const named = { ...A, names: ["a,b", "c~d", "Größe %"] };
    const { table: again } = (await unpackTable(await packTable(named))) as { table: typeof named };
    expect(again.names).toEqual(["a,b", "c-d", "Größe %"]);
  });

  test("large ones leave name, size and fingerprint", async () => {
    const A = table(300, 40, Math.cos);
    const text = await packTable(A);
    expect(text.length).toBeLessThan(100);
    expect(await unpackTable(text)).toEqual({
      wanted: { name: "a-b.csv", rows: 300, cols: 40, fingerprint: fingerprint(A) },
    });
    A.data[17]! += 1e-15;
    expect(text).not.toContain(fingerprint(A));
  });

  test("damaged ones are refused", async () => {
    const text = await packTable(table(4, 4, (i) => i));
    await expect(unpackTable(text.replace("~4~4~", "~4~5~"))).rejects.toThrow("is damaged");
  });
});

describe("axes", () => {
  const content = (y: number[], log: boolean): ChartContent => ({
    title: "a < b",
    xLabel: "x",
    yLabel: "y",
    log,
    series: [{ label: "one & two", look: look(0, false), x: y.map((_, i) => i), y }],
  });

  test("logarithmic ones hold all data in whole decades, zeros on the floor", () => {
    expect(limits(content([3e-5, 20], true))).toEqual([1e-5, 100]);
    expect(limits(content([1, 1], true))).toEqual([1, 10]);
    expect(limits(content([0, 1], true))[0]).toBeCloseTo(1e-17, 25);
    expect(limits(content([], true))).toEqual([1e-8, 1]);
  });

  test("linear ones never collapse, whatever rounding leaves between the values", () => {
    for (const y of [[1, 1 + 2 ** -52], [5], [0, 0], [-3e-20, 1e-20]]) {
      const [low, high] = limits(content(y, false));
      expect(low).toBeLessThanOrEqual(Math.min(...y));
      expect(high).toBeGreaterThanOrEqual(Math.max(...y));
      expect(high - low).toBeGreaterThan(1e-7 * Math.max(...y.map(Math.abs)));
    }
  });

  test("decades are powers of ten, few enough, up to the highest", () => {
    const found = decades(1e-15, 1e3, 6);
    expect(found.length).toBeLessThanOrEqual(7);
    expect(found.at(-1)).toBe(1000);
    for (const v of found) expect(Math.abs(Math.log10(v) - Math.round(Math.log10(v)))).toBeLessThan(1e-12);
  });

  test("ticks are round and inside", () => {
    expect(ticks(0, 141, 6)).toEqual([0, 50, 100]);
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  test("series with different x share one ascending axis", () => {
    const [a, b] = [
      { label: "a", look: look(0, false), x: [0, 2], y: [1, 0] },
      { label: "b", look: look(1, false), x: [1, 2], y: [Number.NaN, 5] },
    ];
    expect(aligned([a, b], true)).toEqual([
      [0, 1, 2],
      [1, undefined, 1e-17],
      [undefined, null, 5],
    ]);
  });

  test("an SVG is well-formed, escapes names and carries every curve", () => {
    const text = svgOf([content([1, 1e-3, 1e-9], true), content([1, 2, 3], false)]);
    expect(text).toContain("one &amp; two");
    expect(text).toContain("a &lt; b");
    expect(text.match(/<polyline/g)).toHaveLength(2);
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    const open = text.match(/<(\w+)(?=[\s>])[^>]*[^/]>/g)!.length;
    expect(text.match(/<\/\w+>/g)).toHaveLength(open);
  });

  test("markers are few and begin with the first point", () => {
    for (const length of [0, 1, 5, 8, 9, 500]) {
      const found = markerIndices(length);
      expect(found.length).toBeLessThanOrEqual(9);
      expect(found[0]).toBe(length > 0 ? 0 : undefined);
      expect(found.every((i) => i < length)).toBe(true);
    }
  });
});

test("no two of twelve entrants look alike, neither by colour and dash nor without colour by dash and marker", () => {
  for (const night of [false, true]) {
    const looks = Array.from({ length: 12 }, (_, i) => look(i, night));
    expect(new Set(looks.map((l) => `${l.colour} ${l.dash}`)).size).toBe(12);
    expect(new Set(looks.map((l) => `${l.marker} ${l.dash}`)).size).toBe(12);
  }
  for (const marker of MARKERS) expect(markerPath(marker, 1, 2, 3)).toMatch(/^M/);
});

test("the projection keeps lengths: image and depth are coordinates in a turned frame", () => {
  for (const [turn, tilt] of [
    [0, 0],
    [0.7, 0.4],
    [-2, 1.3],
  ] as const) {
    const camera = { turn, tilt, centre: [10, 20] as [number, number], scale: 3 };
    const { x, y, depth } = project(camera, 0.3, -0.5, 0.8);
    expect(Math.hypot((x - 10) / 3, (y - 20) / 3, depth)).toBeCloseTo(Math.hypot(0.3, 0.5, 0.8), 12);
  }
});

test("numbers for people", () => {
  expect(power(3.21e-7)).toBe("3.2·10⁻⁷");
  expect(power(0)).toBe("0");
  expect(power(Number.NaN)).toBe("–");
  expect(decade(1e-12)).toBe("10⁻¹²");
});
