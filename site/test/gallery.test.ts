/** Every program of the gallery, in Node: its numbers by what is known of them, and a picture of finite numbers. */
import { describe, expect, test } from "vitest";
import { programs, type Shown, strangers } from "../gallery/gallery.js";
import { attributes, toSvg } from "../gallery/picture.js";
import { basis, norm, nuclei } from "../gallery/water.js";

type Rows = number[][];
// biome-ignore lint/suspicious/noExplicitAny: each program has an answer of its own kind
type Answer = any;

/** Kaiser's criterion of loadings with rows of length 1: the larger, the simpler */
function simplicity(loadings: Rows): number {
  const rows = loadings.map((row) => row.map((v) => v / Math.hypot(...row)));
  const column = (j: number): number[] => rows.map((row) => row[j]! ** 2);
  return rows[0]!
    .map(
      (_, j) =>
        column(j).reduce((sum, v) => sum + v * v, 0) - column(j).reduce((sum, v) => sum + v, 0) ** 2 / rows.length,
    )
    .reduce((a, b) => a + b);
}

const checks: Record<string, (answer: Answer) => void> = {
  iris: ({ explained, level }) => {
    // R: summary(prcomp(iris[, 1:4]))
    expect(explained[0]).toBeCloseTo(0.9246187, 6);
    expect(explained[1]).toBeCloseTo(0.0530665, 6);
    expect(level).toBe("global");
  },
  discriminant: ({ ratio, gapBound, scores, growers }) => {
    expect(gapBound).toBeLessThan(1e-9 * ratio);
    // the nearest mean tells the grower
    const means = [0, 1, 2].map((g) => {
      const own = (scores as Rows).filter((_, i) => growers[i] === g);
      return [0, 1].map((k) => own.reduce((sum, row) => sum + row[k]!, 0) / own.length);
    });
    const distances = (row: number[]) => means.map((m) => Math.hypot(row[0]! - m[0]!, row[1]! - m[1]!));
    const right = (scores as Rows).filter(
      (row, i) => distances(row).indexOf(Math.min(...distances(row))) === growers[i],
    );
    expect(right.length / growers.length).toBeGreaterThan(0.95);
  },
  "sparse-pca": ({ zeros, support }) => {
    expect(zeros).toBeGreaterThan(0.5);
    expect(support).toHaveLength(3);
  },
  "robust-pca": ({ robust, usual, weights }) => {
    const truth = (180 / Math.PI) * Math.atan(0.4);
    expect(Math.abs(robust - truth)).toBeLessThan(2);
    expect(Math.abs(usual - truth)).toBeGreaterThan(45);
    expect(Math.max(...weights.slice(80).flat())).toBeLessThan(0.1);
  },
  varimax: ({ loadings, simple }) => {
    expect(simplicity(simple)).toBeGreaterThan(simplicity(loadings));
    // a rotation leaves the communalities
    for (const [i, row] of (simple as Rows).entries())
      expect(Math.hypot(...row)).toBeCloseTo(Math.hypot(...loadings[i]), 9);
  },
  // R: cancor(iris[, 1:2], iris[, 3:4])
  cca: ({ correlations }) => {
    expect(correlations[0]).toBeCloseTo(0.940969, 5);
    expect(correlations[1]).toBeCloseTo(0.123937, 5);
  },
  // of the noise: n(n − 1)·(2·0.02²) beside the squares of the whole
  "joint-diagonalization": ({ offDiagonal }) => expect(offDiagonal).toBeLessThan(2e-3),
  "ica-sounds": ({ best }) => expect(Math.min(...best)).toBeGreaterThan(0.99),
  "ica-heartbeat": ({ best }) => expect(Math.min(...best)).toBeGreaterThan(0.99),
  dictionary: ({ kurtosis }) => expect(Math.min(...kurtosis)).toBeGreaterThan(6),
  completion: ({ error }) => expect(error).toBeLessThan(1e-5),
  svd: ({ errors }) => {
    expect(errors[0]).toBeGreaterThan(errors[1]);
    expect(errors[1]).toBeGreaterThan(errors[2]);
    expect(errors[2]).toBeLessThan(0.2);
  },
  procrustes: ({ scale, rms, level }) => {
    expect(scale).toBeCloseTo(1.3, 1);
    // noise of 0.06 in each of three directions
    expect(rms).toBeGreaterThan(0.08);
    expect(rms).toBeLessThan(0.13);
    expect(level).toBe("global");
  },
  kabsch: ({ rms, distance }) => {
    expect(rms).toBeLessThan(1e-12);
    expect(distance[23]).toBeGreaterThan(5);
  },
  "mean-rotation": ({ mean, median }) => {
    expect(median).toBeLessThan(4);
    expect(mean).toBeGreaterThan(4 * median);
  },
  thomson: ({ fval, edges, level }) => {
    // Wales, Ulker 2006: the icosahedron
    expect(fval).toBeCloseTo(49.165253058, 7);
    expect(edges).toBe(30);
    expect(level).toBe("second-order");
  },
  "graph-layout": ({ atoms, bonds, fval, roundness, level }) => {
    expect([atoms, bonds, level]).toEqual([60, 90, "global"]);
    // the least eigenvalue of the Laplacian of C₆₀ above 0, three times [Manolopoulos, Fowler]
    expect(fval / 3).toBeCloseTo(0.243402, 5);
    expect(roundness).toBeGreaterThan(1 - 1e-4);
  },
  "hartree-fock": ({ energy, reference }) => expect(energy).toBeCloseTo(reference, 7),
  orbitals: ({ electrons, level }) => {
    expect(electrons).toBeCloseTo(6, 10);
    expect(level).toBe("second-order");
  },
  drum: ({ values }) => {
    // of sin πx · sin πy on a grid of step 1/15
    expect(values[2]).toBeCloseTo(8 * 15 ** 2 * Math.sin(Math.PI / 30) ** 2, 5);
    // Trefethen, Betcke 2006, as far as such a grid shows it
    expect(Math.abs(values[0] / 9.63972 - 1)).toBeLessThan(0.05);
  },
  "max-cut": ({ cut, bound, pairs }) => {
    expect(cut).toBeLessThanOrEqual(bound);
    expect(cut).toBeGreaterThan(0.95 * Math.floor(bound));
    expect(cut).toBeLessThan(pairs);
  },
  "own-function": ({ values }) => {
    for (const value of values) expect(value).toBeCloseTo(values[0], 8);
  },
  brockett: ({ values, off }) => {
    expect(off).toBeLessThan(1e-7);
    expect(values).toEqual([...values].sort((a: number, b: number) => a - b));
  },
};

