/**
 * `npm run bench:eigs`: eigenvalues and singular values by eigs, eigh, svds and svd beside SciPy (ARPACK, LOBPCG, LAPACK) and packages of
 * the registry, which are installed in .expen/registry. Processor time from a matrix to vectors, best of several runs in turns; one judge
 * for all answers. `-- --quick` for smaller matrices, `--limit 20` seconds a run, `--only rod` for the cases whose name has the word.
 */
import "@expen/engines/relaxed-simd";
import { rmSync } from "node:fs";
import { eigh, svd } from "@expen/apps/eigen";
import { openEngine } from "@expen/engines";
import type { Engine, Matrix } from "@expen/linalg";
import { gaussian, random } from "@expen/linalg";
import { isSparse, sparseToDense } from "@expen/linalg/arrays";
import { number, scriptOptions, text } from "./arguments.js";
import { withSides } from "./contenders.js";
import { type EigsCase, eigsCases } from "./eigs/cases.js";
import { judgeOf, normOf } from "./eigs/judge.js";
import { ours, TOLERANCE } from "./eigs/ours.js";
import { type Lane, lineOf, race } from "./eigs/race.js";
import { openRegistry, type RegistryContender } from "./eigs/registry.js";
import { writeMatrices } from "./left-behind.js";
import type { PeerContender, Posed } from "./peers.js";
import { markdownTable } from "./tables.js";

const SCIPY = {
  "scipy-eigsh": "ARPACK",
  "scipy-eigsh-invert": "ARPACK, (A − σB)⁻¹",
  "scipy-lobpcg-pencil": "LOBPCG",
  "scipy-dense": "LAPACK",
};

/** Error of values by a dense factorization over ‖A‖, n·ε */
const REFERENCE_ERROR = 1e-13;

/** The p wanted of all values, in the order of an answer */
function wantedOf(one: EigsCase, all: ArrayLike<number>): Float64Array {
  const { which, sigma, p } = one;
  const distance = (v: number): number => (which === "nearest" ? Math.abs(v - sigma!) : which === "smallest" ? v : -v);
  return Float64Array.from(Array.from(all).sort((a, b) => distance(a) - distance(b)).slice(0, p)); // biome-ignore format: one line
}

/** All values by a formula, or by a dense factorization on the engine */
async function allValues({ exact, kind, A }: EigsCase, engine: Engine): Promise<ArrayLike<number>> {
  if (exact) return exact;
  const dense: Matrix = isSparse(A) ? sparseToDense(A) : A;
  return (await (kind === "eigenvalues" ? eigh : svd)(dense, { engine })).values;
}

/** The case as the Python peers read it */
function posed(one: EigsCase, wanted: Float64Array): Posed & { dispose(): void } {
  const { A, B, p, which, sigma = 0, kind } = one;
  const column = (numbers: ArrayLike<number>): Matrix => ({
    rows: numbers.length,
    cols: 1,
    data: Float64Array.from(numbers),
  });
  const parts = Object.entries({ A, ...(B && { B }) }).flatMap(([letter, M]): [string, Matrix][] =>
    isSparse(M)
      ? [
          [`${letter}-entries`, column(M.values)],
          [`${letter}-indices`, column(M.indices)],
          [`${letter}-pointers`, column(M.pointers)],
        ]
      : [[letter, M]],
  );
  const n = kind === "eigenvalues" ? A.rows : A.rows + A.cols;
  const matrices = {
    ...Object.fromEntries(parts),
    shape: column([A.rows, A.cols]),
    goal: column([["smallest", "largest", "nearest"].indexOf(which), sigma]),
    values: column(wanted),
    X0: gaussian(n, p, random(1, "start")),
  };
  return { problem: "eigs", n, p, ...writeMatrices(matrices) };
}

async function benchCase(
  one: EigsCase,
  sides: { engines: readonly Engine[]; scipy: readonly PeerContender[]; registry: readonly RegistryContender[] },
  limit: number,
): Promise<string[][]> {
  const fastest = sides.engines.at(-1)!;
  const wanted = wantedOf(one, await allValues(one, fastest));
  const judge = judgeOf(one, wanted);
  const files = posed(one, wanted);
  const task = { tol: TOLERANCE * normOf(one.A), target: null, limit, clock: "cpu" } as const;
  const lanes: Lane[] = [
    ...sides.engines.map((engine) => ({
      name: `expen ${engine.name}`,
      run: () => ours(engine, one, { limit, clock: "cpu", proof: true }),
    })),
    {
      name: `expen ${fastest.name}, proof: false`,
      run: () => ours(fastest, one, { limit, clock: "cpu", proof: false }),
    },
    ...sides.scipy.map((peer) => ({
      name: SCIPY[peer.name as keyof typeof SCIPY],
      async run() {
        const { status, text, seconds, evaluations, X } = await peer.run(files, task);
        if (status === "absent") return undefined;
        if (status !== "converged" || !X || seconds === undefined) return text;
        return { seconds, X, ...(evaluations as { products?: number; solves?: number }) };
      },
    })),
    ...sides.registry.map(({ name, run }) => ({ name, run: () => run(one, limit, "cpu") })),
  ];
  const results = await race(lanes);
  rmSync(files.folder, { recursive: true, force: true });
  const slack = one.exact ? 0 : REFERENCE_ERROR * normOf(one.A);
  return results.map((result) => lineOf(result, judge, wanted, slack));
}

const { quick, limit = 20, only } = scriptOptions({ limit: number("limit"), only: text }, ["quick"]);
const engines = [await openEngine("wasm")];
const best = await openEngine("auto", { threads: 1 });
if (best.name !== "wasm") engines.push(best);
const { contenders: registry, missing } = openRegistry();
const head = ["", "seconds", "products", "solves", "residual", "shown, or the flaw"];
await withSides(Object.keys(SCIPY), 1, () => undefined, async ({ peers, contenders, skipped }) => {
  console.log([...new Set(Object.values(contenders)), ...engines.map((E) => E.description)].join("; "));
  for (const [name, why] of Object.entries({ ...skipped, ...missing })) console.log(`${name}: skipped, ${why}`);
  for (const one of eigsCases(quick)) {
    if (only && !one.name.includes(only)) continue;
    const body = await benchCase(one, { engines, scipy: peers, registry }, limit);
    console.log(`\n${one.name}\n\n${markdownTable({ head, body })}`);
  }
}); // biome-ignore format: one call
for (const { end } of registry) await end();
process.exit(0);
