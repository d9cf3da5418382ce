import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { State } from "@expen/core";
import { loadMolecule, type Molecule, pair, pairs } from "@expen/data";
import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { ml, normal, orthogonal, plain } from "@expen/testing/applications/support";
import { objectiveContract } from "@expen/testing/contracts/objective";
import { split } from "@expen/testing/engines/split";
import { EigenvalueDecomposition, Matrix as Ml } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { hartreeFockEnergy } from "../src/hartree-fock/energy.js";
import { fockOperator } from "../src/hartree-fock/fock.js";
import { responseModel } from "../src/hartree-fock/response-model.js";
import { type HartreeFockAnswer, hartreeFock } from "../src/hartree-fock.js";

const folder = fileURLToPath(new URL("../../../examples/data/molecules/", import.meta.url));
const shipped = readdirSync(folder).filter((file) => file.endsWith(".npz"));
const molecule = (name: string): Promise<Molecule> => loadMolecule(`${folder}${name}`);

/** Symmetric numbers without any meaning: h, S ≻ 0 and integrals of eightfold symmetry */
function invented(size: number, occupied: number, seed: number): Molecule {
  const [A, B] = [normal(size, size, seed), normal(size, size, seed + 1)];
  const r = random(seed, "integrals");
  return {
    size,
    occupied,
    nuclear: 0.5,
    S: plain(A.mmul(A.transpose()).mul(0.1).add(Ml.eye(size))),
    h: plain(B.add(B.transpose())),
    integrals: Float64Array.from({ length: pairs(pairs(size)) }, () => 0.3 * r.normal()),
  };
}

const energyOf = (E: Engine, given: Molecule) =>
  hartreeFockEnergy(E, fockOperator(E, given), { p: given.occupied, nuclear: given.nuclear }, () => undefined);

/** E(C) = 2 Σ h_ii + Σ_ij [2(ii|jj) − (ij|ij)] + E_nuc over occupied orbitals, by its definition */
function energyByDefinition({ size: N, h, integrals, nuclear }: Molecule, C: Ml): number {
  const D = C.mmul(C.transpose());
  let sum = nuclear + 2 * D.mmul(ml(h)).trace();
  for (let i = 0; i < N; i++)
    for (let j = 0; j < N; j++)
      for (let k = 0; k < N; k++)
        for (let l = 0; l < N; l++) {
          const coulomb = 2 * D.get(i, j) * D.get(k, l) - D.get(i, k) * D.get(j, l);
          sum += coulomb * integrals[pair(pair(i, j), pair(k, l))]!;
        }
  return sum;
}

function inverseRoot(S: Ml): Ml {
  const { eigenvectorMatrix: V, realEigenvalues: w } = new EigenvalueDecomposition(S, { assumeSymmetric: true });
  return V.mmul(Ml.diag(w.map((x) => x ** -0.5))).mmul(V.transpose());
}

describe("the energy", () => {
  const given = invented(5, 2, 1);

  test("is that of its definition in the overlapping basis, and the same for XQ", () => {
    const E = jsEngine();
    const { objective, builds } = energyOf(E, given);
    const X = orthogonal(5, 2, 3);
    const expected = energyByDefinition(given, inverseRoot(ml(given.S!)).mmul(X));
    expect(objective.f(E.tall(5, 2, plain(X).data))).toBeCloseTo(expected, 10);
    const turned = E.tall(5, 2, plain(X.mmul(orthogonal(2, 2, 4))).data);
    expect(objective.f(turned)).toBeCloseTo(expected, 10);
    // the span is the same: nothing was built again
    expect(builds).toEqual({ energy: 1, hessian: 0 });
    objective.f(E.tall(5, 2, plain(orthogonal(5, 2, 5)).data));
    expect(builds.energy).toBe(2);
  });

  objectiveContract(
    "hartree-fock",
    (E) => ({
      name: "hartree-fock",
      title: "f(X) = E(S^(−1/2)X)",
      n: 5,
      p: 2,
      objective: energyOf(E, given).objective,
    }),
    { engines: { js: jsEngine, split: () => split(jsEngine()) } },
  );
});

