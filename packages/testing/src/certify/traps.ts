/** Points that look like minima and are none, and minima that must be recognised: what the certificate may not say and what it must. */

import type { Certificate } from "@expen/core";
import type { Engine, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { eigh } from "@expen/linalg/dense";
import { solveStiefel } from "@expen/solvers";
import { certify } from "@expen/solvers/certify";
import { gapBoundOf } from "../gap-bound.js";
import { brockettTraps, gridTraps, lowRankTraps, tridiagonalTraps } from "./forms.js";
import {
  assignment,
  type Declares,
  eigenvectors,
  type Instance,
  injections,
  onSphere,
  type Planted,
  signed,
  sphereRoots,
} from "./planted.js";

const range = (n: number): number[] => Array.from({ length: n }, (_, k) => k);

/** λ ascending, n of them */
const spectra: Record<string, (n: number) => number[]> = {
  "even spectrum": (n) => range(n).map((k) => k - 3),
  "Laplacian spectrum": (n) => range(n).map((k) => 2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1))),
  ...Object.fromEntries(
    [1e-3, 1e-5, 1e-7, 1e-9].map((gap) => [
      `cluster of relative gap ${gap}`,
      (n: number) => range(n).map((k) => (k < 8 ? 1 + gap * k : 2 + k / n)),
    ]),
  ),
};

function* rayleighTraps(): Generator<Planted> {
  const n = 12;
  for (const [title, of] of Object.entries(spectra)) {
    const lambda = of(n);
    for (const p of [1, 3]) {
      const lowest = range(p);
      const sets = {
        "shifted by one": lowest.map((k) => k + 1),
        "second best": [...range(p - 1), p],
        highest: lowest.map((k) => n - 1 - k),
      };
      for (const declares of ["nothing", "hvp", "apply", "matrix"] as Declares[]) {
        for (const [place, which] of Object.entries(sets)) {
          const seed = declares === "apply" ? undefined : p;
          const name = `${title}, p = ${p}, ${place}, declares ${declares}`;
          yield { name, provable: false, make: (E) => eigenvectors(E, lambda, which, declares, seed) };
        }
        if (declares !== "apply" && declares !== "matrix") continue;
        const name = `${title}, p = ${p}, lowest, declares ${declares}`;
        yield { name, provable: true, make: (E) => eigenvectors(E, lambda, lowest, declares, p) };
      }
    }
  }
  const lambda = spectra["Laplacian spectrum"]!(400);
  const make = (which: number[]) => (E: Engine) => eigenvectors(E, lambda, which, "apply");
  yield { name: "Laplacian spectrum, n = 400, 4th eigenvector", provable: false, make: make([3]) };
  yield { name: "Laplacian spectrum, n = 400, lowest", provable: true, make: make([0]) };
  // constant on square matrices
  yield { name: "n = p", provable: true, make: (E) => eigenvectors(E, [1, 2, 3], [2, 0, 1], "apply", 1) };
}

function* assignmentTraps(): Generator<Planted> {
  for (let seed = 1; seed <= 3; seed++) {
    const r = random(seed, "assignment");
    const a = range(3).map(() => range(4).map(() => r.normal()));
    const cost = (s: number[]): number => s.reduce((sum, i, j) => sum + a[j]![i]!, 0);
    const all = injections(4, 3).sort((s, t) => cost(s) - cost(t));
    for (const [k, s] of all.entries()) {
      const name = `columns of their own matrices, seed ${seed}, assignment ${s} of rank ${k}`;
      yield { name, provable: k === 0, make: (E) => assignment(E, a, s, seed % 2 === 0) };
    }
  }
}

function* sphereTraps(): Generator<Planted> {
  for (let seed = 1; seed <= 8; seed++) {
    const r = random(seed, "sphere");
    const b = range(6).map((k) => k + 0.5 * r.uniform());
    // a weak pull along the lowest eigenvector leaves a local minimum on the other side
    const l = range(6).map((k) => 0.1 * r.normal() * (k === 0 ? 0.3 : 1));
    for (const [k, mu] of sphereRoots(b, l).entries()) {
      for (const declares of ["hvp", "apply", "matrix"] as Declares[]) {
        const name = `linear term on the sphere, seed ${seed}, root ${k}, declares ${declares}`;
        yield { name, provable: k === 0 && declares !== "hvp", make: (E) => onSphere(E, b, l, mu, declares) };
      }
    }
  }
}

function* signTraps(): Generator<Planted> {
  const sigma = [3, 2, 0.5];
  for (const n of [3, 6]) {
    for (let bits = 0; bits < 8; bits++) {
      const signs = sigma.map((_, j) => ((bits >> j) & 1 ? 1 : -1));
      for (const [said, options] of Object.entries({
        convex: { convex: true },
        "convex and quadratic": { convex: true, quadratic: true, c: 1 },
        "quadratic, not convex": { quadratic: true, c: -4 },
        nothing: {},
      })) {
        const name = `linear and ‖X‖², n = ${n}, signs ${signs}, declares ${said}`;
        const provable = bits === 0 && said !== "nothing";
        yield { name, provable, make: (E) => signed(E, n, sigma, signs, { ...options, seed: n }) };
      }
    }
  }
}

/** A false closed form: the value of a saddle, or one that lies below the minimum or above it */
function* lies(): Generator<Planted> {
  const lambda = spectra["even spectrum"]!(10);
  for (const [title, which, offset] of [
    ["that of the saddle", [2, 5], undefined],
    ["above the minimum", [0, 1], 0.5],
    ["below the minimum", [0, 1], -0.5],
  ] as const) {
    for (const declares of ["nothing", "hvp"] as Declares[]) {
      const make = (E: Engine): Instance => {
        const made = eigenvectors(E, lambda, which, declares, 4);
        return { ...made, optimum: offset === undefined ? made.f.f(made.X) : made.minimum + offset };
      };
      yield { name: `a closed form ${title}, declares ${declares}`, provable: false, make };
    }
  }
}

