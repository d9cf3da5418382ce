/** What may be missing or fail around a device is one sentence with what to do; a run keeps its last good point. */

import { drain, ObjectiveError, stiefel } from "@expen/core";
import { noeig } from "@expen/experiments/paper";
import type { Tall } from "@expen/linalg";
import { EngineError } from "@expen/linalg";
import { bytesNeeded, MemoryError } from "@expen/linalg/memory";
import { minimize, solverParts, solveStiefel } from "@expen/solvers";
import { emulatedCuda } from "@expen/testing/engines/cuda/emulated";
import { describe, expect, test } from "vitest";
import { cudaEngineOn } from "../src/cuda/engine.js";
import { candidates, type Folders } from "../src/cuda/find.js";
import { type FunctionName, libraries } from "../src/cuda/functions.js";
import { declareAll, type Koffi } from "../src/cuda/native.js";

const folders = (tree: Record<string, string[]>, env: Folders["env"] = {}): Folders => ({
  env,
  list: (folder) => tree[folder] ?? [],
});

describe("where libraries are looked for", () => {
  const files = ["libcublas.so", "libcublas.so.12", "libcublas.so.12.4.5", "libcublasLt.so.12", "libcublas.so.9"];

  test("LD_LIBRARY_PATH, system folders, wheels, in this order; only CUDA 12 and 13", () => {
    const wheel = "/venv/lib/python3.12/site-packages/nvidia/cublas/lib";
    const tree = { "/mine": files, "/usr/local/cuda/lib64": ["libcublas.so.13"], [wheel]: ["libcublas.so.12"] };
    const env = { LD_LIBRARY_PATH: "/nowhere:/mine", VIRTUAL_ENV: "/venv" };
    const found = candidates("cublas", folders({ ...tree, "/venv/lib": ["python3.12"] }, env));
    expect(found).toEqual([
      "/mine/libcublas.so.12",
      "/mine/libcublas.so.12.4.5",
      "/usr/local/cuda/lib64/libcublas.so.13",
      `${wheel}/libcublas.so.12`,
      "libcublas.so.13",
      "libcublas.so.12",
    ]);
  });

  test("EXPEN_CUDA is the only folder where it is set, and an error where it has nothing", () => {
    const tree = { "/cuda/lib64": files, "/usr/local/cuda/lib64": ["libcublas.so.13"] };
    const [first] = candidates("cublas", folders(tree, { EXPEN_CUDA: "/cuda" }));
    expect(first).toBe("/cuda/lib64/libcublas.so.12");
    const wrong = (): unknown => candidates("cusolver", folders(tree, { EXPEN_CUDA: "/cuda" }));
    expect(wrong).toThrow(EngineError);
    expect(wrong).toThrow("EXPEN_CUDA = '/cuda' has no libcusolver.so; name the folder");
  });
});

describe("libraries that cannot be used", () => {
  /** Loads what `has` says, and every function but `without` */
  const koffi = (has: (path: string) => boolean, without?: FunctionName): Koffi => ({
    load(path) {
      if (!has(path)) throw new Error("Failed to load shared library: no such file");
      return {
        func(name) {
          if (name === without) throw new Error("no symbol");
          return () => 0;
        },
      };
    },
    address: () => 0n,
  });

  test("no driver, no library, a library that does not load, an old one", () => {
    const declare =
      (k: Koffi, f = folders({})) =>
      () =>
        declareAll(k, f);
    expect(declare(koffi(() => false))).toThrow(/no NVIDIA driver on this machine.*use another engine/);
    const driverOnly = koffi((path) => path.includes("libcuda.so"));
    expect(declare(driverOnly, folders({}))).toThrow(/libcublas was not found; install CUDA 12 or 13/);
    const there = folders({ "/usr/lib64": ["libcublas.so.12"] });
    expect(declare(driverOnly, there)).toThrow(/'\/usr\/lib64\/libcublas.so.12' could not be loaded \(no such file\)/);
    const old = koffi(() => true, "nvrtcGetCUBIN");
    expect(declare(old)).toThrow(/has no function nvrtcGetCUBIN; it is too old/);
    expect(declare(old)).toThrow(EngineError);
  });

  test("every function is declared with as many arguments as it is called with", () => {
    const declared: string[] = [];
    const cuda = declareAll(
      {
        load: () => ({
          func(name, result, args) {
            expect(result).toBe("int");
            declared.push(`${name} ${args.length}`);
            return () => 0;
          },
        }),
        address: () => 0n,
      },
      folders({}),
    );
    const all = Object.values(libraries).flatMap((l) =>
      Object.entries(l).map(([name, args]) => `${name} ${args.length}`),
    );
    expect(declared).toEqual(all);
    expect(cuda.paths).toEqual({
      driver: "libcuda.so.1",
      cublas: "libcublas.so.13",
      nvrtc: "libnvrtc.so.13",
      cusolver: "libcusolver.so.12",
    });
  });
});

