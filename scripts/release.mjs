// npm run release [-- --publish]: makes every package as it is published under dist/release, checks it, and publishes it, dependencies first.
// Without --publish nothing leaves the machine: `npm publish --dry-run`. With --publish the repository must be clean, tagged and named in
// package.json; a version that the registry has is passed over, so that a release that broke off can go on. Where the runner has an
// identity (OpenID Connect), the packages are published with provenance.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { root } from "./clone.mjs";
import { homeOf } from "./published-page.mjs";
import { inOrder, packages, publishedManifest, releaseNotes } from "./release-manifest.mjs";

const isReal = process.argv.includes("--publish");
const stage = join(root, "dist/release");
const whole = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const hasIdentity = Boolean(process.env.ACTIONS_ID_TOKEN_REQUEST_URL || process.env.SIGSTORE_ID_TOKEN);
const run = (command, args, options = {}) => execFileSync(command, args, { cwd: root, encoding: "utf8", ...options });

function stop(sentence) {
  console.error(`release: ${sentence}`);
  process.exit(1);
}

/** What a real release needs beside the packages */
function requireReady() {
  if (!homeOf(whole.repository))
    stop("package.json has no repository; its address belongs into the packages, for provenance and links.");
  if (run("git", ["status", "--porcelain"]).trim() !== "") stop("there are changes that are not committed.");
  const tags = run("git", ["tag", "--points-at", "HEAD"]).split("\n");
  if (!tags.includes(`v${whole.version}`)) stop(`the commit has no tag v${whole.version}; set it after CI passed.`);
}

/** The folder of a package as it is published */
function staged({ folder, manifest }) {
  const to = join(stage, manifest.name);
  mkdirSync(to, { recursive: true });
  for (const file of manifest.files) {
    if (!existsSync(join(folder, file))) stop(`${manifest.name} has no ${file}; npm run build makes it.`);
    cpSync(join(folder, file), join(to, file), { recursive: true });
  }
  writeFileSync(join(to, "package.json"), `${JSON.stringify(publishedManifest(manifest, whole, folder), null, 2)}\n`);
  return to;
}

const isPublished = (name) => {
  try {
    return (
      run("npm", ["view", `${name}@${whole.version}`, "version"], { stdio: ["ignore", "pipe", "ignore"] }).trim() !== ""
    );
  } catch {
    return false;
  }
};

const notes = releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), whole.version);
if (!notes)
  stop(`CHANGELOG.md does not begin with version ${whole.version}; the changes of a version stand under its number.`);
if (isReal) requireReady();
else if (!homeOf(whole.repository)) console.log("package.json has no repository: a real release would stop here.");

rmSync(stage, { recursive: true, force: true });
for (const one of inOrder(packages)) {
  const { name } = one.manifest;
  const folder = staged(one);
  const { messages, pkg } = await publint({ pkgDir: folder, level: "suggestion", strict: true });
  for (const message of messages) console.error(`${name}: ${formatMessage(message, pkg, { color: false })}`);
  if (messages.length > 0) stop(`${name} is not fit to publish.`);
  if (isReal && isPublished(name)) {
    console.log(`${name}@${whole.version} is published already`);
    continue;
  }
  const how = isReal ? (hasIdentity ? ["--provenance"] : []) : ["--dry-run"];
  const stdio = ["ignore", "pipe", isReal ? "inherit" : "pipe"];
  const answer = JSON.parse(run("npm", ["publish", folder, "--json", "--ignore-scripts", ...how], { stdio }));
  const { size, entryCount } = answer[name] ?? answer;
  console.log(
    `${name}@${whole.version}: ${entryCount} files, ${(size / 1024).toFixed(0)} kB${isReal ? ", published" : ""}`,
  );
}
