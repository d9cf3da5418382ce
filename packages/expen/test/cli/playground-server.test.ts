/** The local server of the playground: headers, compression, and nothing but the page. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PlaygroundServer, servePlayground } from "../../src/cli/playground-server.js";

const folder = mkdtempSync(join(tmpdir(), "expen-server-"));
const root = join(folder, "page");
let server: PlaygroundServer;

beforeAll(async () => {
  mkdirSync(join(root, "assets"), { recursive: true });
  writeFileSync(join(root, "index.html"), "<!doctype html><title>page</title>");
  writeFileSync(join(root, "assets/a.js"), "export default 1;");
  writeFileSync(join(folder, "secret.txt"), "secret");
  server = await servePlayground({ port: 0, root });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The path as it stands, which fetch would tidy up. */
const status = (path: string): Promise<number> =>
  new Promise((resolve, reject) =>
    request(new URL(server.url).origin, { path }, (r) => resolve(r.resume().statusCode!))
      .on("error", reject)
      .end(),
  );

test("the page comes isolated, compressed and with its types", async () => {
  const page = await fetch(server.url);
  expect(page.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(page.headers.get("cross-origin-embedder-policy")).toBe("require-corp");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  expect(page.headers.get("content-encoding")).toBe("gzip");
  expect(await page.text()).toContain("<title>page</title>");
  const script = await fetch(`${server.url}assets/a.js?x=1`, { headers: { "accept-encoding": "identity" } });
  expect(script.headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(script.headers.get("content-encoding")).toBeNull();
  expect(await script.text()).toBe("export default 1;");
});

test.each([
  ["/../secret.txt", 403],
  ["/%2e%2e/secret.txt", 403],
  ["/assets/../../secret.txt", 403],
  ["/assets", 404],
  ["/nothing.js", 404],
  ["/%zz", 400],
])("%s is answered with %i", async (path, code) => {
  expect(await status(path)).toBe(code);
});

test("what cannot be served is said in a sentence", async () => {
  await expect(servePlayground({ root: folder })).rejects.toThrow(/^playground: there is no built page in .*run/);
  await expect(servePlayground({ root, port: Number(new URL(server.url).port) })).rejects.toThrow(
    /^playground: port \d+ is in use; choose another/,
  );
  await expect(servePlayground({ root, port: 1e9 })).rejects.toThrow("port is 1000000000; it must be");
});
