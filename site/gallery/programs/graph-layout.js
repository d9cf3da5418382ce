// Only who is joined to whom is known of the sixty atoms of a fullerene. Three eigenvectors of the graph give the ball back.
import { minimize, stiefel } from "expen";
import { formula, mul, t, trace } from "expen/tape";
import { matrixOf, rowsOf } from "../rows.js";
import { space } from "../space.js";

// the truncated icosahedron: even permutations of three kinds of points, joined at distance 2
const g = (1 + Math.sqrt(5)) / 2;
const signs = (v) =>
  v.length === 0
    ? [[]]
    : signs(v.slice(1)).flatMap((rest) =>
        v[0] === 0
          ? [[0, ...rest]]
          : [
              [v[0], ...rest],
              [-v[0], ...rest],
            ],
      );
const turns = ([x, y, z]) => [
  [x, y, z],
  [y, z, x],
  [z, x, y],
];
const atoms = [
  [0, 1, 3 * g],
  [1, 2 + g, 2 * g],
  [2, 1 + 2 * g, g],
].flatMap((one) => signs(one).flatMap(turns));
const n = atoms.length;
const isJoined = (i, j) => Math.abs(Math.hypot(...atoms[i].map((v, k) => v - atoms[j][k])) - 2) < 1e-6;
const bonds = atoms.flatMap((_, i) => atoms.map((_, j) => [i, j])).filter(([i, j]) => i < j && isJoined(i, j));

// from here on only the bonds are used: L + 11ᵀ has the constant vector at the upper end
const L = matrixOf(atoms.map((_, i) => atoms.map((_, j) => (i === j ? 3 : isJoined(i, j) ? -1 : 0) + 1)));
const { X, fval, certificate } = await minimize(
  formula((X) => trace(mul(t(X), L, X))),
  { on: stiefel(n, 3) },
);

const radii = rowsOf(X).map((row) => Math.hypot(...row));
export const text = `${n} atoms, ${bonds.length} bonds, eigenvalue ${(fval / 3).toFixed(6)} three times; certificate: ${certificate.level}`;
export const answer = {
  atoms: n,
  bonds: bonds.length,
  fval,
  roundness: Math.min(...radii) / Math.max(...radii),
  level: certificate.level,
};
export const picture = space(rowsOf(X), { title: "A fullerene from its bonds alone", joined: bonds, radius: 5 });
