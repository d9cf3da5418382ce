/** `npm run bench -- --suite structure`: what is found in formulas, and eigenproblems beside eigensolvers. */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { openEngine } from "@expen/engines";
import { jsEngine } from "@expen/linalg/engine";
import { compile } from "@expen/tape";
import { type Clock, clockNamed } from "../contender.js";
import { removeLeftBehind } from "../left-behind.js";
import { findPython, openPeer, type PeerContender } from "../peers.js";
import { commit, machine } from "../results.js";
import type { bench } from "../side-by-side.js";
import { textTable } from "../tables.js";
import { casesOf, type Sides } from "./eigenproblems.js";
import { found, n, other, p } from "./formulas.js";
import { available, type EigenMatrix, matricesOf } from "./matrices.js";
import { type OwnEigen, openOwnEigen } from "./ours.js";
import {
  type FormulaSeen,
  keptStructure,
  readStructure,
  STRUCTURE_PARTIAL,
  type StructureResults,
  writeStructure,
} from "./results.js";
import { caseLine, eigenTable, formulaTable, rowsTable, verdictTable } from "./tables.js";

export const CONTENDERS = ["expen@blas", "scipy-arpack", "scipy-eigh", "scipy-arpack-invert", "scipy-lobpcg"];
/** With a second matrix or a linear term, beside SciPy's CG */
const ROWS = { rows: "brockett,quadratic", contenders: ["expen@blas", "scipy-cg"], gap: 0, repeats: 2, tol: 1e-3 };

export interface StructureOptions {
  /** names of matrices */
  matrices?: readonly string[];
  ps?: readonly number[];
  contenders?: readonly string[];
  quick?: boolean;
  threads?: number;
  clock?: Clock;
  tol?: number;
  /** seconds a run may take */
  limit?: number;
  /** runs the rows beside SciPy's CG; left out: they are not */
  rowsBy?: typeof bench;
  before?: StructureResults;
  save?(results: StructureResults): void;
  log?(line: string): void;
}

export async function benchStructure({
  quick = false,
  matrices,
  ps = quick ? [5, 20] : [10, 50, 200],
  contenders: names = CONTENDERS,
  threads = 1,
  clock = "wall",
  tol = 1e-6,
  limit = quick ? 5 : 30,
  rowsBy,
  before,
  save = () => {},
  log = console.log,
}: StructureOptions = {}): Promise<StructureResults> {
  const chosen = matricesNamed(matricesOf(quick), matrices);
  const results: StructureResults = {
    suite: "structure",
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    threads,
    clock,
    tol,
    limit,
    quick,
    contenders: {},
    skipped: {},
    formulas: formulasSeen(),
    cases: before?.cases ?? [],
    rowsTol: ROWS.tol,
    rows: before?.rows ?? [],
  };
  log(`${textTable(formulaTable(results))}\n`);
  const E = await openEngine("auto", { threads: 1 });
  const sides = await opened(names, threads, results);
  try {
    for (const one of chosen) {
      const left = ps.filter((p) => !results.cases.some((known) => known.matrix === one.name && known.p === p));
      if (left.length === 0) continue;
      if (!available(one)) {
        results.skipped[one.name] = "no data; 'npm run bench:setup' puts it there";
        continue;
      }
      const cases = casesOf(E, one, sides, { ps: left, tol, limit, clock });
      for (;;) {
        const next = await cases.next();
        if (next.done) {
          if (next.value) results.skipped[one.name] = next.value;
          break;
        }
        results.cases.push(next.value);
        save(results);
        log(caseLine(next.value, tol));
      }
    }
  } finally {
    for (const side of [...sides.own, ...sides.peers]) side.end();
    sides.reference?.end();
    E.dispose();
  }
  if (rowsBy && !quick && !matrices && results.rows.length === 0) {
    results.rows = (await rowsBy({ ...ROWS, threads, clock, limit, log: () => {} })).rows;
    save(results);
  }
  log(`\n${textTable(eigenTable(results))}`);
  if (results.rows.length > 0) log(`\n${textTable(rowsTable(results))}`);
  for (const [name, why] of Object.entries(results.skipped)) log(`${name}: skipped, ${why}`);
  log(`\n${textTable(verdictTable(results))}`);
  return results;
}

