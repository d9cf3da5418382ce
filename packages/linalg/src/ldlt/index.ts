export { factorize } from "./factor.js";
export { growthOf } from "./growth.js";
export { solver } from "./solve.js";
export { analyse, analysed, type Symbolic } from "./symbolic.js";
export { upperFactor } from "./upper-factor.js";
export { separatorWidth } from "./width.js";
