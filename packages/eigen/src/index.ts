export { krylovExpen } from "./krylov/krylov.js";
export { krylovParts } from "./krylov/plan.js";
export { quadraticProof } from "./proofs/quadratic.js";
export { eigenStrategies } from "./strategies.js";
export { davidsonExpen, davidsonParts } from "./subspace/davidson.js";
