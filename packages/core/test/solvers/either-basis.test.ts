import type { Engine, Small } from "@expen/linalg";
import { random, randomOrthonormal } from "@expen/linalg";
import { jsEngine, smallOf } from "@expen/linalg/engine";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { columnsAsBasis } from "../../src/methods/quasi-newton/first/basis.js";
import { shapeInEigenbasis, shapeInEitherBasis } from "../../src/methods/quasi-newton/first/either-basis.js";
import { type FrameShape, shapeInBasis } from "../../src/methods/quasi-newton/first/in-frame.js";
import { pairProducts } from "../../src/methods/quasi-newton/first/pair-products.js";
import type { Tangent } from "../../src/methods/quasi-newton/tangent.js";

const [n, p] = [9, 4];

/** Curvatures of the columns of Z·U from 1 to 300, and of the entries of UᵀΩU */
const ofColumn = [1, 30, 10, 4];
const ofEntry = (i: number, j: number): number => 1 + 5 * ((i * j + i + j) % 5);

/**
 * The angle between H₀y and s of a new pair, after `pairs` of the quadratic function whose Hessian is diagonal in the basis U; S is the
 * multiplier
 */
function angleAfter(E: Engine, shape: FrameShape, U: Small, pairs: number): number {
  const r = random(5, "pairs");
  const make = (): Tangent => ({ Z: E.tall(n, p), O: E.small(p, p) });
  const [D, y, R] = [make(), make(), make()];
  const [N, T, W, V] = [E.small(p, p), E.small(p, p), E.tall(n, p), E.small(p, p)];
  const curvatures = E.small(
    p,
    p,
    Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? ofColumn[k % p]! : 0)),
  );
  function draw(): void {
    E.write(D.Z!, r.normal);
    const a = new Float64Array(p * p);
    for (let i = 0; i < p; i++) for (let j = i + 1; j < p; j++) a[j * p + i] = -(a[i * p + j] = r.normal());
    E.write(D.O!, a);
    // y = ZU·Diag·Uᵀ and U·(UᵀΩU ∘ h)·Uᵀ
    E.mul(N, U, curvatures);
    E.mulT(T, N, U);
    E.mul(W, D.Z!, T);
    E.copy(y.Z!, W);
    E.mul(N, D.O!, U);
    E.tmul(T, U, N);
    const inside = E.read(T).map(
      (v, k) => v * ofEntry(Math.min(Math.floor(k / p), k % p), Math.max(Math.floor(k / p), k % p)),
    );
    E.write(V, inside);
    E.mul(N, U, V);
    E.mulT(y.O!, N, U);
  }
  const inner = (A: Tangent, B: Tangent): number => E.dot(A.Z!, B.Z!) + E.dot(A.O!, B.O!);
  for (let k = 0; k < pairs; k++) {
    draw();
    const sy = inner(D, y);
    shape.scale(sy / shape.learn({ t: 1, D, y, sy }));
  }
  draw();
  shape.apply(R, y);
  return Math.acos(Math.min(1, inner(R, D) / Math.sqrt(inner(R, R) * inner(D, D))));
}

const E0 = jsEngine();

function inColumns(E: Engine, S: Small): FrameShape {
  const products = pairProducts(E, p);
  const { learn, ...shape } = shapeInBasis(E, p, S, columnsAsBasis(E, p), products);
  return {
    ...shape,
    learn(pair) {
      products.forget();
      return learn(pair);
    },
  };
}

describe.each([
  ["js", E0],
  ["split", split(E0)],
] as const)("%s", (_name, E) => {
  const multiplier = (U: Small): Small => {
    const w = E.small(
      p,
      p,
      Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? -1 - (k % p) : 0)),
    );
    const [N, S] = [E.small(p, p), E.small(p, p)];
    E.mul(N, U, w);
    E.mulT(S, N, U);
    E.symmetrize(S);
    return S;
  };
  const Q = E.small(p, p, randomOrthonormal(p, p, random(2, "Q")).data);
  const I = E.small(p, p);
  E.addDiagonal(I, 1);

  test("a Hessian that is diagonal in the columns is learned, whatever the eigenvectors of the multiplier", () => {
    const S = multiplier(Q);
    const columns = inColumns(E, S);
    const alone = angleAfter(E, columns, I, 12);
    expect(alone).toBeLessThan(0.9 * angleAfter(E, shapeInEigenbasis(E, p, S), I, 12));
    expect(angleAfter(E, shapeInEitherBasis(E, p, S), I, 12)).toBe(alone);
  });

  test("one that is diagonal in the eigenbasis of the multiplier is learned as in that basis alone", () => {
    const S = multiplier(Q);
    const alone = angleAfter(E, shapeInEigenbasis(E, p, S), Q, 12);
    const columns = inColumns(E, S);
    expect(alone).toBeLessThan(0.9 * angleAfter(E, columns, Q, 12));
    expect(angleAfter(E, shapeInEitherBasis(E, p, S), Q, 12)).toBe(alone);
  });

  test("what was learned is forgotten: the same pairs lead to the same matrix", () => {
    const shape = shapeInEitherBasis(E, p, multiplier(Q));
    const first = angleAfter(E, shape, I, 6);
    shape.forget();
    expect(angleAfter(E, shape, I, 6)).toBe(first);
  });
});

test("no Ω: the eigenbasis is taken", () => {
  const S = smallOf(E0, { rows: 2, cols: 2, data: Float64Array.of(1, 0.4, 0.4, 2) });
  const [either, alone] = [shapeInEitherBasis(E0, 2, S), shapeInEigenbasis(E0, 2, S)];
  const [D, y] = [1, 2].map(
    (seed): Tangent => ({
      Z: E0.tall(5, 2, Float64Array.from({ length: 10 }, random(seed, "Z").normal)),
      O: undefined,
    }),
  );
  E0.combine(y!.Z!, 0.1, y!.Z!, 1, D!.Z!);
  const pair = { t: 1, D: D!, y: y!, sy: E0.dot(D!.Z!, y!.Z!) };
  expect(either.learn(pair)).toBe(alone.learn(pair));
});
