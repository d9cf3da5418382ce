/** eigs against closed forms: values, residuals, bounds, and the statement that none is missing. */
import type { Matrix, Sparse } from "@expen/linalg";
import { gaussian, plainProduct, plainTranspose, random, randomOrthonormal } from "@expen/linalg";
import { constantTridiagonal, sparseApply, sparseToDense } from "@expen/linalg/arrays";
import { jsEngine } from "@expen/linalg/engine";
import { opaque } from "@expen/testing/engines/opaque";
import { split } from "@expen/testing/engines/split";
import { describe, expect, test } from "vitest";
import { type EigsAnswer, type EigsOptions, eigs, type OperatorInput } from "../../src/eigen/index.js";
import { diagonal, freePath, grid, gridValues, nearest, pathValues, sparse } from "./matrices.js";

/** Each value within its bound of the eigenvalue of the same place, bounds that say something, vectors with XᵀBX = I and their residuals */
function expectPairs(answer: EigsAnswer, exact: readonly number[], A: Sparse, B?: Sparse, sharp = 1e-7): void {
  const { values, bounds, vectors: X, residuals } = answer;
  const p = values.length;
  const scale = Math.max(...exact.map(Math.abs));
  expect(answer.converged).toBe(true);
  for (let j = 0; j < p; j++) {
    // the closed form itself has rounding errors
    expect(Math.abs(values[j]! - exact[j]!)).toBeLessThanOrEqual(bounds![j]! + 8 * Number.EPSILON * scale);
    expect(bounds![j]).toBeLessThan(sharp * scale);
  }
  const image = (M: Sparse): Matrix => {
    const Y = { ...X, data: new Float64Array(X.data.length) };
    sparseApply(Y, M, X);
    return Y;
  };
  const [AX, BX] = [image(A), B ? image(B) : X];
  const G = plainProduct(plainTranspose(X), BX);
  for (let j = 0; j < p; j++) {
    for (let k = 0; k < p; k++) expect(Math.abs(G.data[j * p + k]! - (j === k ? 1 : 0))).toBeLessThan(1e-10);
    let square = 0;
    for (let i = 0; i < X.rows; i++) square += (AX.data[i * p + j]! - values[j]! * BX.data[i * p + j]!) ** 2;
    expect(Math.abs(Math.sqrt(square) - residuals[j]!)).toBeLessThan(1e-10 * scale);
  }
}

const m = 24;
const A = grid(m, m + 1);
const exact = gridValues(m, m + 1);
const square = grid(m);

describe.each<[string, EigsOptions, number[]]>([
  ["smallest", { p: 5 }, exact],
  ["largest", { p: 4, which: "largest" }, exact.toReversed()],
  ["nearest", { p: 6, sigma: 3.1 }, nearest(exact, 3.1)],
  ["nearest to a number below all", { p: 3, sigma: -2 }, exact],
  ["nearest to a number above all", { p: 3, sigma: 11 }, exact.toReversed()],
  ["nearest to an eigenvalue", { p: 5, sigma: exact[300]! }, nearest(exact, exact[300]!)],
])("%s eigenvalues of a grid", (_, o, wanted) => {
  test("sparse, and as a dense matrix", async () => {
    for (const M of [A, sparseToDense(A)]) {
      const answer = await eigs(M, o);
      expectPairs(answer, wanted, A);
      expect(answer.certificate.level).toBe("complete");
      const { from, to, count } = answer.certificate.interval!;
      expect(exact.filter((v) => v > from && v < to).length).toBe(count);
    }
  });
});

