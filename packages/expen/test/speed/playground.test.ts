/**
 * How fast the playground is. Wall times say something only on a machine that does nothing else: these tests run where EXPEN_REQUIRE names the
 * browser, in a call of their own.
 */

import { drain } from "@expen/core";
import { wasmEngine } from "@expen/engines/wasm";
import { problems } from "@expen/experiments/problems";
import { solveStiefel } from "@expen/solvers";
import { required } from "@expen/testing/browser/chromium";
import { button, playground } from "@expen/testing/browser/playground-page";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

/** Presses Run; seconds from there to the last certificate, as the page says. */
async function wallOfNextRun(tab: Page): Promise<number> {
  const said = () => tab.locator('.status[data-phase="done"]').evaluateAll((all) => all[0]?.getAttribute("data-wall"));
  const before = await said();
  await button(tab, "Run").click();
  const wall = await expect.poll(said, { timeout: 50_000 }).not.toBeOneOf([before, undefined]).then(said);
  return Number(wall);
}

describe.runIf(required)("the playground in chromium", () => {
  const { visit } = playground();

  test("is soon ready", async () => {
    let ready = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5; i++) {
      await visit("", async (page) => {
        ready = Math.min(ready, await page.evaluate(() => performance.now()));
      });
    }
    console.log(`ready after ${ready.toFixed(0)} ms`);
    expect(ready).toBeLessThan(2000);
  });

  test("stays alive while solvers run", async () => {
    await visit("#/race?n=4000&p=20&tol=1e-12&solvers=auto;expen-cg", async (page) => {
      await button(page, "Run").click();
      await page.waitForFunction(() => {
        const found = [...document.querySelectorAll('[data-cell="iterations"]')].map((c) => Number(c.textContent));
        return found.length === 2 && found.every((k) => k > 2);
      });
      const longest = await page.evaluate(async () => {
        let [gap, last] = [0, performance.now()];
        for (const end = last + 600; last < end; ) {
          await new Promise(requestAnimationFrame);
          const now = performance.now();
          [gap, last] = [Math.max(gap, now - last), now];
        }
        return gap;
      });
      console.log(`longest time between two frames ${longest.toFixed(0)} ms`);
      expect(longest).toBeLessThan(300);
    });
  });

  // the page measures besides, for its charts, and shares two cores with the browser's own processes
  test("noeig 1000×10 takes at most four times the time of Node", async () => {
    const E = await wasmEngine();
    let node = Number.POSITIVE_INFINITY;
    let page = Number.POSITIVE_INFINITY;
    await visit("#/race?n=1000&p=10&solvers=auto", async (tab) => {
      for (let i = 0; i < 60; i++) {
        const began = performance.now();
        const { objective } = problems.get("noeig")!.make(E, { n: 1000, p: 10 });
        const { status } = await drain(solveStiefel(E, objective, { seed: 1 }));
        node = Math.min(node, (performance.now() - began) / 1000);
        expect(status).toBe("converged");
        page = Math.min(page, await wallOfNextRun(tab));
      }
    });
    console.log(`noeig 1000×10: ${page.toFixed(4)} s in the page, ${node.toFixed(4)} s in Node`);
    expect(page).toBeLessThan(4 * node);
  });
});
