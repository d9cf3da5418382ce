import { equal, minimize, oblique } from "expen";
import { add, cols, formula, norm2, rowSums, sub } from "expen/tape";

// directions of 30 pieces of a rod between clamped ends; with its other end where a great arc of directions leads, it is that arc
const [count, angle] = [30, 1.2];
const at = (k: number) => [Math.cos((k * angle) / (count + 1)), Math.sin((k * angle) / (count + 1)), 0];
const arc = Array.from({ length: count }, (_, k) => at(k + 1));
const reach = [0, 1, 2].map((i) => [arc.reduce((s, v) => s + v[i]!, 0)]);
const column = (k: number) => at(k).map((x) => [x]);
const { fval } = await minimize(
  formula((V) => {
    const ends = add(norm2(sub(cols(V, 0, 1), column(0))), norm2(sub(cols(V, -1), column(count + 1))));
    return add(norm2(sub(cols(V, 1), cols(V, 0, -1))), ends);
  }),
  { on: oblique(3, count), subjectTo: [equal(formula((V) => sub(rowSums(V), reach)), 0)] }, // biome-ignore format: short
);
console.log(fval, (count + 1) * (2 - 2 * Math.cos(angle / (count + 1))));
