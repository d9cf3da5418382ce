import { type RetractionName, retractions } from "@expen/solvers/rivals";
import { geometryContract } from "@expen/testing/contracts/geometry";
import { stiefel } from "../../src/manifolds/geometry.js";

for (const retraction of Object.keys(retractions) as RetractionName[]) {
  const make = retractions[retraction];
  geometryContract(`stiefel, ${retraction}`, (E, n, p) => stiefel(E, n, p, { retract: make(E, n, p) }), {
    secondOrder: retraction === "polar" || retraction === "exponential",
  });
}
