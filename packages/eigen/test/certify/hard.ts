/** Planted points that are hard by rounding: overflow and underflow of squares, nearly symmetric B, huge normal parts, constants. */

import type { Objective, QuadraticForm } from "@expen/core";
import { randomStart } from "@expen/core";
import type { Engine, Matrix, Sparse, Tall, Tridiagonal } from "@expen/linalg";
import { random } from "@expen/linalg";
import { sparseFromTriplets, toTridiagonal } from "@expen/linalg/arrays";
import { eigh } from "@expen/linalg/dense";
import { certify } from "@expen/solvers/certify";
import {
  type Declares,
  eigenvectors,
  type Instance,
  onSphere,
  plain,
  rayleigh,
  signed,
  sphereRoots,
} from "@expen/testing/certify/planted";
import { lowestCurvature } from "@expen/testing/certify/traps";
import { gapBoundOf } from "@expen/testing/gap-bound";

interface Hard {
  readonly name: string;
  /** a minimum that must be proved, a point that is not stationary, or anything */
  readonly expected: "global" | "none" | "anything";
  make(E: Engine): Instance;
}

const scales = [1e-165, 1e-120, 1e-30, 1, 1e30, 1e120, 1e150];
const range = (n: number): number[] => Array.from({ length: n }, (_, k) => k);

const times = <M extends Matrix | Sparse | Tridiagonal>(M: M, s: number): M => {
  const all = (a: Float64Array): Float64Array => a.map((v) => s * v);
  if ("main" in M) {
    const one = (d: Matrix): Matrix => ({ ...d, data: all(d.data) });
    return { lower: one(M.lower), main: one(M.main), upper: one(M.upper) } as M;
  }
  return ("pointers" in M ? { ...M, values: all(M.values) } : { rows: M.rows, cols: M.cols, data: all(M.data) }) as M;
};

/** s·f with the declarations of f; the same points are stationary */
export function scaledBy(E: Engine, made: Instance, s: number): Instance {
  const { f, X, minimum, size, optimum } = made;
  const scale = (Y: Tall): void => E.combine(Y, s, Y, 0, Y);
  const form = f.quadratic;
  const curvature = made.curvature ?? lowestCurvature(E, made, X);
  const L = form?.L && E.tall(f.n, f.p);
  if (L) E.combine(L, s, form.L!, 0, form.L!);
  const quadratic: QuadraticForm | undefined = form && {
    ...form,
    apply(Y: Tall, Z: Tall) {
      form.apply(Y, Z);
      scale(Y);
    },
    ...(form.matrix && { matrix: times(form.matrix, s) }),
    ...(form.lowRank && { lowRank: { ...form.lowRank, weight: s * form.lowRank.weight } }),
    ...(L && { L }),
    ...(form.constant !== undefined && { constant: s * form.constant }),
  };
  const objective: Objective = {
    n: f.n,
    p: f.p,
    ...(f.convex && { convex: true }),
    f: (Z) => s * f.f(Z),
    fg(G, Z) {
      const value = f.fg(G, Z);
      scale(G);
      return s * value;
    },
    ...(f.hvp && {
      hvp(H: Tall, Z: Tall, D: Tall) {
        f.hvp!(H, Z, D);
        scale(H);
      },
    }),
    ...(quadratic && { quadratic }),
  };
  return {
    f: objective,
    X,
    minimum: s * minimum,
    size: s * size,
    ...(curvature !== undefined && { curvature: s * curvature }),
    ...(optimum !== undefined && { optimum: s * optimum }),
  };
}

/** ½⟨X, BX⟩ with B = M − a below the diagonal, M of simple form: at the lowest eigenvector of M, which is none of (B + Bᵀ)/2 */
export function asymmetric(
  E: Engine,
  n: number,
  a: number,
  kind: "matrix" | "apply" | "sparse" | "tridiagonal",
): Instance {
  const near = kind === "tridiagonal";
  const data = plain(n, n, (i, j) => (i === j ? 1 : j < i && (!near || j === i - 1) ? -a : 0));
  const symmetric = plain(n, n, (i, j) => 0.5 * (data.data[i * n + j]! + data.data[j * n + i]!));
  const [rows, cols, values]: number[][] = [[], [], []];
  data.data.forEach((v, k) => {
    if (v === 0) return;
    rows!.push(Math.floor(k / n));
    cols!.push(k % n);
    values!.push(v);
  });
  const sparse = sparseFromTriplets(n, n, rows!, cols!, values!);
  const constant = (v: number): Float64Array => new Float64Array(n).fill(v);
  const T = toTridiagonal({ lower: constant(-a), main: constant(1), upper: constant(0) });
  const matrix = { matrix: data, sparse, tridiagonal: T, apply: undefined }[kind];
  const { apply } = E.operator(data);
  const f = rayleigh(E, n, 1, apply, "apply", { apply, ...(matrix && { matrix }) });
  const lambda = eigh(E, E.small(n, n, symmetric.data)).values;
  const X = E.tall(n, 1, plain(n, 1, (i) => (i === 0 ? 1 : 0)).data);
  return { f, X, minimum: 0.5 * lambda[0]!, size: 1, curvature: lambda[0]! - 1 };
}

