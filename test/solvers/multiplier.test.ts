import { describe, expect, test } from "vitest";
import { blockScratch, tall } from "../../src/linalg/tall.js";
import { noeig } from "../../src/problems/noeig.js";
import { DensityMultiplier, type Multiplier, PlainMultiplier } from "../../src/solvers/multiplier.js";
import { randomStart } from "../../src/start.js";
import type { DensityForm, Matrix, Objective } from "../../src/types.js";
import { js as E, exchange } from "../functions.js";

const distance = (A: Matrix, B: Matrix): number => Math.hypot(...A.data.map((v, i) => v - B.data[i]!));
const size = (A: Matrix): number => Math.sqrt(E.dot(A, A));

describe.each([
  ["noeig", noeig(E, { n: 61, p: 6 }).objective],
  ["an exchange energy", exchange(E, 50, 4)],
] as [string, Objective & { density: DensityForm }][])("value, gradient and multiplier: %s", (_name, f) => {
  const { n, p } = f;

  test.each([1, 4])("in %i blocks, plain and from the density, they are those of fg", (blocks) => {
    const cut = { ...E, block: Math.ceil((n * p) / blocks) };
    const scratch = blockScratch(cut, n, p, (rows) => E.matrix(rows, p));
    expect(scratch.length).toBe(blocks);
    const rho = E.matrix(n, 1);
    for (const way of [
      new PlainMultiplier(cut, f, scratch),
      new DensityMultiplier(cut, f.density, rho, scratch),
    ] as Multiplier[]) {
      for (const seed of [1, 2]) {
        const [Y, G, M] = [tall(cut, n, p), tall(cut, n, p), E.matrix(p, p)];
        const [Gf, Mf] = [E.matrix(n, p), E.matrix(p, p)];
        E.copy(Y.whole, randomStart(E, n, p, seed));
        const value = f.fg(Gf, Y.whole);
        E.tmul(Mf, Y.whole, Gf);
        E.symmetrize(Mf);
        Y.blocks.forEach((Yb, b) => {
          way.meet(b, Yb);
        });
        expect(Math.abs(way.evaluate(M, G, Y).value - value)).toBeLessThan(1e-13 * size(Gf) * Math.sqrt(p));
        expect(distance(G.whole, Gf)).toBeLessThan(1e-13 * size(Gf));
        expect(distance(M, Mf)).toBeLessThan(1e-13 * size(Gf));
      }
    }
  });
});

test("a density that is not finite is a value that is not finite", () => {
  const f = exchange(E, 20, 3);
  const scratch = blockScratch(E, 20, 3, (rows) => E.matrix(rows, 3));
  const form = { ...f.density, hamiltonian: () => ({ value: Number.NaN }) };
  const way = new DensityMultiplier(E, form, E.matrix(20, 1), scratch);
  const [Y, G] = [tall(E, 20, 3), tall(E, 20, 3)];
  expect(way.evaluate(E.matrix(3, 3), G, Y).value).toBeNaN();
});
