import { expect, test } from "vitest";
import { qlSolver } from "../../src/arrays/implicit-ql.js";
import { random } from "../../src/random.js";

test.each([
  [100, 50],
  [150, 1],
])("eigenvectors of a matrix with %i rows, of rank %i, the other eigenvalues 0 but for rounding", (n, rank) => {
  const solve = qlSolver(n);
  for (let seed = 1; seed <= 3; seed++) {
    const r = random(seed, "x");
    const B = Float64Array.from({ length: n * rank }, () => r.normal());
    const S = Float64Array.from({ length: n * n }, (_, at) => {
      const [i, j] = [Math.floor(at / n), at % n];
      return (
        Array.from({ length: rank }, (_, k) => B[i * rank + k]! * B[j * rank + k]!).reduce((a, b) => a + b, 0) / n / 3
      );
    });
    const [V, w] = [new Float64Array(n * n), new Float64Array(n)];
    solve(V, w, S, 1);
    let residual = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let SV = -w[j]! * V[i * n + j]!;
        for (let k = 0; k < n; k++) SV += S[i * n + k]! * V[k * n + j]!;
        residual = Math.max(residual, Math.abs(SV));
      }
    }
    expect(residual).toBeLessThan(1e-14);
  }
});
