// Matrix completion: two thirds of a rank-2 matrix of ratings are hidden and recovered from its row space, a point of a Grassmannian.

import { random } from "expen";
import * as apps from "expen/apps";

const [people, films, rank] = [80, 50, 2];
const r = random(1, "example");
const taste = Array.from({ length: people * rank }, () => r.normal());
const kind = Array.from({ length: films * rank }, () => r.normal());
const rating = (i: number, j: number) => taste[2 * i]! * kind[2 * j]! + taste[2 * i + 1]! * kind[2 * j + 1]!;
const data = Float64Array.from({ length: people * films }, (_, k) =>
  r.uniform() < 1 / 3 ? rating(Math.floor(k / films), k % films) : Number.NaN,
);

const { completed, run } = await apps.completion({ rows: people, cols: films, data }, { p: rank });

const errors = [...data.keys()]
  .filter((k) => Number.isNaN(data[k]!))
  .map((k) => Math.abs(completed.data[k]! - rating(Math.floor(k / films), k % films)));
console.log(
  `${errors.length} of ${data.length} entries hidden; all errors are below 1e-4: ${Math.max(...errors) < 1e-4}`,
);
console.log(`${run.status} on ${run.run.on}`);
