import { afterEach, expect, test, vi } from "vitest";
import { type DoctorReport, doctor, render } from "../../src/cli/doctor.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What doctor writes to stdout */
async function output(options: { json?: boolean }): Promise<string> {
  let text = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  expect(await doctor({ ...options, atLeast: 10 })).toBe(0);
  vi.restoreAllMocks();
  return text;
}

test("--json is one document with every engine, its speeds on all products, and advice where one is missing", async () => {
  vi.stubEnv("EXPEN_BLAS", "/no/such/blas.so");
  const report = JSON.parse(await output({ json: true })) as DoctorReport;
  expect(report.engines.map((e) => e.name)).toEqual(["cuda", "blas", "wasm", "js"]);
  const blas = report.engines.find(({ name }) => name === "blas");
  const others = report.engines.filter(({ available }) => available);
  expect(blas!.available).toBe(false);
  expect(blas!.error).toMatch(/\/no\/such\/blas\.so/);
  expect(report.chosen).toBeNull();
  expect(report.advice.join(" ")).toMatch(/EXPEN_BLAS/);
  for (const { speeds } of others) {
    expect(speeds!.map((s) => `${s.product} ${s.shape}`)).toEqual([
      "XᵀX 1000×50",
      "X·S 1000×50",
      "XᵀX 20000×100",
      "X·S 20000×100",
      "A·X 1000×1000 · 1000×50",
    ]);
    for (const s of speeds!) {
      expect(s.gflops).toBeGreaterThan(0.01);
      // gflops and time are of one measurement: their product is the work
      const p = s.shape.includes("20000") ? 100 : 50;
      const n = s.shape.includes("20000") ? 20000 : 1000;
      const work = { XᵀX: n * p * (p + 1), X·S: 2 * n * p * p, A·X: 2 * n * n * p }[s.product]!;
      expect((s.gflops * s.milliseconds * 1e6) / work).toBeCloseTo(1, 1);
    }
  }
});

test("a BLAS that EXPEN_BLAS=none hides is named, auto takes wasm, and the advice is to unset it", async () => {
  vi.stubEnv("EXPEN_BLAS", "none");
  const report = JSON.parse(await output({ json: true })) as DoctorReport;
  expect(report.engines.find(({ name }) => name === "blas")).toEqual({
    name: "blas",
    available: false,
    error: expect.stringContaining("hidden by EXPEN_BLAS=none"),
  });
  expect(report.chosen).toBe("wasm");
  expect(report.advice[0]).toBe("EXPEN_BLAS=none hides the BLAS of this machine; unset it for the blas engine.");
  const text = render(report, false);
  expect(text).toContain("✗ blas  hidden by EXPEN_BLAS=none");
  expect(text).toMatch(/✓ wasm .*\(auto takes this one\)/);
});

test("for people: a line an engine, a table, no colours off a terminal", () => {
  const speeds = Array.from({ length: 5 }, () => ({
    product: "XᵀX",
    shape: "1000×50",
    gflops: 12.34,
    milliseconds: 1,
  }));
  const report: DoctorReport = {
    node: "v20.0.0",
    platform: "linux x64",
    cores: 2,
    chosen: "js",
    engines: [
      { name: "cuda", available: true, description: "a device", speeds },
      { name: "blas", available: false, error: "blas: none is there." },
      { name: "js", available: true, description: "plain loops", speeds },
    ],
    mpi: [],
    advice: ["Install OpenBLAS."],
  };
  const text = render(report, false);
  expect(text).toContain("✗ blas  none is there.");
  expect(text).toContain("✓ cuda  a device  (auto takes this one from n·p = 2000000 on)");
  expect(text).toContain("✓ js  plain loops  (auto takes this one)");
  expect(text).toMatch(/XᵀX {2}1000×50 +12\.3/);
  expect(text).toContain("Install OpenBLAS.");
  expect(text).not.toContain("\u001b");
  expect(render(report, true)).toContain("\u001b");
  expect(render({ ...report, advice: [] }, false)).toContain("Nothing is missing");
});