describe("a device that cannot be used", () => {
  const opened = (options: Parameters<typeof emulatedCuda>[0], device?: number) => () =>
    cudaEngineOn(emulatedCuda(options), device === undefined ? {} : { device });

  test("none, an old driver, one that is not there", () => {
    expect(opened({ devices: 0 })).toThrow(/the driver does not start \(cuInit gave 100\)/);
    expect(opened({ driver: 11080 })).toThrow(/driver is of CUDA 11\.8; CUDA 12\.0 or later is needed/);
    expect(opened({ devices: 2 }, 2)).toThrow(/device 2 was asked for but there are 2/);
    expect(opened({ devices: 2 }, 1)).not.toThrow();
    expect(opened({ devices: 0 })).toThrow(EngineError);
  });

  test("a CUDA that does not know the device, a function that fails, a device that is lost", () => {
    const cuda = emulatedCuda();
    const E = cudaEngineOn(cuda);
    const [X, Y, S] = [E.tall(4, 2), E.tall(4, 2), E.small(2, 2)];
    cuda.codes.set("nvrtcCompileProgram", 5);
    expect(() => E.fill(X, 1)).toThrow(/NVRTC gave 5 for sm_90 \(no such\.\); install a CUDA that knows this device/);
    cuda.codes.clear();
    E.fill(X, 1);
    cuda.codes.set("cublasDgemm_v2", 13);
    expect(() => E.mul(Y, X, S)).toThrow("cuda: cublasDgemm_v2 failed with code 13; see nvidia-smi");
    cuda.codes.set("cuMemcpyDtoH_v2", 719);
    expect(() => E.dot(X, Y)).toThrow(/failed with code 719 \(a kernel failed and the device must be opened anew\)/);
    E.dispose();
    expect(() => E.tall(2, 2)).toThrow(/disposed/);
    expect(() => E.dot(X, Y)).toThrow(/disposed/);
  });
});

