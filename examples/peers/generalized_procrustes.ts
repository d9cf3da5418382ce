import { euclidean, minimize, product, specialOrthogonal } from "expen";
import { power } from "expen/manifolds";
import { formula, mul, norm2, scale, sub } from "expen/tape";
import { normals } from "./data.js";

// five clouds of twelve points, each a rotation of one, with noise: R_i·cloud ≈ data_i, one below the other
const data = normals(15, 12);
const { status, certificate } = await minimize(
  formula(({ R, cloud }) => scale(0.5, norm2(sub(mul(R, cloud), data)))),
  { on: product({ R: power(specialOrthogonal(3), 5), cloud: euclidean(3, 12) }), certificate: "second-order" },
);
console.log(status, certificate.level);
