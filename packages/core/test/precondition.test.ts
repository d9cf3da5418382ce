import type { Engine, Tall } from "@expen/linalg";
import { fillNormal, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { minimize, type SolverName, solvers, solveStiefel } from "@expen/solvers";
import { describe, expect, test } from "vitest";
import type { Geometry, Precondition, State } from "../src/contracts/method.js";
import type { Objective } from "../src/contracts/objective.js";
import { stiefel as stiefelGeometry } from "../src/manifolds/geometry.js";
import { stiefel } from "../src/manifolds/stiefel.js";
import { cg } from "../src/methods/cg.js";
import { cgRules } from "../src/methods/cg-rules.js";
import { lbfgs } from "../src/methods/quasi-newton/lbfgs.js";
import { trialRay } from "../src/methods/trial-ray.js";
import { trustRegion } from "../src/methods/trust-region.js";
import { quadraticObjective } from "../src/objective/quadratic.js";
import { drain } from "../src/run/drain.js";
import type { StiefelOptions } from "../src/run/options.js";
import { randomStart } from "../src/run/start.js";

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

const run = (o: Partial<StiefelOptions>) => {
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
      ? stiefelGeometry(E, n, p)
      : { name: "euclidean", retract: retractLine, project() {}, hessian() {} };
    const steps = method(trialRay(E, f, geometry, randomStart(E, n, p, 2), undefined, true));
    return Array.from({ length: 12 }, () => {
      const { f, gnorm } = steps.next().value as State;
      return { f, gnorm };
    });
  };
  const retractLine: Geometry["retract"] = (y, x, t, D) => E.combine(y.X, 1, x.X, t, D);
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

const taking = (Object.keys(solvers) as SolverName[]).filter((name) => "precondition" in solvers[name].schema);

test.each(taking)("%s leaves a preconditioner that is not positive definite, with a note", async (solver) => {
  // a declared form goes to Davidson's method, which takes any P
  const f = { ...badlyScaled(E), quadratic: undefined };
  const o = { solver, tol: 1e-6, certificate: "stationary", start: randomStart(E, n, p, 1) } as const;
  const plain = await drain(solveStiefel(E, f, o));
  const result = await drain(solveStiefel(E, f, { ...o, precondition: inverse(-1) }));
  expect(result.status).toBe("converged");
  expect(result.notes.join()).toMatch(/preconditioner was left .* not positive definite on the tangent space/);
  expect(Math.abs(result.fval - plain.fval)).toBeLessThan(1e-9 * Math.abs(plain.fval));
});

test.each(taking)("%s leaves a preconditioner that gives no numbers, with a note", async (solver) => {
  const f = { ...badlyScaled(E), quadratic: undefined };
  const o = { solver, tol: 1e-6, certificate: "stationary", start: randomStart(E, n, p, 1) } as const;
  const result = await drain(solveStiefel(E, f, { ...o, precondition: (Z) => E.fill(Z, Number.NaN) }));
  expect(result.status).toBe("converged");
  expect(result.notes.join()).toMatch(/preconditioner was left .* not positive definite .*NaN/);
});

/** f = −½ tr XᵀAX for a seeded A, and (λI − Diag A)⁻¹ with λ a little above the largest entry of the diagonal, or at the Rayleigh quotient */
function rayleigh(n: number, p: number, seed: number) {
  const r = random(seed, "A");
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = r.normal();
  const diagonal = Float64Array.from({ length: n }, (_, i) => a[i * (n + 1)]!);
  const top = Math.max(...diagonal);
  const weights = Float64Array.from({ length: n }, () => 10 ** (4 * r.uniform()));
  const scaling =
    (weight: (i: number) => number): Precondition =>
    (Z, _X, G) =>
      Z.data.forEach((_, k) => void (Z.data[k] = weight(Math.floor(k / p)) * G.data[k]!));
  /** Y ← −AX */
  const times = (Y: Tall, X: Tall): void => {
    E.fill(Y, 0);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) for (let j = 0; j < p; j++) Y.data[i * p + j]! -= a[i * n + k]! * X.data[k * p + j]!;
    }
  };
  const f: Objective = {
    n,
    p,
    f: (X) => f.fg(E.tall(n, p), X),
    fg(G, X) {
      times(G, X);
      return 0.5 * E.dot(G, X);
    },
    hvp: (H, _X, D) => times(H, D),
  };
  const atQuotient: Precondition = (Z, X, G) => {
    const AX = E.tall(n, p);
    times(AX, X);
    for (let j = 0; j < p; j++) {
      let quotient = 0;
      for (let i = 0; i < n; i++) quotient -= AX.data[i * p + j]! * X.data[i * p + j]!;
      for (let i = 0, k = j; i < n; i++, k += p) {
        const h = quotient - diagonal[i]!;
        Z.data[k] = G.data[k]! / (h < 1e-8 ? 1 : h);
      }
    }
  };
  return {
    f,
    "λ at the Rayleigh quotient": atQuotient,
    "λ above the diagonal by a tenth": scaling((i) => 1 / (1.1 * top - diagonal[i]!)),
    "λ above the diagonal by a hundredth": scaling((i) => 1 / (1.01 * top - diagonal[i]!)),
    "a random diagonal from 1 to 10⁴": scaling((i) => weights[i]!),
  };
}