describe("memory of the device", () => {
  /** a unit of numbers, and of bytes */
  const [U, B] = [2 ** 16, 2 ** 19];

  test("a run that does not fit is refused with both numbers, before anything is taken; the host's memory is another matter", async () => {
    const cuda = emulatedCuda({ capacity: 60e6 });
    const E = cudaEngineOn(cuda);
    const { objective } = noeig(E, { n: 200_000, p: 4 });
    const before = cuda.used;
    await expect(solveStiefel(E, objective)).rejects.toThrow(MemoryError);
    await expect(solveStiefel(E, objective)).rejects.toThrow(
      /needs about 4\d\d MB .* but the device has (60\.0|59\.\d) MB free/,
    );
    expect(cuda.used).toBe(before);
  });

  test("a run with its certificate fits where the rule says so, and not with three matrices less", async () => {
    const [n, p, memory] = [2048, 8, 3];
    const run = async (missing: number) => {
      const cuda = emulatedCuda({ capacity: 2 ** 31 });
      const E = cudaEngineOn(cuda);
      const { objective } = noeig(E, { n, p });
      const parts = solverParts(n, p, { memory }).map(({ count, plain = 0, after = 0, ...of }) => ({
        ...of,
        count: count - plain - after,
      }));
      // the factors of L and scratch take some columns; Lanczos keeps its basis of 8 where the solver was
      cuda.capacity = cuda.used + bytesNeeded(parts) + 16 * 8 * n - missing * 8 * n * p;
      const options = { tol: 1, memory, certificateBudget: 8, certificate: "second-order" } as const;
      return drain(solveStiefel(E, objective, options), 0);
    };
    const { status, certificate } = await run(0);
    expect(status).toBe("converged");
    expect(certificate.curvature?.steps).toBe(8);
    await expect(run(3)).rejects.toThrow(/no memory for 2048×8 doubles/);
  });

  test("dropped matrices make room without the event loop; what is held does not", async () => {
    const E = cudaEngineOn(emulatedCuda({ capacity: 12 * B }));
    const held = E.tall(U, 1);
    E.fill(held, 3);
    for (let i = 0; i < 4; i++) E.tall(2 * U, 1);
    // a WeakRef keeps its object until the turn ends
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (let i = 0; i < 5; i++) E.tall(2 * U + i, 1);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(E.read(E.tall(8 * U, 1))[8 * U - 1]).toBe(0);
    expect(E.read(held)[U - 1]).toBe(3);
    expect(() => E.tall(16 * U, 1)).toThrow(
      /no memory for 1048576×1 doubles \(.* GiB\); .* GiB of the device's memory are taken/,
    );
  });

  test("a disposed engine gives everything back, once, also what is still held", () => {
    const cuda = emulatedCuda();
    const [E, F] = [cudaEngineOn(cuda), cudaEngineOn(cuda)];
    const held = [E, F].map((K) => K.tall(1000, 10, new Float64Array(10_000).fill(2)));
    E.operator({ rows: 2, cols: 2, data: new Float64Array(4) });
    E.dispose();
    expect(() => E.read(held[0]!)).toThrow(/disposed/);
    expect(F.dot(held[1]!, held[1]!)).toBe(40_000);
    F.dispose();
    expect(cuda.used).toBe(0);
    E.dispose();
    expect(cuda.used).toBe(0);
  });

  test("an engine that gives up in the middle of a run leaves the last good point", async () => {
    const cuda = emulatedCuda();
    const E = cudaEngineOn(cuda);
    const observe = ({ k }: { k: number }): void => void (k === 3 && cuda.codes.set("cublasDgemm_v2", 2));
    const run = drain(solveStiefel(E, noeig(E, { n: 30, p: 2 }).objective, { observe }));
    const error = await run.catch((e: Error) => e);
    expect(error).toBeInstanceOf(ObjectiveError);
    const { X, message, cause } = error as ObjectiveError;
    expect(message).toMatch(/ended after 3 iterations: cuda: cublasDgemm_v2 failed with code 2/);
    expect(cause).toBeInstanceOf(EngineError);
    expect(Math.abs(X.data.reduce((sum, x) => sum + x * x, 0) - 2)).toBeLessThanOrEqual(1e-9);
  });
});

test("a user's f in loops over the numbers of X is told what to do", async () => {
  const engine = cudaEngineOn(emulatedCuda());
  const f = { f: (X: Tall) => X.data[0]!, grad: () => {} };
  await expect(minimize(f, { on: stiefel(5, 2), engine })).rejects.toThrow(
    /5×2 matrix lies on the device of a 'cuda' engine; copy it with read\(\), or write f as a formula/,
  );
});

test("products reach cuBLAS with columns first: sizes, order of factors and leading dimensions", () => {
  const cuda = emulatedCuda();
  const E = cudaEngineOn(cuda);
  const [X, Y, Z, S, T] = [E.tall(7, 3), E.tall(7, 2), E.tall(7, 2), E.small(3, 2), E.small(2, 3)];
  const at = (M: object): number => (M as { at: number }).at;
  const product = (work: () => void): unknown[] => {
    cuda.calls.length = 0;
    cuda.recording = true;
    work();
    cuda.recording = false;
    const { args } = cuda.calls.find(({ name }) => name === "cublasDgemm_v2")!;
    return args.slice(1).map((x) => (x instanceof Float64Array ? x[0] : x));
  };
  // turn B, turn A, columns, rows, inner length, α, B, its columns, A, its columns, β, C, its columns
  expect(product(() => E.mul(Y, X, S, 2, 3))).toEqual([0, 0, 2, 7, 3, 2, at(S), 2, at(X), 3, 3, at(Y), 2]);
  expect(product(() => E.mulT(Z, X, T))).toEqual([1, 0, 2, 7, 3, 1, at(T), 3, at(X), 3, 0, at(Z), 2]);
  expect(product(() => E.tmul(S, X, Y))).toEqual([0, 1, 2, 3, 7, 1, at(Y), 2, at(X), 3, 0, at(S), 2]);
});
