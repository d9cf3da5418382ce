// The energy of water from its electrons' orbitals, and where the electrons are: the density in the plane of the three nuclei.
import { hartreeFock } from "expen/apps";
import { heat } from "../heat.js";
import { basis, valueAt, water } from "../water.js";

const molecule = await water();
const { energy, orbitals, orbitalEnergies, occupied, run } = await hartreeFock(molecule);

const size = 60; // points of the picture in each direction
const at = (i) => (7 * i) / (size - 1) - 3.5; // bohr
const C = orbitals.toRows();
const grid = (f) =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => f([at(j), 0, 1 - at(i)])));
const orbital = (k) => (point) => basis.reduce((sum, b, i) => sum + C[i][k] * valueAt(b, point), 0);
// roots keep the cusp at the nucleus from hiding the rest
const soft = (f) => (point) => Math.sign(f(point)) * Math.sqrt(Math.abs(f(point)));
const density = (point) =>
  Array.from({ length: occupied }, (_, k) => 2 * orbital(k)(point) ** 2).reduce((a, b) => a + b);

export const text = `energy ${energy.toFixed(8)} hartree, PySCF ${molecule.reference.toFixed(8)}; orbital energies ${orbitalEnergies
  .slice(0, occupied)
  .map((e) => e.toFixed(3))
  .join(", ")}`;
export const answer = { energy, reference: molecule.reference, level: run.certificate.level };
export const picture = heat(
  [grid((x) => Math.log10(1 + 60 * density(x))), grid(soft(orbital(1))), grid(soft(orbital(3)))],
  {
    title: "Water: density and two orbitals, with compressed scales",
    names: ["density", "binds both hydrogens", "lone pair and bonds"],
  },
);
