/** The playground in a real browser: what its visitors do, and what may go wrong. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PlaygroundServer, servePlayground } from "../../cli/playground-server.js";
import { readCsv } from "../../src/data/csv.js";
import { wasmEngine } from "../../src/engines/wasm.js";
import { problems } from "../../src/problems/catalog.js";
import { drain, solveStiefel } from "../../src/stiefel.js";
import { chromiumIsThereOrNeedNotBe, executablePath, launch } from "./chromium.js";

chromiumIsThereOrNeedNotBe();

const configFile = fileURLToPath(new URL("../../playground/vite.config.ts", import.meta.url));

describe.runIf(executablePath)("in chromium", () => {
  const root = join(mkdtempSync(join(tmpdir(), "expen-playground-")), "page");
  let browser: Browser;
  let server: PlaygroundServer;

  beforeAll(async () => {
    await build({ configFile, logLevel: "error", build: { outDir: root } });
    server = await servePlayground({ port: 0, root });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(join(root, ".."), { recursive: true, force: true });
  });

  /** Opens an address, does the work, and wants no error on the console. */
  async function visit(
    hash: string,
    work: (page: Page) => Promise<void>,
    { prepare, ...options }: BrowserContextOptions & { prepare?: (page: Page) => Promise<void> } = {},
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    try {
      await prepare?.(page);
      await page.goto(server.url + hash);
      await page.waitForSelector('main[data-ready="yes"]');
      await work(page);
      expect(errors).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const done = (page: Page) => page.waitForSelector('.status[data-phase="done"]', { timeout: 50_000 });
  const statuses = (page: Page): Promise<(string | undefined)[]> =>
    page.$$eval("tr[data-lane]", (rows) =>
      rows
        .sort((a, b) => Number(a.getAttribute("data-lane")) - Number(b.getAttribute("data-lane")))
        .map((r) => (r as HTMLElement).dataset.status),
    );
  const cells = (page: Page, name: string): Promise<string[]> =>
    page.$$eval(`[data-cell="${name}"]`, (found) => found.map((c) => c.textContent ?? ""));
  const downloaded = async (page: Page, name: string): Promise<{ name: string; bytes: Buffer }> => {
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const write = async (page: Page, code: string): Promise<void> => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(code);
  };

  test("the first load is small and soon ready", async () => {
    const files = new Set<string>();
    const began = performance.now();
    await visit(
      "",
      async (page) => {
        expect(performance.now() - began).toBeLessThan(2000 + 1500); // a new context costs up to 1.5 s on a busy machine
        const ready = await page.evaluate(() => performance.now());
        expect(ready).toBeLessThan(2000);
      },
      { prepare: async (page) => void page.on("request", (r) => files.add(basename(new URL(r.url()).pathname))) },
    );
    const names = readdirSync(join(root, "assets")).filter((name) => files.has(name));
    expect(names.join(" ")).toMatch(/laboratory.*\.js/);
    expect(names.join(" ")).not.toMatch(/codemirror/);
    const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(root, "assets", name))).length, 0);
    expect(bytes).toBeLessThan(300_000);
  });

  test("nothing of Node is in the bundle", () => {
    for (const name of readdirSync(join(root, "assets"))) {
      const text = readFileSync(join(root, "assets", name), "utf8");
      expect(text).not.toMatch(/koffi|jiti|createReadStream|__vite-browser-external/);
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
      expect(await labels()).toMatch(/^f − .*expen-newton: .* at seconds/);
    });
  });

  test("a run is paused, stepped and stopped, and the page stays alive", async () => {
    await visit("#/race?n=4000&p=20&tol=1e-12&solvers=expen;expen-cg", async (page) => {
      await button(page, "Run").click();
      await page.waitForFunction(() => {
        const found = [...document.querySelectorAll('[data-cell="iterations"]')].map((c) => Number(c.textContent));
        return found.length === 2 && found.every((k) => k > 2);
      });
      const worst = await page.evaluate(async () => {
        let [gap, last] = [0, performance.now()];
        for (const end = last + 600; last < end; ) {
          await new Promise(requestAnimationFrame);
          const now = performance.now();
          [gap, last] = [Math.max(gap, now - last), now];
        }
        return gap;
      });
      expect(worst).toBeLessThan(300);
      await button(page, "Pause").click();
      await page.waitForTimeout(400);
      const paused = await cells(page, "iterations");
      await page.waitForTimeout(400);
      expect(await cells(page, "iterations")).toEqual(paused);
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
      await page.goto(`${server.url}#/race?n=50&p=3`);
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="converged"]');
    });
  });

  test("a β that is too small ends infeasible, and the page says why", async () => {
    await visit("#/race?problem=quadratic&n=60&p=4&ridge=2&solvers=expen-cg", async (page) => {
      const beta = page.getByLabel("β of expen-cg");
      await beta.fill("1");
      await beta.press("Tab");
      await expect.poll(() => page.url()).toMatch(/expen-cg%2Cbeta%3A1/);
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["spurious"]);
      const said = await page.locator(".verdicts").textContent();
      expect(said).toMatch(/Infeasible: β is too small\..*β = 1\.00 is too small.*use beta auto/);
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

  test("the editor checks derivatives and shows mistakes at their line", async () => {
    await visit("#/own", async (page) => {
      const check = page.locator(".check");
      await page.waitForSelector(".cm-content");
      await check.getByText("Derivatives are right").waitFor();
      await write(page, "const A = symmetric(n);\nreturn trac(mul(t(X), A, X));");
      await check.getByText("Line 2").waitFor();
      expect(await check.textContent()).toContain("trac is not defined");
      expect(await page.locator(".cm-lint-marker-error").count()).toBe(1);
      expect(await button(page, "Run").isDisabled()).toBe(true);
      await write(page, "const Y = square(X);\n\nreturn trace(mul(X, Y));");
      await check.getByText("Line 3").waitFor();
      expect(await check.textContent()).toMatch(/60×4/);
      await write(page, "return trace(mul(t(X), );");
      await check.getByText(/Line 1: *missing \) after argument list/).waitFor();
      await page.waitForSelector(".cm-lintRange-error");
      await write(page, "const a = 1;");
      await check.getByText("the code returns nothing").waitFor();
      await write(page, "return square(X);");
      await check.getByText("it must return a number").waitFor();
      await write(page, "const A = symmetric(n);\nreturn add(trace(mul(t(X), A, X)), sum(pow(X, 4)));");
      await check.getByText("Derivatives are right").waitFor();
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["converged", "converged", "converged"]);
    });
  });

  test("code without end costs its worker, not the page", async () => {
    await visit("#/own", async (page) => {
      await page.waitForSelector(".cm-content");
      await write(page, "while (true) {}");
      await page.locator(".check").getByText("loop without end").waitFor();
      await write(page, "return sum(pow(X, 4));");
      await page.locator(".check").getByText("Derivatives are right").waitFor();
    });
  });

  test("code that came with a link waits for its reader", async () => {
    const code = encodeURIComponent("globalThis.ran = true;\nreturn sum(pow(X, 4));");
    await visit(`#/own?run=1&code=${code}`, async (page) => {
      await page.getByText("came with a link and has not run yet").waitFor();
      await page.waitForTimeout(1000);
      const ran = () => Promise.all(page.workers().map((w) => w.evaluate(() => "ran" in globalThis)));
      expect(await ran()).toEqual([false]);
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="converged"]');
      expect(await ran()).toEqual([true]);
    });
  });

  /** Two strong directions among five columns. */
  const csv = ["a,b,c,d,e"];
  for (let i = 0; i < 40; i++) {
    const [u, v] = [Math.sin(1.7 * i), Math.cos(2.9 * i)];
    csv.push([3 * u, 2 * v, u - v, 0.1 * Math.sin(i * i), 0.2 * Math.cos(5 * i)].map((x) => x.toFixed(6)).join(","));
  }
  const drop = async (page: Page, slot: string, name: string, text: string): Promise<void> => {
    const transfer = await page.evaluateHandle(
      ([name, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text!], name!, { type: "text/csv" }));
        return data;
      },
      [name, text],
    );
    await page.dispatchEvent(`[data-slot="${slot}"]`, "drop", { dataTransfer: transfer });
  };

  test("a dropped table is analysed, and its link carries it along", async () => {
    const { matrix } = readCsv(csv.join("\n"));
    const E = await wasmEngine();
    const { optimum } = problems.get("pca")!.make(E, { n: 5, p: 2, A: matrix });
    let link = "";
    let found: string[] = [];
    await visit(
      "#/own?kind=pca",
      async (page) => {
        await drop(page, "A", "words.csv", "1,2\n3,four\n");
        await page.getByText(/words\.csv: line 2/).waitFor();
        await drop(page, "A", "waves.csv", csv.join("\n"));
        await page.getByText("waves.csv, 40×5").waitFor();
        await button(page, "Run").click();
        await done(page);
        expect(await statuses(page)).toEqual(["converged", "converged", "converged"]);
        found = await cells(page, "f");
        expect(Number(found[0])).toBeCloseTo(optimum!, 7);
        await page.getByText(/% of the variance of waves\.csv/).waitFor();
        await button(page, "Copy link").click();
        await page.getByText("Copied.").waitFor();
        link = await page.evaluate(() => navigator.clipboard.readText());
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
    await visit(link.slice(server.url.length), async (page) => {
      await page.getByText("waves.csv, 40×5").waitFor();
      await done(page);
      expect(await cells(page, "f")).toEqual(found);
    });
  });

  test("two tables make a Procrustes problem; tables that do not fit are refused in a sentence", async () => {
    await visit("#/own?kind=procrustes", async (page) => {
      await drop(page, "A", "a.csv", "1,0,2\n0,1,1\n2,1,0\n1,1,1");
      await drop(page, "B", "b.csv", "1\n2\n3");
      await page.getByText("b.csv, 3×1").waitFor();
      await button(page, "Run").click();
      await page.locator(".error").getByText("B is 3×1 but must be 4×1").waitFor();
      await drop(page, "B", "b.csv", "1,2\n2,0\n3,1\n1,1");
      await page.getByText("b.csv, 4×2").waitFor();
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="converged"]');
    });
  });

  type Run = Record<string, unknown> & { points: Record<string, unknown>[] };
  const withoutTimes = ({ runs }: { runs: Run[] }): Record<string, unknown>[] =>
    runs.map(({ seconds: _s, points, ...rest }) => ({
      ...rest,
      points: points.map(({ seconds: _t, ...point }) => point),
    }));

  test("a shared link gives the same numbers, bit for bit; files can be kept", async () => {
    const hash = "#/race?problem=brockett&n=80&p=6&seed=3&solvers=expen;expen-cg,beta:paper;expen-newton&run=1";
    const documents: { runs: Run[]; link: string }[] = [];
    for (let visitor = 0; visitor < 2; visitor++) {
      await visit(documents[0]?.link.slice(server.url.length) ?? hash, async (page) => {
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
    expect(first![0]).toMatchObject({ problem: "brockett", solver: "expen", status });
    // Node and the browser may differ in relaxed SIMD, no more
    expect(Math.abs((first![0]!.fval as number) - alone.fval)).toBeLessThan(1e-9);
    expect(Object.keys(first![0]!.evaluations as object)).toEqual(Object.keys(evaluations));
    expect(first![0]!.iterations).toBeTypeOf(typeof iterations);
  });

  test("noeig 1000×10 takes at most twice the time of Node", async () => {
    const E = await wasmEngine();
    let node = Number.POSITIVE_INFINITY;
    let page = Number.POSITIVE_INFINITY;
    await visit("#/race?n=1000&p=10&solvers=expen", async (tab) => {
      for (let i = 0; i < 5; i++) {
        const began = performance.now();
        const { objective } = problems.get("noeig")!.make(E, { n: 1000, p: 10 });
        const { status } = await drain(solveStiefel(E, objective, { seed: 1 }));
        node = Math.min(node, (performance.now() - began) / 1000);
        expect(status).toBe("converged");
        await button(tab, "Run").click();
        await done(tab);
        page = Math.min(page, Number(await tab.locator(".status").first().getAttribute("data-wall")));
      }
    });
    console.log(`noeig 1000×10: ${page.toFixed(3)} s in the page, ${node.toFixed(3)} s in Node`);
    expect(page).toBeLessThan(2 * node);
  });

  test("a nonsmooth term is for the solver that knows it; the others say so", async () => {
    await visit("#/race?problem=sparse-pca&n=30&p=3&solvers=expen;slpg&run=1", async (page) => {
      await done(page);
      expect(await statuses(page)).toEqual(["failed", "converged"]);
      expect(await page.locator(".verdicts").textContent()).toContain("only slpg knows proximal maps");
    });
  });

  test("sizes that no page can hold are refused, and the page goes on", async () => {
    await visit("#/race?n=1000000000&p=10", async (page) => {
      await button(page, "Run").click();
      await page.locator(".error").getByText("more than a page can hold").waitFor();
      await page.getByLabel("n", { exact: true }).fill("100000");
      await page.getByLabel("Problem").selectOption("brockett");
      await button(page, "Run").click();
      await page
        .locator(".error")
        .getByText(/no memory|too large|cannot/i)
        .waitFor();
      await page.getByLabel("n", { exact: true }).fill("5");
      await button(page, "Run").click();
      await page.locator(".error").getByText("p = 10 is above n = 5").waitFor();
      await page.getByLabel("n", { exact: true }).fill("40");
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="converged"]');
    });
  });

  test("a lost worker is replaced with a word", async () => {
    await visit("#/race?n=60&p=3", async (page) => {
      await page.workers()[0]!.evaluate(() => self.close());
      await button(page, "Run").click();
      await page.locator(".notice").getByText("The worker was lost").waitFor();
      await page.waitForSelector('tr[data-status="converged"]');
    });
    await visit("#/race?n=4000&p=20&tol=1e-12&solvers=expen", async (page) => {
      await button(page, "Run").click();
      await page.waitForSelector('.status[data-phase="running"]');
      await page.workers()[0]!.evaluate(() => self.close());
      await page.locator(".notice").getByText("has not answered").waitFor();
      await button(page, "Stop").click();
      await page.locator(".error").getByText("a new worker stands ready").waitFor();
      await page.goto(`${server.url}#/race?n=60&p=3`);
      await button(page, "Run").click();
      await page.waitForSelector('tr[data-status="converged"]');
    });
  });

  test("without SIMD the page says so and goes on with the js engine", async () => {
    await visit(
      "#/race?n=60&p=3&solvers=expen;expen-newton",
      async (page) => {
        await page.locator(".notice").getByText("no WebAssembly SIMD").waitFor();
        await button(page, "Run").click();
        await done(page);
        expect(await statuses(page)).toEqual(["converged", "converged"]);
        expect(await page.locator(".status").first().textContent()).toContain("js:");
      },
      {
        prepare: async (page) => {
          await page.route("**/laboratory*.js", async (route) => {
            const response = await route.fetch();
            await route.fulfill({ response, body: `WebAssembly.validate = () => false;\n${await response.text()}` });
          });
        },
      },
    );
  });

  test("threads of a page with isolation give an answer too", async () => {
    await visit("#/race?n=3000&p=20&threads=2&solvers=expen&run=1", async (page) => {
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
      expect(await page.locator(".verdicts").textContent()).toMatch(/plain penalty.*σ = 0\.\d+: off the manifold/);
      await button(page, "Next →").click();
      await done(page);
      expect(await statuses(page)).toEqual(["spurious", "converged", "converged"]);
      await button(page, "Next →").click();
      await page.waitForSelector('tr[data-status="converged"]');
    });
  });

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  test.each(["race?run=1", "manifold", "own", "own?kind=pca", "learn", "learn?page=2", "learn?page=3"])(
    "#/%s fits a phone, and everything in it has a name",
    async (hash) => {
      await visit(
        `#/${hash}`,
        async (page) => {
          await page.waitForTimeout(800);
          const { wide, nameless } = await page.evaluate(() => ({
            wide: document.scrollingElement!.scrollWidth - window.innerWidth,
            nameless: [...document.querySelectorAll("button, input, select, textarea, canvas")]
              .filter((e) => {
                const labels = (e as HTMLInputElement).labels?.length ?? 0;
                return !e.getAttribute("aria-label") && !e.textContent?.trim() && labels === 0 && !e.closest(".uplot");
              })
              .map((e) => e.outerHTML),
          }));
          expect(wide).toBeLessThanOrEqual(0);
          expect(nameless).toEqual([]);
        },
        phone,
      );
    },
  );

  test("the keyboard alone runs a race, and dark follows the system and the button", async () => {
    await visit(
      "#/race?n=40&p=3&solvers=expen",
      async (page) => {
        const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
        expect(await theme()).toBe("dark");
        const focused = () => page.evaluate(() => document.activeElement?.textContent);
        for (let i = 0; i < 40 && (await focused()) !== "Run"; i++) await page.keyboard.press("Tab");
        expect(await focused()).toBe("Run");
        await page.keyboard.press("Enter");
        await page.waitForSelector('tr[data-status="converged"]');
        await button(page, "Light colours").click();
        expect(await theme()).toBe("light");
      },
      { colorScheme: "dark" },
    );
  });
});
