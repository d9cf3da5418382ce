/** Every solver, certificate and manifold under a real mpirun of both MPIs: what one process finds, and the same bits again. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startedAs } from "@expen/engines/mpi";
import type { OnManifold } from "@expen/testing/engines/mpi/manifolds";
import { bundled } from "@expen/testing/engines/mpi/on-threads";
import { jobs, type Solved } from "@expen/testing/engines/mpi/programs";
import { ofCertificates, ofManifolds, ofSolvers } from "@expen/testing/engines/mpi/runs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, launchers } from "../../src/cli/mpi-launch.js";

const required = (process.env.EXPEN_REQUIRE ?? "").includes("mpi");
const here = required && !startedAs() ? launchers() : [];
const sizes = process.env.EXPEN_LONG ? [2, 3] : [2];
const runs = [...ofSolvers, ...ofCertificates];
const asked = [...runs.map((o) => ["solve", o]), ...ofManifolds.map((name) => ["manifold", { name }])];
// within the project, where the program finds koffi
const folder = fileURLToPath(new URL("../../../../.expen/", import.meta.url));
let [program, list] = ["", ""];

if (here.length === 0) test.skip('only with "mpi" in EXPEN_REQUIRE, as in .ci/run', () => undefined);

beforeAll(async () => {
  if (here.length === 0) return;
  mkdirSync(folder, { recursive: true });
  program = await bundled(new URL("./sweep-program.ts", import.meta.url), folder);
  list = join(dirname(program), "jobs.json");
  writeFileSync(list, JSON.stringify(asked));
});

afterAll(() => {
  if (program) rmSync(dirname(program), { recursive: true });
});

describe.each(here.flatMap((launcher) => sizes.map((ranks) => ({ ...launcher, ranks }))))("$by, $ranks ranks", (on) => {
  let answers: [Solved & OnManifold, unknown][] = [];

  beforeAll(async () => {
    const { stdout, stderr, code } = await launch(on, on.ranks, program, [list], { seconds: 300 });
    expect([code, stderr]).toEqual([0, ""]);
    answers = JSON.parse(stdout);
  }, 300_000);

  test.each(asked.map(([job, o], i) => [JSON.stringify(o), job, o, i] as const))("%s", async (_text, job, o, i) => {
    const [several, again] = answers[i]!;
    expect(several).toEqual(again);
    const one = (await jobs[job as "solve"](undefined, o as never)) as Solved;
    expect(Math.abs(several.fval - one.fval)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(one.fval)));
    expect(several.level).toBe(one.level);
    expect(several.feasibility).toBeLessThan(1e-13);
    // nothing but where no step is taken
    expect(several.reductions === 0 || several.reductions > 1).toBe(true);
    if ((o as { problem?: string }).problem === "noeig") expect(several.reductions).toBeGreaterThan(1);
    // how many are met on the way is decided by rounding, which ranks have of their own
    if (job === "manifold") expect(several.saddles > 0).toBe((one as unknown as OnManifold).saddles > 0);
    else expect([several.level, several.proof]).toEqual((o as { shows?: unknown }).shows ?? [one.level, one.proof]);
  });
});
