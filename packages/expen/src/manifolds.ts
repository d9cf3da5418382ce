/** `expen/manifolds`: manifolds beside those of the main entry. */
export { circle, type FieldOptions, power } from "@expen/core";
export { unstack } from "@expen/linalg/arrays";
