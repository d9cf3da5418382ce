import { type RetractionName, retractions, stiefel } from "../../src/geometry/stiefel.js";
import { geometryContract } from "../contracts/geometry.js";

for (const retraction of Object.keys(retractions) as RetractionName[]) {
  geometryContract(`stiefel, ${retraction}`, (E, n, p) => stiefel(E, n, p, { retraction }), {
    secondOrder: retraction === "polar" || retraction === "exponential",
  });
}
