/**
 * Problems of many whose f is linear on the manifold: the nearest point to −L of each, measured and certified as the end of a run, with one
 * set of matrices.
 */

import type { Tall } from "@expen/linalg";
import { blockPolar } from "@expen/linalg/arrays";
import { measurer } from "../certify/measure.js";
import type { Domain, Plain, View } from "../contracts/manifold.js";
import type { Measurer } from "../contracts/measures.js";
import type { Reason } from "../contracts/method.js";
import type { Objective } from "../contracts/objective.js";
import type { Result } from "../contracts/result.js";
import type { BoundFormula } from "../contracts/user-objective.js";
import { plain } from "../manifolds/view.js";
import { DEFAULT_TOLERANCE } from "../methods/state.js";
import { IS_LINEAR } from "../objective/linear-part.js";
import type { Certify } from "./imports.js";
import type { Problem } from "./many-problems.js";
import type { Solution } from "./many-result.js";
import { DEFAULT_SOLVER, type StiefelOptions } from "./options.js";

/** Options of a run that change nothing in the answer of a closed form, or only its gap */
const HARMLESS: ReadonlySet<string> = new Set([
  "seed",
  "start",
  "signal",
  "optimum",
  "certificate",
  "certificateBudget",
]);
/** Numbers of X up to which loops over them take less time than calls of an engine */
const SMALL = 400;

/** The solution of a problem, or undefined where a run is to find it */
export type Direct<P extends View> = (
  f: BoundFormula,
  problem: Problem<P, unknown>,
  certify: Certify,
) => Solution<Plain<P>> | undefined;

/** The direct solutions of formulas on this manifold with these options */
export function directSolutions<P extends View>(
  bound: Domain<View>,
  text: string,
  o: StiefelOptions,
): Direct<P> | undefined {
  const { E, on } = bound;
  const { n, p } = on.shape;
  const { orthonormal, isRotation, quotient } = on.traits;
  const isOrdinary = Object.entries(o).every(([name, value]) => value === undefined || HARMLESS.has(name));
  if (!isOrdinary || !(orthonormal || isRotation) || quotient || !E.host || n * p > SMALL) return undefined;

  const [zero, L, x] = [E.tall(n, p), E.tall(n, p), on.point()];
  const [z, numbers] = [new Float64Array(n * p), new Float64Array(n * p)];
  const polar = blockPolar(n, p, isRotation);
  const reason: Reason = { kind: "gradient", converged: true, text: IS_LINEAR };
  let last: { f: BoundFormula; linear: Objective; ruler: Measurer } | undefined;

  return (f, { seed }, certify) => {
    if (!f.isLinear || o.signal?.aborted) return undefined;
    const began = performance.now();
    if (last?.f !== f) last = { f, ...ofFormula(f) };
    const { linear, ruler } = last;
    f.fg(L, zero);
    E.read(L, z);
    for (let k = 0; k < z.length; k++) z[k] = -z[k]!;
    if (polar(numbers, z, 0) < 0) return undefined;
    E.write(x.X, numbers);
    const measures = ruler.measureAt(x);
    const tolerance = DEFAULT_TOLERANCE * Math.min(1, measures.gradient);
    if (!(measures.stationarity <= tolerance)) return undefined;
    const { certificate } = certify(E, linear, x.X, { on, tolerance, measurer: ruler, measures, secondOrder: false });
    if (certificate.level !== "global") return undefined;
    const { fval, stationarity, feasibility } = measures;
    const result: Result = {
      n,
      p,
      run: { on: text, solver: DEFAULT_SOLVER, method: "linear", why: IS_LINEAR, engine: E.name, seed },
      status: "converged",
      reason,
      fval,
      stationarity,
      feasibility,
      feasibilityBeforeProjection: feasibility,
      iterations: 0,
      evaluations: { f: 2, grad: 2, hvp: 0 },
      seconds: (performance.now() - began) / 1000,
      optimum: o.optimum ?? null,
      gap: o.optimum === undefined ? null : fval - o.optimum,
      certificate,
      notes: [],
      X: plain(bound, x.X),
    };
    return { result: result as unknown as Result<Plain<P>>, decrease: 0 };
  };

  /** The formula as a linear function, which it is on the manifold up to a constant, and the measurer of the formula itself */
  function ofFormula(f: BoundFormula): { linear: Objective; ruler: Measurer } {
    const apply = (Y: Tall): void => E.fill(Y, 0);
    const linear = { n, p, f: f.f, fg: f.fg, quadratic: { apply, multiple: 0, L } };
    return { linear, ruler: measurer(E, f, undefined, on) };
  }
}
