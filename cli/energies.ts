/** Energies and orbitals as commands: `--app hartree-fock`, which reads a molecule instead of matrices, and `--app kohn-sham`. */
import { hartreeFock as solveMolecule } from "../src/applications/hartree-fock.js";
import { kohnSham as solveModel } from "../src/applications/kohn-sham.js";
import { loadMolecule } from "../src/data/load.js";
import { type ApplicationEntry, given, list, needed } from "./application-entry.js";
import { small } from "./format.js";

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

export const kohnSham: ApplicationEntry = {
  summary: "a Kohn–Sham-like energy in one dimension",
  files: [],
  options: ["n", "p", "alpha"],
  async solve(_files, flags, o) {
    const [n, p] = [needed(flags, "n", "kohn-sham"), needed(flags, "p", "kohn-sham")];
    const { orbitals, energy, orbitalEnergies, residual, run } = await solveModel({
      ...o,
      n,
      p,
      ...given(flags, "alpha"),
    });
    return {
      run,
      main: orbitals,
      mainName: "orbitals",
      lines: [
        ["energy", list([energy], 9)],
        ["orbital energies", list(orbitalEnergies)],
        ["‖HX − XΛ‖", small(residual)],
      ],
      numbers: { energy, orbitalEnergies, residual },
    };
  },
};
