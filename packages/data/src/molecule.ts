/** The integrals of a molecule in a basis of N functions; `molecule-npz.ts` and `fcidump.ts` read them from files. */

import type { Matrix } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { DataError } from "./loaded.js";

/** The integrals of a molecule over its basis functions, as Hartree–Fock takes them */
export interface Molecule {
  /** basis functions, N */
  readonly size: number;
  /** doubly occupied orbitals, p */
  readonly occupied: number;
  /** energy of the nuclei alone */
  readonly nuclear: number;
  /** overlaps of the basis functions; absent: an orthonormal basis */
  readonly S?: Matrix;
  /** kinetic energy and attraction of the nuclei */
  readonly h: Matrix;
  /** (ij|kl) once for each i ≥ j, k ≥ l, ij ≥ kl: at `pair(ij, kl)` with ij = pair(i, j), kl = pair(k, l) */
  readonly integrals: Float64Array;
  /** optional: the lowest energy found by another program */
  readonly reference?: number;
  /** optional: Fock builds of DIIS from the core guess, and its final energy */
  readonly diis?: { readonly builds: number; readonly energy: number };
}

/** The index of entry (i, j) of a symmetric matrix in its packed lower triangle, row-major */
export const pair = (i: number, j: number): number => (i >= j ? (i * (i + 1)) / 2 + j : (j * (j + 1)) / 2 + i);
/** The number of entries in the triangle of an n×n matrix */
export const pairs = (n: number): number => (n * (n + 1)) / 2;

export function checkedMolecule(molecule: Molecule): Molecule {
  const { size, occupied, nuclear, S, h, integrals } = Object(molecule) as Molecule;
  if (!h || !integrals) {
    throw new DataError(
      "the molecule has no h, or no integrals; loadMolecule reads them from an .npz or FCIDUMP file.",
    );
  }
  for (const [name, M] of Object.entries({ h, ...(S && { S }) })) {
    if (M.rows !== size || M.cols !== size) {
      throw new DataError(`${name} is ${M.rows}×${M.cols}; it must be ${size}×${size}, as h has ${size} rows.`);
    }
    requireFinite(name, M.data);
    requireSymmetric(name, M);
  }
  const expected = pairs(pairs(size));
  if (integrals.length !== expected) {
    throw new DataError(
      `there are ${integrals.length} integrals; a basis of ${size} functions has ${expected} unique ones, packed 8-fold.`,
    );
  }
  requireFinite("integrals", integrals);
  requireFinite("nuclear", [nuclear]);
  if (!Number.isInteger(occupied) || occupied < 1 || occupied > size) {
    throw new DataError(`occupied is ${occupied}; it must be a whole number from 1 to ${size}, the basis functions.`);
  }
  return molecule;
}

function requireFinite(name: string, numbers: ArrayLike<number>): void {
  const at = Array.prototype.findIndex.call(numbers, (v: number) => !Number.isFinite(v));
  if (at >= 0) throw new DataError(`number ${at + 1} of ${name} is ${numbers[at]}; it must be finite.`);
}

function requireSymmetric(name: string, { rows, data }: Matrix): void {
  const size = data.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [data[i * rows + j]!, data[j * rows + i]!];
      if (Math.abs(a - b) <= 1e-8 * size) continue;
      throw new DataError(
        `${name} is not symmetric: (${i}, ${j}) is ${digits(a)} but (${j}, ${i}) is ${digits(b)}; give it whole.`,
      );
    }
  }
}
