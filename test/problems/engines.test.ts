/** Every problem is the same function on every engine: the same instance, values and derivatives equal to rounding. */
import { beforeAll, describe, expect, test } from "vitest";
import { jsEngine } from "../../src/engines/js.js";
import { type EngineName, openEngine } from "../../src/engines/open.js";
import { problems } from "../../src/problems/catalog.js";
import { gaussian } from "../../src/problems/instances.js";
import { random } from "../../src/random.js";
import type { Engine, Matrix } from "../../src/types.js";

const [n, p] = [29, 6];

describe.each(["wasm", "blas"] as EngineName[])("problems on %s", (name) => {
  let E: Engine | undefined;
  beforeAll(async () => {
    // a machine may have no BLAS; wasm is always there
    E = name === "blas" ? await openEngine(name).catch(() => undefined) : await openEngine(name);
  });

  test.each([...problems.values()])("$name", ({ make }) => {
    if (!E) return;
    const evaluate = (K: Engine): [number, Matrix, Matrix, number | undefined] => {
      const problem = make(K, { n, p, seed: 3 });
      const [X, D] = [K.from(gaussian(n, p, random(1))), K.from(gaussian(n, p, random(2)))];
      const [G, H] = [K.matrix(n, p), K.matrix(n, p)];
      const f = problem.objective.fg(G, X);
      problem.objective.hvp!(H, X, D);
      return [f, G, H, problem.optimum];
    };
    const [f, G, H, optimum] = evaluate(E);
    const [f0, G0, H0, optimum0] = evaluate(jsEngine());
    const size = (A: Matrix): number => Math.hypot(...A.data);
    const distance = (A: Matrix, B: Matrix): number => Math.hypot(...A.data.map((v, k) => v - B.data[k]!));
    expect(Math.abs(f - f0)).toBeLessThanOrEqual(1e-13 * size(G0) * Math.sqrt(n * p));
    expect(distance(G, G0)).toBeLessThanOrEqual(1e-13 * size(G0));
    expect(distance(H, H0)).toBeLessThanOrEqual(1e-13 * size(H0));
    if (optimum0 === undefined) expect(optimum).toBeUndefined();
    else expect(Math.abs(optimum! - optimum0)).toBeLessThanOrEqual(1e-13 * (1 + Math.abs(optimum0)));
  });
});
