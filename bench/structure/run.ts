/** The suite structure: forms found in formulas, and eigenproblems beside eigensolvers. */
import { openEngine } from "@expen/engines";
import { jsEngine } from "@expen/linalg/engine";
import { compile } from "@expen/tape";
import type { Clock } from "../contender.js";
import { byEngine, type Sides, withSides } from "../contenders.js";
import type { bench } from "../paper/run.js";
import type { PeerContender } from "../peers.js";
import { startResults } from "../store.js";
import type { Session } from "../suite.js";
import { textTable } from "../tables.js";
import { casesOf } from "./eigenproblems.js";
import { forms, lookAlikes, n, p } from "./formulas.js";
import { available, type EigenMatrix, matricesOf } from "./matrices.js";
import { type OwnEigen, openOwnEigen } from "./ours.js";
import { type FormulaSeen, kind, type StructureResults } from "./results.js";
import { caseLine, eigenTable, formulaTable, rowsTable, verdictTable } from "./tables.js";

const CONTENDERS = ["auto@blas", "scipy-arpack", "scipy-eigh", "scipy-arpack-invert", "scipy-lobpcg"];
/** LAPACK's eigenvalues for the judge. */
const REFERENCE = "scipy-eigenvalues";
/** Functions with a second matrix or a linear term, beside SciPy's CG */
const ROWS = { rows: "brockett,quadratic", contenders: ["auto@blas", "scipy-cg"], gap: 0, repeats: 2, tol: 1e-3 };

export interface StructureOptions extends Session<StructureResults> {
  /** names of matrices */
  matrices?: readonly string[];
  /** numbers of columns */
  p?: readonly number[];
  contenders?: readonly string[];
  quick?: boolean;
  threads?: number;
  clock?: Clock;
  tol?: number;
  /** seconds a run may take */
  limit?: number;
  /** runs the rows beside SciPy's CG; without it they are left out */
  rowsBy?: typeof bench;
}

export async function benchStructure(options: StructureOptions = {}): Promise<StructureResults> {
  const { contenders = CONTENDERS, quick = false, matrices, threads = 1 } = options;
  const chosen = matricesNamed(matricesOf(quick), matrices);
  return withSides(
    [REFERENCE],
    threads,
    () => undefined,
    ({ peers: [reference] }) =>
      withSides(contenders, threads, byEngine(openOwnEigen), (sides) =>
        benchSides(chosen, { ...sides, reference }, options),
      ),
  );
}

async function benchSides(
  chosen: readonly EigenMatrix[],
  sides: Sides<OwnEigen> & { reference: PeerContender | undefined },
  {
    quick = false,
    matrices,
    p: ps = quick ? [5, 20] : [10, 50, 200],
    threads = 1,
    clock = "wall",
    tol = 1e-6,
    limit = quick ? 5 : 30,
    rowsBy,
    before,
    save = () => {},
    log = console.log,
  }: StructureOptions,
): Promise<StructureResults> {
  const { contenders, skipped } = sides;
  const settings = { threads, clock, tol, limit, quick, rowsTol: ROWS.tol, contenders, skipped: { ...skipped } };
  const empty = { formulas: formulasSeen(), cases: [], rows: [] };
  const results = startResults<StructureResults>(kind, { ...settings, ...empty }, before);
  log(`${textTable(formulaTable(results))}\n`);
  const E = await openEngine("auto", { threads: 1 });
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
  const sees = (formula: (typeof lookAlikes)[number][1]): boolean =>
    compile(jsEngine(), { n, p }, formula).quadratic !== undefined;
  return [
    ...forms.map(([formula, f]) => ({ formula, is: true, found: sees(f) })),
    ...lookAlikes.map(([formula, f]) => ({ formula, is: false, found: sees(f) })),
  ];
}

function matricesNamed(all: EigenMatrix[], names: readonly string[] | undefined): EigenMatrix[] {
  return (names ?? all.map(({ name }) => name)).map((word) => {
    const matrix = all.find(({ name }) => name === word);
    if (matrix) return matrix;
    throw new RangeError(`--matrices: '${word}' is none of ${all.map(({ name }) => name).join(", ")}.`);
  });
}