describe("multiple and clustered eigenvalues", () => {
  test("doubles of a square grid, all of them", async () => {
    for (const [p, sigma] of [[6], [7], [8, 2.5]] as const) {
      const answer = await eigs(square, sigma === undefined ? { p } : { p, sigma });
      const values = gridValues(m);
      expectPairs(answer, sigma === undefined ? values : nearest(values, sigma), square);
      expect(answer.certificate.level).toBe("complete");
    }
  });

  test("an eigenvalue with as many copies as the grid has rows, in the middle", async () => {
    const answer = await eigs(square, { p: 7, sigma: 4 });
    expectPairs(answer, nearest(gridValues(m), 4), square);
    expect(answer.certificate.level).toBe("complete");
  });

  test("a cluster of twelve at a distance of 1e-9", async () => {
    const values = Array.from({ length: 400 }, (_, i) => (i < 12 ? 1 + i * 1e-9 : i));
    const M = diagonal(values);
    for (const o of [{ p: 12 }, { p: 12, sigma: 0 }]) {
      const answer = await eigs(M, o);
      expectPairs(answer, values, M, undefined, 1e-6);
      expect(answer.certificate).toMatchObject({ level: "complete", interval: { count: 12 } });
    }
  });

  test("the zero matrix and the identity", async () => {
    for (const value of [0, 1]) {
      const M = diagonal(new Array(300).fill(value));
      const answer = await eigs(M, { p: 3 });
      for (const v of answer.values) expect(Math.abs(v - value)).toBeLessThan(1e-12);
      expect(answer.certificate.level).toBe("complete");
    }
  });
});

describe("A·x = λB·x", () => {
  const n = 600;
  const K = constantTridiagonal(n, -1, 2, -1);
  const M = constantTridiagonal(n, 1 / 6, 4 / 6, 1 / 6);
  // both are polynomials of the same matrix
  const pencilValues = pathValues(n).map((v) => v / (1 - v / 6));
  const [stiffness, mass] = [sparseOf(n, -1, 2), sparseOf(n, 1 / 6, 4 / 6)];
  test.each<[string, EigsOptions, number[]]>([
    ["smallest", { p: 4 }, pencilValues],
    ["largest", { p: 3, which: "largest" }, pencilValues.toReversed()],
    ["nearest", { p: 5, sigma: 5 }, nearest(pencilValues, 5)],
  ])("finite elements on a line, %s", async (_, o, wanted) => {
    const answer = await eigs(K, { ...o, B: M });
    expectPairs(answer, wanted, stiffness, mass);
    expect(answer.certificate.level).toBe("complete");
  });

  test("a singular A, whose smallest eigenvalue is 0, and an indefinite one", async () => {
    const free = freePath(500);
    const B = diagonal(Array.from({ length: 500 }, () => 2));
    const values = Array.from({ length: 500 }, (_, k) => 1 - Math.cos((k * Math.PI) / 500));
    const answer = await eigs(free, { p: 3, B });
    expectPairs(answer, values, free, B);
    expect(answer.certificate.level).toBe("complete");
    const indefinite = diagonal(Array.from({ length: 500 }, (_, i) => 2 * (i - 100.5)));
    const other = await eigs(indefinite, { p: 3, B });
    expectPairs(other, [-100.5, -99.5, -98.5], indefinite, B);
  });

  test("dense matrices of a size that is factorized at once", async () => {
    const size = 30;
    const G = gaussian(size, size, random(5));
    const B = plainProduct(plainTranspose(G), G);
    const L = sparseToDense(sparseOf(size, -1, 2));
    const { values, bounds, certificate } = await eigs(L, { p: 30, B });
    expect(certificate.level).toBe("complete");
    // tr B⁻¹A = Σλ, and the eigenvalues of (B, A) are the inverses
    const inverses = await eigs(B, { p: 30, B: L, which: "largest" });
    values.forEach((v, j) => {
      const error = bounds![j]! + v ** 2 * inverses.bounds![j]! + 1e-9 * v;
      expect(Math.abs(v - 1 / inverses.values[j]!)).toBeLessThan(error);
    });
  });

  function sparseOf(size: number, off: number, main: number): Sparse {
    const T = diagonal(new Array(size).fill(main));
    const path = freePath(size);
    // off the diagonal the path has −1
    const values = path.values.map((v) => (v === -1 ? off : 0));
    path.pointers.forEach((_, i) => {
      for (let k = path.pointers[i]!; k < (path.pointers[i + 1] ?? 0); k++) {
        if (path.indices[k] === i) values[k] = T.values[i]!;
      }
    });
    return { ...path, values };
  }
});

