import { executablePath } from "@expen/testing/browser/chromium";
import { button, done, playground, statuses } from "@expen/testing/browser/playground-page";
import { describe, expect, test } from "vitest";

describe.skipIf(!executablePath)("where X lives, in the browser", () => {
  const { visit } = playground();

  test("orthonormal columns are preset; another place is chosen, greys what has no meaning there, and runs", async () => {
    await visit("#/race?problem=quadratic&n=40&p=3&solvers=auto;wen-yin", async (page) => {
      const place = page.getByLabel("Manifold of X");
      expect(await place.inputValue()).toBe("stiefel");
      expect(await page.locator(".refused").count()).toBe(0);
      await place.selectOption("oblique");
      await page.locator(".refused").getByText("solver 'wen-yin' has no meaning on oblique").waitFor();
      const greyed = await page.locator('select[aria-label="Solver 1"] option[disabled]').allTextContents();
      expect(greyed).toContain("jiang-dai");
      expect(greyed).not.toContain("rcg");
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["converged", "failed"]);
      expect(await page.locator(".status").textContent()).toContain("X on oblique(40, 3)");
      await place.selectOption("sphere");
      expect(await page.getByLabel("p", { exact: true }).count()).toBe(0);
    });
  });

  test("one's own objective on a generalized Stiefel manifold", async () => {
    await visit("#/own?on=generalized-stiefel&n=30&p=2&solvers=auto", async (page) => {
      await page.locator(".check.good").waitFor();
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["converged"]);
      expect(await page.locator(".status").textContent()).toContain("X on generalized-stiefel(30, 2)");
    });
  });

  test("one's own objective of complex matrices", async () => {
    const code = encodeURIComponent("return sub(norm2(mul(symmetric(n), X.re)), inner(X.im, gaussian(n, p)));");
    await visit(`#/own?on=complex-stiefel&n=10&p=2&solvers=auto&code=${code}`, async (page) => {
      // code that came with a link is checked when it is run
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["converged"]);
      expect(await page.locator(".status").textContent()).toContain("X on complex-stiefel(10, 2)");
    });
  });

  test("a molecule: its energy against iterations with the reference as a line", async () => {
    await visit("#/race?problem=molecule&o.molecule=LiH&solvers=auto;rcg&run=1", async (page) => {
      await done(page);
      expect(await statuses(page)).toEqual(["converged", "converged"]);
      const energy = page.getByRole("img", { name: /^Energy, hartree/ });
      expect(await energy.getAttribute("aria-label")).toMatch(/auto: −7\.86.*rcg: −7\.86.*reference: −7\.86/);
      expect(await page.getByLabel("Manifold of X").count()).toBe(0);
    });
  });

  test("options are folded, and say what was chosen", async () => {
    await visit("#/race?solvers=expen-cg,beta:0.5;auto", async (page) => {
      expect(await page.locator(".options summary").allTextContents()).toEqual(["β 0.5", "options"]);
      const beta = page.getByLabel("β of expen-cg");
      expect(await beta.isVisible()).toBe(false);
      await page.getByLabel("Options of expen-cg").click();
      expect(await beta.isVisible()).toBe(true);
    });
  });
});
