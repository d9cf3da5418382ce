/**
 * What the playground takes of the library beyond the public API, and why. Not for others: it is no part of the package's `exports`, and
 * may change without a word.
 */

// a molecule as a problem of the race
export { lowestOrbitals } from "./applications/hartree-fock/augmented-roothaan.js";
export { hartreeFockEnergy } from "./applications/hartree-fock/energy.js";
export { fockOperator } from "./applications/hartree-fock/fock.js";
// the editor offers every operation of the tape by name
export * as tape from "./autodiff/index.js";
// files that are dropped on the page are no paths, so the readers are called by themselves
export { readCsv } from "./data/csv.js";
export { DataError } from "./data/loaded.js";
export type { Molecule } from "./data/molecule.js";
export { readMolecule } from "./data/molecule-npz.js";
export { readNpy } from "./data/npy.js";
// the worker opens its engine without asking for native ones
export { wasmEngine } from "./engines/wasm.js";
// what the views draw: spectra, and f and its gradient at the projection of an iterate
export { eigh } from "./linalg/eigh.js";
export { svd } from "./linalg/svd.js";
// sizes are refused before anything is allocated (with solverParts, below)
export { requireMemory } from "./memory/require.js";
// a run step by step on any manifold
export { solveOn, solverParts } from "./minimize.js";
export { objectiveOn } from "./objective/objective.js";
export { normOf } from "./penalty/term.js";
// seeded data for formulas, and the centring of the problem pca
export type { ProblemOption } from "./problems/catalog.js";
export { gaussian, randomOrthonormal, unitSymmetric } from "./problems/instances.js";
export { centred } from "./problems/variance.js";
export { measurer } from "./run/measure.js";
export { checkRunOptions, requireSolverOn } from "./run/options.js";
// fields of the start list, and their texts as values
export { isText, namesOf, readOption } from "./solvers/option-schema.js";
