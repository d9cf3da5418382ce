/** `expen/manifolds`: manifolds beside those of the main entry. */
export { power, unstack } from "@expen/core";
