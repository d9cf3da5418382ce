/** `expen/problems`: the problems of the paper and others by name, with seeded data and known minima. */
export { brockett } from "../problems/brockett.js";
export { type ProblemOption, problems } from "../problems/catalog.js";
export { gaussian, randomOrthonormal, unitSymmetric } from "../problems/instances.js";
export { noeig } from "../problems/noeig.js";
export { centred, pca } from "../problems/pca.js";
export type { Problem } from "../problems/problem.js";
export { fillNormal } from "../random.js";
