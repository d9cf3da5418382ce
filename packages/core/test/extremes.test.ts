/** Sizes and functions at the ends of what there is: isolated points, no minimum, squares that are no numbers, a wrong Hessian. */

import { euclidean, GradientError, grassmann, type Matrix, minimize, specialOrthogonal, sphere, stiefel } from "expen";
import { describe, expect, it } from "vitest";

const weighted = (size = 1) => ({
  f: (X: Matrix) => size * X.data.reduce((sum, x, k) => sum + 0.5 * (k + 1) * x * x, 0),
  grad(G: Matrix, X: Matrix) {
    for (let k = 0; k < X.data.length; k++) G.data[k] = size * (k + 1) * X.data[k]!;
  },
});

describe("isolated points", () => {
  for (const on of [stiefel(1, 1), sphere(1), specialOrthogonal(1)]) {
    it(`${on.text}: a second-order point`, async () => {
      const { certificate, status } = await minimize(weighted(), { on });
      expect(status).toBe("converged");
      expect(certificate.level).toBe("second-order");
      expect(certificate.text).toMatch(/isolated/);
    });
  }
});

describe("no minimum", () => {
  for (const solver of ["auto", "expen-cg", "expen-lbfgs", "rlbfgs"] as const) {
    it(`${solver}: said so`, async () => {
      const f = { f: (X: Matrix) => X.data[0]!, grad: (G: Matrix) => void G.data.fill(0).fill(1, 0, 1) };
      const { reason } = await minimize(f, { on: euclidean(3, 1), solver });
      expect(reason).toMatchObject({ kind: "unbounded", converged: false });
    });
  }
});

it.each([1e-200, 1e200])("squares of a gradient of size %d are refused", async (size) => {
  await expect(minimize(weighted(size), { on: stiefel(6, 2) })).rejects.toThrow(/square under- or overflows; scale f/);
});

describe("hvp before the run", () => {
  const hvp = (entry: number, factor: number) => (H: Matrix, _: Matrix, D: Matrix) => {
    for (let k = 0; k < D.data.length; k++) H.data[k] = (k + 1) * D.data[k]! * (k === entry ? factor : 1);
  };
  it("a wrong entry is found and named", async () => {
    const run = minimize({ ...weighted(), hvp: hvp(7, 1.1) }, { on: stiefel(6, 2) });
    await expect(run).rejects.toThrow(GradientError);
    await expect(run).rejects.toThrow(/Hessian \(hvp\).*entry \(3, 1\) of H/);
  });
  it("a linearize that is the identity is found", async () => {
    const linearize = () => (H: Matrix, D: Matrix) => void H.data.set(D.data);
    await expect(minimize({ ...weighted(), linearize }, { on: stiefel(6, 2) })).rejects.toThrow(/does not belong to f/);
  });
  it("right ones pass: rough, noisy and badly scaled f too", async () => {
    for (let seed = 1; seed <= 50; seed++) {
      const [noise, curve, size] = [
        [0, 1e-9, 1e-7][seed % 3]!,
        [0, 1, 30][(seed % 4) % 3]!,
        [1, 1e-8, 1e8][(seed % 5) % 3]!,
      ];
      const right = {
        f: (X: Matrix) =>
          size *
          X.data.reduce(
            (sum, x, k) => sum + 0.5 * (k + 1) * x * x - Math.cos(curve * x) + noise * Math.sin(1e7 * x),
            0,
          ),
        grad(G: Matrix, X: Matrix) {
          X.data.forEach((x, k) => {
            G.data[k] = size * ((k + 1) * x + curve * Math.sin(curve * x) + noise * Math.sin(1e7 * x));
          });
        },
        hvp(H: Matrix, X: Matrix, D: Matrix) {
          X.data.forEach((x, k) => {
            H.data[k] = size * (k + 1 + curve ** 2 * Math.cos(curve * x)) * D.data[k]!;
          });
        },
      };
      const { status } = await minimize(right, { on: stiefel(6, 2), seed, maxIterations: 1 });
      expect(status, `seed ${seed}`).toMatch(/^(iterations|converged)$/);
    }
  });
});

describe("f of X, not of its span, on grassmann", () => {
  // ½⟨X, AXC⟩ with X = [e₁ e₂] in the wrong order: a saddle along XΩ, which a function of the span cannot have
  const start = { rows: 4, cols: 2, data: Float64Array.from([1, 0, 0, 1, 0, 0, 0, 0]) };
  const weight = (k: number): number => ((k >> 1) + 1) * (k & 1 ? 3 : 1);
  it.each([0, 1e6, 1e9, 1e11])("is seen beside a constant %d, and its saddle left", async (constant) => {
    const f = {
      f: (X: Matrix) => constant + X.data.reduce((sum, x, k) => sum + 0.5 * weight(k) * x * x, 0),
      grad(G: Matrix, X: Matrix) {
        for (let k = 0; k < 8; k++) G.data[k] = weight(k) * X.data[k]!;
      },
    };
    const { fval, notes } = await minimize(f, { on: grassmann(4, 2), start });
    expect(notes[0]).toMatch(/f is no function on grassmann/);
    expect(fval - constant).toBeCloseTo(2.5, 3);
  });
  it.each([0, 1e9])("a function of the span beside a constant %d is none", async (constant) => {
    const f = {
      f: (X: Matrix) => constant + X.data.reduce((sum, x, k) => sum + 0.5 * ((k >> 1) + 1) * x * x, 0),
      grad(G: Matrix, X: Matrix) {
        for (let k = 0; k < 40; k++) G.data[k] = ((k >> 1) + 1) * X.data[k]!;
      },
    };
    for (let seed = 1; seed <= 20; seed++) {
      const { notes } = await minimize(f, { on: grassmann(20, 2), seed, maxIterations: 0 });
      expect(notes).toEqual([]);
    }
  });
});
