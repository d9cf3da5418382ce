export { denseSymbolic } from "./dense-symbolic.js";
export { type Factors, factorize } from "./factor.js";
export { growthOf } from "./growth.js";
export { type Root, rootOf } from "./root.js";
export { solver } from "./solve.js";
export { analyse, analysed, type Symbolic } from "./symbolic.js";
export { upperFactor } from "./upper-factor.js";
export { separatorWidth } from "./width.js";