export const planted: readonly Planted[] = [
  ...rayleighTraps(),
  ...assignmentTraps(),
  ...sphereTraps(),
  ...signTraps(),
  ...lies(),
  ...brockettTraps(),
  ...tridiagonalTraps(),
  ...lowRankTraps(),
  ...gridTraps(),
];

export interface Count {
  /** certificates asked for: of the points themselves, and of whole runs started there */
  tried: number;
  /** of points that are not minima, or of which no proof is asked */
  traps: number;
  /** of minima of provable kinds */
  minima: number;
  /** what was said and is not so, or was not said and should have been */
  false: string[];
}

/** Runs are started at smaller instances only. */
const LARGEST_RUN = 70;

/** One planted point of `every` on every engine, but for the named ones, and runs that start at one of `runs`, 0 for none. */
export async function runTraps(engines: readonly Engine[], { runs = 4, every = 1, but = /^$/ } = {}): Promise<Count> {
  const count: Count = { tried: 0, traps: 0, minima: 0, false: [] };
  for (const E of engines) {
    for (const [k, { name, provable, make }] of planted.entries()) {
      if (k % every !== 0 || but.test(name)) continue;
      const made = make(E);
      const { f, X, optimum } = made;
      const { certificate, measures } = certify(E, f, X, { tolerance: 1e-6, optimum });
      const at = { name: `${E.name}: ${name}`, E, made, certificate };
      note(provable, judged({ ...at, X, fval: measures.fval }));
      if (provable && certificate.level !== "global") count.false.push(`${at.name}: not proved: ${certificate.text}`);
      if (k % runs !== 0 || f.n > LARGEST_RUN) continue;
      const result = finished(await solveStiefel(E, f, { start: X, optimum, seed: k, maxIterations: 500 }));
      const said = { ...at, name: `${at.name}, a run from there`, certificate: result.certificate };
      note(false, judged({ ...said, X: E.tall(f.n, f.p, result.X.data), fval: result.fval }));
    }
  }
  return count;

  function note(provable: boolean, wrong: string[]): void {
    count.tried++;
    if (provable) count.minima++;
    else count.traps++;
    count.false.push(...wrong);
  }
}

interface Said {
  name: string;
  E: Engine;
  made: Instance;
  certificate: Certificate;
  X: Tall;
  fval: number;
}

/** What of a certificate is not so */
function judged({ name, E, made, certificate: c, X, fval }: Said): string[] {
  const wrong: string[] = [];
  const { curvature } = c;
  const gapBound = gapBoundOf(c);
  const say = (what: string): void => void wrong.push(`${name}: ${what}: ${c.text}`);
  if ((c.level === "global") !== (gapBound !== undefined)) say("a gap bound and global belong together");
  if ((c.level === "global") !== /global|f − f\* ≤/.test(c.text)) say("the word global");
  if (gapBound !== undefined && !(fval - made.minimum <= gapBound + 1e-14 * made.size)) {
    say(`gap ${fval - made.minimum} > ${gapBound}`);
  }
  if (gapBound !== undefined && !(gapBound <= 1e-4 * made.size)) say(`gap bound ${gapBound} says nothing`);
  if (/no eigenvalue is below/.test(c.text)) say("words");
  if (!curvature) return wrong;
  const { bound, probability, scale, lowest } = curvature;
  if ((bound === undefined) !== (probability === undefined)) say("a bound and its probability belong together");
  const truth = lowestCurvature(E, made, X);
  if (truth === undefined) return wrong;
  if (bound !== undefined && !(bound <= truth + 1e-12 * scale)) say(`bound ${bound} > ${truth}`);
  if (!(lowest >= truth - 1e-5 * scale)) say(`Ritz value ${lowest} < ${truth}`);
  if (c.level === "second-order" && !(truth >= -0.1 * scale - 1e-12 * scale)) say(`curvature ${truth} is second order`);
  return wrong;
}

/** λmin of D ↦ P(∇²f[D] − DS) on the tangent space, from all np columns of the Hessian; what was planted only at its own point */
export function lowestCurvature(
  E: Engine,
  { f, X: own, curvature, hessian = f.hvp }: Instance,
  X: Tall,
): number | undefined {
  if (X === own && curvature !== undefined) return curvature;
  const size = f.n * f.p;
  if (!hessian || size > 60) return undefined;
  const [G, D, H] = [E.tall(f.n, f.p), E.tall(f.n, f.p), E.tall(f.n, f.p)];
  const [M, S, K] = [E.small(f.p, f.p), E.small(f.p, f.p), new Float64Array(size * size)];
  const project = (Z: Tall): void => {
    E.tmul(M, X, Z);
    E.symmetrize(M);
    E.mul(Z, X, M, -1, 1);
  };
  f.fg(G, X);
  E.tmul(S, X, G);
  E.symmetrize(S);
  for (let k = 0; k < size; k++) {
    let place = 0;
    E.write(D, () => (place++ === k ? 1 : 0));
    project(D);
    hessian(H, X, D);
    E.mul(H, D, S, -1, 1);
    project(H);
    // the normal space goes far above all curvatures
    const [h, d] = [E.read(H), E.read(D)];
    for (let i = 0; i < size; i++) K[i * size + k] = h[i]! + 1e3 * ((i === k ? 1 : 0) - d[i]!);
  }
  return eigh(E, E.small(size, size, K)).values[0]!;
}

function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}
