import { minimize, sphere } from "expen";
import { formula, mul, t } from "expen/tape";

// the second difference matrix, whose eigenvalues are 2 − 2·cos(kπ/(n + 1))
const column = (x: number) => ({ rows: 20, cols: 1, data: new Float64Array(20).fill(x) });
const A = { lower: column(-1), main: column(2), upper: column(-1) };
const { fval } = await minimize(formula((x) => mul(t(x), A, x)), { on: sphere(20) }); // biome-ignore format: short
console.log(fval, 2 - 2 * Math.cos(Math.PI / 21));
