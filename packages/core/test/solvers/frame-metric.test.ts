import type { Engine, Matrix, Tall } from "@expen/linalg";
import { random, unitSymmetric } from "@expen/linalg";
import { leftDivided } from "@expen/linalg/dense";
import { jsEngine } from "@expen/linalg/engine";
import { solvers } from "@expen/solvers";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Constraint } from "../../src/contracts/constraint.js";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import type { Solver } from "../../src/contracts/method.js";
import type { Objective } from "../../src/contracts/objective.js";
import type { UserObjective } from "../../src/contracts/user-objective.js";
import { dissolvedExpen } from "../../src/expen/dissolved.js";
import { generalizedStiefel, product } from "../../src/manifolds/named.js";
import { pointOf } from "../../src/manifolds/point.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { frameExpen } from "../../src/methods/quasi-newton/frame-expen.js";
import { counted, noEvaluations } from "../../src/objective/evaluator.js";
import { objectiveOn } from "../../src/objective/objective.js";
import { randomPoint } from "../../src/run/start.js";

const base = jsEngine();

/** MᵀM with columns of many lengths */
function metric(n: number, growth = 1.4): Matrix {
  const [M, B, r] = [base.small(2 * n, n), base.small(n, n), random(2, "B")];
  let k = 0;
  base.write(M, () => r.normal() * growth ** (k++ % n));
  base.gram(B, M);
  return { rows: n, cols: n, data: base.read(B) };
}

/** ½⟨X, AX⟩ + c⟨L, X⟩ */
function objective(E: Engine, n: number, p: number, c = 1): UserObjective<Tall> {
  const A = E.operator(unitSymmetric(n, random(3, "A")));
  const L = E.tall(n, p);
  E.write(L, random(4, "L").normal);
  return {
    fg(G, X) {
      A.apply(G, X);
      const value = 0.5 * E.dot(X, G) + c * E.dot(L, X);
      E.combine(G, 1, G, c, L);
      return value;
    },
  } as UserObjective<Tall>;
}

describe.each([
  [9, 3],
  [4, 4],
])("XᵀBX = I, %i×%i", (n, p) => {
  const B = metric(n);
  const bound = generalizedStiefel(B, p).bind(base);
  const R = bound.on.traits.metric!.factor!.dense!;
  const X0 = randomPoint(bound, 1);
  const f = objective(base, n, p);

  test("the steps are those on ZᵀZ = I for Z = RX, every point is feasible, and gnorm is that of the constraint", () => {
    const Z0 = base.tall(n, p);
    base.operator({ rows: n, cols: n, data: base.read(R) }).apply(Z0, X0);
    const inverse = base.small(n, n);
    base.addDiagonal(inverse, 1);
    base.factor.divide(inverse, R);
    const there = base.operator({ rows: n, cols: n, data: base.read(inverse) });
    const [X, G] = [base.tall(n, p), base.tall(n, p)];
    const g = {
      fg(H: Tall, Z: Tall): number {
        base.write(X, leftDivided(base, R, base.read(Z), p));
        const value = f.fg!(G, X);
        there.applyT(H, G);
        return value;
      },
    } as UserObjective<Tall>;
    const onStiefel = stiefel(n, p).bind(base);
    const plain = [...take(frameExpen(base, objectiveOn(onStiefel, g), Z0, { on: onStiefel.on, memory: 10 }))];
    const H = base.tall(n, p);
    const values: number[] = [];
    for (const s of frameExpen(base, objectiveOn(bound, f), X0, { on: bound.on })) {
      const x = pointOf(base, bound.on)(s.X);
      expect(bound.on.dissolver.K(base.small(p, p), x)).toBeLessThan(1e-9);
      f.fg!(H, s.X);
      bound.on.dissolver.tangent(H, x);
      expect(Math.abs(s.gnorm - Math.sqrt(base.dot(H, H)))).toBeLessThan(1e-9 * s.gnormMax);
      if (values.push(s.f) === 15) break;
    }
    for (const [k, v] of values.entries()) expect(v).toBeCloseTo(plain[k]!, 8);
  });

  test.each([
    ["opaque", () => opaque(jsEngine())],
    ["split", () => split(jsEngine())],
  ])("%s takes the steps of js, beside another part", async (_name, make) => {
    const of = async (E: Engine): Promise<number[]> => {
      const on = product({ X: generalizedStiefel(B, p), V: stiefel(6, p) }) as unknown as Manifold<View>;
      const there = on.bind(E);
      const [first, second] = [objective(E, n, p), objective(E, 6, p)];
      const both = {
        fg: (G: { X: Tall; V: Tall }, X: { X: Tall; V: Tall }): number => first.fg!(G.X, X.X) + second.fg!(G.V, X.V),
      } as unknown as UserObjective<View>;
      return [
        ...take(await solvers.auto.create(there.E, objectiveOn(there, both), randomPoint(there, 1), { on: there.on })),
      ];
    };
    const [plain, other] = [await of(base), await of(make())];
    expect(plain.at(-1)!).toBeLessThan(plain[0]! - 0.1);
    for (const [k, v] of other.entries()) expect(v).toBeCloseTo(plain[k]!, 7);
  });
});

function* take(states: Iterable<{ f: number }>, count = 15): Generator<number> {
  let k = 0;
  for (const { f } of states) {
    yield f;
    if (++k === count) return;
  }
}

test("it takes less than half of the evaluations of the multiplier's metric", () => {
  const [n, p] = [40, 4];
  const bound = generalizedStiefel(metric(n, 1.05), p).bind(base);
  const evaluationsOf = (solver: (E: Engine, f: Objective, X0: Tall, o: { on: Constraint }) => Solver): number => {
    const evaluations = noEvaluations();
    const F = counted(objectiveOn(bound, objective(base, n, p, 0.01)), evaluations);
    for (const { gnorm, gnormMax } of solver(base, F, randomPoint(bound, 1), { on: bound.on })) {
      if (gnorm <= 1e-8 * gnormMax) return evaluations.grad;
    }
    return Number.NaN;
  };
  const frame = evaluationsOf(frameExpen);
  expect(2 * frame).toBeLessThan(evaluationsOf(dissolvedExpen));
});
