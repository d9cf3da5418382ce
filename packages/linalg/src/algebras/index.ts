export type { BlockShape } from "./block-shape.js";
export { type BlockEngine, blockEngine } from "./blocks.js";
export { complexEngine } from "./complex.js";
export { type ComplexBlockEngine, complexBlockEngine } from "./complex-blocks.js";
export { entryOf } from "./composite.js";
export { diagonalEngine } from "./diagonal.js";
export { pairEngine } from "./pair.js";
export { nominalShape, type ProductEngine, productEngine } from "./product.js";
export { type WeightedEngine, weightedEngine } from "./weighted.js";
