/** Serves the built playground on this machine, with the headers that shared memory needs. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { InputError } from "./input-error.js";
import { POLICY } from "./playground-policy.js";

export interface PlaygroundServer {
  readonly url: string;
  close(): Promise<void>;
}

interface PlaygroundOptions {
  /** 0: any that is free */
  port?: number;
  /** folder of the built page */
  root?: string;
}

const BUILT = fileURLToPath(new URL("./playground", import.meta.url));

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** Isolation for threads, and the policy that the page carries too. */
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
};

const compress = promisify(gzip);

export async function servePlayground({
  port = 4173,
  root = BUILT,
}: PlaygroundOptions = {}): Promise<PlaygroundServer> {
  if (!existsSync(join(root, "index.html")) || !existsSync(join(root, "assets"))) {
    throw new InputError(
      `playground: there is no built page in ${root}; run "npm run playground" in the repository once.`,
    );
  }
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new InputError(`playground: port is ${port}; it must be a whole number from 0 to 65535.`);
  }
  /** compressed files, kept: the page is small and does not change while it is served */
  const cache = new Map<string, Promise<Buffer>>();

  async function answer(path: string, plain: boolean, response: ServerResponse): Promise<void> {
    const file = normalize(join(root, path === "/" ? "index.html" : decodeURIComponent(path)));
    if (!file.startsWith(root + sep)) {
      response.writeHead(403).end();
      return;
    }
    try {
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      const body = await readFile(file);
      const headers = {
        ...HEADERS,
        "Content-Type": type,
        "Cache-Control": path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-cache",
      };
      if (plain) {
        response.writeHead(200, headers).end(body);
        return;
      }
      let packed = cache.get(file);
      if (!packed) cache.set(file, (packed = compress(body)));
      response.writeHead(200, { ...headers, "Content-Encoding": "gzip", Vary: "Accept-Encoding" }).end(await packed);
    } catch {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such file.\n");
    }
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0]!;
    const plain = !/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    answer(path, plain, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new InputError(`playground: port ${port} is in use; choose another with --port, or 0 for any.`)
          : new InputError(
              `playground: port ${port} cannot be listened on (${error.message}); choose another with --port.`,
            ),
      ),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
