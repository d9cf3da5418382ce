/** The molecules that travel with the page: restricted Hartree–Fock as a problem of the race. */
import type { Engine } from "expen";
import { fockOperator, hartreeFockEnergy, lowestOrbitals } from "expen/apps";
import { type Molecule, readMolecule } from "expen/data";
import type { ProblemOption } from "expen/problems";
import type { OpenedCourse } from "./course.js";

export const MOLECULE = "molecule";
/** gradient norm to reach, in hartree: energies are then right to about 1e-9 hartree */
const TOL = 6e-5;
/** limit of products with the Hessian: the energies of core and valence orbitals lie far apart, which takes many */
const CERTIFICATE_BUDGET = 120;

/** inline, each a chunk of its own: the page's policy lets the worker import from its host, and nothing is fetched twice */
const files = import.meta.glob<string>("../../../examples/data/molecules/*.npz", {
  query: "?inline",
  import: "default",
});
const pattern = /([^/]+)-(sto-3g|6-31g)\.npz$/;

const names = [...new Set(Object.keys(files).map((path) => pattern.exec(path)![1]!))].sort();

export const moleculeEntry: { name: string; summary: string; options: ProblemOption[]; sized: true } = {
  name: MOLECULE,
  summary: "Hartree–Fock: min E(C) over CᵀSC = I, in X = S^(1/2)·C; from the lowest orbitals of the core",
  options: [
    { name: "molecule", type: "choice", help: "its nuclei at rest", choices: names, default: "H2O" },
    { name: "basis", type: "choice", help: "functions of an atom", choices: ["sto-3g", "6-31g"], default: "sto-3g" },
  ],
  sized: true,
};

export async function loadMolecule({ molecule = "H2O", basis = "sto-3g" }: Record<string, string>): Promise<Molecule> {
  const path = Object.keys(files).find((file) => file.endsWith(`/${molecule}-${basis}.npz`));
  if (!path) {
    throw new RangeError(`there is no molecule '${molecule}' in '${basis}' here; take one of ${names.join(", ")}.`);
  }
  const base64 = (await files[path]!()).replace(/^[^,]*,/, "");
  return await readMolecule(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
}

export function moleculeCourse(
  E: Engine,
  molecule: Molecule,
  { molecule: name = "H2O", basis = "sto-3g" }: Record<string, string>,
): Omit<OpenedCourse, "manifold" | "bound"> {
  const { occupied: p, nuclear, reference } = molecule;
  const fock = fockOperator(E, molecule);
  const { objective } = hartreeFockEnergy(E, fock, { p, nuclear }, () => {});
  const start = lowestOrbitals(E, fock.h, p);
  // so that no solver's time includes compiling the Fock matrix
  objective.fg(E.tall(molecule.size, p), start);
  return {
    title: `energy of ${name} in ${basis.toUpperCase()}`,
    objective,
    optimum: undefined,
    ...(reference !== undefined && { reference }),
    nonsmooth: undefined,
    options: { start, tol: TOL, certificateBudget: CERTIFICATE_BUDGET },
    valueLabel: "Energy, hartree",
  };
}
