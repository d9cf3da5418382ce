/** A source name.ts with name-browser.ts beside it has two versions. With this plugin, builds for browsers take the second. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export const browserVersions = () => ({
  name: "browser-versions",
  enforce: "pre",
  resolveId(id, importer) {
    if (!importer || !/^\..*\.js$/.test(id)) return;
    const version = join(dirname(importer), id.replace(/\.js$/, "-browser.ts"));
    return existsSync(version) ? version : undefined;
  },
});
