// Hartree–Fock: the energy of a water molecule from its integrals, compared with PySCF's.
import * as apps from "expen/apps";
import { loadMolecule } from "expen/data";

const molecule = await loadMolecule("examples/data/molecules/H2O-6-31g.npz");
const { energy, orbitalEnergies, occupied, gap, builds, run } = await apps.hartreeFock(molecule);

console.log(`energy ${energy.toFixed(8)} hartree, PySCF ${molecule.reference!.toFixed(8)}`);
console.log(`Fock builds ${builds.energy}, PySCF's DIIS ${molecule.diis!.builds}`);
console.log(
  `occupied orbital energies ${orbitalEnergies
    .slice(0, occupied)
    .map((e) => e.toFixed(3))
    .join(" ")}, gap ${gap!.toFixed(3)} hartree`,
);
console.log(run.certificate.text);
