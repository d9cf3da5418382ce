import { jsEngine } from "@expen/linalg/engine";
import { drain, solverContract } from "@expen/testing/contracts/solver";
import { describe, expect, test } from "vitest";
import { nearest } from "../../src/problems/nearest.js";

solverContract("plam");

describe("plam", () => {
  test("diverges from the manifold for β < λmax(S), which it reports, and by default finds a larger β", async () => {
    const E = jsEngine();
    const { objective, optimum } = nearest(E, { n: 20, p: 5 });
    const options = { solver: "plam", tol: 1e-6, maxIterations: 2000 } as const;
    const own = await drain(E, objective, { ...options, optimum });
    expect(own.status).toBe("converged");
    const lambda = own.certificate.multiplier.highest;
    expect(own.run.beta).toBeGreaterThan(lambda);
    expect((await drain(E, objective, { ...options, beta: 0.5 * lambda })).status).not.toBe("converged");
    expect((await drain(E, objective, { ...options, beta: 3 * lambda })).status).toBe("converged");
  });
});
