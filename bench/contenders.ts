/** Who takes part in `npm run bench`, and how they are opened. */
import type { Contender } from "./contender.js";
import { openNlopt } from "./nlopt.js";
import { openOurs } from "./ours.js";
import { findPython, openPeer } from "./peers.js";

export const CONTENDERS = [
  "expen@blas",
  "expen-cg@blas",
  "expen@wasm",
  "scipy-cg",
  "scipy-lbfgsb",
  "pymanopt-rcg",
  "pymanopt-tr",
  "cdopt-cg",
  "cdopt-lbfgs",
  "geoopt-cg",
  "nlopt-js",
];

/** Target 1: two programs for one algorithm, whose counts depend on rounding and so on luck. Several starts say more. */
export const SAME = ["expen-cg@blas", "scipy-cg"];

/** The two peers that the targets are about; the report has the means of all. */
export const REFERENCES = ["scipy-cg", "pymanopt-rcg"];

/** Those of the names that are here, and why the others are not. */
export async function openContenders(names: string[], threads: number) {
  const python = findPython();
  const contenders: Contender[] = [];
  const skipped: Record<string, string> = {};
  for (const name of names) {
    let opened: Contender | string;
    try {
      if (name.includes("@")) opened = await openOurs(name, threads);
      else if (name === "nlopt-js") opened = await openNlopt();
      else if (python) opened = await openPeer(name, python, threads);
      else
        opened = "there is no Python with SciPy; 'npm run bench:setup' installs the peers, or EXPEN_PYTHON names one";
    } catch (error) {
      opened = error instanceof Error ? error.message : String(error);
    }
    if (typeof opened === "string") skipped[name] = opened;
    else contenders.push(opened);
  }
  return { contenders, skipped };
}
