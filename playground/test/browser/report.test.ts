/** The HTML report rendered in a real browser: tables and plots are there, drawn, readable in light, dark and print. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumIsThereOrNeedNotBe, executablePath, launch } from "@expen/testing/browser/chromium";
import { expen, scratch } from "@expen/testing/cli/run-cli";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

chromiumIsThereOrNeedNotBe();

describe.skipIf(!executablePath)("report.html", () => {
  const folder = scratch();
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    const { code } = await expen(
      "reproduce all --sizes 200x4,240x5,220x6 --runs 1 --solvers auto,expen-cg --engine wasm --out report --quiet",
      folder,
    );
    expect(code).toBe(0);
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1240, height: 900 }, colorScheme: "light" });
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(pathToFileURL(join(folder, "report/report.html")).href);
  });
  afterAll(() => browser?.close());

  test("needs no other file and makes no error", () => {
    expect(requests).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test("four tables with a line for each solver and size, none cut off", async () => {
    const tables = await page.$$eval("table", (all) =>
      all.map((table) => ({
        groups: table.querySelectorAll("tr.group").length,
        labels: [...table.querySelectorAll("tbody th")].map((th) => th.textContent),
        numbers: [...table.querySelectorAll("tbody tr:not(.group) td:nth-child(2)")].map((td) =>
          Number.parseFloat(td.textContent.replace("−", "-")),
        ),
        cut: table.parentElement!.scrollWidth > table.parentElement!.clientWidth,
      })),
    );
    expect(tables).toHaveLength(4);
    for (const { groups, labels, numbers, cut } of tables) {
      expect(groups).toBe(3);
      expect(labels).toEqual(Array.from({ length: 3 }, () => ["auto (default)", "ExPen-CG"]).flat());
      expect(numbers.every(Number.isFinite)).toBe(true);
      expect(cut).toBe(false);
    }
  });

  test("nine panels of ExPen-CG, nine of all solvers, two profiles; every line is drawn inside its frame", async () => {
    const plots = await page.$$eval("svg.plot", (all) =>
      all.map((svg) => {
        const frame = svg.querySelector(".frame")!.getBoundingClientRect();
        return {
          section: svg.closest("section")!.id,
          width: frame.width,
          ticks: svg.querySelectorAll(".tick").length,
          lines: [...svg.querySelectorAll("path.line")].map((path) => {
            const box = path.getBoundingClientRect();
            const inside =
              box.left >= frame.left - 2 &&
              box.right <= frame.right + 2 &&
              box.top >= frame.top - 2 &&
              box.bottom <= frame.bottom + 2;
            return { inside, wide: box.width > frame.width / 4, colour: getComputedStyle(path).stroke };
          }),
        };
      }),
    );
    const count = (id: string): number => plots.filter((q) => q.section === id).length;
    expect([count("figure"), count("figure-all"), count("profile")]).toEqual([9, 9, 2]);
    for (const { section, width, ticks, lines } of plots) {
      expect(width).toBeGreaterThan(200);
      expect(ticks).toBeGreaterThanOrEqual(5);
      expect(lines).toHaveLength(section === "figure" ? 1 : 2);
      for (const { inside, wide, colour } of lines) {
        expect(inside).toBe(true);
        expect(wide).toBe(true);
        expect(colour).toMatch(/^rgb/);
      }
      expect(new Set(lines.map((l) => l.colour)).size).toBe(lines.length);
    }
  });

  test("ink and ground stand apart in light, dark and print, and the page prints", async () => {
    /** relative luminance of the page's ground and ink */
    const luminances = (): Promise<number[]> =>
      page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return [backgroundColor, color].map(
          (c) =>
            c
              .match(/\d+/g)!
              .slice(0, 3)
              .reduce((s, v, i) => s + Number(v) * [0.2126, 0.7152, 0.0722][i]!, 0) / 255,
        );
      });
    const [light, lightInk] = await luminances();
    expect(light! - lightInk!).toBeGreaterThan(0.7);
    await page.emulateMedia({ colorScheme: "dark" });
    const [dark, darkInk] = await luminances();
    expect(darkInk! - dark!).toBeGreaterThan(0.7);
    await page.emulateMedia({ media: "print" });
    const [paper, ink] = await luminances();
    expect(paper! - ink!).toBeCloseTo(1, 12);
    expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(20_000);
  });

  test("the screenshot is not empty where tables and plots are", async () => {
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    for (const id of ["noeig-n", "brockett-p", "figure", "figure-all", "profile"]) {
      const shot = await page.locator(`#${id}`).screenshot();
      // decoded by the browser itself: the share of pixels that are not the ground
      const inked = await page.evaluate(async (base64) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i]! + data[i + 1]! + data[i + 2]! < 600) count++;
        return count / (data.length / 4);
      }, shot.toString("base64"));
      expect(inked, id).toBeGreaterThan(0.01);
      expect(inked, id).toBeLessThan(0.5);
    }
  });
});
