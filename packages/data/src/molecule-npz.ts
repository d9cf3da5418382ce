import type { Matrix } from "@expen/linalg";
import { DataError } from "./loaded.js";
import { checkedMolecule, type Molecule } from "./molecule.js";
import { arrayNames, readNpz } from "./npz.js";

/** Arrays h, integrals, occupied, and optionally S, nuclear, energy, diis, diisEnergy */
export function readMolecule(bytes: Uint8Array): Molecule {
  const names = arrayNames(bytes);
  const array = (name: string): Matrix => readNpz(bytes, name).matrix;
  const number = (name: string): number | undefined => (names.includes(name) ? array(name).data[0] : undefined);
  for (const name of ["h", "integrals", "occupied"]) {
    if (!names.includes(name)) {
      throw new DataError(`the molecule has no array '${name}'; it must hold h, integrals and occupied.`);
    }
  }
  const h = array("h");
  const [reference, builds, energy] = [number("energy"), number("diis"), number("diisEnergy")];
  return checkedMolecule({
    size: h.rows,
    occupied: number("occupied")!,
    nuclear: number("nuclear") ?? 0,
    ...(names.includes("S") && { S: array("S") }),
    h,
    integrals: array("integrals").data,
    ...(reference !== undefined && { reference }),
    ...(builds !== undefined && energy !== undefined && { diis: { builds, energy } }),
  });
}
