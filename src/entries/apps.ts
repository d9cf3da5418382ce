/** `expen/apps`: from data to a certified answer in one call. */
export { lowestOrbitals } from "../applications/hartree-fock/augmented-roothaan.js";
export { hartreeFockEnergy } from "../applications/hartree-fock/energy.js";
export { fockOperator } from "../applications/hartree-fock/fock.js";
export * from "../applications/index.js";
