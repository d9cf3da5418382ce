/**
 * Which formulas are forms is not only said but worked out: the tape's Hessian at a random point, rearranged as the matrix of (i, k) by
 * (j, l) of ∂²f/∂x_ij∂x_kl, has rank one or none, and is the same at another point.
 */
import { expect, test } from "vitest";
import { n, p } from "../../bench/structure/formulas.js";
import { compile, norm, square } from "../../src/autodiff/index.js";
import { jsEngine } from "../../src/engines/js.js";
import { svd } from "../../src/linalg/svd.js";
import { random } from "../../src/random.js";
import { lookAlikes, odd } from "./odd-forms.js";

const E = jsEngine();

/** The numbers of the Hessian of f at a random X of about this size, (i, k) by (j, l) */
function rearrangedHessian(f: ReturnType<typeof compile>, seed: number, size: number): Float64Array {
  const { normal } = random(seed, "odd forms");
  const [X, V, H] = [E.tall(n, p), E.tall(n, p), E.tall(n, p)];
  E.write(X, () => size * normal());
  const hessian = f.linearize(X);
  const K = new Float64Array(n * n * p * p);
  for (let k = 0; k < n; k++) {
    for (let l = 0; l < p; l++) {
      E.write(
        V,
        Float64Array.from({ length: n * p }, (_, at) => Number(at === k * p + l)),
      );
      hessian(H, V);
      const h = E.read(H);
      for (let i = 0; i < n; i++) for (let j = 0; j < p; j++) K[(i * n + k) * p * p + j * p + l] = h[i * p + j]!;
    }
  }
  return K;
}

/** (k, i) for (i, k) */
const turned = (row: number): number => (row % n) * n + Math.floor(row / n);

function isForm(f: ReturnType<typeof compile>): boolean {
  const [K, other] = [rearrangedHessian(f, 1, 1), rearrangedHessian(f, 2, 1e3)];
  const largest = Math.max(...K.map(Math.abs));
  if (other.some((v, k) => Math.abs(v - K[k]!) > 1e-8 * largest)) return false;
  // both sides may be antisymmetric
  const q = p * p;
  if (K.some((v, at) => Math.abs(v - K[turned(Math.floor(at / q)) * q + (at % q)]!) > 1e-10 * largest)) return false;
  const { s } = svd(E, E.small(n * n, p * p, K));
  return s[1]! <= 1e-10 * s[0]!;
}

test.each(odd)("found: %s", (_name, formula) => {
  const f = compile(E, { n, p }, formula);
  expect(isForm(f)).toBe(true);
  expect(f.quadratic).toBeDefined();
});

/** Too near to a form for numbers to tell */
const NEAR = /2.000001|nearly 0|10⁻⁸|is 0 now|not always a number/;

test("a multiple of I on the right, of any writing, is no C", () => {
  const all = Object.fromEntries(odd);
  for (const name of ["column after column", "norms of rows, squared, with weights", "the square of a distance"]) {
    expect(compile(E, { n, p }, all[name]!).quadratic).not.toHaveProperty("C");
  }
});

test("a squared length has a gradient where it is 0", () => {
  const f = compile(E, { n, p }, (X) => square(norm(X)));
  const [X, G] = [E.tall(n, p), E.tall(n, p)];
  expect(f.fg(G, X)).toBe(0);
  expect(E.dot(G, G)).toBe(0);
});

test.each(lookAlikes)("refused: %s", (name, formula) => {
  const f = compile(E, { n, p }, formula);
  if (!NEAR.test(name)) expect(isForm(f)).toBe(false);
  expect(f.quadratic).toBeUndefined();
});