describe("Rayleigh quotients with the inverse of λI − Diag A", () => {
  const instances = [1, 2, 3].flatMap((seed) => [rayleigh(100, 1, seed), rayleigh(100, 3, seed)]);
  const spent = async (f: Objective, solver: SolverName, precondition?: Precondition) => {
    const o = { solver, precondition, tol: 1e-6, certificate: "stationary" } as const;
    const { evaluations, status, notes } = await drain(
      solveStiefel(E, f, { ...o, start: randomStart(E, f.n, f.p, 1) }),
    );
    expect(status).toBe("converged");
    return {
      calls: evaluations.f + evaluations.hvp,
      left: notes.some((note) => note.includes("preconditioner was left")),
    };
  };
  const total = (counts: readonly { calls: number }[]): number => counts.reduce((sum, { calls }) => sum + calls, 0);

  test.each(taking)("%s: half as many evaluations more than without it, at most", async (solver) => {
    const plain = [];
    for (const { f } of instances) plain.push(await spent(f, solver));
    for (const name of [
      "λ at the Rayleigh quotient",
      "λ above the diagonal by a tenth",
      "λ above the diagonal by a hundredth",
    ] as const) {
      const helped = [];
      for (const instance of instances) helped.push(await spent(instance.f, solver, instance[name]));
      expect(total(helped), name).toBeLessThanOrEqual(1.5 * total(plain));
    }
  });

  test("the default leaves one that is a number, which takes the place of its own metric, with a note", async () => {
    const identity: Precondition = (Z, _X, G) => E.combine(Z, 1e9, G, 0, G);
    for (const { f } of instances) {
      const { calls, left } = await spent(f, "expen", identity);
      expect(left).toBe(true);
      expect(calls).toBeLessThanOrEqual(1.5 * (await spent(f, "expen")).calls);
    }
  });

  test.each(taking)("%s: a harmful one is left, with a note", async (solver) => {
    const { f, ...preconditioners } = instances[1]!;
    const { left, calls } = await spent(f, solver, preconditioners["a random diagonal from 1 to 10⁴"]);
    expect(left).toBe(true);
    expect(calls).toBeLessThan(6 * (await spent(f, solver)).calls);
  });
});

test("a solver without preconditioner says so", async () => {
  await expect(
    minimize(() => badlyScaled(E), { on: stiefel(n, p), engine: E, solver: "landing", precondition: inverse() }),
  ).rejects.toThrow(/solver 'landing' takes no preconditioner; leave it out or take one of auto, expen/);
});
