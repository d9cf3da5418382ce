/** A run that begins at a solution, where the gradient says nothing of its own scale. */

import { euclidean, minimize, oblique, product, stiefel } from "expen";
import { add, type Expr, formula, mul, norm2, scale, sub } from "expen/tape";
import { describe, expect, it } from "vitest";

const n = 6;
const D = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Math.sin(1 + i * j + i)));
const target = D.map((row) => row.slice(0, 2));
/** ‖DX − D·[I; 0]‖², which is 0 at a feasible X */
const residual = (X: Parameters<typeof mul>[1]) => norm2(sub(mul(D, X), target));

describe.each([
  ["stiefel", stiefel(n, 2), 1],
  ["euclidean", euclidean(n, 2), 1],
  ["oblique", oblique(n, 2), 1],
  ["tiny f on euclidean", euclidean(n, 2), 1e-9],
] as const)("begun at a solution: %s", (_, on, size) => {
  it("ends there, with the certificate of the run before", async () => {
    const f = formula((X: Parameters<typeof mul>[1]) => scale(size, residual(X)));
    const first = await minimize(f, { on });
    expect(first.status).toBe("converged");
    const again = await minimize(f, { on, start: first.X });
    expect(again.status).toBe("converged");
    expect(again.iterations).toBe(0);
    expect(again.certificate.level).toBe(first.certificate.level);
  });

  it("ends there where the gradient is rounding", async () => {
    const f = formula((X: Parameters<typeof mul>[1]) => scale(size, residual(X)));
    const { X } = await minimize(f, { on, finish: "newton" });
    const again = await minimize(f, { on, start: X });
    expect(again.reason).toMatchObject({ kind: "gradient", converged: true });
    expect(again.iterations).toBe(0);
  });
});

it("a form whose terms cancel is proved", async () => {
  const { X } = await minimize(formula(residual), { on: stiefel(n, 2), finish: "newton" });
  const { certificate } = await minimize(formula(residual), { on: stiefel(n, 2), start: X });
  expect(certificate.level).toBe("global");
});

it("says ‖XᵀX − I‖ of orthonormal columns alone", async () => {
  const on = product({ U: oblique(3, 1), V: euclidean(1, 1) });
  const tape = ({ U, V }: { U: Expr; V: Expr }) => add(norm2(sub(U, [[0], [1], [0]])), norm2(V));
  const { certificate } = await minimize(formula(tape), { on });
  expect(certificate.text).toMatch(/‖K\(X\)‖/);
  expect(certificate.text).not.toMatch(/XᵀX/);
});