test("every program stands in a chapter and has a check", () => {
  expect(strangers).toEqual([]);
  expect(Object.keys(checks).sort()).toEqual(programs.map(({ name }) => name).sort());
});

describe.each(programs.map((one) => [one.name, one] as const))("%s", (name, { run, sentence }) => {
  let shown: Shown;
  test("computes what is known", async () => {
    shown = await run();
    checks[name]!(shown.answer);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(shown.text).not.toMatch(/NaN|undefined/);
  });

  test("draws finite numbers", () => {
    const { marks, label } = shown.picture;
    const numbers = marks.flatMap((mark) =>
      Object.entries(attributes(mark)).flatMap(([key, v]) => (key === "fill" ? [] : v)),
    );
    for (const v of numbers) expect(String(v)).not.toMatch(/NaN|Infinity/);
    const svg = toSvg(shown.picture);
    expect(svg).toContain(`aria-label="${label}`);
    expect(svg.length).toBeLessThan(200_000);
  });
});

test("the functions that draw water's orbitals have the overlaps of its integrals", async () => {
  const { water } = await import("../gallery/water.js");
  const { S, size } = await water();
  expect(basis).toHaveLength(size);
  // ∫ of two Gaussians with powers of one axis, by the Gaussian product theorem
  const overlap = (a: (typeof basis)[number], b: (typeof basis)[number]): number => {
    let sum = 0;
    for (const [i, p] of a.exponents.entries()) {
      for (const [j, q] of b.exponents.entries()) {
        const squared = a.centre.reduce((s, c, k) => s + (c - b.centre[k]!) ** 2, 0);
        let integral = (Math.PI / (p + q)) ** 1.5 * Math.exp((-p * q * squared) / (p + q));
        const middle = a.centre.map((c, k) => (p * c + q * b.centre[k]!) / (p + q));
        const [da, db] = [a, b].map(({ axis, centre }) =>
          axis === undefined ? undefined : middle[axis]! - centre[axis]!,
        );
        const both = a.axis !== undefined && a.axis === b.axis ? 1 / (2 * (p + q)) : 0;
        integral *= (da ?? 1) * (db ?? 1) + both;
        sum += a.weights[i]! * b.weights[j]! * norm(p, a.axis) * norm(q, b.axis) * integral;
      }
    }
    return sum;
  };
  for (const [i, a] of basis.entries()) {
    for (const [j, b] of basis.entries()) expect(overlap(a, b), `${i},${j}`).toBeCloseTo(S!.data[i * size + j]!, 5);
  }
  expect(nuclei).toHaveLength(3);
});
