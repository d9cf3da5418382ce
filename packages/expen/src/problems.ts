/** `expen/problems`: the problems of the paper and others by name, with seeded data and known minima. */
export { brockett, noeig } from "@expen/experiments/paper";
export type { Problem } from "@expen/experiments/problems";
export { centred, type ProblemOption, pca, problems } from "@expen/experiments/problems";
export { fillNormal, gaussian, randomOrthonormal, unitSymmetric } from "@expen/linalg";
