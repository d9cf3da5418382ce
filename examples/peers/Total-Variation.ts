import { minimize, oblique } from "expen";
import { acos, add, clip, colSums, cols, formula, hadamard, norm2, scale, sqrt, square, sum } from "expen/tape";

// a signal on the sphere with one jump along a great arc, weight α = 1/2: each half of five moves by α/5 towards the other
const alpha = 0.5;
const data = [0, 1, 2].map((i) =>
  Array.from({ length: 10 }, (_, k) => [Math.cos, Math.sin, () => 0][i]!(k < 5 ? 0 : 1)),
);
const angles = (C: ReturnType<typeof colSums>) => acos(clip(C, -1, 1 - 1e-15));
const { X } = await minimize(
  formula((X) => {
    const away = norm2(angles(colSums(hadamard(X, data))));
    const jumps = square(angles(colSums(hadamard(cols(X, 1), cols(X, 0, -1)))));
    return add(scale(0.5, away), scale(alpha, sum(sqrt(add(jumps, 1e-10)))));
  }),
  { on: oblique(3, 10), start: data.map((row, i) => row.map((x, k) => x + 0.1 * Math.sin(i + k))) },
);
console.log(Math.abs(Math.atan2(X.data[10]!, X.data[0]!) - alpha / 5) < 1e-3);
