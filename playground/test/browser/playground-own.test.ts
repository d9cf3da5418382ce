/** The visitor's own objective and data in the playground. */

import { readFileSync } from "node:fs";
import { readCsv } from "@expen/data";
import { wasmEngine } from "@expen/engines/wasm";
import { problems } from "@expen/experiments/problems";
import { chromiumIsThereOrNeedNotBe, executablePath } from "@expen/testing/browser/chromium";
import { button, cells, done, playground, statuses, write } from "@expen/testing/browser/playground-page";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";

chromiumIsThereOrNeedNotBe();

const iris = new URL("../../../examples/data/iris.csv", import.meta.url);

describe.runIf(executablePath)("in chromium", () => {
  const { visit, url } = playground();

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

  test("X ≥ 0 beside the manifold: a nonnegative answer, its multipliers, and a chart of violations", async () => {
    await visit("#/own?solvers=auto&n=12&p=2", async (page) => {
      await page.waitForSelector(".cm-content");
      await page.getByLabel("Entries of X").selectOption("nonnegative");
      await page.locator(".check").getByText("Derivatives are right").waitFor();
      await button(page, "Run").click();
      await done(page);
      expect(await statuses(page)).toEqual(["converged"]);
      expect(await page.locator(".verdicts").textContent()).toMatch(/of 24 multipliers are not 0.*violation 0/);
      expect(await page.getByText("Violation and complementarity").count()).toBeGreaterThan(0);
      await page.getByLabel("Entries of X").selectOption("bounds");
      await page.getByLabel("upper").waitFor();
    });
  });

  test("code without end costs its worker, not the page", async () => {
    await visit("#/own", async (page) => {
      await page.waitForSelector(".cm-content");
      await write(page, "while (true) {}");
      await page.locator(".check").getByText("endless loop").waitFor();
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
        expect(Number(found[0]!.replace("−", "-"))).toBeCloseTo(optimum!, 7);
        await page.getByText(/% of the variance of waves\.csv/).waitFor();
        await button(page, "Copy link").click();
        await page.getByText("Copied.").waitFor();
        link = await page.evaluate(() => navigator.clipboard.readText());
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
    await visit(link.slice(url().length), async (page) => {
      await page.getByText("waves.csv, 40×5").waitFor();
      await done(page);
      expect(await cells(page, "f")).toEqual(found);
    });
  });

  test("from a file with a header and a column of words to components by name, with a proof", async () => {
    const [header, ...samples] = readFileSync(iris, "utf8").trim().split("\n");
    const species = ["setosa", "versicolor", "virginica"];
    const words = samples.map((line) => line.replace(/\d$/, (kind) => species[Number(kind)]!));
    // as a spreadsheet in a country with decimal commas saves it
    const text = [header, ...words].map((line) => line.replaceAll(",", ";").replaceAll(".", ",")).join("\r\n");
    await visit("", async (page) => {
      await page.getByRole("link", { name: "Your own" }).click();
      await page.getByText("PCA", { exact: true }).click();
      await drop(page, "A", "flowers.csv", `\uFEFF${text}\r\n`);
      await page.getByText("flowers.csv, 150×4").waitFor();
      await page.getByText("columns of words are left out: species").waitFor();
      await button(page, "Run").click();
      await done(page);
      expect(await page.locator(".verdicts li.good").count()).toBe(3);
      expect(await page.locator(".verdicts").textContent()).toMatch(/global minimum/i);
      // the variances of Fisher's table: 92.46 and 5.31 percent
      await page.getByText("97.8 % of the variance of flowers.csv").waitFor();
      const names = await page.locator(".loadings tbody th").allTextContents();
      expect(names).toEqual(["sepal_length", "sepal_width", "petal_length", "petal_width"]);
      const first = await page.locator(".loadings tbody td:nth-child(2)").allTextContents();
      const weights = first.map((cell) => Math.abs(Number(cell.replace("−", "-"))));
      expect(weights).toEqual([0.3614, 0.0845, 0.8567, 0.3583]);
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
});
