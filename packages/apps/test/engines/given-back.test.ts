/** Engines are closed by their opener: the library closes those that it opened, and leaves those of the caller open. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { StiefelOptions } from "@expen/core";
import { stiefel } from "@expen/core";
import { loadMolecule } from "@expen/data";
import { openEngine } from "@expen/engines";
import type { Engine, Matrix, Tall } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { minimize } from "@expen/solvers";
import { blasHere } from "@expen/testing/contracts/blas-here";
import { describe, expect, test } from "vitest";
import * as apps from "../../src/index.js";

const [n, p] = [12, 2];
const { absent: noBlas } = await blasHere({});

/** ½ tr XᵀDX, D = Diag(0, 1, …): the minimum is ½ */
function diagonal(E: Engine) {
  const D = E.tall(n, 1);
  D.data.forEach((_, i) => void (D.data[i] = i));
  return {
    fg(G: Tall, X: Tall): number {
      E.scaleRows(G, D, X);
      return 0.5 * E.dot(X, G);
    },
  };
}

describe("minimize", () => {
  test("closes the engine that it opened; the result stays", async () => {
    let seen: Engine | undefined;
    const result = await minimize((E) => diagonal((seen = E)), { on: stiefel(n, p) });
    expect(() => seen!.tall(2, 2)).toThrow(/disposed/);
    expect(result.fval).toBeCloseTo(0.5, 8);
    expect(result.X.data).toHaveLength(n * p);
    expect(result.X.data.reduce((s, x) => s + x * x, 0)).toBeCloseTo(p, 10);
  });

  test("closes it when f throws, before the run or in it, and the last point stays", async () => {
    let seen: Engine | undefined;
    const early = minimize(
      (E) => {
        seen = E;
        throw new Error("no data");
      },
      { on: stiefel(n, p) },
    );
    await expect(early).rejects.toThrow("no data");
    expect(() => seen!.tall(2, 2)).toThrow(/disposed/);
    let calls = 0;
    const late = minimize(
      (E) => {
        const { fg } = diagonal((seen = E));
        return {
          fg(G, X) {
            if (++calls > 8) throw new Error("no more");
            return fg(G, X);
          },
        };
      },
      { on: stiefel(n, p), check: false },
    );
    const error = await late.then(
      () => expect.fail("nothing was thrown"),
      (e: Error & { X: Matrix }) => e,
    );
    expect(error.message).toContain("no more");
    expect(() => seen!.tall(2, 2)).toThrow(/disposed/);
    expect(Array.from(error.X.data).every(Number.isFinite) && error.X.data.length).toBe(n * p);
  });

  test("leaves the caller's engine open", async () => {
    const E = await openEngine("wasm");
    await minimize(diagonal, { on: stiefel(n, p), engine: E });
    await expect(
      minimize(() => ({ f: () => Number.NaN }) as never, { on: stiefel(n, p), engine: E }),
    ).rejects.toThrow();
    expect(E.small(2, 2).data).toHaveLength(4);
    E.dispose();
  });
});

describe("applications", () => {
  const A = gaussian(30, 5, random(1, "A"));
  const B = gaussian(30, 5, random(2, "B"));
  const labels = Array.from({ length: 30 }, (_, i) => i % 3);
  const symmetric = [1, 2].map((seed) => {
    const M = gaussian(4, 4, random(seed, "S"));
    return { ...M, data: M.data.map((v, k) => v + M.data[(k % 4) * 4 + Math.floor(k / 4)]!) };
  });
  const ring = { rows: 4, cols: 4, data: Float64Array.from([0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0]) };
  const rotations = [0.1, 0.4].map((a) => ({
    rows: 2,
    cols: 2,
    data: Float64Array.of(Math.cos(a), -Math.sin(a), Math.sin(a), Math.cos(a)),
  }));
  /** The numbers of the first matrix of a point */
  const first = (X: object): Float64Array => ("data" in X ? (X.data as Float64Array) : first(Object.values(X)[0]));
  type Given = StiefelOptions & { engine?: Engine };
  const calls: Record<string, (o: Given) => Promise<unknown>> = {
    // a solver that is named runs instead of the closed form
    pca: (o) => apps.pca(A, { p: 2, solver: "auto", ...o }),
    robustPca: (o) => apps.robustPca(A, { p: 2, ...o }),
    sparsePca: (o) => apps.sparsePca(A, { p: 2, weight: 0.1, ...o }),
    ica: (o) => apps.ica(A, { p: 2, starts: 1, ...o }),
    procrustes: (o) => apps.procrustes(A, B, { solver: "auto", ...o }),
    align: (o) => apps.align(A, B, { solver: "auto", ...o }),
    dictionary: (o) => apps.dictionary(A, o),
    jointDiagonalization: (o) => apps.jointDiagonalization(symmetric, o),
    factorRotation: (o) => apps.factorRotation(A, { starts: 2, ...o }),
    hartreeFock: async (o) => apps.hartreeFock(await loadMolecule("examples/data/molecules/H2-sto-3g.npz"), o),
    discriminant: (o) => apps.discriminant(A, labels, { p: 2, ...o }),
    canonicalCorrelation: (o) => apps.canonicalCorrelation(A, B, { p: 2, ...o }),
    tucker: (o) => apps.tucker(symmetric, { ranks: [2, 2, 2], ...o }),
    completion: (o) => apps.completion(A, { p: 2, ...o }),
    clusters: (o) => apps.clusters(A, { p: 2, ...o }),
    nonnegativePca: (o) => apps.nonnegativePca(A, { p: 2, ...o }),
    maxCut: (o) => apps.maxCut(ring, o),
    graphPartition: (o) => apps.graphPartition(ring, o),
    meanRotation: (o) => apps.meanRotation(rotations, o),
  };
  /** Every number of an answer but the times */
  const numbers = (answer: unknown): string =>
    JSON.stringify(answer, (key, value) =>
      key === "seconds" ? 0 : ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value,
    );

  test("the list contains every application", () => {
    const all = Object.entries(apps).filter(([, value]) => typeof value === "function");
    // no run that could be observed
    const direct = ["generalizedEigen", "truncatedSvd"];
    expect([...Object.keys(calls), ...direct].sort()).toEqual(all.map(([name]) => name).sort());
  });

  test.each(Object.entries(calls))(
    "%s closes what it opened, also when it throws, and nothing else",
    async (_name, call) => {
      let X: object | undefined;
      const answer = await call({ observe: (s) => void (X = s.X) });
      expect(first(X!)).toHaveLength(0);
      const thrown = call({
        observe(s) {
          X = s.X;
          throw new Error("seen enough");
        },
      });
      await expect(thrown).rejects.toThrow("seen enough");
      expect(first(X!)).toHaveLength(0);
      const E = await openEngine("auto");
      const same = await call({ engine: E, observe: (s) => void (X = s.X) });
      expect(first(X!).length).toBeGreaterThan(0);
      E.dispose();
      expect(numbers(answer)).toBe(numbers(same));
    },
  );
});

