import { describe, expect, test } from "vitest";
import { jsEngine } from "../src/engines/js.js";
import { stiefel } from "../src/geometry/stiefel.js";
import { quadraticObjective } from "../src/objective/quadratic-objective.js";
import { fillNormal, random } from "../src/random.js";
import type { MinimizeOptions } from "../src/run/options.js";
import { randomStart } from "../src/run/start.js";
import { cg } from "../src/solvers/cg.js";
import { cgRules } from "../src/solvers/cg-rules.js";
import { lbfgs } from "../src/solvers/lbfgs/lbfgs.js";
import { trialRay } from "../src/solvers/ray.js";
import { trustRegion } from "../src/solvers/trust-region.js";
import { drain, minimizeStiefel, solveStiefel } from "../src/stiefel.js";
import type { Engine, Objective, Precondition, State, Tall } from "../src/types.js";

const [n, p] = [120, 3];
const E = jsEngine();

/** f(X) = ½⟨X, BX⟩ + ⟨L, X⟩ with B = Diag(b), b from 1 to 10⁴ */
const b = Float64Array.from({ length: n }, (_, i) => 10 ** ((4 * i) / (n - 1)));
function badlyScaled(E: Engine): Objective {
  const [r, L] = [E.tall(n, 1), E.tall(n, p)];
  r.data.set(b);
  fillNormal(L, random(1, "L"));
  return quadraticObjective(E, n, p, { apply: (Y, X) => E.scaleRows(Y, r, X), L });
}
/** Z ← factor·(B + c·I)⁻¹·G */
const inverse =
  (factor = 1, c = 1): Precondition =>
  (Z, _X, G) => {
    for (let i = 0, k = 0; i < n; i++) for (let j = 0; j < p; j++, k++) Z.data[k] = (factor * G.data[k]!) / (b[i]! + c);
  };

const run = (o: Partial<MinimizeOptions>) => {
  let inner = 0;
  const f = badlyScaled(E);
  const counting: Objective = {
    ...f,
    hvp(H, X, D) {
      inner++;
      f.hvp!(H, X, D);
    },
  };
  return drain(
    solveStiefel(E, counting, { tol: 1e-6, certificate: "stationary", start: randomStart(E, n, p, 1), ...o }),
  ).then((result) => ({ ...result, inner }));
};

describe("a quadratic with diagonal from 1 to 10⁴", () => {
  for (const solver of ["expen-lbfgs", "expen-cg", "rlbfgs", "rcg"] as const) {
    test(`${solver}: the inverse diagonal cuts the iterations to a third or less, same answer`, async () => {
      const plain = await run({ solver });
      const helped = await run({ solver, precondition: inverse() });
      expect(helped.status).toBe("converged");
      expect(helped.stationarity).toBeLessThanOrEqual(1e-6);
      expect(plain.status).toBe("converged");
      expect(helped.iterations).toBeLessThan(plain.iterations / 3);
      expect(Math.abs(helped.fval - plain.fval)).toBeLessThan(1e-9 * Math.abs(plain.fval));
    });
  }

  test.each(["expen-newton", "rtr"] as const)("%s: fewer Hessian products", async (solver) => {
    const plain = await run({ solver });
    const helped = await run({ solver, precondition: inverse() });
    expect(helped.status).toBe("converged");
    expect(helped.inner).toBeLessThan(plain.inner / 2);
    expect(Math.abs(helped.fval - plain.fval)).toBeLessThan(1e-9 * Math.abs(plain.fval));
  });

  test("a factor in P does not matter much: it is found from the pairs", async () => {
    const [one, thousand] = [await run({ precondition: inverse() }), await run({ precondition: inverse(1e3) })];
    expect(thousand.status).toBe("converged");
    expect(thousand.iterations).toBeLessThan(2 * one.iterations + 10);
  });
});

describe("P = I changes nothing", () => {
  const identity: Precondition = (Z, _X, G) => E.copy(Z, G);
  const first = (method: ReturnType<typeof cg>, manifold: boolean): { f: number; gnorm: number }[] => {
    const f = badlyScaled(E);
    const geometry = manifold
      ? stiefel(E, n, p)
      : { name: "euclidean", retract: retractLine, project() {}, hessian() {} };
    const steps = method(trialRay(E, f, geometry, randomStart(E, n, p, 2), undefined, true));
    return Array.from({ length: 12 }, () => {
      const { f, gnorm } = steps.next().value as State;
      return { f, gnorm };
    });
  };
  const retractLine = (Y: Tall, X: Tall, t: number, D: Tall): void => E.combine(Y, 1, X, t, D);
  const methods = {
    lbfgs: (o: { precondition?: Precondition }) => lbfgs(E, n, p, o),
    "cg hs+": (o: { precondition?: Precondition }) => cg(E, { rule: cgRules["hs+"], ...o }),
    "cg hz": (o: { precondition?: Precondition }) => cg(E, { rule: cgRules.hz, ...o }),
    "cg pr+ with the descent condition": (o: { precondition?: Precondition }) => cg(E, { descent: 0.01, ...o }),
    "trust region": (o: { precondition?: Precondition }) =>
      // a long inner iteration loses its orthogonality to rounding, differently with each way to sum
      trustRegion(E, badlyScaled(E), { maxInner: 5, ...o }),
  };
  for (const [name, make] of Object.entries(methods)) {
    for (const manifold of [false, true]) {
      test(`${name}, ${manifold ? "on the manifold" : "in the plain space"}: the same iterates to rounding`, () => {
        const [plain, same] = [first(make({}), manifold), first(make({ precondition: identity }), manifold)];
        same.forEach((s, k) => {
          expect(Math.abs(s.f - plain[k]!.f)).toBeLessThan(1e-6 * Math.abs(plain[k]!.f));
          expect(Math.abs(s.gnorm - plain[k]!.gnorm)).toBeLessThan(1e-4 * plain[k]!.gnorm);
        });
        expect(new Set(plain.map((s) => s.f)).size).toBe(12);
      });
    }
  }
});

test("a preconditioner that is not positive definite does no harm to L-BFGS and CG, and is refused by Newton", async () => {
  for (const solver of ["expen", "expen-cg"] as const) {
    const result = await run({ solver, precondition: inverse(-1), maxIterations: 30 });
    expect(Number.isFinite(result.fval)).toBe(true);
    expect(result.iterations).toBeGreaterThan(5);
  }
  await expect(run({ solver: "expen-newton", precondition: inverse(-1) })).rejects.toThrow(/positive definite/);
});

test("a solver without preconditioner says so", async () => {
  await expect(
    minimizeStiefel(() => badlyScaled(E), { n, p, engine: E, solver: "landing", precondition: inverse() }),
  ).rejects.toThrow(/solver 'landing' takes no preconditioner; leave it out or take one of expen/);
});
