import { minimize, openEngine, stiefel } from "expen";
import { formula, mul, norm2 } from "expen/tape";
import { normals } from "./data.js";

// a device where there is one, else the fastest engine
const engine = await openEngine("cuda").catch(() => openEngine());
const A = normals(20, 20);
const { status, certificate } = await minimize(
  formula((X) => norm2(mul(A, X))),
  { on: stiefel(20, 3), engine },
);
engine.dispose();
console.log(status, certificate.level);
