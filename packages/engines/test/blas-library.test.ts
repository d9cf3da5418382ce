/** Libraries that are not on this machine, played by a koffi that has only the symbols a test gives it. */

import type { Engine } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { native } from "../src/native-browser.js";

type Symbols = Record<string, (...args: never[]) => unknown>;
let machine: Record<string, Symbols> | Error;
/** One koffi for each machine, and how often its libraries were asked for a function */
const koffis = new WeakMap<object, object>();
let asked = 0;

vi.mock("koffi", () => ({
  get default() {
    if (machine instanceof Error) throw machine;
    const libraries = machine;
    const koffi = koffis.get(libraries) ?? {
      config: () => ({}),
      load(path: string) {
        const symbols = libraries[path];
        if (!symbols) throw new Error("Failed to load shared library: cannot open shared object file");
        return {
          func(name: string) {
            asked++;
            if (!symbols[name]) throw new Error(`Cannot find function '${name}' in shared library`);
            return symbols[name];
          },
        };
      },
    };
    koffis.set(libraries, koffi);
    return koffi;
  },
}));
const { blasEngine } = await import("../src/blas/engine.js");
const { knownLibraries } = await import("../src/blas/library.js");

/** dscal_ as a library with 32-bit or 64-bit integers reads its n */
const dscal = (bits: 32 | 64) => (n: Int32Array, a: Float64Array, x: Float64Array) => {
  const count = bits === 32 ? n[0]! : Number(new BigInt64Array(n.buffer)[0]);
  for (let i = 0; i < count; i++) x[i]! *= a[0]!;
};
const nothing = () => undefined;
const blas: Symbols = {
  cblas_dgemm: nothing,
  cblas_dsyrk: nothing,
  cblas_ddot: nothing,
  cblas_dsymv: nothing,
  cblas_dtrsm: nothing,
  dscal_: dscal(32),
};
const lapack: Symbols = {
  dsyevd_: nothing,
  dsytrd_: nothing,
  dsterf_: nothing,
  dstein_: nothing,
  dstemr_: nothing,
  dormtr_: nothing,
  dgesdd_: nothing,
  dpotrf_: nothing,
  dsygst_: nothing,
  dgesv_: nothing,
};

const refused = async (...words: RegExp[]): Promise<void> => {
  const error = await blasEngine().then(
    () => undefined,
    (e: Error) => e,
  );
  expect(error).toBeInstanceOf(EngineError);
  for (const word of words) expect(error!.message).toMatch(word);
};

