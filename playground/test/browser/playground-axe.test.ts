/** What axe finds in each view of the playground, light and dark and on a phone. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromiumIsThereOrNeedNotBe, executablePath } from "@expen/testing/browser/chromium";
import { done, playground } from "@expen/testing/browser/playground-page";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

chromiumIsThereOrNeedNotBe();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run(): Promise<{ violations: { impact: string; id: string; nodes: { target: string[] }[] }[] }>;
}

describe.runIf(executablePath)("in chromium", () => {
  const { visit } = playground();
  const looks = [{}, { colorScheme: "dark" as const }, { viewport: { width: 390, height: 844 } }];

  async function requireNothingSerious(page: Page): Promise<void> {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]!.target.join(" ")}`)).toEqual([]);
  }

  test.each(["race", "manifold", "own", "learn"])("%s has no serious finding", async (view) => {
    for (const look of looks) {
      await visit(
        `#/${view}`,
        async (page) => {
          await page.locator("main").locator("button, figure, section").first().waitFor();
          await requireNothingSerious(page);
        },
        look,
      );
    }
  });

  test("nor have the charts, the table and the verdicts of a run", async () => {
    for (const look of looks) {
      await visit(
        "#/race?n=120&p=5&run=1",
        async (page) => {
          await done(page);
          await requireNothingSerious(page);
        },
        look,
      );
    }
  });
});