/** Whether the tape finds a form in each formula of the two lists */
export function formulasSeen(): FormulaSeen[] {
  const sees = (formula: (typeof other)[number][1]): boolean =>
    compile(jsEngine(), { n, p }, formula).quadratic !== undefined;
  return [
    ...found.map(([formula, f]) => ({ formula, is: true, found: sees(f) })),
    ...other.map(([formula, f]) => ({ formula, is: false, found: sees(f) })),
  ];
}

async function opened(names: readonly string[], threads: number, results: StructureResults): Promise<Sides> {
  const python = findPython();
  const none = "no Python; 'npm run bench:setup' installs the tools";
  const own: OwnEigen[] = [];
  const peers: PeerContender[] = [];
  for (const name of names) {
    try {
      const side = name.includes("@")
        ? await openOwnEigen(name, threads)
        : python
          ? await openPeer(name, python, threads)
          : none;
      if (typeof side === "string") results.skipped[name] = side;
      else {
        results.contenders[name] = side.description;
        if (name.includes("@")) own.push(side as OwnEigen);
        else peers.push(side as PeerContender);
      }
    } catch (error) {
      results.skipped[name] = error instanceof Error ? error.message : String(error);
    }
  }
  const lapack = python ? await openPeer("scipy-eigenvalues", python, threads) : none;
  return { own, peers, reference: typeof lapack === "string" ? undefined : lapack };
}

function matricesNamed(all: EigenMatrix[], names: readonly string[] | undefined): EigenMatrix[] {
  return (names ?? all.map(({ name }) => name)).map((word) => {
    const matrix = all.find(({ name }) => name === word);
    if (matrix) return matrix;
    throw new RangeError(`--matrices: '${word}' is none of ${all.map(({ name }) => name).join(", ")}.`);
  });
}

/** Runs as the arguments say and keeps the results; returns the exit code. */
export async function benchStructureFromArguments(args: string[], rowsBy: typeof bench): Promise<number> {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({
      args,
      options: {
        ...{ suite: text, matrices: text, p: text, contenders: text, clock: text, limit: text, tol: text, out: text },
        quick: { type: "boolean" },
        resume: { type: "boolean" },
      },
    });
    const number = (name: "limit" | "tol") => {
      if (values[name] === undefined) return {};
      if (!(Number(values[name]) > 0)) {
        throw new RangeError(`--${name} is '${values[name]}'; it must be a positive number.`);
      }
      return { [name]: Number(values[name]) };
    };
    const ps = values.p?.split(",").map((word) => {
      if (!(Number(word) >= 1)) throw new RangeError(`--p has '${word}'; numbers of columns are wanted, 10,50.`);
      return Number(word);
    });
    const out = values.out ?? STRUCTURE_PARTIAL;
    removeLeftBehind();
    const results = await benchStructure({
      ...(values.matrices && { matrices: values.matrices.split(",") }),
      ...(ps && { ps }),
      ...(values.contenders && { contenders: values.contenders.split(",") }),
      ...(values.quick && { quick: true }),
      clock: clockNamed(values.clock),
      ...number("limit"),
      ...number("tol"),
      ...(values.resume && { before: readStructure(out) }),
      rowsBy,
      save: (results) => writeStructure(out, results),
    });
    const whole = !values.quick && !values.matrices && !values.p && !values.contenders && !values.out;
    const kept = whole ? keptStructure(results) : out;
    writeStructure(kept, results);
    if (kept !== out) rmSync(out);
    console.log(`\n${kept}`);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
