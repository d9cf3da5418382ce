/** What several ranks must find as one does: every solver, every kind of certificate, every manifold. */
import { solvers } from "@expen/solvers";
import { cases } from "./manifolds.js";

export const ofSolvers: Record<string, unknown>[] = Object.keys(solvers).map((solver) => ({
  problem: "noeig",
  n: 41,
  p: 3,
  solver,
  maxIterations: 20_000,
}));

/** Each way in which a certificate shows its level (docs/certificates.md); convex f and saddles are among the manifolds. */
export const ofCertificates: (Record<string, unknown> & { shows: [level: string, proof: string] })[] = [
  { problem: "noeig", n: 41, p: 3, maxIterations: 2, shows: ["none", "not stationary"] },
  { problem: "noeig", n: 41, p: 3, certificate: "stationary", shows: ["stationary", "stationary"] },
  { problem: "dictionary", n: 12, p: 3, certificate: "second-order", shows: ["second-order", "all curvatures"] },
  { problem: "dictionary", n: 80, p: 3, certificate: "second-order", shows: ["second-order", "Lanczos"] },
  { problem: "nearest", n: 12, p: 3, shows: ["global", "Sturm count"] },
  { problem: "noeig", n: 41, p: 3, of: { alpha: 0 }, shows: ["global", "Sturm count"] },
  { problem: "quadratic", n: 20, p: 3, of: { kappa: 0 }, shows: ["global", "Cholesky"] },
  { problem: "quadratic", n: 20, p: 3, of: { kappa: 10 }, shows: ["global", "Cholesky"] },
  { problem: "quadratic", n: 9, p: 9, of: { kappa: 0 }, shows: ["global", "constant"] },
  { problem: "brockett", n: 12, p: 3, shows: ["global", "closed form"] },
];

export const ofManifolds = Object.keys(cases);
