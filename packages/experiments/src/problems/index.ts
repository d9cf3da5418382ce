export { type CatalogEntry, type ProblemOption, problems } from "./catalog.js";
export { dictionary } from "./dictionary.js";
export { commonEigenvectors, jointdiag } from "./jointdiag.js";
export { nearest } from "./nearest.js";
export { centred, pca } from "./pca.js";
export type { Problem } from "./problem.js";
export { procrustes } from "./procrustes.js";
export { quadratic } from "./quadratic.js";
export { sparsePca } from "./sparse-pca.js";
