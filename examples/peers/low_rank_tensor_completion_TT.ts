import { euclidean, minimize, product, random, stiefel } from "expen";
import { add, col, formula, hadamard, norm2, rowSums, rows, sub } from "expen/tape";
import { normals } from "./data.js";

// a train of three: T_ijk = Σ U_ia·M_(a,j)b·W_kb, ranks (2, 2), known at 600 places
const { integer } = random(3, "places");
const [is, js, ks] = [12, 10, 8].map((n) => Array.from({ length: 600 }, () => integer(n)));
const [u, m, w] = [normals(12, 2, 1), normals(20, 2, 2), normals(8, 2, 3)];
const values = is!.map((i, l) => [
  [0, 1].reduce(
    (s, a) => s + [0, 1].reduce((r, b) => r + u[i]![a]! * m[10 * a + js![l]!]![b]! * w[ks![l]!]![b]!, 0),
    0,
  ),
]);
const { status, fval } = await minimize(
  formula(({ U, M, W }) => {
    const links = [0, 1].map((a) => hadamard(col(rows(U, is!), a), rows(M, js!.map((j) => 10 * a + j)))); // biome-ignore format: one sum
    return norm2(sub(rowSums(hadamard(add(...links), rows(W, ks!))), values));
  }),
  { on: product({ U: stiefel(12, 2), M: stiefel(20, 2), W: euclidean(8, 2) }), tol: 1e-6 },
);
console.log(status, fval < 1e-8);
