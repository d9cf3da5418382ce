/** Energies and orbitals as a command: `--app hartree-fock`, which reads a molecule instead of matrices. */
import { hartreeFock as solveMolecule } from "../src/applications/hartree-fock.js";
import { loadMolecule } from "../src/data/load.js";
import { type ApplicationEntry, list } from "./application-entry.js";

export const hartreeFock: ApplicationEntry = {
  summary: "the energy and the orbitals of a molecule with closed shells",
  files: ["integrals of a molecule, .npz or FCIDUMP"],
  readsFiles: true,
  options: [],
  async solve(_files, _flags, o, [path]) {
    const molecule = await loadMolecule(path!);
    const answer = await solveMolecule(molecule, o);
    const { orbitals, energy, orbitalEnergies, occupied, gap, builds, run } = answer;
    const { reference } = molecule;
    return {
      run,
      main: orbitals,
      mainName: "orbitals",
      lines: [
        ["energy", `${energy.toFixed(10)} hartree`],
        ...(reference === undefined ? [] : [["in the file", `${reference.toFixed(10)}`] as [string, string]]),
        ["occupied", list(orbitalEnergies.slice(0, occupied))],
        ["virtual", list(orbitalEnergies.slice(occupied))],
        ["Fock builds", `${builds.energy}, and ${builds.hessian} for the certificate`],
      ],
      numbers: { energy, ...(reference !== undefined && { reference }), orbitalEnergies, occupied, gap, builds },
    };
  },
};
