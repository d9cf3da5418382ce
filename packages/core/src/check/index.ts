/** Comparisons of derivatives and declared forms with f. */
export { GradientError, requireGradient } from "./before-run.js";
export { requireNumber } from "./contract.js";
export { ContractError } from "./contract-error.js";
export { checkDerivatives, type DerivativeCheck } from "./derivatives.js";
export { FormError, requireForms } from "./forms.js";
export { type QuickCheck, quickCheck } from "./quick.js";
export type { Slope } from "./slope.js";
