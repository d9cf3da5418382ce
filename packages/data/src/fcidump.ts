/**
 * FCIDUMP: integrals in an orthonormal basis as text (Knowles and Handy, Comput. Phys. Commun. 54, 1989, 75). A namelist
 * &FCI NORB=…, NELEC=…, MS2=…, … ends with &END or /; then lines `value i j k l`, indices from 1: (ij|kl); with k = l = 0 h_ij; with
 * j = 0 too an orbital energy; all 0: the energy of the nuclei.
 */
import { requireMemoryFor } from "@expen/linalg/memory";
import { DataError } from "./loaded.js";
import { checkedMolecule, type Molecule, pair, pairs } from "./molecule.js";

/** Basis functions at most: the integrals of a larger basis take over a terabyte. */
const LARGEST = 1000;

export function readFcidump(text: string): Molecule {
  const end = /^\s*(?:&end|\$end|\/)\s*$/im.exec(text) ?? /(?:&end|\/)/i.exec(text);
  if (!/^\s*[&$]fci\b/i.test(text) || !end) {
    throw new DataError("this is no FCIDUMP file: it does not begin with &FCI … &END.");
  }
  const head = text.slice(0, end.index);
  const [size, electrons] = [headNumber(head, "NORB"), headNumber(head, "NELEC")];
  if (!(size >= 1 && size <= LARGEST)) {
    throw new DataError(`NORB is ${size}; it must be a whole number from 1 to ${LARGEST}.`);
  }
  requireClosedShell(head, electrons);
  requireMemoryFor(pairs(pairs(size)), 1);
  const h = { rows: size, cols: size, data: new Float64Array(size * size) };
  const integrals = new Float64Array(pairs(pairs(size)));
  let nuclear = 0;
  const before = text.slice(0, end.index + end[0].length);
  const first = before.split("\n").length;
  for (const [at, line] of text.slice(before.length).split("\n").entries()) {
    if (line.trim() === "") continue;
    const [value, i, j, k, l] = entry(line, first + at, size);
    if (k > 0) integrals[pair(pair(i - 1, j - 1), pair(k - 1, l - 1))] = value;
    else if (j > 0) h.data[(i - 1) * size + j - 1] = h.data[(j - 1) * size + i - 1] = value;
    else if (i === 0) nuclear = value;
  }
  return checkedMolecule({ size, occupied: electrons / 2, nuclear, h, integrals });
}

function headNumber(head: string, name: string): number {
  const match = new RegExp(`\\b${name}\\s*=\\s*(\\d+)`, "i").exec(head);
  if (!match) throw new DataError(`the head of the FCIDUMP file has no ${name}; it must say ${name}=….`);
  return Number(match[1]);
}

function requireClosedShell(head: string, electrons: number): void {
  if (electrons % 2 !== 0) {
    throw new DataError(`NELEC is ${electrons}, an odd number; only closed shells can be computed.`);
  }
  const spin = /\bMS2\s*=\s*(-?\d+)/i.exec(head)?.[1] ?? "0";
  if (Number(spin) !== 0) throw new DataError(`MS2 is ${spin}; only closed shells (MS2=0) can be computed.`);
  if (/\bIUHF\s*=\s*(?:[1-9]|\.?T)/i.test(head)) {
    throw new DataError("the file has IUHF set: integrals of two spins; write it with restricted orbitals.");
  }
}

/** `value i j k l` with a valid pattern of zeros: none, k and l, all but i, or all */
function entry(line: string, number: number, size: number): [number, number, number, number, number] {
  // Fortran writes exponents with D
  const numbers = line.trim().replace(/[dD]/g, "e").split(/\s+/).map(Number);
  const [value = Number.NaN, ...indices] = numbers;
  const [i = -1, j = -1, k = -1, l = -1] = indices;
  const whole = indices.length === 4 && indices.every((x) => Number.isInteger(x) && x >= 0 && x <= size);
  const zeros = k === 0 ? l === 0 && (i > 0 || j === 0) : i > 0 && j > 0 && l > 0;
  if (!Number.isFinite(value) || !whole || !zeros) {
    throw new DataError(
      `line ${number} is '${line.trim().slice(0, 60)}'; it must be a value and four indices from 0 to ${size}.`,
    );
  }
  return [value, i, j, k, l];
}
