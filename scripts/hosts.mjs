// Installs the packages, and the bundlers and hosts of test/hosts, into a cache; solves the same problem on each, and prints a table.
// `--write` puts the table into bench/reports/hosts.md. Ends with 1 where an answer is not the right one.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createJiti } from "jiti";
import { bundlers, bytesOf } from "../test/hosts/bundlers.mjs";
import { serve } from "../test/hosts/server.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "test/hosts");
const cache = join(root, "node_modules/.cache/expen-hosts");
const PAGE = join(root, "bench/reports/hosts.md");
const MARKS = ["<!-- made by npm run hosts -->\n", "<!-- end of what npm run hosts made -->"];

/** Which engine solves the problem, by how many threads, and where */
const TRIALS = [
  { title: "`auto` takes", engine: "auto", threads: 1, where: "here" },
  { title: "wasm", engine: "wasm", threads: 1, where: "here" },
  { title: "js", engine: "js", threads: 1, where: "here" },
  { title: "2 threads", engine: "wasm", threads: 2, where: "here" },
  { title: "worker: wasm", engine: "wasm", threads: 1, where: "worker" },
  { title: "worker: js", engine: "js", threads: 1, where: "worker" },
];
/** Where the policy of a page forbids WebAssembly */
const REFUSED = /^EngineError: wasm: this host does not compile WebAssembly .*'wasm-unsafe-eval'/;
/** Milliseconds, of which a run takes hundreds */
const PATIENCE = 60_000;

const write = process.argv.includes("--write");
install();
const rows = [...(await inChromium()), ...(await inProcesses())];
const { atOnce, wasm } = await bytesOf(cache, ["minimize", "stiefel"]);
const kB = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
const text = [
  `| | ${TRIALS.map(({ title }) => title).join(" | ")} |`,
  `| --- |${" --- |".repeat(TRIALS.length)}`,
  ...rows.map(({ host, words }) => `| ${host} | ${words.join(" | ")} |`),
  "",
  `\`import { minimize, stiefel } from "expen"\`, minified and compressed (esbuild, gzip): ${kB(atOnce)} at once, and ` +
    `${kB(wasm)} more when the wasm engine is opened.`,
  "",
].join("\n");
console.log(text);
if (write) {
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = MARKS.map((mark) => page.indexOf(mark));
  writeFileSync(PAGE, page.slice(0, begin) + MARKS[0] + text + page.slice(end));
}
const wrong = rows.flatMap(({ failures }) => failures);
for (const sentence of wrong) console.error(`hosts: ${sentence}`);
const count = rows.length * TRIALS.length;
console.log(`${count - wrong.length} passed, ${wrong.length} failed`);
process.exitCode = wrong.length > 0 ? 1 : 0;

/** Tools once, the package each time, as `npm pack` makes it */
function install() {
  const npm = (...args) => execFileSync("npm", args, { cwd: cache, encoding: "utf8", stdio: ["ignore", "pipe", 2] });
  const manifest = readFileSync(join(source, "package.json"), "utf8");
  const stamp = join(cache, "node_modules/.wanted");
  mkdirSync(cache, { recursive: true });
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== manifest) {
    console.error("Installing bundlers and hosts …");
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, "package.json"), manifest);
    npm("install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund");
    writeFileSync(stamp, manifest);
  }
  cpSync(source, cache, { recursive: true });
  for (const folder of readdirSync(join(root, "packages")).filter((name) => name !== "testing")) {
    const [{ filename, name }] = JSON.parse(npm("pack", join(root, "packages", folder), "--ignore-scripts", "--json"));
    const place = join(cache, "node_modules", name);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", join(cache, filename), "-C", place, "--strip-components=1"]);
    rmSync(join(cache, filename));
  }
}

/** The page by each bundler, under the strictest Content-Security-Policy that lets WebAssembly run */
async function inChromium() {
  const { launch } = await createJiti(import.meta.url).import("../packages/testing/src/browser/chromium.ts");
  const [browser, folder] = [await launch(), mkdtempSync(join(tmpdir(), "expen-hosts-"))];
  const rows = [];
  try {
    for (const [host, bundle] of Object.entries(bundlers(cache))) {
      const place = join(folder, String(rows.length));
      mkdirSync(place);
      try {
        await bundle(cache, place);
      } catch (error) {
        rows.push(
          rowOf(
            host,
            TRIALS.map(() => `${error.message}`),
          ),
        );
        continue;
      }
      rows.push(rowOf(host, await inPages(browser, place, "'wasm-unsafe-eval'")));
    }
    // the folder of the last: no bundler
    const strict = await inPages(browser, join(folder, String(rows.length - 1)), "");
    rows.push(rowOf("no bundler, `script-src 'self'` alone", strict, REFUSED));
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

async function inPages(browser, folder, allowed) {
  const { origin, close } = await serve(folder, allowed);
  const answers = await each((trial) => inPage(browser, `${origin}/?${new URLSearchParams(trial)}`));
  close();
  return answers;
}

async function inPage(browser, address) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  try {
    await page.goto(address);
    await page.waitForFunction(() => document.title !== "", undefined, { timeout: PATIENCE });
    return await page.title();
  } catch (error) {
    return errors[0] ?? error.message;
  } finally {
    await page.close();
  }
}

/** Deno without any permission, and Bun */
async function inProcesses() {
  const binary = (...names) => names.map((name) => join(cache, "node_modules", name)).find(existsSync);
  const [os, cpu] = [process.platform, process.arch];
  const deno = binary(`@deno/${os}-${cpu}-glibc/deno`, `@deno/${os}-${cpu}/deno`);
  const bun = binary(`@oven/bun-${os}-${cpu === "arm64" ? "aarch64" : cpu}/bin/bun`);
  const run = promisify(execFile);
  const options = { cwd: cache, timeout: PATIENCE, env: { ...process.env, DENO_DIR: join(cache, ".deno") } };
  const solve = async (program, ...args) => {
    try {
      return (await run(program, args, options)).stdout.trim();
    } catch (error) {
      return (error.stderr || error.message).trim().split("\n").slice(0, 3).join(" ");
    }
  };
  const versionOf = async (program) => (await run(program, ["--version"], options)).stdout.match(/\d+\.\d+\.\d+/)[0];
  const rows = [];
  for (const [name, program, args] of [
    ["Deno", deno, ["run", "--no-prompt"]],
    ["Bun", bun, ["run"]],
  ]) {
    if (!program) throw new Error(`hosts: there is no ${name} for ${os}-${cpu} in test/hosts/package.json.`);
    const words = await each(({ where, engine, threads }) =>
      solve(program, ...args, "process.js", where, engine, String(threads)),
    );
    rows.push(rowOf(`${name} ${await versionOf(program)}`, words));
  }
  return rows;
}

async function each(solve) {
  const answers = [];
  for (const trial of TRIALS) answers.push(await solve(trial));
  return answers;
}

/** Right: the engine that was asked for, a certificate other than "none", and the least value, −¾; `refused`: what else wasm may answer */
function rowOf(host, answers, refused) {
  const failures = [];
  const words = answers.map((answer, i) => {
    const { title, engine } = TRIALS[i];
    const [, name] = /^(\w+), (?:stationary|second-order|global), f = -0\.750000$/.exec(answer) ?? [];
    if (name && (engine === "auto" || engine === name)) return engine === "auto" ? name : "✓";
    if (engine === "wasm" && refused?.test(answer)) return "refused";
    failures.push(`${host}, ${title}: ${answer}`);
    return "✗";
  });
  return { host, words, failures };
}
