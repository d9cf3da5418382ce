import { minimize, stiefel } from "expen";
import { formula, mul, norm2 } from "expen/tape";
import { normals } from "./data.js";

const A = normals(20, 20);
const counts: number[] = [];
const { evaluations } = await minimize(
  formula((X) => norm2(mul(A, X))),
  { on: stiefel(20, 3), solver: "rtr", events: { iteration: (s) => void counts.push(s.evaluations.hvp) } },
);
console.log(counts.at(-1)! <= evaluations.hvp);
