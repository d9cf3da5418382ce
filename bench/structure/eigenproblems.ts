/** Eigenproblems side by side: every matrix with every p, ours beside ARPACK, LAPACK and LOBPCG. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomStart } from "@expen/core";
import { readNpy, writeNpy } from "@expen/data";
import type { Engine, Matrix, Sparse } from "@expen/linalg";
import { digits } from "@expen/linalg";
import { isSparse } from "@expen/linalg/arrays";
import type { Clock, Task } from "../contender.js";
import { temporaryFolder } from "../left-behind.js";
import { type PeerContender, type Posed, ROOT } from "../peers.js";
import { type Judged, judgeOf } from "./judge.js";
import { type EigenMatrix, lettersOf } from "./matrices.js";
import type { OwnEigen } from "./ours.js";
import { ARPACK, type EigenCase, type EigenRun, flaw, LAPACK, MISSED } from "./results.js";

/** Largest n for LAPACK. */
const LARGEST_DENSE = 4000;
/** Seconds of a run below which it is repeated, in turns with the others. */
const SHORT = 1;
/** Bounds of these repeats; above the lower one they end when all together have taken SHORT seconds. */
const [LEAST, MOST] = [3, 30];
/** Multiple of LAPACK's time after which a tool is stopped: it cannot be the faster of the two. */
const BEHIND = 20;
/** Seconds added to that. */
const LITTLE = 2;
/** Part of the limit for methods outside the ratios. */
const EXTRA = 0.5;
/** Factors of ARPACK's tolerance after a missed eigenvalue: it finds one vector of a multiple one until roundoff brings in the others. */
const TIGHTER = [1e-3, 1e-6, 1e-9];

export interface Settings {
  readonly ps: readonly number[];
  readonly tol: number;
  readonly limit: number;
  readonly clock: Clock;
}

export interface Sides {
  readonly own: readonly OwnEigen[];
  readonly peers: readonly PeerContender[];
  /** the eigenvalues by LAPACK; nothing without Python */
  readonly reference: PeerContender | undefined;
}

