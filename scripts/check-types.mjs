// The types of everything, as a part of `npm run lint`: incremental, or afresh where the clone cannot be written.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { isWritable, root } from "./clone.mjs";

const projects = ["tsconfig.json", "playground/tsconfig.json", "site/tsconfig.json"];
const runs = isWritable
  ? [["-b", ...projects]]
  : projects.map((project) => ["-p", project, "--incremental", "false", "--tsBuildInfoFile", "null"]);
try {
  for (const run of runs) {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...run], {
      cwd: root,
      stdio: "inherit",
    });
  }
} catch {
  process.exitCode = 1;
}
