// Every view of the playground on a desktop and a phone, light and dark: one picture each under report/screenshots, and one sheet a view for the docs.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { servePlayground } from "expen/cli";
import { chromium } from "playwright-core";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const pictures = at("../report/screenshots");
const sheets = at("../docs/playground");

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

const done = (page) => page.waitForSelector('.status[data-phase="done"]');
const run = async (page) => {
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await done(page);
};
const write = async (page, code) => {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(code);
};

/** Heights of waves at 60 places and 6 times: two strong directions and a little of everything else. */
const waves = ["north,east,south,west,tide,wind"];
for (let i = 0; i < 60; i++) {
  const [u, v] = [Math.sin(1.7 * i), Math.cos(2.9 * i)];
  const row = [3 * u, 2 * v, u - v, 1.2 * v + 0.1 * u, 0.3 * Math.sin(i * i), 0.4 * Math.cos(5 * i)];
  waves.push(row.map((x) => x.toFixed(4)).join(","));
}

/** name: [address, what to do there] */
const views = {
  race: ["#/race?run=1", done],
  "race-oblique": ["#/race?problem=quadratic&on=oblique&solvers=auto;rcg;wen-yin;landing&run=1", done],
  molecule: ["#/race?problem=molecule&o.molecule=CH4&o.basis=6-31g&run=1", done],
  manifold: ["#/manifold", done],
  "manifold-pairs": ["#/manifold?p=2&shift=yes", done],
  "own-mistake": [
    "#/own",
    async (page) => {
      await write(page, "const A = symmetric(n);\n\nreturn trac(mul(t(X), A, X));");
      await page.locator(".check.error").waitFor();
    },
  ],
  own: [
    "#/own",
    async (page) => {
      await page.locator(".check.good").waitFor();
      await run(page);
    },
  ],
  "own-pca": [
    "#/own?kind=pca",
    async (page) => {
      const file = { name: "waves.csv", mimeType: "text/csv", buffer: Buffer.from(waves.join("\n")) };
      await page.locator('[data-slot="A"] input').setInputFiles(file);
      await page.getByText("waves.csv, 60×6").waitFor();
      await run(page);
      await page.getByText("of the variance").waitFor();
    },
  ],
  "learn-1": ["#/learn", (page) => page.locator(".verdicts").waitFor()],
  "learn-2": ["#/learn?page=2", done],
  "learn-3": ["#/learn?page=3", (page) => page.waitForSelector('tr[data-status="converged"]')],
};

/** Runs in the page: the pictures beside each other, smaller, as WebP. */
async function sheet(sources) {
  const images = await Promise.all(
    sources.map(async (base64) => createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob())),
  );
  const [scale, gap] = [0.65, 24];
  const width = images.reduce((sum, { width }) => sum + width + gap, gap);
  const height = Math.max(...images.map(({ height }) => height)) + 2 * gap;
  const canvas = new OffscreenCanvas(Math.round(scale * width), Math.round(scale * height));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.fillStyle = "#8a939e";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  let x = gap;
  for (const image of images) {
    context.drawImage(image, x, gap);
    x += image.width + gap;
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.7 })).arrayBuffer());
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
}

mkdirSync(pictures, { recursive: true });
const server = await servePlayground({ port: 0 });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const paper = await browser.newPage();
const names = process.argv.slice(2);
for (const [name, [hash, work]] of Object.entries(views)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const shots = [];
  for (const [device, options] of Object.entries(devices)) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ ...options, colorScheme });
      const page = await context.newPage();
      await page.goto(server.url + hash);
      await page.waitForSelector('main[data-ready="yes"]');
      await work(page);
      await page.mouse.move(0, 0);
      // charts are drawn in the next frames
      await page.waitForTimeout(500);
      const path = `${pictures}/${name}-${device}-${colorScheme}.png`;
      shots.push((await page.screenshot({ path, fullPage: true })).toString("base64"));
      await context.close();
    }
  }
  const webp = Buffer.from(await paper.evaluate(sheet, shots), "base64");
  writeFileSync(`${sheets}/${name}.webp`, webp);
  console.log(`${name}: ${(webp.length / 1000).toFixed(0)} kB`);
}
await browser.close();
await server.close();
