import { minimize, random } from "expen";
import { fixedRank } from "expen/manifolds";
import { add, formula, mul, norm2, rowSums, scale, sqrt, square, sub, sum, t, vec } from "expen/tape";
import { normals } from "./data.js";

// 90 products with a 20×6 matrix of rank 1 with four rows
const rows = Array.from({ length: 20 }, (_, i) =>
  normals(1, 6, 5)[0]!.map((x) => (i % 5 === 0 ? (1 + i / 10) * x : 0)),
);
const { normal } = random(4, "measurements");
const M = Array.from({ length: 90 }, () => Array.from({ length: 120 }, () => normal() / Math.sqrt(90)));
const y = M.map((m) => [m.reduce((s, x, k) => s + x * rows[k % 20]![Math.floor(k / 20)]!, 0)]);
const { X } = await minimize(
  formula(({ U, S, V }) => {
    const X = mul(U, S, t(V));
    const lengths = sqrt(add(rowSums(square(X)), 1e-10));
    return add(scale(0.5, norm2(sub(mul(M, vec(X)), y))), scale(1e-3, sum(lengths)));
  }),
  { on: fixedRank(20, 6, 1) },
);
const found = X.U.data.map((u) => Math.abs(u * X.S.data[0]!));
console.log(
  found.every((length, i) => length > 0.1 === (i % 5 === 0)),
  found.filter((l) => l < 1e-3).length === 16,
);
