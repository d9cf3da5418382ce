/** The playground under bad conditions, on a phone, in the dark, without a mouse. */
import { describe, expect, test } from "vitest";
import { chromiumIsThereOrNeedNotBe, executablePath } from "./chromium.js";
import { button, done, playground, statuses } from "./playground-page.js";

chromiumIsThereOrNeedNotBe();

describe.runIf(executablePath)("in chromium", () => {
  const { visit, url } = playground();

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
    await visit("#/race?n=4000&p=50&tol=1e-12&solvers=expen-cg,beta:paper", async (page) => {
      await button(page, "Run").click();
      await page.waitForSelector('.status[data-phase="running"]');
      await page.workers()[0]!.evaluate(() => self.close());
      await page.locator(".notice").getByText("has not answered").waitFor();
      await button(page, "Stop").click();
      await page.locator(".error").getByText("a new worker stands ready").waitFor();
      await page.goto(`${url()}#/race?n=60&p=3`);
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

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

  test.each(["race?run=1", "manifold", "own", "own?kind=pca", "learn", "learn?page=2", "learn?page=3"])(
    "#/%s fits a phone, and everything in it has a name",
    async (hash) => {
      await visit(
        `#/${hash}`,
        async (page) => {
          await page.waitForTimeout(800);
          await page.waitForFunction(
            () => !document.querySelector('.status[data-phase="starting"], .status[data-phase="running"]'),
          );
          const { wide, cut, nameless } = await page.evaluate(() => ({
            wide: document.scrollingElement!.scrollWidth - window.innerWidth,
            cut: [...document.querySelectorAll(".scroll, .leaderboard td, .display, .verdicts, figcaption")]
              .filter((e) => e.scrollWidth > e.clientWidth + 1)
              .map((e) => e.outerHTML),
            nameless: [...document.querySelectorAll("button, input, select, textarea, canvas")]
              .filter((e) => {
                const labels = (e as HTMLInputElement).labels?.length ?? 0;
                return !e.getAttribute("aria-label") && !e.textContent?.trim() && labels === 0 && !e.closest(".uplot");
              })
              .map((e) => e.outerHTML),
          }));
          expect(wide).toBeLessThanOrEqual(0);
          expect(cut).toEqual([]);
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
