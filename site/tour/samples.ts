/** Tables that the tour has at hand */
import { random } from "@expen/linalg";
import iris from "../../examples/data/iris.csv?raw";
import wine from "../../examples/data/wine.csv?raw";

export const SAMPLES: Readonly<Record<string, () => string>> = {
  iris: () => iris,
  wine: () => wine,
  rings: () => rings(),
};

/** Two rings in two of six dimensions, which no pair of columns shows */
function rings(): string {
  const r = random(1, "rings");
  const lines = Array.from({ length: 300 }, (_, i) => {
    const [a, radius] = [2 * Math.PI * r.uniform(), i % 2 ? 1 : 2.2];
    const plane = [radius * Math.cos(a), radius * Math.sin(a)].map((v) => v + 0.1 * r.normal());
    const noise = Array.from({ length: 4 }, () => r.normal());
    const [x, y] = plane as [number, number];
    const [p, q, s, t] = noise as [number, number, number, number];
    return [x + p, y + q, x - p, y - q, s, t].map((v) => v.toFixed(4)).concat(i % 2 ? "inner" : "outer");
  });
  return ["a,b,c,d,e,f,ring", ...lines.map((line) => line.join(","))].join("\n");
}
