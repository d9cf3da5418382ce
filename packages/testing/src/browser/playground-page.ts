/** The playground built, served and opened in a browser; what its tests do with a page. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PlaygroundServer, servePlayground } from "expen/cli";
import type { Browser, BrowserContextOptions, ElementHandle, Locator, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect } from "vitest";
import { launch } from "./chromium.js";

const configFile = fileURLToPath(new URL("../../../../playground/vite.config.ts", import.meta.url));

export interface Playground {
  /** where the built files are */
  root(): string;
  url(): string;
  /** Opens an address, does the work, and wants no error on the console but those `allowed`. */
  visit(
    hash: string,
    work: (page: Page) => Promise<void>,
    options?: BrowserContextOptions & { prepare?: (page: Page) => Promise<void>; allowed?: RegExp },
  ): Promise<void>;
}

/** To be called in a `describe`: builds before its tests and cleans up after them. */
export function playground(): Playground {
  let root = "";
  let browser: Browser;
  let server: PlaygroundServer;
  beforeAll(async () => {
    root = join(mkdtempSync(join(tmpdir(), "expen-playground-")), "page");
    await build({ configFile, logLevel: "error", build: { outDir: root } });
    server = await servePlayground({ port: 0, root });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    if (root) rmSync(join(root, ".."), { recursive: true, force: true });
  });
  return {
    root: () => root,
    url: () => server.url,
    async visit(hash, work, { prepare, allowed, ...options } = {}) {
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
        expect(errors.filter((text) => !allowed?.test(text))).toEqual([]);
      } finally {
        await context.close();
      }
    },
  };
}

export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

export const done = (page: Page): Promise<ElementHandle> =>
  page.waitForSelector('.status[data-phase="done"]', { timeout: 50_000 });

/** How the runs ended, in the order of the start list. */
export const statuses = (page: Page): Promise<(string | undefined)[]> =>
  page.$$eval("tr[data-lane]", (rows) =>
    rows
      .sort((a, b) => Number(a.getAttribute("data-lane")) - Number(b.getAttribute("data-lane")))
      .map((r) => (r as HTMLElement).dataset.status),
  );

export const cells = (page: Page, name: string): Promise<string[]> =>
  page.$$eval(`[data-cell="${name}"]`, (found) => found.map((c) => c.textContent ?? ""));

export async function downloaded(page: Page, name: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Puts this text into the editor in place of what stands there. */
export async function write(page: Page, code: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(code);
}
