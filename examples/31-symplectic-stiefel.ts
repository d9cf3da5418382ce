// The symplectic matrix nearest to a given one: XᵀJX = J as equations of one's own.

import { minimize, ownManifold, random } from "expen";
import { formula, mul, norm2, scale, sub, t } from "expen/tape";

const [n, p] = [12, 4];
/** [0 I; −I 0] */
const J = (k: number) => ({
  rows: k,
  cols: k,
  data: Float64Array.from({ length: k * k }, (_, at) => {
    const [i, j] = [Math.floor(at / k), at % k];
    return j === i + k / 2 ? 1 : i === j + k / 2 ? -1 : 0;
  }),
});
const r = random(1, "example");
const A = { rows: n, cols: p, data: Float64Array.from({ length: n * p }, () => r.normal()) };

// all p² entries: those below the diagonal follow from those above it
const symplectic = ownManifold({ rows: n, cols: p, c: formula((X) => sub(mul(t(X), J(n), X), J(p))) });
const f = formula((X) => scale(0.5, norm2(sub(X, A))));
const { X, fval, status, feasibility, certificate } = await minimize(f, { on: symplectic });

console.log(`${status}: distance ${Math.sqrt(2 * fval).toFixed(4)}, certificate: ${certificate.level}`);
console.log(`XᵀJX = J up to ${feasibility < 1e-12 ? "roundoff" : feasibility}; X₁₁ = ${X.data[0]!.toFixed(3)}`);
