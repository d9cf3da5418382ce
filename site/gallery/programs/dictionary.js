// Pieces of 6×6 pixels of a picture with edges only. The atoms in which the pieces need fewest numbers look like edges.
import { random } from "expen";
import { dictionary } from "expen/apps";
import { heat } from "../heat.js";
import { columnsOf } from "../rows.js";

const r = random(6, "gallery");
const side = 6;
// an edge at a random angle and place in each piece
const pieces = Array.from({ length: 3000 }, () => {
  const [a, shift, height] = [2 * Math.PI * r.uniform(), 3 * (2 * r.uniform() - 1), r.normal()];
  const [c, s] = [Math.cos(a), Math.sin(a)];
  const piece = Array.from({ length: side * side }, (_, k) =>
    c * ((k % side) - 2.5) + s * (Math.floor(k / side) - 2.5) > shift ? height : 0,
  );
  const mean = piece.reduce((sum, v) => sum + v, 0) / piece.length;
  return piece.map((v) => v - mean);
});
const { atoms, kurtosis } = await dictionary(pieces, { p: 16, starts: 2 });

const tile = (column) => Array.from({ length: side }, (_, i) => column.slice(i * side, (i + 1) * side));
const gap = (rows) => [...rows.map((row) => [...row, Number.NaN]), new Array(side + 1).fill(Number.NaN)];
const tiles = columnsOf(atoms).map((column) => gap(tile(column)));
export const text = `fourth moments of the codes from ${Math.min(...kurtosis).toFixed(1)} to ${Math.max(...kurtosis).toFixed(1)}; 3 for a Gaussian`;
export const answer = { kurtosis };
const mosaic = [0, 1, 2, 3].flatMap((i) =>
  gap(tile(columnsOf(atoms)[0])).map((_, k) => tiles.slice(4 * i, 4 * i + 4).flatMap((one) => one[k])),
);
export const picture = heat([mosaic], { title: "Sixteen atoms of 6×6 pixels" });
