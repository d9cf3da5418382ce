import { randomStart } from "@expen/core";
import { expect, test } from "vitest";
import type { Tall } from "../src/contracts/matrix.js";
import { lanczos } from "../src/dense/lanczos.js";
import { jsEngine } from "../src/engine/js.js";
import { random } from "../src/random.js";

const E = jsEngine();

test("the tangent space of a small orthogonal group: no Ritz value from outside it, though steps outnumber its dimension", () => {
  for (const n of [2, 3, 4, 5, 6]) {
    for (let seed = 1; seed <= 20; seed++) {
      const Q = randomStart(E, n, n, seed);
      const [W, S] = [E.small(n, n), E.small(n, n)];
      const r = random(seed, "weights");
      const weights = Float64Array.from({ length: n * n }, () => 1 + r.uniform());
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) weights[i * n + j] = weights[j * n + i]!;
      let least = 2;
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) least = Math.min(least, weights[i * n + j]!);
      const project = (Z: Tall): void => {
        E.tmul(S, Q, Z);
        E.symmetrize(S);
        E.mul(Z, Q, S, -1, 1);
      };
      // Z = Q(K + S), K skew, S symmetric, goes to Q(weights∘K − 100·S): eigenvalues weights_ij on the tangent space, −100 off it
      const apply = (Y: Tall, Z: Tall): void => {
        E.tmul(W, Q, Z);
        E.copy(S, W);
        E.symmetrize(S);
        for (let e = 0; e < n * n; e++) W.data[e] = weights[e]! * (W.data[e]! - S.data[e]!) - 100 * S.data[e]!;
        E.mul(Y, Q, W);
      };
      const { lowest } = lanczos(E, n, n, apply, project, { seed, tolerance: 1e-12 });
      expect(lowest.value, `n = ${n}, seed = ${seed}`).toBeGreaterThan(least - 1e-6);
      expect(lowest.value, `n = ${n}, seed = ${seed}`).toBeLessThan(least + 0.3);
    }
  }
});
