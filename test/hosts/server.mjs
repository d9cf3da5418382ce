/** Serves a folder with the headers that docs/hosts.md names. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { inlineScripts } from "./bundlers.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };

export function serve(folder, allowed) {
  const scripts = ["'self'", allowed, ...inlineScripts(join(folder, "index.html"))].join(" ");
  const headers = {
    "Content-Security-Policy": `default-src 'none'; script-src ${scripts}; worker-src 'self' blob:`,
    // for threads, which share memory
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
  };
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = pathname === "/" ? "/index.html" : pathname;
    try {
      const content = await readFile(join(folder, file));
      response.writeHead(200, { ...headers, "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(content);
    } catch {
      response.writeHead(file === "/favicon.ico" ? 204 : 404, headers).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve({ origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }),
    );
  });
}
