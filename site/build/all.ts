/** All pages, when this module is loaded: scripts/docs.mjs loads it by vite, which loads nothing more afterwards. */
import { resolve } from "node:path";
import { sitePages } from "./main.js";

export { writeSite } from "./main.js";

const root = resolve(import.meta.dirname, "../..");
export const site = await sitePages(root);
