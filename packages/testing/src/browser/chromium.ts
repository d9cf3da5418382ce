/** The browser of this machine, for the tests that need one. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { expect, test } from "vitest";

export const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
/** whether EXPEN_REQUIRE asks for a browser */
export const required = process.env.EXPEN_REQUIRE?.split(/[\s,]+/).includes("browser") ?? false;

/** Skips with a word where there is no browser, and fails where EXPEN_REQUIRE asks for one. */
export function chromiumIsThereOrNeedNotBe(): void {
  test("chromium is there, or need not be", ({ skip }) => {
    if (!executablePath && !required) skip("no chromium on this machine (apt-get install chromium)");
    expect(executablePath, "EXPEN_REQUIRE asks for a browser; apt-get install chromium").toBeDefined();
  });
}

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executablePath!,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--no-first-run",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
