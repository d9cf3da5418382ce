import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const HEARD = fileURLToPath(new URL("../../dist/mpi.js", import.meta.url));
const CHILD = `
  const { hearing } = await import(${JSON.stringify(HEARD)});
  const heard = await hearing();
  process.stderr.write("a last sentence");
  heard();
  console.log("heard", Date.now());`;

/** When stderr, a pipe, began to be read, so many seconds after the process was started; and when the process knew that it was read */
function times(seconds: number): [read: number, heard: number] {
  const reader = `(sleep ${seconds}; date '+read %s%3N' >&3; cat >/dev/null)`;
  const pipes = `{ "$0" --input-type=module -e "$1" 2>&1 1>&3 | ${reader}; } 3>&1`;
  const said = execFileSync("sh", ["-c", pipes, process.execPath, CHILD], { encoding: "utf8" });
  return [Number(/read (\d+)/.exec(said)![1]), Number(/heard (\d+)/.exec(said)![1])];
}

test.runIf(process.platform === "linux")("a last sentence is waited for until it is read", () => {
  const [read, heard] = times(1);
  expect(heard).toBeGreaterThanOrEqual(read);
});
