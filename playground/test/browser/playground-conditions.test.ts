/** The playground under bad conditions, on a phone, in the dark, without a mouse. */

import { chromiumIsThereOrNeedNotBe, executablePath } from "@expen/testing/browser/chromium";
import { button, done, playground, statuses, write } from "@expen/testing/browser/playground-page";
import { POLICY } from "expen/cli";
import { describe, expect, test } from "vitest";

chromiumIsThereOrNeedNotBe();

/** What a machine may have for a font: that of the page, the browser's own, and one wider than any. */
const FONTS = {
  "the fonts of the page": "",
  serif: "* { font-family: serif !important }",
  monospace: "* { font-family: monospace !important }",
  "a very wide font": "* { font-family: monospace !important; letter-spacing: 0.12em !important }",
};

/** In the page: this style besides its own. */
function dress(css: string): void {
  const style = document.querySelector("style.dress") ?? document.head.appendChild(document.createElement("style"));
  style.className = "dress";
  style.textContent = css;
}

/** In the page: by how much it is too wide, and what is cut off or must be scrolled sideways, but for code and what only readers hear. */
function misfits(): { wide: number; cut: string[] } {
  const cut = [...document.querySelectorAll("header *, main *, footer *")].filter(
    (e) =>
      e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && !e.closest(".sr-only, .skip, .uplot, .cm-scroller"),
  );
  const wide = Math.max(0, document.scrollingElement!.scrollWidth - window.innerWidth);
  return { wide, cut: cut.map((e) => e.outerHTML) };
}

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
        .getByText(/needs about .* but/i)
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
      "#/race?n=60&p=3&solvers=auto;expen-newton",
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

  test("on a host that sends no headers the policy of the page holds, for the code of visitors too", async () => {
    /** In a page or a worker: what is said of a request to somewhere else. */
    const callOut = () =>
      new Promise<string>((resolve) => {
        self.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        fetch("https://elsewhere.invalid/").catch(() => setTimeout(() => resolve("allowed"), 500));
      });
    let bare = 0;
    await visit(
      "#/own?n=20&p=2",
      async (page) => {
        const policy = 'meta[http-equiv="Content-Security-Policy"]';
        expect(await page.locator(policy).getAttribute("content")).toBe(POLICY);
        await write(page, "return scale(-1, trace(mul(t(X), symmetric(n), X)));");
        await button(page, "Run").click();
        await page.waitForSelector('tr[data-status="converged"]');
        expect(await page.evaluate(callOut)).toBe("connect-src");
        expect(page.workers()).toHaveLength(1);
        expect(await page.workers()[0]!.evaluate(callOut)).toBe("connect-src");
        expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
        expect(bare).toBeGreaterThan(3);
      },
      {
        allowed: /Content Security Policy/,
        prepare: async (page) => {
          await page.route("**/*", async (route) => {
            const response = await route.fetch();
            const headers = Object.entries(response.headers()).filter(
              ([name]) => !/^(cross-origin|content-sec)/.test(name),
            );
            bare++;
            await route.fulfill({ response, headers: Object.fromEntries(headers) });
          });
        },
      },
    );
  });

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

  test.each(["race?run=1", "manifold", "own", "own?kind=pca", "learn", "learn?page=2", "learn?page=3"])(
    "#/%s fits a phone with any font, and everything in it has a name",
    async (hash) => {
      await visit(
        `#/${hash}`,
        async (page) => {
          await page.waitForTimeout(800);
          await page.waitForFunction(
            () => !document.querySelector('.status[data-phase="starting"], .status[data-phase="running"]'),
          );
          for (const width of [390, 320]) {
            for (const [font, css] of Object.entries(FONTS)) {
              await page.setViewportSize({ width, height: 844 });
              await page.evaluate(dress, css);
              // charts are drawn anew when the browser has told them their size
              await expect
                .poll(() => page.evaluate(misfits), { message: `${width} px, ${font}`, timeout: 10_000 })
                .toEqual({ wide: 0, cut: [] });
            }
          }
          const nameless = await page.evaluate(() =>
            [...document.querySelectorAll("button, input, select, textarea, canvas")]
              .filter((e) => {
                const labels = (e as HTMLInputElement).labels?.length ?? 0;
                return !e.getAttribute("aria-label") && !e.textContent?.trim() && labels === 0 && !e.closest(".uplot");
              })
              .map((e) => e.outerHTML),
          );
          expect(nameless).toEqual([]);
        },
        phone,
      );
    },
  );

  test("the keyboard alone runs a race, and dark follows the system and the button", async () => {
    await visit(
      "#/race?n=40&p=3&solvers=auto",
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
