/** Workers of pages. */

export const cores = (): number => navigator.hardwareConcurrency;

export { portOfWeb as portHere } from "./port-of-web.js";
