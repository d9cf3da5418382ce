export { factorize } from "./factor.js";
export { growthOf } from "./growth.js";
export { solver } from "./solve.js";
export { analyse, analysed, type Symbolic } from "./symbolic.js";
export { separatorWidth } from "./width.js";