describe("B as a function", () => {
  // the mass matrix of linear elements on a line, tridiag(1, 4, 1)/6
  const mass = (n: number): Sparse =>
    sparse(
      n,
      [...Array(n).keys()].flatMap((i): [number, number, number][] => [
        [i, i, 4 / 6],
        ...(i > 0
          ? ([
              [i, i - 1, 1 / 6],
              [i - 1, i, 1 / 6],
            ] as [number, number, number][])
          : []),
      ]),
    );
  const product = (x: Float64Array): Float64Array => x.map((v, i) => (4 * v + (x[i - 1] ?? 0) + (x[i + 1] ?? 0)) / 6);
  const stiffness = (n: number): Sparse => grid(n, 1);

  test.each([
    [60, "smallest"],
    [600, "smallest"],
    [600, "largest"],
  ] as const)("%i numbers, the %s: as with its matrix", async (n, which) => {
    // of tridiag(−1, 4, −1)·x = λ·tridiag(1, 4, 1)/6·x
    const exact = pathValues(n)
      .map((v) => (2 + v) / (1 - v / 6))
      .sort((a, b) => (which === "largest" ? b - a : a - b));
    const [one, other] = [
      await eigs(stiffness(n), { p: 4, which, B: product }),
      await eigs(stiffness(n), { p: 4, which, B: mass(n) }),
    ];
    one.values.forEach((v, j) => {
      expect(Math.abs(v - exact[j]!)).toBeLessThan(1e-7 * exact[j]!);
      expect(Math.abs(other.values[j]! - exact[j]!)).toBeLessThan(1e-7 * exact[j]!);
    });
    expect(one.converged).toBe(true);
    expect(one.certificate).toMatchObject({ level: "none", text: expect.stringMatching(/B is a function/) });
    expect(one.bounds).toBeUndefined();
  });

  test.each([60, 600])("%i numbers, with B⁻¹: bounds that hold, in the norm of B⁻¹", async (n) => {
    const E = jsEngine();
    const { solve } = E.operator(constantTridiagonal(n, 1 / 6, 4 / 6, 1 / 6));
    const inverse = (x: Float64Array): Float64Array => {
      const Y = E.tall(n, 1);
      solve!(Y, E.tall(n, 1, x));
      return E.read(Y);
    };
    const exact = pathValues(n)
      .map((v) => (2 + v) / (1 - v / 6))
      .sort((a, b) => a - b);
    const o = { p: 4, B: product, tolerance: 1e-6 };
    const { values, bounds, residuals, certificate } = await eigs(stiffness(n), { ...o, solve: inverse });
    expect((await eigs(stiffness(n), o)).bounds).toBeUndefined();
    values.forEach((v, j) => {
      expect(Math.abs(v - exact[j]!)).toBeLessThanOrEqual(bounds![j]! + 1e-14 * exact[j]!);
      // λmin(B) ≥ 1/3, and a bound is no worse than that of a cluster of four
      expect(bounds![j]).toBeLessThan(2 * Math.sqrt(3) * Math.max(...residuals) + 1e-10);
    });
    expect(certificate.level).toBe(n === 60 ? "complete" : "residual");
  });

  test("those in the middle need a factorization", async () => {
    await expect(eigs(stiffness(600), { p: 2, sigma: 4, B: product })).rejects.toThrow(
      /A − σB cannot be factorized here: B is a function/,
    );
  });
});

