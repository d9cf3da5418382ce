/** ½⟨X, AXC⟩ over XᵀBX = I with both matrices at hand: in closed form. */
import { expect, test } from "vitest";
import { generalizedStiefel } from "../../src/constraints/manifolds.js";
import { jsEngine } from "../../src/engines/js.js";
import { minimize } from "../../src/minimize.js";
import { random } from "../../src/random.js";
import { wholeSpacePays } from "../../src/solvers/whole-space-expen.js";
import type { Engine, Matrix, Objective, Tall } from "../../src/types.js";

const [n, p] = [40, 4];

/** G·Gᵀ/n + shift·I */
function definite(E: Engine, seed: number, shift: number): Matrix {
  const [G, S] = [E.small(n, n), E.small(n, n)];
  E.write(G, random(seed, "definite").normal);
  E.gram(S, G);
  const data = Float64Array.from(E.read(S), (s) => s / n);
  for (let i = 0; i < n; i++) data[i * (n + 1)]! += shift;
  return { rows: n, cols: n, data };
}

const weights = (E: Engine) =>
  E.small(
    p,
    p,
    Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? (k / (p + 1)) * 2 - 3 : 0)),
  );

test.each(["C = I", "C with both signs"])(
  "%s: no step is needed, and steps from a random start end no lower",
  async (name) => {
    const E = jsEngine();
    const [A, B] = [definite(E, 1, 0), definite(E, 2, 0.1)];
    const declared = (E: Engine, declare: boolean) => {
      const { apply } = E.operator(A);
      const C = name === "C = I" ? undefined : weights(E);
      const AX = E.tall(n, p);
      return {
        ...(declare && { quadratic: { apply: (Y: Tall, X: Tall) => apply(Y, X), ...(C && { C }) } }),
        fg(G: Tall, X: Tall) {
          apply(AX, X);
          if (C) E.mul(G, AX, C);
          else E.copy(G, AX);
          return 0.5 * E.dot(X, G);
        },
      };
    };
    const on = generalizedStiefel(B, p);
    const closed = await minimize((E) => declared(E, true), { on, engine: E, tol: 1e-9 });
    const steps = await minimize((E) => declared(E, false), { on, engine: E, tol: 1e-9, maxIterations: 5000 });
    expect(closed.iterations).toBe(0);
    expect(closed.reason.converged).toBe(true);
    expect(closed.feasibility).toBeLessThan(1e-12);
    expect(steps.iterations).toBeGreaterThan(10);
    expect(Math.abs(closed.fval - steps.fval)).toBeLessThan(1e-9 * Math.abs(steps.fval));
  },
);

test("a tolerance that rounding does not allow ends the run at once, and gradients are measured by ‖∇f‖", async () => {
  const E = jsEngine();
  const [A, B] = [definite(E, 1, 0), definite(E, 2, 0.1)];
  const f = (E: Engine) => {
    const { apply } = E.operator(A);
    return {
      quadratic: { apply: (Y: Tall, X: Tall) => apply(Y, X) },
      fg(G: Tall, X: Tall) {
        apply(G, X);
        return 0.5 * E.dot(X, G);
      },
    };
  };
  let largest = 0;
  const observe = (s: { gnormMax: number }): void => void (largest = s.gnormMax);
  const { reason, iterations } = await minimize(f, { on: generalizedStiefel(B, p), engine: E, tol: 1e-30, observe });
  expect(reason.kind).toBe("rounding");
  expect(iterations).toBe(0);
  expect(largest).toBeGreaterThan(1e-3);
  // by itself too: 1e-6 of a gradient that is zero would never be met
  const plain = await minimize(f, { on: generalizedStiefel(B, p), engine: E });
  expect([plain.status, plain.iterations]).toEqual(["converged", 0]);
});

test("only where it costs less than steps, and where there is a closed form", () => {
  const E = jsEngine();
  const B = E.operator(definite(E, 2, 0.1));
  const form = (more: object = {}) => ({ n, p, quadratic: { apply: () => {}, ...more } }) as unknown as Objective;
  expect(wholeSpacePays(E, form(), B)).toBe(true);
  expect(wholeSpacePays(E, form({ L: E.tall(n, p) }), B)).toBe(false);
  expect(wholeSpacePays(E, { n, p } as Objective, B)).toBe(false);
  expect(wholeSpacePays(E, form({ flops: 10 }), { ...B, flops: 10 })).toBe(false);
  expect(wholeSpacePays(E, { ...form(), n: 10_000 }, B)).toBe(false);
});
