/** Mistakes in the arguments of eigs, svds, eigh and svd: one sentence each. */
import { gaussian, random, type Sparse } from "@expen/linalg";
import { expect, test } from "vitest";
import { eigh, eigs, svd, svds } from "../../src/eigen/index.js";
import { diagonal, freePath } from "./matrices.js";

const A = [
  [2, 1],
  [1, 2],
];
const zeros = diagonal([1, 0, 2]);
const path = freePath(300);
/** −Δ on 300 points of a line, times a number */
const scaled = (factor: number): Sparse => ({ ...path, values: path.values.map((v) => factor * v) });
const cases: [string, () => Promise<unknown>, RegExp][] = [
  [
    "solve that is no inverse",
    () => eigs(path, { p: 1, B: (x) => x.map((v) => 2 * v), solve: (x) => x.map((v) => 2 * v) }),
    /solve is not the inverse of B: ‖B·solve\(u\) − u‖ is 3\.0?0?·‖u‖/,
  ],
  [
    "solve that is twice the inverse of a B with a large condition number",
    () =>
      eigs((x) => x, {
        n: 20,
        p: 1,
        B: (x) => x.map((v, i) => v / 10 ** i),
        solve: (x) => x.map((v, i) => 2 * v * 10 ** i),
      }),
    /solve is not the inverse of B/,
  ],
  [
    "solve beside a matrix",
    () => eigs(path, { p: 1, B: path, solve: (x) => x }),
    /solve is x ↦ B⁻¹x beside a B that is a function; leave it out/,
  ],
  [
    "solve that is a matrix",
    () => eigs(path, { p: 1, B: (x) => x, solve: A as never }),
    /solve is .*; give x ↦ B⁻¹x, or \{ n, apply\(Y, X\) \}/,
  ],
  ["no p", () => eigs(A, {} as never), /p, the number of eigenvalues, is missing; give \{ p \}/],
  ["no options", () => eigs(A, undefined as never), /p, the number of eigenvalues, is missing/],
  ["p above n", () => eigs(A, { p: 3 }), /p = 3 is above n = 2; ask for 2 or fewer/],
  ["p = 0", () => eigs(A, 0), /p is 0; it must be a whole number, 1 or more/],
  ["a misspelled option", () => eigs(A, { p: 1, wich: "largest" } as never), /no option 'wich'; did you mean 'which'/],
  [
    "a wrong which",
    () => eigs(A, { p: 1, which: "LM" } as never),
    /which is 'LM'; it must be one of smallest, largest, nearest/,
  ],
  ["nearest without sigma", () => eigs(A, { p: 1, which: "nearest" }), /there is no sigma/],
  ["sigma with smallest", () => eigs(A, { p: 1, which: "smallest", sigma: 1 }), /sigma is 1; leave one of them out/],
  ["sigma NaN", () => eigs(A, { p: 1, sigma: Number.NaN }), /sigma is NaN; it must be a finite number/],
  ["not symmetric", () => eigs([[1, 2], [3, 4]], 1), /A is not symmetric; .*svds/], // biome-ignore format: a matrix
  ["not square", () => eigs([[1, 2, 3], [3, 4, 5]], 1), /A is 2×3; .*svds takes any/], // biome-ignore format: a matrix
  ["rows of different lengths", () => eigs([[1, 2], [3]], 1), /eigs: A: row 1 has 1 numbers, row 0 has 2/],
  ["NaN", () => eigs([[1, Number.NaN], [Number.NaN, 2]], 1), /entry \(0, 1\) of A is NaN/], // biome-ignore format: a matrix
  ["text", () => eigs("A" as never, 1), /eigs: A: a matrix is needed, this is the string 'A'/],
  ["a promise", () => eigs(Promise.resolve(A) as never, 1), /this is a promise; await it/],
  ["B of another size", () => eigs(A, { p: 1, B: [[1]] }), /B is 1×1 but A is 2×2/],
  [
    "singular B",
    () => eigs(diagonal([1, 2, 3]), { p: 1, B: zeros }),
    /B is singular or indefinite .*positive definite/,
  ],
  ["indefinite B", () => eigs(diagonal([1, 2]), { p: 1, B: diagonal([1, -1]) }), /B is singular or indefinite/],
  [
    "B as a function that is not symmetric",
    () => eigs(A, { p: 1, B: (x) => x.map((v, i) => v + (i > 0 ? x[0]! : 0)) }),
    /B is not symmetric/,
  ],
  [
    "B as a function that is negative",
    () => eigs(A, { p: 1, B: (x) => x.map((v) => -v) }),
    /B is singular or indefinite: .*positive definite/,
  ],
  ["a function without n", () => eigs((x) => x, { p: 1 }), /n is undefined; give \{ n \}, its size/],
  ["n beside a matrix", () => eigs(A, { p: 1, n: 3 }), /n is 3 but A is 2×2; leave n out/],
  ["not linear", () => eigs((x) => x.map((v) => v + 1), { n: 300, p: 1 }), /A is not (linear|symmetric)/],
  ["square", () => eigs((x) => x.map((v) => v * v), { n: 300, p: 1 }), /A is not (linear|symmetric)/],
  [
    "not symmetric function",
    () => eigs((x) => x.map((_, i) => x[(i + 1) % 300]!), { n: 300, p: 1 }),
    /A is not symmetric: ⟨u, A·v⟩/,
  ],
  ["a short result", () => eigs((x) => x.slice(1), { n: 300, p: 1 }), /A\(x\) has 299 numbers for an x of 300/],
  ["NaN of a function", () => eigs((x) => x.map(() => Number.NaN), { n: 300, p: 1 }), /not finite/],
  [
    "a preconditioner for the largest",
    () => eigs(A, { p: 1, which: "largest", preconditioner: () => {} }),
    /a preconditioner is for the smallest/,
  ],
  ["an engine's name in place of an engine", () => eigs(A, { p: 1, engine: {} as never }), /engine is /],
  ["svds: p above the smaller side", () => svds([[1, 2, 3], [3, 4, 5]], 3), /p = 3 is above 2, the smaller side of A/], // biome-ignore format: a matrix
  ["svds: no p", () => svds(A, {} as never), /p, the number of singular values, is missing/],
  ["svds: infinite", () => svds([[1, Number.POSITIVE_INFINITY]], 1), /entry \(0, 1\) of A is Infinity/],
  [
    "a complex matrix without its real part",
    () => eigs({ im: A } as never, 1),
    /A has no re; a Hermitian matrix is \{ re, im \}/,
  ],
  [
    "an async function",
    () => eigs((async (x: Float64Array) => x) as never, { n: 300, p: 1 }),
    /A\(x\) is a promise; give a function that is not async/,
  ],
  [
    "B not symmetric",
    () =>
      eigs(A, {
        p: 1,
        B: [
          [1, 2],
          [0, 1],
        ],
      }),
    /B is not symmetric; it must be symmetric positive definite/,
  ],
  [
    "rounding in the mirror image",
    () =>
      eigs(
        [
          [2, 1],
          [1 + 1e-9, 2],
        ],
        1,
      ),
    /give \(A \+ Aᵀ\)\/2 if the difference is rounding/,
  ],
  [
    "numbers whose squares overflow",
    () => eigs(scaled(1e200), 1),
    /‖A‖ is about 4\.0?e\+?200, whose squares overflow; scale A by a power of ten/,
  ],
  [
    "numbers whose squares underflow",
    () => eigs(scaled(1e-200), 1),
    /‖A‖ is about 4\.0?e-200, whose squares underflow; scale A/,
  ],
  [
    "a B whose squares underflow",
    () => eigs(scaled(1), { p: 1, B: scaled(1e-200) }),
    /‖B‖ is about .* underflow; scale B/,
  ],
  ["svds: numbers whose squares overflow", () => svds(scaled(1e200), 1), /svds: ‖A‖ is about .* overflow; scale A/],
  ["eigh: not symmetric", () => eigh(gaussian(3, 3, random(1))), /eigh: A is not symmetric/],
  ["eigh: an option", () => eigh(A, { p: 1 } as never), /eigh: there is no option 'p'/],
  ["svd: a number", () => svd(3 as never), /svd: A: a matrix is needed, this is 3/],
];

test.each(cases)("%s", async (_, call, sentence) => {
  const message = await call().then(
    () => "no error",
    (error: Error) => error.message,
  );
  expect(message).toMatch(sentence);
  expect(message).toMatch(/^[^\n]+\.$/);
});
