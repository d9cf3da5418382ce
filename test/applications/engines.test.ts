/** Every application gives the same answer where numbers are hidden (a device) and where rows lie apart (ranks) as on a host engine. */
import { Matrix as Ml } from "ml-matrix";
import { describe, expect, test } from "vitest";
import * as applications from "../../src/applications/index.js";
import { loadMolecule } from "../../src/data/load.js";
import { jsEngine } from "../../src/engines/js.js";
import { commonEigenvectors } from "../../src/problems/jointdiag.js";
import type { Engine } from "../../src/types.js";
import { opaque } from "../engines/opaque.js";
import { split } from "../engines/split.js";
import { normal, orthogonal, plain } from "./support.js";

const hidden = { opaque: () => opaque(jsEngine()), split: () => split(jsEngine()) };

/** 40 samples of 5 columns with falling variances */
const samples = plain(normal(40, 5, 1).mmul(Ml.diag([3, 2, 1, 0.5, 0.3])));
const labels = Array.from({ length: 40 }, (_, i) => i % 3);
const points = normal(12, 3, 2);
const turned = points.mmul(orthogonal(3, 3, 3)).add(normal(12, 3, 4).mul(0.01));
const sources = plain(Ml.pow(normal(60, 3, 5), 3).mmul(normal(3, 3, 6)));

type Name = Exclude<keyof typeof applications, `${string}Answer` | `${string}Options`>;
const calls: Record<Name, (engine: Engine) => Promise<{ run: { status: string } }>> = {
  align: (engine) => applications.align(plain(points), plain(turned), { engine, scaling: true }),
  dictionary: (engine) => applications.dictionary(sources, { engine, p: 2 }),
  discriminant: (engine) => applications.discriminant(samples, labels, { engine, p: 2 }),
  factorRotation: (engine) => applications.factorRotation(plain(normal(8, 3, 7)), { engine, starts: 2 }),
  hartreeFock: async (engine) =>
    applications.hartreeFock(await loadMolecule("examples/data/molecules/H2O-sto-3g.npz"), { engine }),
  ica: (engine) => applications.ica(sources, { engine, starts: 1 }),
  jointDiagonalization: (engine) => applications.jointDiagonalization(commonEigenvectors(6, 3, 1).matrices, { engine }),
  kohnSham: (engine) => applications.kohnSham({ n: 30, p: 3, engine }),
  pca: (engine) => applications.pca(samples, { engine, p: 2 }),
  procrustes: (engine) => applications.procrustes(plain(points), plain(turned), { engine }),
  robustPca: (engine) => applications.robustPca(samples, { engine, p: 2 }),
  sparsePca: (engine) => applications.sparsePca(samples, { engine, p: 2, weight: 0.3 }),
};

/** All numbers of an answer but those of the run behind it */
function numbersOf(answer: object): number[] {
  return Object.entries(answer).flatMap(([name, value]) => {
    if (name === "run") return [];
    if (typeof value === "number") return [value];
    return typeof value === "object" && value !== null ? numbersOf(value) : [];
  });
}

describe.each(Object.entries(hidden))("applications on %s", (_name, make) => {
  test.each(Object.entries(calls))("%s", async (_application, call) => {
    const [expected, answer] = [await call(jsEngine()), await call(make())];
    expect(expected.run.status).toBe("converged");
    expect(answer.run.status).toBe("converged");
    const [a, b] = [numbersOf(answer), numbersOf(expected)];
    expect(a.length).toBe(b.length);
    const size = Math.max(...b.map(Math.abs));
    // minima to the tolerance of the runs, 1e-6 in the gradient
    expect(Math.max(...a.map((v, k) => Math.abs(v - b[k]!)))).toBeLessThanOrEqual(1e-4 * size);
  });
});
