/** Every application gives the same answer on a device (hidden entries) and on ranks (distributed rows) as on a host engine. */

import { loadMolecule } from "@expen/data";
import { commonEigenvectors } from "@expen/experiments/problems";
import type { Engine } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { ml, normal, orthogonal, plain } from "@expen/testing/applications/support";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { Matrix as Ml } from "ml-matrix";
import { describe, expect, test } from "vitest";
import * as applications from "../src/index.js";

const hidden = { opaque: () => opaque(jsEngine()), split: () => split(jsEngine()) };

/** 40 samples of 5 columns with falling variances */
const samples = plain(normal(40, 5, 1).mmul(Ml.diag([3, 2, 1, 0.5, 0.3])));
const labels = Array.from({ length: 40 }, (_, i) => i % 3);
const points = normal(12, 3, 2);
const turned = points.mmul(orthogonal(3, 3, 3)).add(normal(12, 3, 4).mul(0.01));
const sources = plain(Ml.pow(normal(60, 3, 5), 3).mmul(normal(3, 3, 6)));

/** the columns of `samples` mixed, and noise */
const sums = plain(
  ml(samples)
    .mmul(normal(5, 4, 8))
    .add(normal(40, 4, 9)),
);
/** rank 2, one entry in four unknown */
const holes = plain(normal(12, 2, 10).mmul(normal(2, 9, 11)));
for (let k = 0; k < holes.data.length; k += 4) holes.data[k] = Number.NaN;
const stiffness = plain(Ml.diag([5, 4, 3, 2, 1, 6]).add(Ml.ones(6, 6)));
const mass = plain(Ml.diag([1, 2, 3, 4, 5, 6]));
const pentagon = plain(
  new Ml([0, 1, 2, 3, 4].map((i) => [0, 1, 2, 3, 4].map((j) => (Math.abs(i - j) % 3 === 1 ? 1 : 0)))),
);
const rotations = [0.1, 0.5, -0.2].map((a) => {
  const [c, s] = [Math.cos(a), Math.sin(a)];
  return plain(new Ml([[c, -s, 0], [s, c, 0], [0, 0, 1]])); // biome-ignore format: a matrix
});

type Name = Exclude<keyof typeof applications, `${string}Answer` | `${string}Options` | "Model">;
const calls: Record<Name, (engine: Engine) => Promise<{ run: { status: string } } | { converged: boolean }>> = {
  align: (engine) => applications.align(plain(points), plain(turned), { engine, scaling: true }),
  canonicalCorrelation: (engine) => applications.canonicalCorrelation(samples, sums, { engine, p: 2, tol: 1e-9 }),
  completion: (engine) => applications.completion(holes, { engine, p: 2, tol: 1e-9 }),
  dictionary: (engine) => applications.dictionary(sources, { engine, p: 2 }),
  discriminant: (engine) => applications.discriminant(samples, labels, { engine, p: 2 }),
  factorRotation: (engine) => applications.factorRotation(plain(normal(8, 3, 7)), { engine, starts: 2 }),
  generalizedEigen: (engine) => applications.generalizedEigen(stiffness, mass, { engine, p: 2 }),
  hartreeFock: async (engine) =>
    applications.hartreeFock(await loadMolecule("examples/data/molecules/H2O-sto-3g.npz"), { engine }),
  ica: (engine) => applications.ica(sources, { engine, starts: 1 }),
  jointDiagonalization: (engine) => applications.jointDiagonalization(commonEigenvectors(6, 3, 1).matrices, { engine }),
  clusters: (engine) => applications.clusters(samples, { engine, p: 2 }),
  nonnegativePca: (engine) => applications.nonnegativePca(samples, { engine, p: 2 }),
  maxCut: (engine) => applications.maxCut(pentagon, { engine, tol: 1e-9 }),
  graphPartition: (engine) => applications.graphPartition(pentagon, { engine, tol: 1e-9 }),
  meanRotation: (engine) => applications.meanRotation(rotations, { engine, kind: "geodesic", tol: 1e-9 }),
  pca: (engine) => applications.pca(samples, { engine, p: 2 }),
  procrustes: (engine) => applications.procrustes(plain(points), plain(turned), { engine }),
  robustPca: (engine) => applications.robustPca(samples, { engine, p: 2 }),
  sparsePca: (engine) => applications.sparsePca(samples, { engine, p: 2, weight: 0.3 }),
  truncatedSvd: (engine) => applications.truncatedSvd(samples, { engine, p: 2 }),
  tucker: (engine) =>
    applications.tucker(
      [1, 2, 3, 4].map((s) => plain(normal(6, 5, s))),
      { engine, ranks: [2, 2, 2] },
    ),
};

/** The numbers of an answer by field, the entries of an array as one field; without those of the run behind it */
function fieldsOf(answer: object, place = "answer", fields = new Map<string, number[]>()): Map<string, number[]> {
  for (const [key, value] of Object.entries(answer)) {
    const name = /^\d+$/.test(key) ? place : `${place}.${key}`;
    if (key === "run" || key === "seconds") continue;
    if (typeof value === "number") fields.set(name, [...(fields.get(name) ?? []), value]);
    else if (typeof value === "object" && value !== null) fieldsOf(value, name, fields);
  }
  return fields;
}

/** Minima to the tolerance of the runs, 1e-6 in the gradient: of a field, as a part of its largest number; below FLOOR it is rounding */
const [PART, FLOOR] = [1e-5, 1e-6];

describe.each(Object.entries(hidden))("applications on %s", (_name, make) => {
  test.each(Object.entries(calls))("%s", async (_application, call) => {
    const [J, E] = [jsEngine(), make()];
    const [expected, answer] = [await call(J), await call(E)];
    for (const one of [expected, answer])
      expect("run" in one ? one.run.status === "converged" : one.converged, "converged").toBe(true);
    // the engine that was given did the work, not one that the application opened
    expect(E.counters.flops).toBeGreaterThan(0);
    const [wanted, found] = [fieldsOf(expected), fieldsOf(answer)];
    expect([...found.keys()]).toEqual([...wanted.keys()]);
    for (const [field, numbers] of wanted) {
      const others = found.get(field)!;
      expect(others.length, field).toBe(numbers.length);
      const size = Math.max(...numbers.map(Math.abs));
      const difference = Math.max(...numbers.map((v, k) => (v === others[k] ? 0 : Math.abs(v - others[k]!))));
      expect(difference, field).toBeLessThanOrEqual(Math.max(FLOOR, PART * size));
    }
  });
});