/**
 * ½xᵀBx + Lᵀx, B = QΛQᵀ with Q = H/√n, H of Hadamard, and x = q_0, L = −λ_0·q_0: gradient and multiplier are 0, and the curvatures
 * are the other λ. They are multiples of 2⁻⁸ and n is 4 or 16, so that B holds these eigenvalues to the last bit.
 */
function hugeNormal(E: Engine, n: 4 | 16, normal: number, rest: readonly number[], hvp: boolean): Instance {
  const root = Math.sqrt(n);
  const bits = (k: number): number => (k === 0 ? 0 : (k & 1) ^ bits(k >> 1));
  const Q = (i: number, j: number): number => (bits(i & j) ? -1 : 1) / root;
  const lambda = [normal, ...range(n - 1).map((k) => rest[k % rest.length]!)];
  const B = plain(n, n, (i, j) => lambda.reduce((sum, v, k) => sum + v * (Q(i, k) * Q(j, k)), 0));
  const { apply } = E.operator(B);
  const [X, L, V] = [
    E.tall(
      n,
      1,
      range(n).map((i) => Q(i, 0)),
    ),
    E.tall(n, 1),
    E.tall(n, 1),
  ];
  E.combine(L, -normal, X, 0, X);
  const fg = (G: Tall, Z: Tall): number => {
    apply(G, Z);
    const half = 0.5 * E.dot(Z, G);
    E.combine(G, 1, L, 1, G);
    return half + E.dot(L, Z);
  };
  const f: Objective = {
    n,
    p: 1,
    f: (Z) => fg(V, Z),
    fg,
    ...(hvp && { hvp: (H: Tall, _X: Tall, D: Tall) => apply(H, D) }),
  };
  return { f, X, minimum: Number.NEGATIVE_INFINITY, size: normal, curvature: Math.min(...rest) };
}

/** c + w/2·‖X‖² */
function constant(
  E: Engine,
  n: number,
  p: number,
  c: number,
  w: number,
  declares: "nothing" | "hvp" | "convex",
  seed: number,
): Instance {
  const fg = (G: Tall, X: Tall): number => {
    E.combine(G, w, X, 0, X);
    return c + 0.5 * w * E.dot(X, X);
  };
  const V = E.tall(n, p);
  const f: Objective = {
    n,
    p,
    f: (X) => fg(V, X),
    fg,
    ...(declares === "hvp" && { hvp: (H: Tall, _X: Tall, D: Tall) => E.combine(H, w, D, 0, D) }),
    ...(declares === "convex" && { convex: true }),
  };
  const minimum = c + 0.5 * w * p;
  return { f, X: randomStart(E, n, p, seed), minimum, size: Math.abs(c) + Math.abs(w) * p, curvature: 0 };
}

