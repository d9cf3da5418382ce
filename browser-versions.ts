/** A file name.ts of src/ with name-browser.ts beside it has two versions. What is built for browsers takes the second with this plugin. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

export const browserVersions = (): Plugin => ({
  name: "browser-versions",
  enforce: "pre",
  resolveId(id, importer) {
    if (!importer || !/^\..*\.js$/.test(id)) return;
    const version = join(dirname(importer), id.replace(/\.js$/, "-browser.ts"));
    return existsSync(version) ? version : undefined;
  },
});
