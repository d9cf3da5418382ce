import { describe, expect, test } from "vitest";
import { tridiagonalEigenvalue, tridiagonalEigenvector } from "../../src/arrays/tridiagonal-eigenpairs.js";
import { random } from "../../src/random.js";

/** ‖T·z − x·z‖∞ */
function residual(d: Float64Array, e: Float64Array, x: number, z: Float64Array): number {
  const m = d.length;
  let worst = 0;
  for (let i = 0; i < m; i++) {
    const beside = (i > 0 ? e[i - 1]! * z[i - 1]! : 0) + (i < m - 1 ? e[i]! * z[i + 1]! : 0);
    worst = Math.max(worst, Math.abs((d[i]! - x) * z[i]! + beside));
  }
  return worst;
}

describe("eigenpairs of tridiagonal matrices", () => {
  test("second differences: λ_k = 2 − 2cos(kπ/(m+1)), z_i = sin(ikπ/(m+1)) up to sign and length", () => {
    const m = 40;
    const [d, e] = [new Float64Array(m).fill(2), new Float64Array(m - 1).fill(-1)];
    for (const k of [1, 2, 20, 39, 40]) {
      const angle = (k * Math.PI) / (m + 1);
      const x = tridiagonalEigenvalue(d, e, m, k - 1);
      expect(Math.abs(x - (2 - 2 * Math.cos(angle)))).toBeLessThan(1e-14);
      const z = tridiagonalEigenvector(d, e, m, x);
      const length = Math.sqrt((m + 1) / 2);
      const sign = Math.sign(z[0]!);
      for (let i = 0; i < m; i++) {
        expect(Math.abs(sign * z[i]! - Math.sin((i + 1) * angle) / length)).toBeLessThan(1e-12);
      }
    }
  });

  test("random, graded, split and repeated spectra: unit vectors with residuals of rounding, at every eigenvalue", () => {
    const r = random(4, "tridiagonal");
    const draw = (m: number, f: (i: number) => number): Float64Array =>
      Float64Array.from({ length: m }, (_, i) => f(i));
    const cases: [string, Float64Array, Float64Array][] = [
      ["one entry", draw(1, () => 3), draw(0, () => 0)],
      ["random", draw(60, () => r.normal()), draw(59, () => r.normal())],
      ["graded", draw(20, (i) => 10 ** -i), draw(19, (i) => 10 ** -(i + 1))],
      ["split", draw(12, () => r.normal()), draw(11, (i) => (i === 5 ? 0 : r.normal()))],
      ["diagonal", draw(5, (i) => i), draw(4, () => 0)],
      ["Wilkinson's, pairs that agree to 1e-15", draw(21, (i) => Math.abs(i - 10)), draw(20, () => 1)],
      ["tiny", draw(9, () => 1e-200 * r.normal()), draw(8, () => 1e-200 * r.normal())],
    ];
    for (const [name, d, e] of cases) {
      const size = Math.max(...d.map(Math.abs), ...e.map(Math.abs));
      for (let k = 0; k < d.length; k++) {
        const x = tridiagonalEigenvalue(d, e, d.length, k);
        const z = tridiagonalEigenvector(d, e, d.length, x);
        expect(Math.abs(Math.hypot(...z) - 1), `${name}, ${k}`).toBeLessThan(1e-14);
        expect(residual(d, e, x, z), `${name}, ${k}`).toBeLessThan(1e-13 * size);
      }
    }
  });

  test("the leading part alone is looked at", () => {
    const [d, e] = [Float64Array.of(1, 2, 100), Float64Array.of(0.5, 77)];
    const x = tridiagonalEigenvalue(d, e, 2, 0);
    expect(Math.abs(x - (1.5 - Math.SQRT1_2))).toBeLessThan(1e-15);
    expect(tridiagonalEigenvector(d, e, 2, x)).toHaveLength(2);
  });
});