/** Seeded: `rounds` cases of each of ten kinds */
export function* hardCases(rounds = 20): Generator<Hard> {
  for (let seed = 1; seed <= rounds; seed++) {
    const r = random(seed, "hard");
    const pick = <T>(of: readonly T[]): T => of[Math.floor(r.uniform() * of.length)]!;
    const s = scales[seed % scales.length]!;
    const [n, p] = [6 + Math.floor(6 * r.uniform()), 1 + Math.floor(3 * r.uniform())];
    const declares = pick(["nothing", "hvp", "apply", "matrix"] as Declares[]);
    const spectrum = range(n).map((k) => k - 2 + 0.9 * r.uniform());
    const gap = pick([1e-3, 1e-6, 1e-9, 1e-12]);
    const close = range(n).map((k) => (k < p + 2 ? 1 + gap * k : 2 + k));
    const title = `seed ${seed}, n = ${n}, p = ${p}, scale ${s}, declares ${declares}`;
    const wrong = pick([range(p).map((k) => k + 1), [...range(p - 1), p], range(p).map((k) => n - 1 - k)]);
    const at = (lambda: number[], which: number[]) => (E: Engine) =>
      scaledBy(E, eigenvectors(E, lambda, which, declares, seed), s);
    const proved = declares === "apply" || declares === "matrix" ? "global" : "anything";

    yield { name: `saddle, ${title}`, expected: "anything", make: at(spectrum, wrong) };
    yield { name: `minimum, ${title}`, expected: proved, make: at(spectrum, range(p)) };
    yield {
      name: `cluster of gap ${gap}, second best, ${title}`,
      expected: "anything",
      make: at(close, [...range(p - 1), p]),
    };
    yield {
      name: `no stationary point, ${title}`,
      expected: "none",
      make: (E) => ({ ...at(spectrum, range(p))(E), X: randomStart(E, n, p, seed) }),
    };
    const sigma = range(p).map((k) => 3 - k + 0.5 * r.uniform());
    const signs = sigma.map(() => pick([-1, 1]));
    const said = pick([{ convex: true }, { convex: true, quadratic: true, c: 1 }, {}]);
    const best = signs.every((v) => v < 0) && said.convex ? "global" : "anything";
    yield {
      name: `linear, signs ${signs}, ${JSON.stringify(said)}, ${title}`,
      expected: best,
      make: (E) => scaledBy(E, signed(E, n, sigma, signs, { ...said, seed }), s),
    };
    yield {
      name: `linear, no stationary point, ${title}`,
      expected: "none",
      make: (E) => ({
        ...scaledBy(E, signed(E, n, sigma, signs, { ...said, seed }), s),
        X: randomStart(E, n, p, seed + 7),
      }),
    };
    const b = range(6).map((k) => k + 0.5 * r.uniform());
    const l = range(6).map((k) => 0.1 * r.normal() * (k === 0 ? 0.3 : 1));
    const roots = sphereRoots(b, l);
    const root = seed % roots.length;
    yield {
      name: `indefinite with a linear term, root ${root}, ${title}`,
      expected: root === 0 ? proved : "anything",
      make: (E) => scaledBy(E, onSphere(E, b, l, roots[root]!, declares), s),
    };
    const a = pick([9e-10, 1e-11, 9e-13, 1e-14]);
    const size = pick([20, 60]);
    const kind = (["matrix", "apply", "sparse", "tridiagonal"] as const)[seed % 4]!;
    yield {
      name: `${-a} below the diagonal of I, n = ${size}, declares ${kind}, scale ${s}`,
      expected: "anything",
      make: (E) => scaledBy(E, asymmetric(E, size, a, kind), s),
    };
    const normal = 2 ** pick([10, 20, 30, 38]);
    const low = -pick([0, 1, 64]) / 256;
    const rest = [low, pick([1, 64, 256]) / 256];
    yield {
      name: `normal part ${normal}, tangent part ${rest}, ${seed % 2 ? "hvp" : "differences"}`,
      expected: "anything",
      make: (E) => hugeNormal(E, seed % 3 ? 4 : 16, normal, rest, seed % 2 === 1),
    };
    const [c, w] = [pick([0, 3, 1e5]), pick([0, 1, -5])];
    const known = pick(["nothing", "hvp", "convex"] as const);
    yield {
      name: `constant ${c}, ${w}/2·‖X‖², declares ${known}, ${title}`,
      expected: known === "convex" && w <= 0 ? "global" : "anything",
      make: (E) => scaledBy(E, constant(E, n, p, c, w, w > 0 && known === "convex" ? "nothing" : known, seed), s),
    };
  }
}

/** Wrong statements of the certificates of these points */
export function falseStatements(E: Engine, cases: Iterable<Hard>): string[] {
  const wrong: string[] = [];
  for (const { name, expected, make } of cases) {
    const { f, X, minimum, size, curvature: truth } = make(E);
    const { certificate: c, measures } = certify(E, f, X, { tolerance: 1e-6 * size });
    const say = (what: string): void => void wrong.push(`${E.name}: ${name}: ${what}: ${c.text}`);
    const rounding = 2e-15 * size;
    if (expected === "global" && c.level !== "global") say("not proved");
    if (expected === "none" && c.level !== "none") say("not stationary");
    const gapBound = gapBoundOf(c);
    if (gapBound !== undefined && !(measures.fval - minimum <= gapBound + rounding)) {
      say(`gap ${measures.fval - minimum} > ${gapBound}`);
    }
    if (gapBound !== undefined && !(gapBound <= 1e-4 * size)) say(`gap bound ${gapBound} says nothing`);
    if (!c.curvature || truth === undefined) continue;
    const { bound, scale } = c.curvature;
    if (bound !== undefined && !(bound <= truth + rounding)) say(`bound ${bound} > ${truth}`);
    if (c.level === "second-order" && !(truth >= -0.1 * scale - rounding)) say(`curvature ${truth} is second order`);
    const relative = Number(/below (\S+)·scale/.exec(c.text)?.[1] ?? 0);
    if (!(relative > -3)) say("a bound of many times the scale says nothing");
  }
  return wrong;
}
