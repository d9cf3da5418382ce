// The packages as they are published: their order, package.json and the notes of a version.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./clone.mjs";
import { homeOf } from "./published-page.mjs";
import { SOURCE } from "./sources.mjs";

/** Folders and package.json of all that are published */
export const packages = readdirSync(join(root, "packages"))
  .map((name) => join(root, "packages", name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter(({ manifest }) => !manifest.private);

/** Each after those that it depends on */
export function inOrder(list) {
  const names = new Set(list.map(({ manifest }) => manifest.name));
  const done = new Set();
  const order = [];
  while (order.length < list.length) {
    const ready = list.filter(({ manifest: { name, dependencies = {} } }) => {
      return !done.has(name) && Object.keys(dependencies).every((other) => !names.has(other) || done.has(other));
    });
    if (ready.length === 0) throw new Error("the packages depend on each other in a circle.");
    for (const one of ready) {
      done.add(one.manifest.name);
      order.push(one);
    }
  }
  return order;
}

/** Without the condition for sources, which are not published, and with what all packages have in common from the root's */
export function publishedManifest(manifest, { author, homepage, bugs, repository }, folder) {
  const exports = Object.entries(manifest.exports).map(([entry, to]) => {
    if (typeof to === "string") return [entry, to];
    return [entry, Object.fromEntries(Object.entries(to).filter(([condition]) => condition !== SOURCE))];
  });
  const home = homeOf(repository);
  const { type = "git", url = repository } = Object(repository);
  return {
    ...manifest,
    ...(author && { author }),
    ...((homepage ?? home) && { homepage: homepage ?? `${home}#readme` }),
    ...((bugs ?? home) && { bugs: bugs ?? { url: `${home}/issues` } }),
    ...(home && { repository: { type, url, directory: relative(root, folder) } }),
    exports: Object.fromEntries(exports),
    // scoped packages are private where nothing else is said
    publishConfig: { access: "public" },
  };
}

/** The section of a version of the changelog, if it is the first one */
export function releaseNotes(changelog, version) {
  const [, first, notes] = /^## (\S+)[^\n]*\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? [];
  return first === version ? notes.trim() : undefined;
}
