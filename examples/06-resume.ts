// Stop a run, save its result, and continue from it.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minimize, stiefel } from "expen";
import { loadMatrix, saveMatrix } from "expen/data";
import { noeig } from "expen/problems";

const [n, p] = [300, 6];
const make = (E: Parameters<typeof noeig>[0]) => noeig(E, { n, p }).objective;

const first = await minimize(make, { on: stiefel(n, p), maxIterations: 20 });
console.log(`${first.status}: ${first.reason.text}`);

const file = join(tmpdir(), "expen-resume.npy"); // NumPy reads it too
await saveMatrix(file, first.X);

const { matrix: start } = await loadMatrix(file);
const second = await minimize(make, { on: stiefel(n, p), start });
console.log(`${second.status} after ${second.iterations} more iterations: f = ${second.fval.toFixed(8)}`);
