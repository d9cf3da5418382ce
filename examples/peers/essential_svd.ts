import { minimize, product, specialOrthogonal } from "expen";
import { formula, mul, norm2, scale, sub, t } from "expen/tape";
import { normals } from "./data.js";

// E = Aᵀ[e₃]×B for rotations A and B, near a given matrix
const hat = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]; // biome-ignore format: a matrix
const target = normals(3, 3);
const { status, certificate } = await minimize(
  formula(({ A, B }) => scale(0.5, norm2(sub(mul(t(A), hat, B), target)))),
  { on: product({ A: specialOrthogonal(3), B: specialOrthogonal(3) }) },
);
console.log(status, certificate.level);
