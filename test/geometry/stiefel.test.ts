import { stiefel } from "../../src/geometry/stiefel.js";
import { type RetractionName, retractions } from "../../src/solvers/curves.js";
import { geometryContract } from "../contracts/geometry.js";

for (const retraction of Object.keys(retractions) as RetractionName[]) {
  const make = retractions[retraction];
  geometryContract(`stiefel, ${retraction}`, (E, n, p) => stiefel(E, n, p, { retract: make(E, n, p) }), {
    secondOrder: retraction === "polar" || retraction === "exponential",
  });
}
