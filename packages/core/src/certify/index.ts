/** Certificates of a point, and what proofs of a global minimum need. */
export { certify } from "./certify.js";
export { factorizationError } from "./offered-spectrum.js";
export { gamma } from "./rounding.js";