describe("the model of G", () => {
  const N = 4;
  const E = jsEngine();
  const { build } = fockOperator(E, invented(N, 2, 2));
  const symmetric = (seed: number): Tall => {
    const A = normal(N, N, seed);
    return E.tall(N, N, plain(A.add(A.transpose())).data);
  };
  const image = (apply: (G: Tall, P: Tall) => void, P: Tall): Ml => {
    const G = E.tall(N, N);
    apply(G, P);
    return ml({ rows: N, cols: N, data: E.read(G) });
  };
  const distance = (A: Ml, B: Ml): number => A.clone().sub(B).norm("frobenius");

  test("is γI at first, equals G on all learned pairs, is symmetric, and equals G after as many pairs as dimensions", () => {
    const model = responseModel(E, N, -0.15);
    const Ps = Array.from({ length: pairs(N) }, (_, k) => symmetric(10 + k));
    const other = symmetric(99);
    expect(distance(image(model.apply, other), ml({ rows: N, cols: N, data: E.read(other) }).mul(-0.15))).toBeLessThan(
      1e-14,
    );
    for (const [k, P] of Ps.entries()) {
      const G = E.tall(N, N);
      build(G, P);
      model.learn(P, G);
      for (const seen of Ps.slice(0, k + 1)) {
        expect(distance(image(model.apply, seen), image(build, seen))).toBeLessThan(1e-10);
      }
      const [A, B] = [symmetric(50 + k), symmetric(80 + k)];
      const inner = (G: Ml, P: Tall): number => Ml.mul(G, ml({ rows: N, cols: N, data: E.read(P) })).sum();
      expect(inner(image(model.apply, A), B)).toBeCloseTo(inner(image(model.apply, B), A), 9);
      if (k < Ps.length - 1) expect(distance(image(model.apply, other), image(build, other))).toBeGreaterThan(1e-3);
    }
    expect(distance(image(model.apply, other), image(build, other))).toBeLessThan(1e-9);
  });
});

describe("closed forms", () => {
  test("without integrals: twice the sum of the lowest eigenvalues of S^(−1/2) h S^(−1/2)", async () => {
    const { size, ...rest } = invented(8, 3, 5);
    const free = { ...rest, size, integrals: new Float64Array(pairs(pairs(size))) };
    const L = inverseRoot(ml(free.S!));
    const values = new EigenvalueDecomposition(L.mmul(ml(free.h)).mmul(L), { assumeSymmetric: true }).realEigenvalues;
    const lowest = values.sort((a, b) => a - b).slice(0, 3);
    const { energy, builds } = await hartreeFock(free, { engine: jsEngine() });
    expect(energy).toBeCloseTo(2 * lowest.reduce((s, v) => s + v, 0) + 0.5, 10);
    expect(builds.energy).toBe(1);
  });

  test("all orbitals occupied: the density is unique", async () => {
    const full = invented(3, 3, 6);
    const { energy, gap, orbitals } = await hartreeFock(full, { engine: jsEngine() });
    expect(energy).toBeCloseTo(energyByDefinition(full, ml(orbitals)), 10);
    expect(gap).toBeUndefined();
  });
});

