/** The site in a real browser, opened as files and from a sub-path of a server: what readers do, and what axe finds. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumIsThereOrNeedNotBe, executablePath, launch } from "@expen/testing/browser/chromium";
import { type PlaygroundServer, servePlayground } from "expen/cli";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programs } from "../../gallery/gallery.js";

const repository = resolve(import.meta.dirname, "../../..");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

chromiumIsThereOrNeedNotBe();

/** A page of each kind */
const KINDS = [
  "index.html",
  "guide.html",
  "tutorial.html",
  "benchmarks.html",
  "reference/index.html",
  "reference/apps.html",
  "gallery/index.html",
  "gallery/thomson.html",
  "tour.html",
  "source/packages/apps/src/pca.ts.html",
];
const PHONE = { viewport: { width: 390, height: 844 } };

describe.runIf(executablePath)("in chromium", () => {
  let folder = "";
  let browser: Browser;
  let server: PlaygroundServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "expen-site-"));
    const out = join(folder, "docs");
    execFileSync(process.execPath, ["scripts/docs.mjs", "--no-playground", "--out", out], { cwd: repository });
    // the folder above, so that the site has a sub-path; the server asks for these two
    execFileSync(process.execPath, ["-e", 'fs.mkdirSync("assets"); fs.writeFileSync("index.html", "")'], {
      cwd: folder,
    });
    server = await servePlayground({ port: 0, root: folder });
    browser = await launch();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const asFile = (path: string): string => pathToFileURL(join(folder, "docs", path)).href;
  const served = (path: string): string => `${server.url}docs/${path}`;

  /** Opens a page, does the work, and wants no error on its console. */
  async function visit(url: string, work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    try {
      await page.goto(url);
      await work(page);
      expect(errors).toEqual([]);
    } finally {
      await context.close();
    }
  }

  /** Rules that are broken, with the first element of each */
  const findings = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      // the style sheet of a page that was opened as a file cannot be read again
      const { violations } = await (
        globalThis as unknown as { axe: { run(o: object): Promise<{ violations: Violation[] }> } }
      ).axe.run({ preload: false });
      return violations.map(({ impact, id, nodes }) => `${impact} ${id}: ${nodes[0]!.target.join(" ")}`);
    });
  };
  interface Violation {
    impact: string;
    id: string;
    nodes: { target: string[] }[];
  }

  test.each(KINDS)("%s has nothing for axe, light, dark and on a phone, and no sideways scrolling", async (path) => {
    for (const options of [{}, { colorScheme: "dark" as const }, PHONE]) {
      await visit(
        asFile(path),
        async (page) => {
          expect(await findings(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        },
        options,
      );
    }
  });

  test.each(["file", "server"])("the search works by keyboard, from a %s", async (from) => {
    const address = from === "file" ? asFile : served;
    await visit(address("constraints/stiefel.html"), async (page) => {
      await page.keyboard.press("/");
      await page.getByRole("combobox").fill("PcaOptions");
      await page.getByRole("option").first().waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.waitForURL(/reference\/apps\.html#PcaOptions$/);
      expect(await page.locator(":target h2").textContent()).toContain("PcaOptions");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("qqqqzzzz");
      await page.getByText("No section has all of these words.").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });

  test("colours are those of the system until they are chosen, and stay from page to page", async () => {
    const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);
    await visit(
      served("index.html"),
      async (page) => {
        expect(await theme(page)).toBe("dark");
        await page.getByRole("button", { name: "Light colours" }).click();
        expect(await theme(page)).toBe("light");
        await page.goto(served("guide.html"));
        expect(await theme(page)).toBe("light");
      },
      { colorScheme: "dark" },
    );
  });

  test("on a phone the pages are behind a button", async () => {
    await visit(
      served("tutorial.html"),
      async (page) => {
        const pages = page.getByRole("navigation", { name: "Pages", exact: true });
        expect(await pages.isVisible()).toBe(false);
        await page.getByRole("button", { name: "Pages" }).click();
        await pages.getByRole("link", { name: "Certificates" }).click();
        await page.waitForURL(/certificates\.html$/);
      },
      PHONE,
    );
  });

  test("a program is copied as it stands", async () => {
    await visit(
      served("first-programs.html"),
      async (page) => {
        await page.locator(".program").first().hover();
        await page.getByRole("button", { name: "Copy" }).first().click();
        await page.getByText("Copied").waitFor();
        const text = await page.evaluate(() => navigator.clipboard.readText());
        expect(text).toMatch(/^import \{ pca \} from "expen\/apps";\n\nconst rows/);
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
  });

  const status = (page: Page) => page.locator(".live .status");
  const ran = (page: Page) => status(page).getByText("in this page").waitFor();

  test("every program of the gallery runs in its page, and says what it said in Node", async () => {
    for (const { name } of programs) {
      await visit(asFile(`gallery/${name}.html`), async (page) => {
        await page.locator(".cm-content").waitFor();
        const picture = () => page.locator(".stage svg").getAttribute("aria-label");
        const before = await picture();
        if (!(await status(page).textContent())) await page.getByRole("button", { name: "Run" }).click();
        await ran(page);
        expect(await picture(), name).toBe(before);
        expect(await page.locator(".output").textContent(), name).not.toMatch(/NaN|undefined/);
      });
    }
  }, 300_000);

  test("a program is changed, its mistakes are shown at their lines, and it comes back", async () => {
    await visit(served("gallery/own-function.html"), async (page) => {
      const write = async (text: string): Promise<void> => {
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText(text);
      };
      const original = await page.locator(".cm-content").textContent();
      await write('import { sphere } from "expen";\n\nsphere("3");');
      await page.keyboard.press("Control+Enter");
      await status(page)
        .getByText(/^Line 3: .*n is '3'/)
        .waitFor();
      expect(await page.locator(".cm-lint-marker-error").count()).toBe(1);
      await write(
        'import { random } from "expen";\nexport const text = random(1, "x").integer(1) + " <b>";\nconsole.log([1, 2]);',
      );
      await page.getByRole("button", { name: "Run" }).click();
      await ran(page);
      expect(await page.locator(".output").textContent()).toBe("0 <b>\n[1,2]");
      await write("for (;;) {}");
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("button", { name: "Stop" }).click();
      await status(page).getByText("Stopped.").waitFor();
      await page.getByRole("button", { name: "As it was" }).click();
      expect(await page.locator(".cm-content").textContent()).toBe(original);
    });
  });

  test("a picture of space turns by the arrow keys", async () => {
    await visit(asFile("gallery/thomson.html"), async (page) => {
      await ran(page);
      const stage = page.getByRole("application");
      const before = await stage.innerHTML();
      await stage.focus();
      await page.keyboard.press("ArrowRight");
      expect(await stage.innerHTML()).not.toBe(before);
      await page.keyboard.press("ArrowLeft");
      expect(await stage.innerHTML()).toBe(before);
      expect(await findings(page)).toEqual([]);
    });
  });

  test("the tour moves, rests at a best plane, pauses, and takes a file of one's own", async () => {
    await visit(asFile("tour.html"), async (page) => {
      const said = page.locator(".tour .status");
      const view = () => page.evaluate(() => document.querySelector("canvas")!.toDataURL());
      const first = await view();
      await expect.poll(view).not.toBe(first);
      await said.getByText(/^Holes: 0\.\d+, a local best\.$/).waitFor();
      expect(await page.locator(".tour tbody tr").count()).toBe(4);
      await page.locator("canvas").focus();
      await page.keyboard.press("Space");
      const paused = await view();
      await page.waitForTimeout(300);
      expect(await view()).toBe(paused);
      // an axis in the hand, and by keys: the table follows
      const canvas = page.locator("canvas");
      await canvas.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await canvas.boundingBox())!;
      const place = (a: number, b: number) =>
        [x + (width / 2) * (1 + 0.62 * a), y + (height / 2) * (1 - 0.62 * b)] as const;
      const weights = async (line: number) =>
        (await page.locator(`.tour tbody tr:nth-child(${line}) td`).allTextContents()).slice(1).map(Number) as [
          number,
          number,
        ];
      await canvas.focus();
      await page.keyboard.press("PageDown");
      await page.keyboard.press("ArrowUp");
      const [a, b] = await weights(1);
      await page.mouse.move(...place(a, b));
      await page.mouse.down();
      await page.mouse.move(...place(0.3, 0.2), { steps: 5 });
      await said.getByText(/^sepal_length at \(0\.(29|30|31), 0\.(19|20|21)\); Holes: 0\.\d+\.$/).waitFor();
      await page.mouse.up();
      expect(await page.locator(".tour tr.marked td").first().textContent()).toBe("sepal_length");
      await page.getByLabel("Look for").selectOption("classes");
      await page.getByRole("button", { name: "Next" }).click();
      await said.getByText(/^Classes apart: 3\.75/).waitFor();
      const csv = "u,v,w,kind\n1,2,4,a\n2,1,3,b\n4,4,1,a\n3,6,2,b\n5,1,6,a\n";
      const give = (name: string, text: string) =>
        page
          .getByLabel("or a CSV file of your own")
          .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
      await give("own.csv", csv);
      await page.locator(".legend li").getByText("b", { exact: true }).waitFor();
      await give("wrong.csv", "u,v\n1,2\n2,1\n4,4\n");
      await said.getByText("the table has 2 columns of numbers that vary; a tour needs three or more.").waitFor();
      expect(await findings(page)).toEqual([]);
    });
  });

  test("the tour waits for Play where the system asks for reduced motion", async () => {
    await visit(
      asFile("tour.html"),
      async (page) => {
        await page.getByRole("button", { name: "Play" }).waitFor();
        expect(await page.locator(".tour .status").textContent()).toBe("");
      },
      { reducedMotion: "reduce" },
    );
  });

  test("without scripts a page can be read", async () => {
    await visit(
      asFile("tutorial.html"),
      async (page) => {
        expect(await page.locator("main").textContent()).toContain("Minimise a smooth f");
        await page.getByRole("link", { name: "Guide" }).click();
        await page.waitForURL(/guide\.html$/);
      },
      { javaScriptEnabled: false },
    );
  });
});