beforeEach(() => vi.stubEnv("EXPEN_BLAS", undefined));
afterEach(() => {
  // in this order: the environment is part of `process`, which one test takes away
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test("a library is declared once for all engines with the same number of threads", async () => {
  machine = { "libopenblas.so.0": { ...blas, ...lapack, openblas_set_num_threads: nothing } };
  const open = async (threads: number): Promise<number> => {
    asked = 0;
    (await blasEngine({ threads })).dispose();
    return asked;
  };
  expect(await open(1)).toBeGreaterThan(5);
  expect(await open(1)).toBe(0);
  expect(await open(2)).toBeGreaterThan(5);
});

test("without koffi, the error says what to install", async () => {
  machine = new Error("Cannot find package 'koffi'");
  await refused(/koffi/, /npm install koffi/);
});

test("EXPEN_BLAS=none hides every library, with or without koffi, but not one that the program names", async () => {
  vi.stubEnv("EXPEN_BLAS", "none");
  for (const koffi of [
    new Error("Cannot find package 'koffi'"),
    { "libopenblas.so.0": blas, "libblas.so.3": blas, none: blas },
  ]) {
    machine = koffi;
    await refused(/^blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS/);
  }
  expect((await blasEngine({ library: "libopenblas.so.0" })).description).toMatch(/^libopenblas\.so\.0, /);
});

test("in a browser, the error names the engine to use instead", async () => {
  await expect(native.blas({})).rejects.toThrow(
    "blas: there are no native libraries in a browser; use the wasm engine.",
  );
});

describe.runIf(process.platform === "linux")("on Linux", () => {
  test("the known names are tried in order; the error lists them if none loads", async () => {
    machine = { "libopenblas.so.0": { ...blas, ...lapack }, "libblis.so.4": blas };
    expect((await blasEngine()).description).toMatch(/^libopenblas\.so\.0, /);
    machine = {};
    await refused(...knownLibraries("linux").map((name) => new RegExp(name)), /doctor/, /EXPEN_BLAS/);
  });

  test("a BLAS without LAPACK takes liblapack if it loads, and works without it", async () => {
    machine = { "libblis.so.4": blas, "liblapack.so.3": lapack };
    const both: Engine = await blasEngine();
    expect(both.factor.library).toBe("LAPACK");
    expect(both.description).toMatch(/LAPACK of liblapack\.so\.3/);
    machine = { "libblis.so.4": blas };
    const alone = await blasEngine();
    expect(alone.factor.library).toBeUndefined();
    expect(alone.description).toMatch(/no LAPACK/);
  });

  test("builds with 64-bit integers are recognised by the suffix or by a call", async () => {
    machine = { "libopenblas.so.0": { cblas_dgemm64_: nothing } };
    await refused(/libopenblas\.so\.0/, /64-bit integers/);
    machine = { "libopenblas.so.0": { ...blas, ...lapack, dscal_: dscal(64) } };
    await refused(/64-bit integers/, /LP64/);
  });

  test("a library that cannot be used is skipped", async () => {
    machine = { "libopenblas.so.0": { ...blas, dscal_: dscal(64) }, "libblas.so.3": blas };
    expect((await blasEngine()).description).toMatch(/^libblas\.so\.3/);
  });

  test("the layers of MKL are set before its first use; more than one thread need OpenMP", async () => {
    const calls: string[] = [];
    let layer: number | undefined;
    const mkl: Symbols = {
      ...blas,
      ...lapack,
      dscal_: (...args: [never, never, never]) => {
        calls.push("dscal");
        dscal(32)(...args);
      },
      MKL_Set_Threading_Layer: (wanted: number) => {
        calls.push(`layer ${wanted}`);
        layer ??= wanted;
        return layer;
      },
      MKL_Set_Interface_Layer: () => 0,
      MKL_Set_Num_Threads: nothing,
    };
    machine = { "libmkl_rt.so.2": mkl };
    await expect(blasEngine({ threads: 2 })).rejects.toThrow(/libiomp5/);
    expect(calls).toEqual([]);
    await blasEngine();
    expect(calls).toEqual(["layer 1", "dscal"]);
    machine = { "libmkl_rt.so.2": mkl, "libiomp5.so": {} };
    await expect(blasEngine({ threads: 2 })).rejects.toThrow(/first opened with 1/);
    layer = undefined;
    expect((await blasEngine({ threads: 2 })).description).toMatch(/2 threads/);
    expect((await blasEngine()).description).toMatch(/1 thread,/);
  });

  test("the library computes all products but the smallest", async () => {
    const [dgemm, dsyrk] = [vi.fn(), vi.fn()];
    machine = { "libopenblas.so.0": { ...blas, ...lapack, cblas_dgemm: dgemm, cblas_dsyrk: dsyrk } };
    const E = await blasEngine();
    const [S, T, X, small] = [E.small(60, 60), E.small(60, 60), E.tall(1000, 60), E.small(3, 3)];
    E.mul(S, T, T);
    E.tmul(T, X, X);
    expect(dgemm).toHaveBeenCalledTimes(2);
    E.gram(S, X);
    expect(dsyrk).toHaveBeenCalled();
    const before = [dgemm, dsyrk].map((call) => call.mock.calls.length);
    E.mul(E.small(3, 3), small, small);
    E.gram(E.small(3, 3), small);
    expect([dgemm, dsyrk].map((call) => call.mock.calls.length)).toEqual(before);
  });

  test("the number of threads is set before products, once for the same number", async () => {
    const set = vi.fn();
    machine = { "libopenblas.so.0": { ...blas, ...lapack, openblas_set_num_threads: set } };
    const E = await blasEngine({ threads: 3 });
    expect(E.description).toMatch(/3 threads/);
    const [A, B, C] = [E.small(60, 60), E.small(60, 60), E.small(60, 60)];
    E.mul(C, A, B);
    E.mul(C, A, B);
    E.factor.cholesky(B, A);
    E.factor.divide(C, A);
    expect(set.mock.calls).toEqual([[3], [1], [3]]);
  });
});