describe("a process of many runs", () => {
  const index = JSON.stringify(new URL("../../../expen/dist/index.js", import.meta.url).href);
  /** Collected until four rounds in a row gave nothing back: what is freed by a finalizer comes late where the machine is busy */
  const settled = `for (let idle = 0, least = Infinity; idle < 4; idle++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external < least - 65536) [idle, least] = [-1, heapUsed + external];
  }`;

  async function child(script: string): Promise<{ rss: number; heapUsed: number; external: number; left: string[] }[]> {
    const args = [
      ...process.execArgv,
      "--expose-gc",
      "--input-type=module",
      "-e",
      `import { minimize, openEngine, stiefel } from ${index};\n${script}`,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
      timeout: 100_000,
    });
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
  const report = `console.log(JSON.stringify({
    ...process.memoryUsage(), left: process.getActiveResourcesInfo().filter((name) => !/^(PipeWrap|TTYWrap)$/.test(name)) }));`;

  const long = process.env.EXPEN_LONG ? 1000 : 0;
  const kinds: [string, string, number][] = [
    ["engines of its own", "undefined", long || 100],
    ["wasm", `await openEngine("wasm")`, long || 60],
    ["wasm, two threads", `await openEngine("wasm", { threads: 2 })`, long || 25],
    ["blas", `await openEngine("blas")`, noBlas ? 0 : long || 60],
  ];
  const here = kinds.filter(([, , count]) => count > 0);

  test.each(here)(
    "%s: memory stays flat, no handle is left, the process ends by itself",
    async (_name, open, count) => {
      const [early, late] = await child(`
      for (let i = 1; i <= ${count}; i++) {
        const engine = ${open};
        const { fval, X } = await minimize((E) => {
          const D = E.tall(${n}, 1);
          for (let j = 0; j < ${n}; j++) D.data[j] = j;
          return { fg(G, X) { E.scaleRows(G, D, X); return 0.5 * E.dot(X, G); } };
        }, { on: stiefel(${n}, ${p}), check: false, engine });
        engine?.dispose();
        if (!(Math.abs(fval - 0.5) < 1e-6) || X.data.length !== ${n * p}) throw new Error("run " + i + ": f = " + fval);
        if (i === ${Math.ceil(count / 4)} || i === ${count}) { ${settled} ${report} }
      }`);
      const MiB = 2 ** 20;
      expect(late!.left).toEqual([]);
      // an engine that is kept would be seen in the heap, its memory in the rest: with what threads leave where the machine is busy
      expect(late!.heapUsed - early!.heapUsed).toBeLessThan(MiB);
      expect(late!.external - early!.external).toBeLessThan(MiB);
      expect(late!.rss - early!.rss).toBeLessThan(32 * MiB);
    },
  );

  test.each(here.slice(1))(
    "%s: a disposed engine releases its memory although a reference remains",
    async (_name, open) => {
      const [early, late] = await child(`
      const kept = [];
      for (let i = 1; i <= 5; i++) {
        const E = ${open};
        E.fill(E.tall(4000, 2500), i);
        E.dispose();
        kept.push(E);
        if (i === 1 || i === 5) { ${settled} ${report} }
      }`);
      // four more engines of 76 MiB each
      expect(late!.rss - early!.rss).toBeLessThan(100 * 2 ** 20);
    },
  );
});
