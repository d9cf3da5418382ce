/** `expen/problems`: the problems of the paper and others by name, with seeded data and known minima. */
export { brockett } from "@expen/experiments/paper";
export { type ProblemOption, problems } from "@expen/experiments/problems";
export { gaussian, randomOrthonormal, unitSymmetric } from "@expen/linalg";
export { noeig } from "@expen/experiments/paper";
export { centred, pca } from "@expen/experiments/problems";
export type { Problem } from "@expen/experiments/problems";
export { fillNormal } from "@expen/linalg";
