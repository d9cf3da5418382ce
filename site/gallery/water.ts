/** Water in the basis STO-3G: its integrals from examples/data, and the functions themselves, to draw orbitals with. */
import { type Molecule, readMolecule } from "expen/data";
import file from "../../examples/data/molecules/H2O-sto-3g.npz?inline";

export const water = (): Promise<Molecule> =>
  readMolecule(Uint8Array.from(atob(file.replace(/^[^,]*,/, "")), (c) => c.charCodeAt(0)));

const BOHR_PER_ANGSTROM = 1 / 0.529177210903;

/** bohr; as in bench/peers/hartree_fock.py, whose angstroms they are */
export const nuclei: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [0.7572 * BOHR_PER_ANGSTROM, 0, 0.5865 * BOHR_PER_ANGSTROM],
  [-0.7572 * BOHR_PER_ANGSTROM, 0, 0.5865 * BOHR_PER_ANGSTROM],
];

/** A sum of three Gaussians times x, y, z or 1, at a nucleus */
export interface BasisFunction {
  centre: readonly [number, number, number];
  /** 0, 1, 2 for x, y, z; absent for s */
  axis?: 0 | 1 | 2;
  exponents: readonly number[];
  /** of normalised Gaussians */
  weights: readonly number[];
}

// Hehre, Stewart, Pople 1969, as in the Basis Set Exchange
const FIRST = [0.15432897, 0.53532814, 0.44463454];
const OXYGEN_1S = [130.70932, 23.808861, 6.4436083];
const OXYGEN_2 = [5.0331513, 1.1695961, 0.380389];
const SECOND_S = [-0.09996723, 0.39951283, 0.70011547];
const SECOND_P = [0.15591627, 0.60768372, 0.39195739];
const HYDROGEN = [3.42525091, 0.62391373, 0.1688554];

const [oxygen, left, right] = [nuclei[0]!, nuclei[1]!, nuclei[2]!];

/** In the order of the integrals */
export const basis: readonly BasisFunction[] = [
  { centre: oxygen, exponents: OXYGEN_1S, weights: FIRST },
  { centre: oxygen, exponents: OXYGEN_2, weights: SECOND_S },
  ...([0, 1, 2] as const).map((axis) => ({ centre: oxygen, axis, exponents: OXYGEN_2, weights: SECOND_P })),
  { centre: left, exponents: HYDROGEN, weights: FIRST },
  { centre: right, exponents: HYDROGEN, weights: FIRST },
];

/** Of exp(−a·r²), and of x·exp(−a·r²) */
export const norm = (a: number, axis?: number): number =>
  (axis === undefined ? 1 : 2 * Math.sqrt(a)) * ((2 * a) / Math.PI) ** 0.75;

/** The value of a basis function at a point, bohr */
export function valueAt({ centre, axis, exponents, weights }: BasisFunction, point: readonly number[]): number {
  const from = centre.map((c, k) => point[k]! - c);
  const squared = from.reduce((sum, v) => sum + v * v, 0);
  const radial = exponents.reduce((sum, a, i) => sum + weights[i]! * norm(a, axis) * Math.exp(-a * squared), 0);
  return axis === undefined ? radial : from[axis]! * radial;
}
