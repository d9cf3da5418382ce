/** Deno keeps permissions: a program that only solves needs none, and must not make Deno ask its user. */

import { stiefel } from "@expen/core";
import { openEngine } from "@expen/engines";
import { environment } from "@expen/linalg";
import { availableMemory } from "@expen/linalg/memory";
import { minimize } from "@expen/solvers";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** Deno as far as the library sees it: what is not granted throws, as with --no-prompt. Gives what was tried all the same. */
function denoWith(granted: (what: { name: string; variable?: string }) => boolean): string[] {
  const tried: string[] = [];
  const refuse = (what: string): never => {
    tried.push(what);
    throw new Error(`NotCapable: Requires ${what} access`);
  };
  const { env, getBuiltinModule } = process;
  vi.stubGlobal("Deno", {
    permissions: { querySync: (what: { name: string }) => ({ state: granted(what) ? "granted" : "prompt" }) },
  });
  vi.stubGlobal("process", {
    ...process,
    versions: process.versions,
    env: new Proxy(env, {
      get: (all, name) =>
        granted({ name: "env", variable: String(name) }) ? all[String(name)] : refuse(`env ${String(name)}`),
    }),
    getBuiltinModule(id: string) {
      const permission = { "node:os": "sys", "node:fs": "read" }[id];
      return permission && !granted({ name: permission }) ? refuse(permission) : getBuiltinModule(id);
    },
  });
  return tried;
}

test("without a permission: no variable, no native library, the problem solved on wasm", async () => {
  vi.stubEnv("EXPEN_BLAS", "/no/such/library.so");
  const tried = denoWith(() => false);
  expect(environment.EXPEN_BLAS).toBeUndefined();
  expect(availableMemory().bytes).toBe(Number.POSITIVE_INFINITY);
  const engine = await openEngine();
  expect(engine.name).toBe("wasm");
  const { fval } = await minimize(
    {
      f: (X) => -X.data[0]! * X.data[0]!,
      grad: (G, X) => G.data.set([-2 * X.data[0]!, 0, 0]),
    },
    { on: stiefel(3, 1), engine },
  );
  expect(fval).toBeCloseTo(-1);
  await expect(openEngine("blas")).rejects.toThrow("blas: Deno calls native libraries with --allow-ffi alone");
  expect(tried).toEqual([]);
  expect(() => process.env.EXPEN_BLAS).toThrow("NotCapable");
});

test("a variable that may be read is read", () => {
  vi.stubEnv("EXPEN_MEMORY", "0.5");
  vi.stubEnv("EXPEN_BLAS", "secret");
  const tried = denoWith(({ name, variable }) => name === "env" && variable === "EXPEN_MEMORY");
  expect(availableMemory()).toEqual({ bytes: 5e8, text: "EXPEN_MEMORY allows *" });
  expect(environment.EXPEN_BLAS).toBeUndefined();
  expect(tried).toEqual([]);
});

test("elsewhere the environment is that of the process", () => {
  vi.stubEnv("EXPEN_BLAS", "a name");
  expect(environment.EXPEN_BLAS).toBe("a name");
  vi.stubGlobal("process", undefined);
  expect(environment.EXPEN_BLAS).toBeUndefined();
});
