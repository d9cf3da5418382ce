/** `expen/manifolds`: manifolds beside those of the main entry. */
export {
  circle,
  type FieldOptions,
  fixedRank,
  flag,
  type LowRankFactors,
  type MatrixProducts,
  ofProducts,
  power,
  simplex,
} from "@expen/core";
export { unstack } from "@expen/linalg/arrays";
