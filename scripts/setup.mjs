// Installs and builds what is missing, and only that: each step leaves a stamp of what it was made from.
import { execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWritable, root } from "./clone.mjs";
import { allows, words } from "./node-range.mjs";

function files(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  if (/^(dist|node_modules|test)$/.test(basename(path))) return [];
  return readdirSync(full)
    .sort()
    .flatMap((name) => files(join(path, name)));
}

function digest(paths, command) {
  const hash = createHash("sha256").update(process.version).update(command);
  for (const path of paths.flatMap(files)) {
    if (path.endsWith(".generated.ts")) continue;
    hash.update(path).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

function step(stamp, inputs, title, command) {
  const file = join(root, stamp);
  const now = digest(inputs, command);
  if (existsSync(file) && readFileSync(file, "utf8") === now) return;
  if (!isWritable) {
    console.error(
      `setup: ${stamp} is not of these files and this Node, and this clone cannot be written; make it writable for once.`,
    );
    process.exit(1);
  }
  console.error(title);
  rmSync(file, { force: true });
  try {
    execSync(command, { cwd: root, stdio: ["ignore", 2, 2] });
  } catch {
    console.error(`setup: '${command}' failed; its output is above.`);
    process.exit(1);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, now);
}

// Not `npm ci`: it insists on lock entries for the optional binaries of every other platform, which not every registry mirror carries.
// Without saving, `npm install` takes the locked versions and leaves the lock file as it is. The included ones are tools of the build, which
// NODE_ENV=production and settings of npm would leave out.
const INSTALL = "npm install --no-save --no-audit --no-fund --include=dev --include=optional";

if (!allows(process.versions.node)) {
  console.error(`expen needs Node ${words}; this is ${process.version}. Install a newer Node and try again.`);
  process.exit(1);
}
const manifests = [
  "playground",
  "site",
  "bench",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`),
].map((folder) => `${folder}/package.json`);
step(
  "node_modules/.expen-installed",
  ["package.json", ...manifests, "package-lock.json"],
  "Installing packages …",
  INSTALL,
);
/** Everything that the packages are built from; their copies of LICENSE and README are not. */
const sources = [
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  ...["browser-versions", "build", "build-wasm", "published-page", "sources"].map((name) => `scripts/${name}.mjs`),
  ...manifests.flatMap((file) => [file, ...["src", "assembly"].map((part) => join(dirname(file), part))]),
];
step("dist/.expen-built", [...sources, "bench"], "Building …", "npm run --silent build");
if (process.argv.includes("playground")) {
  step(
    "dist/.expen-playground-built",
    [...sources, "playground"],
    "Building the playground …",
    "npm run --silent build:playground",
  );
}
