import { spawnSync } from "node:child_process";
import { jsEngine } from "@expen/linalg/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Contender } from "../contender.js";
import { drawInstance, judge } from "../instance.js";
import { openOurs } from "../ours.js";
import { findPython, openPeer } from "../peers.js";
import type { Row } from "../rows.js";

const E = jsEngine();
// large enough that the paper's β exceeds its threshold 1.5·λmax(S) on noeig
const rows: Row[] = [
  { problem: "noeig", n: 200, p: 10 },
  { problem: "brockett", n: 60, p: 6 },
];
const instances = rows.map((row) => drawInstance(E, row));
afterAll(() => {
  for (const instance of instances) instance.dispose();
});

/** The same demands on every contender, ours and theirs. */
function solves(name: string, open: () => Promise<Contender>): void {
  let contender: Contender;
  beforeAll(async () => {
    contender = await open();
  }, 60_000);
  afterAll(() => contender?.end());

  test.each(instances)(`${name} solves $problem, and the judge agrees`, async (instance) => {
    // the gap goes with the square of the gradient: at 1e-3 a slow one may still stand near a saddle
    const tol = 1e-4;
    const outcome = await contender.run(instance, { tol, target: null, limit: 20, clock: "cpu" });
    expect(outcome.status, outcome.text).toBe("converged");
    expect(outcome.seconds).toBeGreaterThan(0);
    expect(outcome.evaluations!.grad).toBeGreaterThan(5);
    const { stationarity, feasibilityBefore, gap } = judge(E, instance)(outcome.X!);
    expect(stationarity).toBeLessThan(1.05 * tol);
    expect(feasibilityBefore).toBeLessThan(1e-10);
    if (instance.problem === "brockett") expect(gap).toBeLessThan(1e-3);
  });

  test(`${name} stops at the target and not before`, async () => {
    const instance = instances[1]!;
    const target = instance.optimum! + 1e-4 * Math.abs(instance.optimum!);
    const outcome = await contender.run(instance, { tol: 1e-10, target, limit: 20, clock: "cpu" });
    expect(outcome.status, outcome.text).toBe("converged");
    const { gap } = judge(E, instance)(outcome.X!);
    expect(gap).toBeLessThanOrEqual(1e-4 * (1 + 1e-9));
    expect(gap).toBeGreaterThan(1e-8);
  });

  test(`${name} says so when it cannot reach the target`, async () => {
    const instance = instances[1]!;
    const outcome = await contender.run(instance, {
      tol: 1e-1,
      target: 2 * instance.optimum!,
      limit: 20,
      clock: "cpu",
    });
    expect(outcome.status).toBe("failed");
  });
}

describe("ours", () => solves("auto@js", () => openOurs("auto@js", 1)));

/** Peers belong to the bench: they are looked for where EXPEN_REQUIRE has "peers". */
const required = process.env.EXPEN_REQUIRE?.includes("peers") ?? false;
const python = required ? findPython() : undefined;
const peers = {
  scipy: ["scipy-cg", "scipy-lbfgsb"],
  pymanopt: ["pymanopt-rcg", "pymanopt-tr"],
  cdopt: ["cdopt-cg", "cdopt-lbfgs"],
  geoopt: ["geoopt-cg"],
  numpy: ["numpy-rlbfgs"],
};
/** Packages that are there, without loading them, which takes longer than the tests */
const LOOK = `import sys, importlib.util as u; print(*[name for name in sys.argv[1:] if u.find_spec(name)])`;
const there = python
  ? spawnSync(python, ["-c", LOOK, ...Object.keys(peers)], { encoding: "utf8" })
      .stdout.trim()
      .split(" ")
  : [];
const has = (name: string): boolean => there.includes(name);
test.skipIf(!required)('Python peers are there, where EXPEN_REQUIRE has "peers"', () => {
  const absent = ["scipy", "pymanopt", "cdopt", "numpy"].filter((name) => !has(name));
  expect(absent, "npm run bench:setup installs them").toEqual([]);
});
for (const [name, methods] of Object.entries(peers)) {
  describe.skipIf(!has(name))(name, () => {
    describe.each(methods)("%s", (method) => {
      solves(method, async () => {
        const peer = await openPeer(method, python!, 1);
        if (typeof peer === "string") throw new Error(peer);
        return peer;
      });
    });
  });
}

describe.skipIf(!has("scipy"))("a peer process", () => {
  let peer: Contender;
  beforeAll(async () => {
    peer = (await openPeer("scipy-cg", python!, 1)) as Contender;
  }, 60_000);
  afterAll(() => peer?.end());

  test("ends a run at its time limit and lives on", async () => {
    const late = await peer.run(instances[0]!, { tol: 0, target: null, limit: 0, clock: "wall" });
    expect(late.status).toBe("time");
    expect((await peer.run(instances[0]!, { tol: 1e-3, target: null, limit: 20, clock: "cpu" })).status).toBe(
      "converged",
    );
  });

  test("turns an exception into a failure", async () => {
    const broken = { ...instances[0]!, files: { X0: "/nowhere.npy" } };
    expect(await peer.run(broken, { tol: 1e-3, target: null, limit: 20, clock: "cpu" })).toMatchObject({
      status: "failed",
    });
  });

  test("names what is missing", async () => {
    expect(await openPeer("scipy-simplex", python!, 1)).toMatch(/'scipy-simplex' is none of scipy-cg, scipy-lbfgsb/);
    expect(await openPeer("scipy-cg", "/no/such/python", 1)).toMatch(/did not run/);
  });
});