describe("molecules", () => {
  const answers = new Map<string, { given: Molecule; answer: HartreeFockAnswer }>();

  test.each(shipped)("%s: PySCF's lowest energy, orbitals that are eigenvectors of their F", async (file) => {
    const given = await molecule(file);
    const answer = await hartreeFock(given, { engine: jsEngine() });
    answers.set(file, { given, answer });
    const { energy, orbitals, orbitalEnergies, occupied: p, run } = answer;
    expect(Math.abs(energy - given.reference!)).toBeLessThan(1e-8);
    expect(run.certificate.level).toBe("second-order");
    const [C, S, h] = [ml(orbitals), ml(given.S!), ml(given.h)];
    const overlap = C.transpose().mmul(S).mmul(C);
    expect(overlap.sub(Ml.eye(given.size)).norm("frobenius")).toBeLessThan(1e-10);
    const occupied = C.subMatrix(0, given.size - 1, 0, p - 1);
    if (given.size < 12) expect(energyByDefinition(given, occupied)).toBeCloseTo(energy, 9);
    // E = Σ (ε_i + h_ii) + E_nuc
    const core = occupied.transpose().mmul(h).mmul(occupied).trace();
    const sum = orbitalEnergies.slice(0, p).reduce((s, e) => s + e, core + given.nuclear);
    expect(sum).toBeCloseTo(energy, 9);
  });

  test("fewer Fock builds than DIIS in the median, and never more unless DIIS ends at a saddle", () => {
    const counts = [...answers.values()].map(({ given, answer }) => ({
      ours: answer.builds.energy,
      diis: given.diis!.builds,
      saddle: given.diis!.energy > given.reference! + 1e-6,
    }));
    expect(counts).toHaveLength(shipped.length);
    const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
    expect(middle(counts.map((c) => c.ours))).toBeLessThan(middle(counts.map((c) => c.diis)));
    expect(counts.filter(({ ours, diis, saddle }) => ours > diis && !saddle)).toEqual([]);
  });

  test("the run leaves a saddle and emits an event", async () => {
    const [saddles, states]: [number[], State[]] = [[], []];
    const given = await molecule("BH-sto-3g.npz");
    const { energy, run } = await hartreeFock(given, {
      engine: jsEngine(),
      history: true,
      observe: (s) => states.push({ ...s }),
      events: { saddle: ({ fval }) => saddles.push(fval) },
    });
    expect(saddles).toHaveLength(1);
    expect(saddles[0]! - energy).toBeGreaterThan(0.2);
    expect(run.notes.join()).toMatch(/left a saddle/);
    expect(run.history!.map((row) => row.f)).toEqual(states.map((s) => s.f));
    expect(run.history!.map((row) => row.k)).toEqual(states.map((_, k) => k));
    expect(run.iterations).toBe(states.at(-1)!.k);
  });

  test("FCIDUMP and .npz give the same energy", async () => {
    const [a, b] = await Promise.all(
      ["H2O-sto-3g.fcidump", "H2O-sto-3g.npz"].map(async (file) =>
        hartreeFock(await molecule(file), { engine: jsEngine() }),
      ),
    );
    expect(a!.energy).toBeCloseTo(b!.energy, 9);
    for (const [j, e] of a!.orbitalEnergies.entries()) expect(e).toBeCloseTo(b!.orbitalEnergies[j]!, 4);
  });

  test("a general solver finds the same energy; a limit ends the iteration; a tighter tolerance is reached", async () => {
    const given = await molecule("LiH-6-31g.npz");
    const engine = jsEngine();
    const { energy } = await hartreeFock(given, { engine, solver: "rlbfgs" });
    expect(Math.abs(energy - given.reference!)).toBeLessThan(1e-8);
    const cut = await hartreeFock(given, { engine, maxIterations: 2 });
    expect([cut.run.status, cut.run.iterations, cut.builds.energy]).toEqual(["iterations", 2, 3]);
    const tight = await hartreeFock(given, { engine, tol: 1e-9 });
    expect(tight.run.status).toBe("converged");
    expect(tight.run.stationarity).toBeLessThanOrEqual(1e-9);
    const floor = await hartreeFock(given, { engine, tol: 1e-17 });
    expect(floor.run.stationarity).toBeLessThan(1e-11);
    expect(floor.run.status).toBe("rounding");
    expect(floor.builds.energy).toBeLessThan(20);
    const stopped = await hartreeFock(given, { engine, signal: AbortSignal.abort() });
    expect(stopped.run.status).toBe("aborted");
  });

  test("functions that depend on each other are refused in one sentence", async () => {
    const given = invented(3, 1, 7);
    const S = { rows: 3, cols: 3, data: Float64Array.of(1, 1, 0, 1, 1, 0, 0, 0, 1) };
    await expect(hartreeFock({ ...given, S }, { engine: jsEngine() })).rejects.toThrow(
      /^hartree-fock: the overlap S has the eigenvalue .*; it must be positive definite, leave functions out\.$/,
    );
  });
});
