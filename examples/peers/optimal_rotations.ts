import { minimize, specialOrthogonal } from "expen";
import { power } from "expen/manifolds";
import { formula, inner, neg } from "expen/tape";
import { normals } from "./data.js";

// ten rotations, each the nearest to a matrix
const A = normals(30, 3);
const { status, certificate } = await minimize(
  formula((X) => neg(inner(A, X))),
  { on: power(specialOrthogonal(3), 10), certificate: "second-order" },
);
console.log(status, certificate.level);
