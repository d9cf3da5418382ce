import type { Engine, Small, Tall } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import type { Manifold, View } from "../../src/contracts/manifold.js";
import type { UserObjective } from "../../src/contracts/user-objective.js";
import { complexStiefel, product } from "../../src/manifolds/named.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { coupledParts, coupling, type Rotation } from "../../src/methods/quasi-newton/first/coupling.js";
import { frameExpen } from "../../src/methods/quasi-newton/frame-expen.js";
import type { Tangent } from "../../src/methods/quasi-newton/tangent.js";
import { counted, noEvaluations } from "../../src/objective/evaluator.js";
import { objectiveOn } from "../../src/objective/objective.js";
import { randomPoint } from "../../src/run/start.js";

const base = jsEngine();
const p = 3;

/** A part whose eigenbasis is I, and whose own curvatures are 1 */
function part(): Rotation & { D: Float64Array; y: Float64Array } {
  const [D, y] = [new Float64Array(p * p), new Float64Array(p * p)];
  return {
    p,
    complex: false,
    D,
    y,
    inverse: () => new Float64Array(p * p).fill(1),
    quotients: () => y.reduce((sum, v) => sum + v * v, 0),
    toBasis: (numbers, O) => void base.read(O!, numbers),
    fromBasis: (O, numbers) => base.write(O!, numbers),
  };
}

const r = random(4, "turns");
function skew(): Float64Array {
  const a = new Float64Array(p * p);
  for (let i = 0; i < p; i++) for (let j = i + 1; j < p; j++) a[j * p + i] = -(a[i * p + j] = r.normal());
  return a;
}

test("pairs y = Cs of two parts: entry by entry H is near C⁻¹, also where C is nearly singular", () => {
  const [u, v] = [part(), part()];
  const coupled = coupling([u, v]);
  expect(coupled.hasLearned()).toBe(false);
  const C = [100, -99.5, 100]; // [α, −β; −β, α]
  for (let k = 0; k < 60; k++) {
    u.D.set(skew());
    v.D.set(skew());
    for (let e = 0; e < p * p; e++) {
      u.y[e] = 0.5 * (C[0]! * u.D[e]! + C[1]! * v.D[e]!);
      v.y[e] = 0.5 * (C[1]! * u.D[e]! + C[2]! * v.D[e]!);
    }
    coupled.learn(0.5, 1);
  }
  coupled.scale(1);
  const tangent = (numbers: Float64Array): Tangent => ({ Z: undefined, O: base.small(p, p, numbers) as Small });
  const one = skew();
  const [R, Q] = [
    [tangent(one), tangent(one)],
    [tangent(one), tangent(one)],
  ] as const;
  coupled.apply(R, Q);
  // (1, 1) is the eigenvector of 0.5; no diagonal matrix would divide by less than 100
  const found = R.map(({ O }) => base.read(O!));
  for (const numbers of found) {
    for (let i = 0; i < p; i++) {
      for (let j = 0; j < p; j++) {
        expect(numbers[i * p + j]).toBe(i === j ? 0 : -numbers[j * p + i]!);
        if (i !== j) expect(numbers[i * p + j]! / one[i * p + j]!).toBeGreaterThan(0.2);
        if (i !== j) expect(numbers[i * p + j]! / one[i * p + j]!).toBeLessThan(4);
      }
    }
  }
});

test("parts with as many columns are coupled, four numbers an entry at most", () => {
  const of = (p: number, complex = false): Rotation => ({ ...part(), p, complex });
  expect(coupledParts([of(3), of(2), undefined, of(3)])).toEqual([[0, 3]]);
  expect(coupledParts([of(2, true), of(2, true)])).toEqual([[0, 1]]);
  expect(coupledParts([of(2, true), of(2, true), of(2)])).toEqual([]);
  expect(coupledParts([of(1), of(1)])).toEqual([]);
  expect(coupledParts(Array.from({ length: 5 }, () => of(3)))).toEqual([]);
});

/** f = −Re tr UᴴAVN, N = Diag(p, …, 1): parts {re, im}, or real ones */
type Part = { re: Tall; im: Tall };
function singularVectors(E: Engine, n: number, m: number, p: number, complex: boolean): UserObjective<View> {
  const draw = random(6, "A");
  const A = [gaussian(n, m, draw), gaussian(n, m, draw)].map((M) => E.operator(M));
  const N = E.small(p, p);
  E.write(
    N,
    Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? p - k / (p + 1) : 0)),
  );
  const [AV, AU] = [E.tall(n, p), E.tall(m, p)];
  const partsOf = (M: unknown): Tall[] => (complex ? [(M as Part).re, (M as Part).im] : [M as Tall]);
  return {
    fg(G: { U: unknown; V: unknown }, X: { U: unknown; V: unknown }) {
      const [gu, gv, u, v] = [partsOf(G.U), partsOf(G.V), partsOf(X.U), partsOf(X.V)];
      let value = 0;
      for (let i = 0; i < u.length; i++) {
        A[0]!.apply(AV, v[i]!);
        A[0]!.applyT(AU, u[i]!);
        if (complex) A[1]!.apply(AV, v[1 - i]!, i === 0 ? -1 : 1, 1);
        if (complex) A[1]!.applyT(AU, u[1 - i]!, i === 0 ? 1 : -1, 1);
        E.mul(gu[i]!, AV, N, -1);
        E.mul(gv[i]!, AU, N, -1);
        value += E.dot(u[i]!, gu[i]!);
      }
      return value;
    },
  } as unknown as UserObjective<View>;
}

function run(on: Manifold<View>, f: (E: Engine) => UserObjective<View>, E: Engine = base, steps = 2000) {
  const bound = on.bind(E);
  const evaluations = noEvaluations();
  const objective = counted(objectiveOn(bound, f(E)), evaluations);
  const values: number[] = [];
  for (const s of frameExpen(bound.E, objective, randomPoint(bound, 1), { on: bound.on })) {
    if (values.push(s.f) === steps || s.gnorm <= 1e-7 * s.gnormMax) break;
  }
  return { evaluations: evaluations.grad, values };
}

describe.each([
  ["real", false, 100],
  ["complex", true, 100],
])("singular vectors in their order, %s", (_name, complex, most) => {
  const [n, m, p] = [40, 30, 5];
  const make = complex ? complexStiefel : stiefel;
  const on = product({ U: make(n, p), V: make(m, p) } as Record<string, Manifold<View>>) as Manifold<View>;
  const f = (E: Engine): UserObjective<View> => singularVectors(E, n, m, p, complex);

  // 150 and 187 where each part learns for itself
  test(`fewer than ${most} evaluations`, () => expect(run(on, f).evaluations).toBeLessThan(most));

  test.each([
    ["opaque", () => opaque(jsEngine())],
    ["split", () => split(jsEngine())],
  ])("%s takes the steps of js", (_engine, engine) => {
    const [plain, other] = [run(on, f, base, 12).values, run(on, f, engine(), 12).values];
    for (const [k, v] of other.entries()) expect(v / plain[k]!).toBeCloseTo(1, 8);
  });
});