describe("whole spectra", () => {
  test("p = n, rows of numbers, Float32 numbers with a shape", async () => {
    const rows = [
      [2, -1, 0],
      [-1, 2, -1],
      [0, -1, 2],
    ];
    const wanted = pathValues(3);
    const flat = { data: Float32Array.from(rows.flat()), shape: [3, 3] };
    for (const M of [rows, flat] as OperatorInput[]) {
      const { values, bounds, certificate } = await eigs(M, 3);
      values.forEach((v, j) => void expect(Math.abs(v - wanted[j]!)).toBeLessThanOrEqual(bounds![j]! + 1e-15));
      expect(Math.max(...bounds!)).toBeLessThan(1e-12);
      expect(certificate.level).toBe("complete");
    }
  });

  test("one number", async () => {
    expect((await eigs([[7]], 1)).values).toEqual([7]);
  });

  test("a planted spectrum of a full matrix, ends and middle", async () => {
    const n = 320;
    const Q = randomOrthonormal(n, n, random(3));
    const spectrum = Array.from({ length: n }, (_, i) => Math.sign(i - 100.5) * Math.abs(i - 100.5) ** 1.3);
    const scaled = { ...Q, data: Q.data.map((v, k) => v * spectrum[k % n]!) };
    const M = plainProduct(scaled, plainTranspose(Q));
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) M.data[i * n + j] = M.data[j * n + i]!;
    for (const [o, wanted] of [
      [{ p: 4 }, spectrum],
      [{ p: 4, which: "largest" }, spectrum.toReversed()],
      [{ p: 4, sigma: 0.1 }, nearest(spectrum, 0.1)],
    ] as [EigsOptions, number[]][]) {
      const { values, bounds, certificate } = await eigs(M, o);
      values.forEach((v, j) => void expect(Math.abs(v - wanted[j]!)).toBeLessThan(bounds![j]! + 1e-10));
      expect(Math.max(...bounds!)).toBeLessThan(1e-6);
      expect(certificate.level).toBe("complete");
    }
  });
});

describe("functions", () => {
  const n = 500;
  const scale = (x: Float64Array): Float64Array => x.map((v, i) => (i + 1) * v);
  test("of a vector: a new array or the second argument; ends and middle", async () => {
    const into = (x: Float64Array, y: Float64Array): void => scale(x).forEach((v, i) => void (y[i] = v));
    for (const f of [scale, into]) {
      for (const [o, wanted] of [
        [{ p: 2 }, [1, 2]],
        [{ p: 2, which: "largest" }, [500, 499]],
        [{ p: 3, sigma: 250.2 }, [250, 251, 249]],
      ] as [EigsOptions, number[]][]) {
        const { values, bounds, certificate } = await eigs(f, { ...o, n });
        values.forEach((v, j) => void expect(Math.abs(v - wanted[j]!)).toBeLessThanOrEqual(bounds![j]!));
        // no factorization can count its eigenvalues
        expect(certificate.level).toBe("residual");
      }
    }
  });

  test("of a block, with a preconditioner that is the inverse", async () => {
    const E = jsEngine();
    const D = E.tall(
      n,
      1,
      Float64Array.from({ length: n }, (_, i) => (i + 1) ** 2),
    );
    const I = E.tall(
      n,
      1,
      Float64Array.from({ length: n }, (_, i) => (i + 1) ** -2),
    );
    const preconditioned = await eigs(
      { n, apply: (Y, X) => E.scaleRows(Y, D, X) },
      { p: 3, engine: E, preconditioner: (Z, _X, G) => E.scaleRows(Z as never, I, G as never) },
    );
    for (const [j, v] of preconditioned.values.entries()) {
      expect(Math.abs(v - (j + 1) ** 2)).toBeLessThan(preconditioned.bounds![j]!);
    }
    const alone = await eigs({ n, apply: (Y, X) => E.scaleRows(Y, D, X) }, { p: 3, engine: E });
    expect(preconditioned.method).toMatch(/davidson/);
    expect(preconditioned.products).toBeLessThan(alone.products);
  });
});

test("a proof that is not wanted, one that takes long, and a run that is ended", async () => {
  const quick = await eigs(A, { p: 3, proof: false });
  expect(quick.certificate).toMatchObject({ level: "residual", text: expect.stringMatching(/not asked for/) });
  const aborted = await eigs(A, { p: 3, signal: AbortSignal.abort() });
  expect(aborted.converged).toBe(false);
  expect(aborted.notes.length).toBeGreaterThan(0);
  expect(aborted.certificate.level).not.toBe("complete");
});

test.each([
  ["opaque", () => opaque(jsEngine())],
  ["split", () => split(jsEngine())],
] as const)("engine %s gives the same values", async (_, engine) => {
  for (const o of [{ p: 3 }, { p: 3, which: "largest" as const }, { p: 3, sigma: 3.3 }]) {
    const [here, there] = [await eigs(A, { ...o, engine: jsEngine() }), await eigs(A, { ...o, engine: engine() })];
    here.values.forEach((v, j) => void expect(Math.abs(v - there.values[j]!)).toBeLessThan(1e-9));
  }
});
