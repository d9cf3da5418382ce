/** Partitions of equal size: graphs with known bisections, planted parts, the bound against every partition. */

import { type Matrix, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { describe, expect, test } from "vitest";
import { graphPartition } from "../src/index.js";

const engine = jsEngine();
type Edges = readonly (readonly [number, number])[];

function graph(n: number, edges: Edges, weight: (k: number) => number = () => 1): Matrix {
  const data = new Float64Array(n * n);
  for (const [k, [i, j]] of edges.entries()) data[i * n + j] = data[j * n + i] = weight(k);
  return { rows: n, cols: n, data };
}
const ring = (n: number): Edges => Array.from({ length: n }, (_, i) => [i, (i + 1) % n] as const);
const cube = (d: number): Edges =>
  Array.from({ length: 2 ** d }, (_, i) => Array.from({ length: d }, (_, b) => [i, i ^ (1 << b)] as const))
    .flat()
    .filter(([i, j]) => i < j);
const complete = (n: number): Edges =>
  Array.from({ length: n }, (_, i) => Array.from({ length: i }, (_, j) => [i, j] as const)).flat();
const petersen: Edges = [0, 1, 2, 3, 4].flatMap((i) => [
  [i, (i + 1) % 5] as const,
  [i, i + 5] as const,
  [5 + i, 5 + ((i + 2) % 5)] as const,
]);

// where all nodes are alike the relaxation is (p − 1)/(2p)·n·λ₂ of the Laplacian
test.each([
  ["ring of 12, 2 parts", 12, ring(12), 2, 2, 12 * (2 - 2 * Math.cos(Math.PI / 6))],
  ["cube of 4 dimensions, 2 parts", 16, cube(4), 2, 8, 16 * 2],
  ["Petersen's graph, 2 parts", 10, petersen, 2, 5, 10 * 2],
  ["complete graph of 8, 4 parts", 8, complete(8), 4, 24, 8 * 8],
  ["cube of 4 dimensions, 4 parts", 16, cube(4), 4, 16, 16 * 2],
] as const)("%s: the least cut, and the bound in closed form", async (_, n, edges, p, least, lambda) => {
  const answer = await graphPartition(graph(n, edges), { p, engine });
  const relaxation = ((p - 1) / (2 * p)) * lambda;
  expect(answer.cut).toBe(least);
  expect(answer.relaxation).toBeCloseTo(relaxation, 4);
  expect(answer.bound).toBeLessThanOrEqual(relaxation + 1e-9);
  expect(answer.bound).toBeGreaterThan(relaxation - 1e-3);
  expect(answer.sizes).toEqual(Array.from({ length: p }, () => n / p));
  expect(answer.labels.filter((label) => label === 0)).toHaveLength(n / p);
  expect(edges.filter(([i, j]) => answer.labels[i] !== answer.labels[j])).toHaveLength(least);
});

describe("random weights on seven nodes, beside all partitions", () => {
  test.each([
    [1, 2],
    [2, 2],
    [3, 3],
    [4, 3],
  ])("seed %i, %i parts", async (seed, p) => {
    const r = random(seed, "weights");
    const W = graph(7, complete(7), () => Math.max(0, r.normal()));
    const { labels, sizes, cut, bound } = await graphPartition(W, { p, engine });
    expect(sizes).toEqual(p === 2 ? [4, 3] : [3, 2, 2]);
    expect([...sizes.keys()].map((k) => labels.filter((label) => label === k).length)).toEqual(sizes);
    let least = Number.POSITIVE_INFINITY;
    const visit = (given: number[], room: number[]): void => {
      if (given.length === 7) {
        let sum = 0;
        for (let i = 0; i < 7; i++) for (let j = 0; j < i; j++) if (given[i] !== given[j]) sum += W.data[i * 7 + j]!;
        least = Math.min(least, sum);
        return;
      }
      for (const [k, left] of room.entries())
        if (left > 0) visit([...given, k], room.map((m, a) => (a === k ? m - 1 : m))); // biome-ignore format: one call
    };
    visit([], [...sizes]);
    expect(cut).toBeCloseTo(least, 10);
    expect(bound).toBeLessThanOrEqual(least + 1e-9);
    expect(bound).toBeGreaterThan(0.5 * least);
  });
});

test("planted parts are found", async () => {
  const [n, p] = [60, 3];
  const r = random(7, "planted");
  const edges = complete(n).filter(([i, j]) => r.uniform() < (i % p === j % p ? 0.5 : 0.05));
  const { labels, cut, bound } = await graphPartition(graph(n, edges), { p, engine });
  for (let i = 0; i < n; i++) expect(labels[i]).toBe(labels[i % p]);
  expect(cut).toBe(edges.filter(([i, j]) => i % p !== j % p).length);
  expect(bound).toBeGreaterThan(0.6 * cut);
});

test("the bound holds after a run that was stopped at once", async () => {
  const { bound, cut } = await graphPartition(graph(10, petersen), { maxIterations: 1, engine });
  expect(bound).toBeLessThanOrEqual(5 + 1e-9);
  expect(cut).toBe(5);
});

test("bad input is a sentence", async () => {
  const W = graph(3, ring(3));
  await expect(graphPartition(W, { p: 4, engine })).rejects.toThrow("p is 4 but W has 3 nodes; every part needs one.");
  const lopsided = { ...W, data: W.data.map((x, k) => (k === 1 ? 2 : x)) };
  await expect(graphPartition(lopsided, { engine })).rejects.toThrow(
    /^graph-partition: W is not symmetric at \(1, 0\)/,
  );
});
