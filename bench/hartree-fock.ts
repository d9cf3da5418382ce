/** `npm run bench -- --suite hartree-fock`: Fock builds to the lowest energy beside those of PySCF's DIIS, 30 molecules in two bases. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hartreeFock } from "@expen/apps";
import { loadMolecule } from "@expen/data";
import { openEngine } from "@expen/engines";
import type { Engine } from "@expen/linalg";
import type { SolverName } from "@expen/solvers";
import { findPython, ROOT, threadEnvironment } from "./peers.js";
import { textTable } from "./tables.js";

const FOLDER = join(ROOT, ".expen/hartree-fock");
/** Distance in hartree from the lowest energy up to which an energy counts as the lowest. */
const REACHED = 1e-8;

export interface MoleculeRow {
  /** molecule-basis, the name of the file */
  name: string;
  N: number;
  occupied: number;
  energy: number;
  /** energy minus the lowest energy of PySCF, hartree */
  error: number;
  /** Fock builds of energies and gradients, of certificates (second derivatives), and of DIIS */
  builds: number;
  certificate: number;
  diis: number;
  /** the same of DIIS */
  diisError: number;
  level: string;
}

export async function benchMolecules(
  E: Engine,
  folder: string,
  { only = /./, solver }: { only?: RegExp; solver?: SolverName } = {},
): Promise<MoleculeRow[]> {
  const rows: MoleculeRow[] = [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".npz") && only.test(name));
  for (const file of files.sort()) {
    const { reference, diis, ...molecule } = await loadMolecule(join(folder, file));
    const answer = await hartreeFock(molecule, { engine: E, ...(solver && { solver }) });
    rows.push({
      name: file.slice(0, -".npz".length),
      N: molecule.size,
      occupied: molecule.occupied,
      energy: answer.energy,
      error: answer.energy - (reference ?? Number.NaN),
      builds: answer.builds.energy,
      certificate: answer.builds.hessian,
      diis: diis?.builds ?? Number.NaN,
      diisError: (diis?.energy ?? Number.NaN) - (reference ?? Number.NaN),
      level: answer.run.certificate.level,
    });
  }
  return rows;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle - 0.5)]! + sorted[Math.floor(middle)]!) / 2;
}

/** The table, and below it the medians and the number of molecules at the lowest energy. */
export function moleculeReport(rows: readonly MoleculeRow[]): string {
  const table = textTable({
    head: ["molecule", "N", "p", "energy", "error", "builds", "DIIS", "its error", "certificate", ""],
    body: rows.map((r) => [
      ...[r.name, String(r.N), String(r.occupied), r.energy.toFixed(8), r.error.toExponential(1)],
      ...[String(r.builds), String(r.diis), r.diisError.toExponential(1), `${r.certificate} products`, r.level],
    ]),
  });
  const count = (holds: (r: MoleculeRow) => boolean): number => rows.filter(holds).length;
  const medians = `${median(rows.map((r) => r.builds))} (DIIS ${median(rows.map((r) => r.diis))})`;
  const compared = `fewer than DIIS in ${count((r) => r.builds < r.diis)}, more in ${count((r) => r.builds > r.diis)}`;
  const reached = `${count((r) => Math.abs(r.error) <= REACHED)} (DIIS ${count((r) => Math.abs(r.diisError) <= REACHED)})`;
  const within = `${reached} of ${rows.length} within ${REACHED} hartree of the lowest energy`;
  return `${table}\nmedian of the builds ${medians}; ${compared}; ${within}`;
}

/** Computes integrals and reference energies with PySCF, unless the folder has them. */
function makeIntegrals(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(".npz"))) return;
  const python = findPython();
  const args = [join(ROOT, "bench/peers/hartree_fock.py"), folder];
  const env = { ...process.env, ...threadEnvironment(1) };
  const isDone = python && spawnSync(python, args, { stdio: ["ignore", 2, 2], env }).status === 0;
  if (!isDone)
    throw new RangeError("there are no integrals and no PySCF to make them; npm run bench:setup -- --pyscf.");
}

export async function benchMoleculesFromArguments(args: string[]): Promise<number> {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({ args, options: { suite: text, data: text, engine: text, solver: text } });
    const folder = values.data ?? FOLDER;
    const chosen = { ...(values.solver && { solver: values.solver as SolverName }) };
    makeIntegrals(folder);
    const E = await openEngine((values.engine ?? "auto") as Parameters<typeof openEngine>[0]);
    try {
      console.log(moleculeReport(await benchMolecules(E, folder, chosen)));
    } finally {
      E.dispose();
    }
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
