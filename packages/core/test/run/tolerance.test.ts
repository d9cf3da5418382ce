/** A tolerance below what rounding leaves of a gradient: status, reason and notes say which bound was met. */

import type { Tall } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize } from "@expen/solvers";
import { describe, expect, test } from "vitest";
import { stiefel } from "../../src/manifolds/stiefel.js";
import type { StiefelOptions } from "../../src/run/options.js";

const SCALE = 1e13;

/** SCALE·½Σ i·‖row i‖² + SCALE·¼Σx⁴: ‖∇f‖ is some 1e14 */
const steep = {
  fg(G: Tall, X: Tall): number {
    let value = 0;
    for (const [k, x] of X.data.entries()) {
      const i = 1 + Math.floor(k / X.cols);
      value += i * x * x * 0.5 + 0.25 * x ** 4;
      G.data[k] = SCALE * (i * x + x ** 3);
    }
    return SCALE * value;
  },
};

const solve = (o: Pick<StiefelOptions, "tol" | "relTol">) =>
  minimize(steep, { on: stiefel(8, 2), engine: jsEngine(), ...o });

describe("a tolerance below 4ε‖∇f(X0)‖", () => {
  test("is not called met", async () => {
    const result = await solve({ tol: 1e-9 });
    expect(result.status).toBe("rounding");
    expect(result.reason).toMatchObject({ kind: "rounding", converged: true });
    expect(result.reason.text).toMatch(
      /^gradient norm \S+ ≤ \S+, 4ε of the gradient at the start: rounding reaches no tolerance of 1\.00e-9$/,
    );
    expect(result.notes.join("\n")).toMatch(
      /rounding set the bound: the Riemannian gradient is \S+ where 1\.00e-9 was asked for/,
    );
    expect(result.certificate.level).not.toBe("none");
  });

  test("a relative one counts as given too", async () => {
    expect((await solve({ relTol: 1e-18 })).status).toBe("rounding");
  });

  test("where none is given the reason has the bound, and the run has converged", async () => {
    const result = await solve({});
    expect([result.status, result.reason.kind]).toEqual(["converged", "rounding"]);
    expect(result.reason.text).toMatch(/rounding reaches no tolerance of 1\.00e-6$/);
  });

  test("one above it is met as ever", async () => {
    const result = await solve({ tol: 10 });
    expect([result.status, result.reason.kind]).toEqual(["converged", "gradient"]);
    expect(result.reason.text).toMatch(/^gradient norm \S+ ≤ 10/);
    expect(result.notes).toEqual([]);
  });
});
