import { euclidean, minimize, product, random, stiefel } from "expen";
import { cols, formula, hadamard, mul, norm2, rowSums, rows, sub } from "expen/tape";
import { normals } from "./data.js";

// Tucker: T_ijk = Σ G_abc·U_ia·V_jb·W_kc, ranks (2, 2, 2), known at 600 of 12·10·8 places
const { integer } = random(3, "places");
const [is, js, ks] = [12, 10, 8].map((n) => Array.from({ length: 600 }, () => integer(n)));
const [u, v, w, g] = [normals(12, 2, 1), normals(10, 2, 2), normals(8, 2, 3), normals(2, 4, 4)];
const values = is!.map((i, l) => [
  g.reduce(
    (s, row, a) => s + row.reduce((r, x, bc) => r + x * u[i]![a]! * v[js![l]!]![bc >> 1]! * w[ks![l]!]![bc & 1]!, 0),
    0,
  ),
]);
const { status, fval } = await minimize(
  formula(({ U, V, W, G }) => {
    const pair = hadamard(cols(rows(V, js!), [0, 0, 1, 1]), cols(rows(W, ks!), [0, 1, 0, 1]));
    return norm2(sub(rowSums(hadamard(mul(rows(U, is!), G), pair)), values));
  }),
  { on: product({ U: stiefel(12, 2), V: stiefel(10, 2), W: stiefel(8, 2), G: euclidean(2, 4) }), tol: 1e-6 },
);
console.log(status, fval < 1e-8);
