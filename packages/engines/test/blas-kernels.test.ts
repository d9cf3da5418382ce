import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { kernelsFor, loadForProcessor } from "../src/blas/kernels.js";
import type { Koffi } from "../src/koffi.js";

const AVX2 = new Set(["sse2", "avx", "avx2", "fma"]);
const AVX512 = new Set([...AVX2, "avx512f", "avx512bw", "avx512dq", "avx512vl"]);

beforeEach(() => vi.stubEnv("OPENBLAS_CORETYPE", undefined));
afterEach(() => vi.unstubAllEnvs());

/** An OpenBLAS that reads its variable when it is loaded, as the first user of it, and calls the processor `unset` where there is none */
function machine(unset: string | undefined) {
  const [environment, events]: [Map<string, string>, string[]] = [new Map(), []];
  let loaded: string | undefined;
  const system: Record<string, (...args: never[]) => unknown> = {
    setenv: (name: string, value: string) => environment.set(name, value) && 0,
    unsetenv: (name: string) => environment.delete(name) && 0,
  };
  const koffi = {
    load(path: string | null) {
      if (path === null) return { func: (name: string) => system[name]! };
      loaded ??= environment.get("OPENBLAS_CORETYPE") ?? unset;
      events.push(`load ${loaded}`);
      return {
        func() {
          if (loaded === undefined) throw new Error("no such symbol");
          return () => loaded;
        },
        unload() {
          events.push("unload");
          loaded = undefined;
        },
      };
    },
  };
  return { koffi: koffi as unknown as Koffi, environment, events };
}

test("the fastest kernels whose flags the processor has", () => {
  expect(kernelsFor(AVX512)).toBe("SkylakeX");
  expect(kernelsFor(AVX2)).toBe("Haswell");
  expect(kernelsFor(new Set(["avx512f", "avx2"]))).toBeUndefined();
  expect(kernelsFor(new Set())).toBeUndefined();
});

test("an OpenBLAS that does not know the processor is loaded again with its kernels, and the variable is unset for other libraries", () => {
  const { koffi, environment, events } = machine("Prescott");
  const library = loadForProcessor(koffi, "libopenblas.so.0", () => AVX512);
  expect(events).toEqual(["load Prescott", "unload", "load SkylakeX"]);
  expect(library.func("openblas_get_corename", "const char *", [])()).toBe("SkylakeX");
  expect(environment.size).toBe(0);
});

test.each([
  ["it knows the processor", "Zen", AVX512],
  ["the processor is old", "Prescott", new Set(["sse2", "sse3"])],
  ["it is another library", undefined, AVX512],
] as const)("a library is loaded once where %s", (_, core, flags) => {
  const { koffi, events } = machine(core);
  loadForProcessor(koffi, "libblas.so", () => flags);
  expect(events).toEqual([`load ${core}`]);
});

test("the choice of the user is not changed", () => {
  vi.stubEnv("OPENBLAS_CORETYPE", "Prescott");
  const { koffi, events } = machine("Prescott");
  loadForProcessor(koffi, "libopenblas.so.0", () => AVX512);
  expect(events).toEqual(["load Prescott"]);
});
