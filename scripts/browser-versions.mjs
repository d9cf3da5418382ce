/** A source name.ts with name-browser.ts beside it has two versions. What is built for browsers takes the second with this plugin. */
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
