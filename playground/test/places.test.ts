import { violationOf } from "@expen/core";
import { minimize, oblique, stiefel } from "expen";
import { wasmEngine } from "expen/engines";
import { problems } from "expen/problems";
import { describe, expect, test } from "vitest";
import { places, shapeOn } from "../src/places.js";
import type { Progress, RaceSpec } from "../src/protocol.js";
import { checkSize, openCourse } from "../src/worker/course.js";
import { loadMolecule } from "../src/worker/molecules.js";
import { manifoldOf, refusalsOn } from "../src/worker/place.js";
import { race } from "../src/worker/race.js";

const quadratic = (on: string, n: number, p: number, solvers: string[]): RaceSpec => ({
  problem: { kind: "catalog", name: "quadratic", options: {} },
  ...shapeOn(on, n, p),
  on,
  seed: 3,
  ridge: 0,
  entrants: solvers.map((solver) => ({ solver, options: {} })),
  threads: 1,
});

async function ends(spec: RaceSpec, molecule?: Awaited<ReturnType<typeof loadMolecule>>): Promise<Progress[]> {
  const E = await wasmEngine();
  const all: Progress[] = [];
  const running = await race(E, openCourse(E, spec, molecule), spec, (news) => {
    for (const entry of news) if (entry.result || entry.error) all[entry.entrant] = entry;
  });
  await running.finished;
  E.dispose();
  return all;
}

describe("where X lives", () => {
  test.each(places.filter(({ name, parts }) => name !== "euclidean" && !parts))(
    "a race on $name ends there",
    async ({ name }) => {
      const spec = quadratic(name, 12, 3, ["auto", "rcg"]);
      for (const { result } of await ends(spec)) {
        expect(result?.reason.converged).toBe(true);
        const E = await wasmEngine();
        const bound = manifoldOf(name, spec.n, spec.p).bind(E);
        expect(violationOf(bound.E, bound.on)(E.tall(spec.n, spec.p, result!.X!))).toBeLessThan(1e-13 * spec.n);
        E.dispose();
      }
    },
  );

  test.each(["complex-stiefel", "pair"])(
    "one's own formula is raced on %s, a problem of the list is not",
    async (on) => {
      const diagonal =
        "Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? i + 1 : 0)))";
      const code =
        on === "pair"
          ? `return scale(-1, trace(mul(t(X.U), ${diagonal}, X.V)));`
          : `const A = ${diagonal}; return add(inner(X.re, mul(A, X.re)), inner(X.im, mul(A, X.im)));`;
      const spec: RaceSpec = { ...quadratic(on, 6, 2, ["auto", "rcg"]), problem: { kind: "code", code } };
      for (const { result } of await ends(spec)) {
        expect(result?.reason.converged).toBe(true);
        // 1 + 2, and −(6 + 5)
        expect(result!.fval).toBeCloseTo(on === "pair" ? -11 : 3, 8);
      }
      const E = await wasmEngine();
      expect(() => openCourse(E, quadratic(on, 6, 2, []))).toThrow(
        `a point of ${on} has several matrices; use a formula`,
      );
      E.dispose();
    },
  );

  test("the race is the library's own run", async () => {
    const [mine] = await ends(quadratic("oblique", 12, 3, ["auto"]));
    const E = await wasmEngine();
    const { objective } = problems.get("quadratic")!.make(E, { n: 12, p: 3, seed: 3 });
    const { fval, iterations } = await minimize(objective, { on: oblique(12, 3), engine: E, seed: 3 });
    E.dispose();
    expect([mine!.result!.fval, mine!.result!.iterations]).toEqual([fval, iterations]);
  });

  test("solvers for orthonormal columns alone say so elsewhere, and every place has the default", async () => {
    expect(refusalsOn("stiefel")).toEqual({});
    expect(refusalsOn("oblique")["wen-yin"]).toMatch(/^solver 'wen-yin' has no meaning on oblique; take one of auto,/);
    expect(Object.keys(refusalsOn("generalized-stiefel"))).toContain("landing");
    for (const { name } of places) expect(refusalsOn(name)).not.toHaveProperty("expen");
    const [refused] = await ends(quadratic("oblique", 12, 3, ["wen-yin"]));
    expect(refused!.error).toBe(refusalsOn("oblique")["wen-yin"]);
  });

  test("sizes are those of the place, and an odd name is a sentence", () => {
    expect(shapeOn("sphere", 9, 4)).toEqual({ n: 9, p: 1 });
    expect(shapeOn("special-orthogonal", 9, 4)).toEqual({ n: 9, p: 9 });
    expect(() => checkSize(3, 5, "oblique")).not.toThrow();
    expect(() => checkSize(3, 5)).toThrow("p = 5 is above n = 3");
    expect(() => manifoldOf("torus", 3, 1)).toThrow("on is 'torus'; it must be one of stiefel, grassmann");
    expect(manifoldOf("stiefel", 4, 2).text).toBe(stiefel(4, 2).text);
  });
});

test("a molecule ends at the energy of its file, and nobody calls that a proof", async () => {
  const options = { molecule: "LiH", basis: "6-31g" };
  const molecule = await loadMolecule(options);
  const spec: RaceSpec = {
    ...quadratic("stiefel", molecule.size, molecule.occupied, ["auto", "rcg"]),
    problem: { kind: "catalog", name: "molecule", options },
  };
  for (const { result } of await ends(spec, molecule)) {
    expect(Math.abs(result!.fval - molecule.reference!)).toBeLessThan(1e-8);
    expect(result!.certificate.level).not.toBe("global");
  }
  await expect(loadMolecule({ molecule: "Xe" })).rejects.toThrow("there is no molecule 'Xe' in 'sto-3g' here");
});
