/** Certificates of a point, and what proofs of a global minimum need. */
export { factorizationError } from "./offered-spectrum.js";
export { certifyChecked as certify } from "./options.js";
export { gamma } from "./rounding.js";
