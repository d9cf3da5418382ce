/** The contenders of `npm run bench`, and the opening of those of every suite. */
import type { Contender } from "./contender.js";
import { openNlopt } from "./nlopt.js";
import { openOurs } from "./ours.js";
import { findPython, openPeer, type PeerContender } from "./peers.js";

export const CONTENDERS = [
  "auto@blas",
  "expen-cg@blas",
  "auto@wasm",
  "scipy-cg",
  "scipy-lbfgsb",
  "pymanopt-rcg",
  "pymanopt-tr",
  "cdopt-cg",
  "cdopt-lbfgs",
  "geoopt-cg",
  "nlopt-js",
];

/** Target 1: two programs of one algorithm. Rounding changes their counts by a tenth, so they run from several starts. */
export const SAME = ["expen-cg@blas", "scipy-cg"];

/** The two peers of the targets; the report has the means of all. */
export const REFERENCES = ["scipy-cg", "pymanopt-rcg"];

export interface Side {
  readonly name: string;
  readonly description: string;
  end(): void;
}

/** Opened contenders: all in the order of their names, and the two kinds apart. */
export interface Sides<C extends Side> {
  readonly all: readonly (C | PeerContender)[];
  readonly own: readonly C[];
  readonly peers: readonly PeerContender[];
  /** name → description */
  readonly contenders: Record<string, string>;
  /** name → reason why it was skipped */
  readonly skipped: Record<string, string>;
}

const NO_PYTHON =
  "there is no Python with SciPy; 'npm run bench:setup' installs the peers, or EXPEN_PYTHON names an interpreter";

/** Opens contenders, calls `work` with them and ends them. `openOwn` returns undefined for the name of a Python peer. */
export async function withSides<C extends Side, A>(
  names: readonly string[],
  threads: number,
  openOwn: (name: string, threads: number) => Promise<C | string> | undefined,
  work: (sides: Sides<C>) => Promise<A>,
): Promise<A> {
  const python = findPython();
  const own: C[] = [];
  const peers: PeerContender[] = [];
  const skipped: Record<string, string> = {};
  for (const name of names) {
    try {
      const opening = openOwn(name, threads);
      if (opening) {
        const opened = await opening;
        if (typeof opened === "string") skipped[name] = opened;
        else own.push(opened);
      } else {
        const opened = python ? await openPeer(name, python, threads) : NO_PYTHON;
        if (typeof opened === "string") skipped[name] = opened;
        else peers.push(opened);
      }
    } catch (error) {
      skipped[name] = error instanceof Error ? error.message : String(error);
    }
  }
  const all = [...own, ...peers].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const contenders = Object.fromEntries(all.map(({ name, description }) => [name, description]));
  try {
    return await work({ all, own, peers, contenders, skipped });
  } finally {
    for (const side of all) side.end();
  }
}

/** The opener of a suite whose own contenders are named solver@engine. */
export const byEngine =
  <C>(open: (name: string, threads: number) => Promise<C>) =>
  (name: string, threads: number): Promise<C> | undefined =>
    name.includes("@") ? open(name, threads) : undefined;

/** An own contender of the rows of the paper. */
export function openOwn(name: string, threads: number): Promise<Contender | string> | undefined {
  return name === "nlopt-js" ? openNlopt() : byEngine(openOurs)(name, threads);
}
