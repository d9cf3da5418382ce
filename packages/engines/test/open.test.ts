import { EngineError } from "@expen/linalg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { availableEngines, engineNames, openEngine, WORTH_A_DEVICE, withEngine } from "../src/open.js";

describe("openEngine", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(["js", "wasm"] as const)("%s by its name", async (name) => {
    const E = await openEngine(name);
    expect(E.name).toBe(name);
    E.dispose();
  });

  test("auto is the first available engine, with its description", async () => {
    const first = (await availableEngines()).find(({ name, engine }) => engine && name !== "cuda")!;
    const E = await openEngine();
    expect(E.name).toBe(first.name);
    expect(E.description).toBe(first.engine!.description);
  });

  test("every engine either opens or has an error", async () => {
    const all = await availableEngines({ library: "/no/such/library.so" });
    expect(all.map(({ name }) => name)).toEqual([...engineNames]);
    for (const { engine, error } of all) expect((engine === undefined) !== (error === undefined)).toBe(true);
    expect(all.find(({ name }) => name === "blas")!.error!.message).toMatch(/\/no\/such\/library\.so/);
    expect(all.at(-1)!.engine!.name).toBe("js");
  });

  test("auto fails if a named library fails", async () => {
    await expect(openEngine("auto", { library: "/no/such/library.so" })).rejects.toThrow(/no\/such/);
    vi.stubEnv("EXPEN_BLAS", "/no/such/env.so");
    await expect(openEngine("auto")).rejects.toThrow(/env\.so/);
    expect((await openEngine("wasm")).name).toBe("wasm");
  });

  test("EXPEN_BLAS=none: auto opens wasm, and blas is refused in a sentence", async () => {
    vi.stubEnv("EXPEN_BLAS", "none");
    expect((await openEngine("auto")).name).toBe("wasm");
    expect(await withEngine(undefined, async (E) => E.name)).toBe("wasm");
    const sentence = "blas: hidden by EXPEN_BLAS=none; unset EXPEN_BLAS to take the BLAS of this machine.";
    await expect(openEngine("blas")).rejects.toThrow(new EngineError(sentence));
    const all = await availableEngines();
    expect(all.find(({ name }) => name === "blas")!.error!.message).toBe(sentence);
    await expect(openEngine("auto", { library: "/no/such/library.so" })).rejects.toThrow(/no\/such/);
  });

  test("auto looks for a device only if X is large, without a note if there is none, and fails if a named folder has none", async () => {
    const absent = (await availableEngines()).find(({ name }) => name === "cuda")!.error;
    const notes: string[] = [];
    const E = await openEngine("auto", { size: { n: WORTH_A_DEVICE, p: 1 }, notes });
    expect(E.name === "cuda").toBe(!absent);
    expect(notes.length).toBe(absent ? 0 : 1);
    E.dispose();
    vi.stubEnv("EXPEN_CUDA", "/no/such/folder");
    await expect(openEngine("auto", { size: { n: WORTH_A_DEVICE, p: 1 } })).rejects.toThrow(/^cuda: /);
    expect((await openEngine("auto", { size: { n: 1000, p: 1 } })).name).not.toBe("cuda");
  });

  test("an unknown name lists the names and suggests one", async () => {
    const open = (name: string): Promise<unknown> => openEngine(name as "js");
    await expect(open("bals")).rejects.toThrow(EngineError);
    await expect(open("bals")).rejects.toThrow(
      "'bals' is none of auto, cuda, blas, wasm, js, mpi, mpi-data; did you mean 'blas'?",
    );
    await expect(open("quantum-computer")).rejects.toThrow(/none of auto, cuda, blas, wasm, js, mpi, mpi-data\.$/);
    await expect(open("constructor")).rejects.toThrow(EngineError);
  });
});

test.each([0, 1.5, 1e6])("auto refuses %d threads and opens no other engine", async (threads) => {
  await expect(openEngine("auto", { threads })).rejects.toThrow(`engine auto: threads is ${threads}; it must be`);
});