/** The cases of all p of one matrix; returns the reason where it must be skipped. */
export async function* casesOf(
  E: Engine,
  chosen: EigenMatrix,
  sides: Sides,
  settings: Settings,
): AsyncGenerator<EigenCase, string | undefined> {
  const B = chosen.matrix();
  const n = B.rows;
  const most = Math.max(...settings.ps);
  const folder = temporaryFolder();
  try {
    const save = (letter: string, A: Matrix): string => {
      const path = join(folder, `${letter}.npy`);
      writeFileSync(path, writeNpy(A));
      return path;
    };
    const files = Object.fromEntries(Object.entries(lettersOf(B)).map(([letter, A]) => [letter, save(letter, A)]));
    const posed = (p: number): Posed => {
      const X0 = { rows: n, cols: p, data: E.read(randomStart(E, n, p, 1)) };
      return { problem: "structure/eigenvectors", n, p, files: { ...files, X0: save(`X0-${p}`, X0) }, folder };
    };
    const values = await eigenvalues(chosen, n, posed(most), sides.reference);
    if (!values) return "its eigenvalues are not known without Python; 'npm run bench:setup' installs it";
    files.values = save("values", { rows: values.length, cols: 1, data: values });
    const { name, what } = chosen;
    for (const p of settings.ps) {
      const runs = await race(E, B, values, posed(p), sides, settings);
      yield { matrix: name, what, n, stored: isSparse(B) ? B.values.length : n * n, p, runs };
    }
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lowest eigenvalues, by a formula, or by LAPACK once for each matrix. */
async function eigenvalues(
  { name, what, eigenvalues: known }: EigenMatrix,
  n: number,
  posed: Posed,
  lapack: PeerContender | undefined,
): Promise<Float64Array | undefined> {
  if (known) return known().slice(0, posed.p);
  const kept = join(ROOT, ".expen/structure", `${name}-${n}-${posed.p}.npy`);
  if (existsSync(kept)) return readNpy(readFileSync(kept)).matrix.data;
  const found = await lapack?.run(posed, { tol: 0, target: null, limit: 600, clock: "wall" });
  if (!found) return undefined;
  if (!found.X) throw new Error(`${what}: ${found.text}`);
  mkdirSync(join(ROOT, ".expen/structure"), { recursive: true });
  writeFileSync(kept, writeNpy(found.X));
  return found.X.data;
}

const withoutRounding = ({ rounding: _, ...judged }: Judged): Omit<Judged, "rounding"> => judged;

interface Lane {
  readonly name: string;
  readonly again: (limit: number) => Promise<EigenRun>;
  best?: EigenRun;
  /** seconds of all runs */
  spent?: number;
}

async function race(
  E: Engine,
  B: Matrix | Sparse,
  values: Float64Array,
  posed: Posed,
  { own, peers }: Sides,
  { tol, limit, clock }: Settings,
): Promise<EigenRun[]> {
  const { n, p } = posed;
  const judge = judgeOf(E, B, values, n, p);
  const X0 = readNpy(readFileSync(posed.files.X0!)).matrix;
  const size = Math.hypot(...values.subarray(0, p));
  const lanes: Lane[] = [
    ...own.map((side) => ({
      name: side.name,
      async again(limit: number): Promise<EigenRun> {
        const { certified, X, ...run } = await side.run({ B, n, p, X0, tol: tol * size, limit, clock });
        const judged = judge(X);
        const shown = run.status === "converged" && certified();
        return {
          contender: side.name,
          ...run,
          ...withoutRounding(judged),
          ...(shown && { certificate: { ...shown, holds: holds(shown, judged) } }),
        };
      },
    })),
    ...peers.map((peer) => ({
      name: peer.name,
      async again(limit: number): Promise<EigenRun> {
        let run = await peerRun(peer, posed, { tol, target: null, limit, clock }, judge);
        for (const factor of peer.name === ARPACK ? TIGHTER : []) {
          if (flaw(run, tol) !== MISSED) break;
          const task = { tol: factor * tol, target: null, limit, clock };
          run = { ...(await peerRun(peer, posed, task, judge)), text: `with the tolerance ${digits(factor * tol)}` };
        }
        return run;
      },
    })),
  ];
  const inRatios = /@|scipy-(arpack|eigh)$/;
  let behind = Number.POSITIVE_INFINITY;
  const taking = lanes
    .filter(({ name }) => name !== LAPACK || n <= LARGEST_DENSE)
    .sort((a, b) => Number(b.name === LAPACK) - Number(a.name === LAPACK));
  for (let round = 0; round < MOST; round++) {
    for (const lane of taking) {
      if (round > 0 && (lane.best!.status !== "converged" || lane.best!.seconds! > SHORT)) continue;
      if (round >= LEAST && lane.spent! > SHORT) continue;
      const own = lane.name.includes("@");
      const run = await lane.again(Math.min(limit * (inRatios.test(lane.name) ? 1 : EXTRA), own ? limit : behind));
      lane.spent = (lane.spent ?? 0) + (run.seconds ?? 0);
      if (!lane.best || (run.seconds ?? 0) < (lane.best.seconds ?? 0)) lane.best = run;
      if (lane.name === LAPACK && run.seconds) behind = LITTLE + BEHIND * run.seconds;
    }
  }
  return lanes.flatMap(({ best }) => (best && best.status !== "absent" ? [best] : []));
}

async function peerRun(peer: PeerContender, posed: Posed, task: Task, judge: (X: Matrix) => Judged): Promise<EigenRun> {
  const { status, text, seconds = null, evaluations, X } = await peer.run(posed, task);
  const { products = null, solves = null } = (evaluations ?? {}) as { products?: number; solves?: number };
  const judged =
    status === "converged" && X ? withoutRounding(judge(X)) : { residual: null, excess: null, allowed: null };
  return { contender: peer.name, status, text, seconds, products, solves, ...judged };
}

/**
 * A proof holds where f − f* = ½·excess is within its bound; no negative curvature, where X has the lowest eigenvalues, since every
 * other stationary point is a saddle. Stationarity is the judge's residual.
 */
function holds(
  { level, gapBound }: { level: string; gapBound: number | null },
  { excess, allowed, rounding }: Judged,
): boolean {
  if (level === "global") return 0.5 * excess <= gapBound! + rounding;
  return level !== "second-order" || excess <= allowed;
}
