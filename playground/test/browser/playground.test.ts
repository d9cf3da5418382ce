/** The playground in a real browser: what its visitors do. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { drain } from "@expen/core";
import { wasmEngine } from "@expen/engines/wasm";
import { problems } from "@expen/experiments/problems";
import { solveStiefel } from "@expen/solvers";
import { chromiumIsThereOrNeedNotBe, executablePath } from "@expen/testing/browser/chromium";
import { button, cells, done, downloaded, playground, statuses } from "@expen/testing/browser/playground-page";
import { describe, expect, test } from "vitest";

chromiumIsThereOrNeedNotBe();

describe.runIf(executablePath)("in chromium", () => {
  const { visit, url, root } = playground();

  test("the first load is small", async () => {
    const files = new Set<string>();
    await visit("", async () => {}, {
      prepare: async (page) => void page.on("request", (r) => files.add(basename(new URL(r.url()).pathname))),
    });
    const names = readdirSync(join(root(), "assets")).filter((name) => files.has(name));
    expect(names.join(" ")).toMatch(/laboratory.*\.js/);
    expect(names.join(" ")).not.toMatch(/codemirror/);
    const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(root(), "assets", name))).length, 0);
    console.log(`first load ${(bytes / 1000).toFixed(0)} kB compressed`);
    expect(bytes).toBeLessThan(300_000);
  });

  test("nothing of Node is in the bundle", () => {
    for (const name of readdirSync(join(root(), "assets"))) {
      const text = readFileSync(join(root(), "assets", name), "utf8");
      expect(text).not.toMatch(/["'`]koffi["'`]|jiti|createReadStream|__vite-browser-external/);
    }
  });

  test("three solvers race to convergence", async () => {
    await visit("#/race?n=120&p=5", async (page) => {
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["converged", "converged", "converged"]);
      expect(new Set(await cells(page, "f")).size).toBe(1);
      expect(await page.locator(".verdicts li.good").count()).toBe(3);
      await page.getByText("Time", { exact: true }).first().click();
      await expect.poll(() => page.url()).toContain("x=seconds");
      const legend = page.locator(".legend .lane").first();
      await legend.click();
      expect(await legend.getAttribute("aria-pressed")).toBe("false");
      await expect.poll(() => page.url()).toContain("hide=0");
      const plot = page.locator(".u-over").first();
      await plot.hover();
      expect(await page.locator(".reading").textContent()).toMatch(/seconds.*expen-cg β paper: /);
      const labels = () => page.locator("figure").first().locator(".chart-box").getAttribute("aria-label");
      expect(await labels()).toMatch(/^f − .*rcg: .* at seconds/);
    });
  });

  test("a run is paused, stepped and stopped", async () => {
    // so large that neither can have ended before the button is pressed
    await visit("#/race?n=20000&p=20&tol=1e-12&solvers=auto;expen-cg", async (page) => {
      await button(page, "Run").click();
      await page.waitForFunction(() => {
        const found = [...document.querySelectorAll('[data-cell="iterations"]')].map((c) => Number(c.textContent));
        return found.length === 2 && found.every((k) => k > 2);
      });
      await button(page, "Pause").click();
      // what was under way when the button was pressed may still arrive; after that nothing moves
      const stands = async (): Promise<boolean> => {
        const before = await cells(page, "iterations");
        await page.waitForTimeout(400);
        return (await cells(page, "iterations")).join() === before.join();
      };
      await expect.poll(stands, { timeout: 10_000 }).toBe(true);
      const afterStep = async (): Promise<number[]> => {
        const before = (await cells(page, "iterations")).join();
        await button(page, "Step").click();
        await page.waitForFunction(
          (old) => [...document.querySelectorAll('[data-cell="iterations"]')].map((c) => c.textContent).join() !== old,
          before,
        );
        await page.waitForTimeout(100);
        return (await cells(page, "iterations")).map((t) => Number(t.replace(",", "")));
      };
      const first = await afterStep();
      expect(await afterStep()).toEqual(first.map((k) => k + 1));
      await button(page, "Stop").click();
      await done(page);
      expect(await statuses(page)).toEqual(["aborted", "aborted"]);
      expect(await page.locator(".verdicts").textContent()).toContain("Stopped");
      await page.goto(`${url()}#/race?n=50&p=3`);
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="converged"]');
    });
  });

  test("a β that is too small ends infeasible, and the page says why", async () => {
    await visit("#/race?problem=quadratic&n=60&p=4&ridge=2&solvers=expen-cg", async (page) => {
      await page.getByLabel("Options of expen-cg").click();
      const beta = page.getByLabel("β of expen-cg");
      await beta.fill("1");
      await beta.press("Tab");
      await expect.poll(() => page.url()).toMatch(/expen-cg%2Cbeta%3A1/);
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["spurious"]);
      const said = await page.locator(".verdicts").textContent();
      expect(said).toMatch(/Infeasible: β is too small\..*β\s=\s1\.00 is too small.*use beta auto/);
      await beta.fill("auto");
      await beta.press("Tab");
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="converged"]');
      await beta.fill("many");
      await beta.press("Tab");
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="failed"]');
      expect(await page.locator(".verdicts").textContent()).toContain("β is 'many'; it must be a positive number");
    });
  });

  type Run = Record<string, unknown> & { points: Record<string, unknown>[] };
  const withoutTimes = ({ runs }: { runs: Run[] }): Record<string, unknown>[] =>
    runs.map(({ seconds: _s, points, certificate, ...rest }) => ({
      ...rest,
      certificate: { ...(certificate as object), seconds: 0 },
      points: points.map(({ seconds: _t, ...point }) => point),
    }));

  test("a shared link gives the same numbers, bit for bit; files can be kept", async () => {
    const hash = "#/race?problem=brockett&n=80&p=6&seed=3&solvers=auto;expen-cg,beta:paper;expen-newton&run=1";
    const documents: { runs: Run[]; link: string }[] = [];
    for (let visitor = 0; visitor < 2; visitor++) {
      await visit(documents[0]?.link.slice(url().length) ?? hash, async (page) => {
        await done(page);
        const json = await downloaded(page, "JSON");
        expect(json.name).toBe("expen-brockett.json");
        documents.push(JSON.parse(json.bytes.toString()));
        if (visitor > 0) return;
        const svg = await downloaded(page, "SVG");
        expect(svg.bytes.toString()).toMatch(/^<svg .*polyline.*<\/svg>$/s);
        const png = await downloaded(page, "PNG");
        expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
        expect(png.bytes.length).toBeGreaterThan(10_000);
      });
    }
    const [first, second] = documents.map(withoutTimes);
    expect(first!.length).toBe(3);
    expect(second).toEqual(first);
    const E = await wasmEngine();
    const problem = problems.get("brockett")!.make(E, { n: 80, p: 6, seed: 3 });
    const alone = await drain(solveStiefel(E, problem.objective, { seed: 3, optimum: problem.optimum }));
    const { status, iterations, evaluations } = alone;
    expect(first![0]).toMatchObject({ problem: "brockett", solver: "auto", status });
    // Node and the browser may differ in relaxed SIMD, no more
    expect(Math.abs((first![0]!.fval as number) - alone.fval)).toBeLessThan(1e-9);
    expect(Object.keys(first![0]!.evaluations as object)).toEqual(Object.keys(evaluations));
    expect(first![0]!.iterations).toBeTypeOf(typeof iterations);
  });

  test("a nonsmooth term is for the solver that knows it; the others say so", async () => {
    await visit("#/race?problem=sparse-pca&n=30&p=3&solvers=auto;slpg&run=1", async (page) => {
      await done(page);
      expect(await statuses(page)).toEqual(["failed", "converged"]);
      expect(await page.locator(".verdicts").textContent()).toContain("only slpg knows proximal maps");
    });
  });

  test("threads of a page with isolation give an answer too", async () => {
    await visit("#/race?n=3000&p=20&threads=2&solvers=auto&run=1", async (page) => {
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      await done(page);
      expect(await statuses(page)).toEqual(["converged"]);
      expect(await page.locator(".status").first().textContent()).toContain("2 threads");
    });
  });

  test("the manifold and the lessons show what they say", async () => {
    await visit("#/manifold?shift=yes", async (page) => {
      await done(page);
      expect((await statuses(page)).slice(0, 3)).toEqual(["spurious", "converged", "converged"]);
      await page.getByText("σ = 1 is no minimum, because β = 0.6 is below").waitFor();
      expect(await page.getByText("the shift has made the multiplier zero").count()).toBe(3);
      await page.getByText("Pairs (3×2)").click();
      await page.waitForFunction(() => document.querySelector(".status")?.textContent?.includes("X 3×2"));
      await done(page);
    });
    await visit("#/learn", async (page) => {
      await page.getByText("a minimum at σ = 1").waitFor();
      expect(await page.locator(".verdicts").textContent()).toMatch(/plain penalty.*σ\s=\s0\.\d+: off the manifold/);
      await button(page, "Next →").click();
      await done(page);
      expect(await statuses(page)).toEqual(["spurious", "converged", "converged"]);
      await button(page, "Next →").click();
      await page.waitForSelector('tr[data-status="converged"]');
    });
  });
});
