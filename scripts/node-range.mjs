// The versions of Node that package.json allows, like "^20.19.0 || >=22.12.0": written there alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./clone.mjs";

const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const ranges = engines.node.split("||").map((range) => {
  const [, sign, ...version] = /^\s*(\^|>=)(\d+)\.(\d+)\.(\d+)\s*$/.exec(range);
  return { isOneMajor: sign === "^", version: version.map(Number) };
});

export const lowest = ranges[0].version.join(".");
export const words = ranges.map(({ version: [major, minor] }) => `${major}.${minor}`).join(" or ") + ", or later";

export function allows(version) {
  const [major, minor, patch] = version.split(".").map(Number);
  return ranges.some(({ isOneMajor, version: [M, m, p] }) => {
    if (major !== M) return major > M && !isOneMajor;
    return minor > m || (minor === m && patch >= p);
  });
}
