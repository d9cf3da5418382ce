/** `minimize(f, { on })`: answers that are known, on every manifold, by every solver that works there. */
import { describe, expect, test } from "vitest";
import {
  type ComplexMatrix,
  complexStiefel,
  type Expr,
  euclidean,
  generalizedStiefel,
  grassmann,
  jsEngine,
  type Manifold,
  minimize,
  mul,
  oblique,
  product,
  type Result,
  type SolverName,
  solvers,
  specialOrthogonal,
  sphere,
  stiefel,
  t,
  trace,
  type UserObjective,
  type View,
} from "../src/index.js";
import { eigh } from "../src/linalg/eigh.js";
import { svd } from "../src/linalg/svd.js";
import { random } from "../src/random.js";
import type { Engine, Matrix, Small, Tall } from "../src/types.js";
import { opaque } from "./engines/opaque.js";
import { split } from "./engines/split.js";

const host = jsEngine();
const normals = (rows: number, cols: number, stream: string): Matrix => {
  const r = random(7, stream);
  return { rows, cols, data: Float64Array.from({ length: rows * cols }, () => r.normal()) };
};
/** AᵀA/n + shift·I */
function definite(n: number, stream: string, shift = 1): Matrix {
  const [A, S] = [host.small(n, n, normals(n, n, stream).data), host.small(n, n)];
  host.tmul(S, A, A, 1 / n);
  host.addDiagonal(S, shift);
  return { rows: n, cols: n, data: host.read(S) };
}
const small = (A: Matrix): Small => host.small(A.rows, A.cols, A.data);
const sum = (xs: ArrayLike<number>): number => Array.from(xs).reduce((a, b) => a + b, 0);

interface Case<P extends View> {
  on: Manifold<P>;
  f: (E: Engine) => UserObjective<P>;
  optimum: number;
}
const given = <P extends View>(one: Case<P>): Case<View> => one as unknown as Case<View>;

/** ½tr XᵀAX, whose minimum over XᵀBX = I is half the sum of the p smallest eigenvalues of R⁻ᵀAR⁻¹, B = RᵀR */
function generalizedEigenproblem(n: number, p: number): Case<Tall> {
  const [A, B] = [definite(n, "A"), definite(n, "B", 0.2)];
  const [R, M, T] = [host.small(n, n), small(A), host.small(n, n)];
  host.factor.cholesky(R, small(B));
  host.factor.divide(M, R);
  const I = host.small(n, n);
  host.addDiagonal(I, 1);
  host.tmul(T, M, I);
  host.factor.divide(T, R);
  return {
    on: generalizedStiefel(B, p),
    optimum: 0.5 * sum(eigh(host, T).values.slice(0, p)),
    f: (E) => {
      const a = E.operator(A);
      return {
        fg(G, X) {
          a.apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => a.apply(H, D),
      };
    },
  };
}

/** ½tr XᴴAX for A = Re + i·Im Hermitian; its eigenvalues are those of [[Re, −Im], [Im, Re]], each twice */
function hermitianEigenproblem(n: number, p: number): Case<ComplexMatrix<Tall>> {
  const [re, skew] = [definite(n, "Re"), normals(n, n, "Im").data];
  const im = Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    return (skew[i * n + j]! - skew[j * n + i]!) / n;
  });
  const N = 2 * n;
  const big = Float64Array.from({ length: N * N }, (_, k) => {
    const [i, j] = [Math.floor(k / N), k % N];
    const at = (i % n) * n + (j % n);
    if (i < n === j < n) return re.data[at]!;
    return i < n ? -im[at]! : im[at]!;
  });
  return {
    on: complexStiefel(n, p),
    optimum:
      0.5 *
      sum(
        eigh(host, host.small(N, N, big))
          .values.slice(0, 2 * p)
          .filter((_, j) => j % 2 === 0),
      ),
    f: (E) => {
      const [a, b] = [E.operator(re), E.operator({ rows: n, cols: n, data: im })];
      const apply = (G: ComplexMatrix<Tall>, X: ComplexMatrix<Tall>): void => {
        a.apply(G.re, X.re);
        b.apply(G.re, X.im, -1, 1);
        a.apply(G.im, X.im);
        b.apply(G.im, X.re, 1, 1);
      };
      return {
        fg(G, X) {
          apply(G, X);
          return 0.5 * (E.dot(G.re, X.re) + E.dot(G.im, X.im));
        },
        hvp: (H, _X, D) => apply(H, D),
      };
    },
  };
}

/** −tr UᵀAVD with D = Diag(p, …, 1): the p largest singular values, weighted */
function truncatedSvd(m: number, n: number, p: number): Case<{ U: Tall; V: Tall }> {
  const A = normals(m, n, "A of U, V");
  const { s } = svd(host, small(A));
  const weights = Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? p - Math.floor(k / p) : 0));
  return {
    on: product({ U: stiefel(m, p), V: stiefel(n, p) }),
    optimum: -sum(s.slice(0, p).map((v, j) => v * (p - j))),
    f: (E) => {
      const [a, D] = [E.operator(A), E.small(p, p, weights)];
      const [UD, VD] = [E.tall(m, p), E.tall(n, p)];
      const fg = (G: { U: Tall; V: Tall }, X: { U: Tall; V: Tall }): number => {
        E.mul(VD, X.V, D);
        a.apply(G.U, VD, -1);
        E.mul(UD, X.U, D);
        a.applyT(G.V, UD, -1);
        return E.dot(G.U, X.U);
      };
      return {
        fg,
        hvp(H, _X, D) {
          fg(H, D);
        },
      };
    },
  };
}

/** ½tr YAYᵀ with columns of length 1 for A = sᵀ-signed: −Σ s_i·s_j⟨y_i, y_j⟩, whose minimum −½(Σ|s|)² has y_i = ±y */
function signedCut(k: number, n: number): Case<Tall> {
  const s = normals(n, 1, "signs").data;
  return {
    on: oblique(k, n),
    optimum: -0.5 * sum(s.map(Math.abs)) ** 2,
    f: (E) => {
      const [c, v] = [E.small(n, 1, s), E.tall(k, 1)];
      const apply = (G: Tall, X: Tall): void => {
        E.mul(v, X, c);
        E.mulT(G, v, c, -1);
      };
      return {
        fg(G, X) {
          apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => apply(H, D),
      };
    },
  };
}

/** ½xᵀAx on the sphere, or ½tr XᵀAX over subspaces */
function smallestEigenvalues(on: Manifold): Case<Tall> {
  const { n, p } = on;
  const A = definite(n, "A of sphere");
  return {
    on,
    optimum: 0.5 * sum(eigh(host, small(A)).values.slice(0, p)),
    f: (E) => {
      const a = E.operator(A);
      return {
        fg(G, X) {
          a.apply(G, X);
          return 0.5 * E.dot(G, X);
        },
        hvp: (H, _X, D) => a.apply(H, D),
      };
    },
  };
}

/** ½‖AX − C‖², at whose minimum AᵀA·X = AᵀC */
function leastSquares(m: number, n: number, q: number): Case<Tall> {
  const [A, C] = [normals(m, n, "A of squares"), normals(m, q, "C")];
  const [M, R, X] = [host.small(n, n), host.small(n, q), host.small(n, q)];
  host.tmul(M, small(A), small(A));
  host.tmul(R, small(A), small(C));
  host.factor.solve(X, M, R);
  const rest = small(C);
  host.mul(rest, small(A), X, -1, 1);
  return {
    on: euclidean(n, q),
    optimum: 0.5 * host.dot(rest, rest),
    f: (E) => {
      const [a, c, Y] = [E.operator(A), E.tall(m, q, C.data), E.tall(m, q)];
      return {
        fg(G, X) {
          E.copy(Y, c);
          a.apply(Y, X, 1, -1);
          a.applyT(G, Y);
          return 0.5 * E.dot(Y, Y);
        },
        hvp(H, _X, D) {
          a.apply(Y, D);
          a.applyT(H, Y);
        },
      };
    },
  };
}

/** −⟨A, X⟩ over rotations, for an A whose nearest orthogonal matrix is a reflection: the last singular value counts with its sign */
function nearestRotation(n: number): Case<Tall> {
  const A = normals(n, n, "rotation");
  const { U, s, V } = svd(host, small(A));
  const Q = host.small(n, n);
  host.mulT(Q, U, V);
  const reflects = determinant(host.read(Q), n) < 0;
  // so that it is one
  if (!reflects) for (let j = 0; j < n; j++) A.data[j]! *= -1;
  return {
    on: specialOrthogonal(n),
    optimum: -(sum(s) - 2 * s[n - 1]!),
    f: (E) => {
      const L = E.tall(n, n, A.data);
      return {
        fg(G, X) {
          E.combine(G, -1, L, 0, L);
          return E.dot(G, X);
        },
        hvp: (H) => E.fill(H, 0),
      };
    },
  };
}

function determinant(q: Float64Array, n: number): number {
  if (n === 1) return q[0]!;
  return sum(
    Array.from({ length: n }, (_, j) => {
      const minor = Float64Array.from({ length: (n - 1) ** 2 }, (_, k) => {
        const column = k % (n - 1);
        return q[(Math.floor(k / (n - 1)) + 1) * n + (column < j ? column : column + 1)]!;
      });
      return (j % 2 === 0 ? 1 : -1) * q[j]! * determinant(minor, n - 1);
    }),
  );
}

const cases: [string, Case<View>][] = [
  ["generalized eigenvalues", given(generalizedEigenproblem(24, 4))],
  ["Hermitian eigenvalues", given(hermitianEigenproblem(20, 3))],
  ["a truncated SVD", given(truncatedSvd(15, 12, 3))],
  ["a signed cut", given(signedCut(4, 12))],
  ["an eigenvector", given(smallestEigenvalues(sphere(20)))],
  ["a subspace", given(smallestEigenvalues(grassmann(20, 3)))],
  ["least squares", given(leastSquares(30, 8, 2))],
  ["a rotation", given(nearestRotation(3))],
];
/** at least these work everywhere */
const everywhere: SolverName[] = ["expen", "expen-cg", "expen-lbfgs", "expen-newton", "rcg", "rlbfgs", "rtr"];
const penalties: SolverName[] = ["plam", "pencf", "pencs", "slpg", "landing"];

const scale = (optimum: number): number => 1 + Math.abs(optimum);
const solved = (one: Case<View>, more: object = {}): Promise<Result<View>> =>
  minimize(one.f, { on: one.on, engine: jsEngine(), optimum: one.optimum, tol: 1e-6, ...more });

describe.each(cases)("%s", (_title, one) => {
  test.each([...everywhere, ...penalties])("by %s", async (solver) => {
    const run = solved(one, { solver });
    if (solver === "landing" && one.on.text.startsWith("generalized")) {
      await expect(run).rejects.toThrow(/solver 'landing' has no meaning on generalized-stiefel; take one of expen, /);
      return;
    }
    const result = await run;
    expect(`${result.status}: ${result.reason.text}; ${result.certificate.text}`).toMatch(/^converged/);
    expect(Math.abs(result.gap!)).toBeLessThanOrEqual(1e-9 * scale(one.optimum));
    expect(result.feasibility).toBeLessThanOrEqual(1e-12);
    expect(result.on).toBe(one.on.text);
    expect(["second-order", "global"]).toContain(result.certificate.level);
  });

  test.each([
    ["hidden numbers", () => opaque(jsEngine())],
    ["rows apart", () => split(jsEngine())],
  ] as const)("with %s", async (_title, engine) => {
    const result = await solved(one, { engine: engine() });
    expect(result.status).toBe("converged");
    expect(Math.abs(result.gap!)).toBeLessThanOrEqual(1e-9 * scale(one.optimum));
  });
});

test("every solver either works on complex matrices or says which do", async () => {
  const one = given(hermitianEigenproblem(12, 2));
  const refused: string[] = [];
  for (const solver of Object.keys(solvers) as SolverName[]) {
    await solved(one, { solver, maxIterations: 5 }).catch((error: Error) => {
      expect(error.message).toMatch(/^solver '.*' has no meaning on complex-stiefel; take one of expen, expen-cg/);
      refused.push(solver);
    });
  }
  expect(refused.sort()).toEqual(["expen-frame", "jiang-dai", "mcm", "pcal", "trivialization", "wen-yin"]);
});

describe("what a run says and shows", () => {
  test("f that changes under X → XQ is no function of the span: a note with a number, and the Stiefel manifold", async () => {
    const A = definite(8, "A of Brockett");
    const f = (E: Engine): UserObjective => {
      const [a, C, AX] = [E.operator(A), E.small(2, 2, [2, 0, 0, 1]), E.tall(8, 2)];
      return {
        fg(G, X) {
          a.apply(AX, X);
          E.mul(G, AX, C);
          return 0.5 * E.dot(G, X);
        },
      };
    };
    const result = await minimize(f, { on: grassmann(8, 2) });
    expect(result.notes.join()).toMatch(/f is no function on grassmann: it changes by 0\.\d+ of itself under X → XQ/);
    expect(result.notes.join()).toMatch(/take stiefel/);
    const { values } = eigh(host, small(A));
    expect(result.fval).toBeCloseTo(values[0]! + 0.5 * values[1]!, 8);
    const invariant = await solved(given(smallestEigenvalues(grassmann(12, 2))));
    expect(invariant.notes).toEqual([]);
  });

  test("rotations are never left, by any solver, from any start", async () => {
    const one = nearestRotation(4);
    const start = {
      rows: 4,
      cols: 4,
      data: Float64Array.from({ length: 16 }, (_, k) => (k % 5 ? 0 : k === 0 ? -1 : 1)),
    };
    for (const solver of [undefined, "rcg", "rlbfgs", "rtr"] as const) {
      const dets: number[] = [];
      const observe = (s: { X: Tall }): void => void dets.push(determinant(s.X.data, 4));
      const { X, gap } = await minimize(one.f, {
        on: one.on,
        engine: jsEngine(),
        optimum: one.optimum,
        start,
        observe,
        ...(solver && { solver }),
      });
      expect(Math.abs(gap!)).toBeLessThanOrEqual(1e-9);
      for (const det of [...dets, determinant(X.data, 4)]) expect(det).toBeCloseTo(1, 4);
    }
  });

  test("starts, states and answers are views; what is missing in a start is said", async () => {
    const one = truncatedSvd(6, 5, 2);
    const identity = (n: number): Matrix => ({
      rows: n,
      cols: 2,
      data: Float64Array.from({ length: 2 * n }, (_, k) => (Math.floor(k / 2) === k % 2 ? 1 : 0)),
    });
    const seen: string[] = [];
    const start = { U: identity(6), V: identity(5) };
    const { X } = await minimize(one.f, {
      on: one.on,
      engine: jsEngine(),
      start,
      observe: (s) => void seen.push(Object.keys(s.X).join()),
      events: { iteration: (s) => void seen.push(Object.keys(s.X).join()) },
    });
    expect(new Set(seen)).toEqual(new Set(["U,V"]));
    expect([X.U.rows, X.V.rows, X.U.data.length]).toEqual([6, 5, 12]);
    const without = minimize(one.f, { on: one.on, start: { U: start.U } as never });
    await expect(without).rejects.toThrow("start: it has no V; give { U, V }.");
    const wrong = minimize(one.f, { on: one.on, start: { U: start.V, V: start.V } });
    await expect(wrong).rejects.toThrow("start.U: it is 5×2 but n×p is 6×2; give a matrix of that shape.");
  });

  test("a preconditioner gets views, and a wrong gradient of a part is found", async () => {
    const one = hermitianEigenproblem(10, 2);
    const E = jsEngine();
    const { status } = await minimize(one.f, {
      on: one.on,
      engine: E,
      precondition(Z, _X, G) {
        E.combine(Z.re, 0.5, G.re, 0, G.re);
        E.combine(Z.im, 0.5, G.im, 0, G.im);
      },
    });
    expect(status).toBe("converged");
    const wrong = (E: Engine): UserObjective<ComplexMatrix<Tall>> => {
      const { fg } = one.f(E);
      return {
        fg(G, X) {
          const value = fg!(G, X);
          E.combine(G.im, 2, G.im, 0, G.im);
          return value;
        },
      };
    };
    const named = /^the gradient does not belong to f: furthest off is entry \(\d, \d\) of im, /;
    await expect(minimize(wrong, { on: one.on })).rejects.toThrow(named);
  });

  test("a part that f takes no notice of is named, one that is silent at the start alone is not", async () => {
    const A = normals(6, 1, "a");
    const on = product({ U: sphere(6), W: product({ Z: complexStiefel(4, 2), V: sphere(3) }) });
    const tape = ({ U }: { U: Expr }) => mul(t(U), A);
    const { notes } = await minimize({ tape }, { on });
    const said = (name: string) =>
      `f does not depend on ${name}: its gradient is 0 and f stays the same where it moves`;
    expect(notes).toEqual([said("W.Z"), said("W.V")]);
    // ∂f/∂v = 2v₀ is 0 at the start
    const f = ({ U, v }: { U: Matrix; v: Matrix }) => U.data[0]! + v.data[0]! ** 2;
    const quiet = await minimize(
      {
        f,
        grad(G, { v }) {
          G.U.data.set([1, 0]);
          G.v.data.set([2 * v.data[0]!, 0]);
        },
      },
      {
        on: product({ U: sphere(2), v: sphere(2) }),
        engine: jsEngine(),
        start: { U: { rows: 2, cols: 1, data: [0.6, 0.8] }, v: { rows: 2, cols: 1, data: [0, 1] } } as never,
      },
    );
    expect(quiet.notes).toEqual([]);
  });

  test("a start off the manifold is said with a number", async () => {
    const one = truncatedSvd(6, 5, 2);
    const U = { rows: 6, cols: 2, data: Float64Array.of(1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0) };
    const V = { rows: 5, cols: 2, data: Float64Array.of(2, 0, 0, 1, 0, 0, 0, 0, 0, 0) };
    const { notes } = await minimize(one.f, { on: one.on, start: { U, V } });
    expect(notes).toContain("the start was not on the manifold (‖K‖ = 3.00); the nearest feasible point was taken");
  });

  test("a tape serves wherever a point is one matrix", async () => {
    const A = definite(6, "A of tape");
    const f = { tape: (X: Expr) => trace(mul(t(X), A, X)) };
    for (const on of [stiefel(6, 2), oblique(6, 2), generalizedStiefel(A, 2), sphere(6)]) {
      const { status, fval } = await minimize(f, { on });
      expect(status).toBe("converged");
      // tr XᵀBX = p on XᵀBX = I
      if (on.text.startsWith("generalized")) expect(fval).toBeCloseTo(2, 10);
    }
  });

  test.each([
    ["XᵀBX = I", given(generalizedEigenproblem(80, 6))],
    ["complex", given(hermitianEigenproblem(50, 4))],
    ["a product", given(truncatedSvd(30, 20, 4))],
  ])("the default takes no more evaluations than its parts without the metric, on %s", async (_name, { f, on }) => {
    const spent = { expen: 0, "expen-lbfgs": 0, rlbfgs: 0 };
    for (const solver of Object.keys(spent) as (keyof typeof spent)[]) {
      for (const seed of [1, 2]) {
        const run = { on, solver, seed, engine: host, check: false, certificate: "stationary" } as const;
        spent[solver] += (await minimize(f, run)).evaluations.f;
      }
    }
    expect(spent.expen).toBeLessThan(spent["expen-lbfgs"]);
    expect(spent.expen).toBeLessThan(1.05 * spent.rlbfgs);
  });

  test("an evaluation takes one product with B, in the default and in stages", async () => {
    const { f, on: _, optimum } = generalizedEigenproblem(24, 4);
    const B = host.operator(definite(24, "B", 0.2));
    for (const [solver, others] of [
      ["expen", 40],
      ["expen-lbfgs", 70],
    ] as const) {
      // biome-ignore format: pairs
      let products = 0;
      const counting = {
        rows: 24,
        apply(Y: Tall, X: Tall) {
          products++;
          B.apply(Y, X);
        },
      };
      const on = generalizedStiefel(counting, 4);
      const result = await minimize(f, { on, engine: host, solver, optimum, certificate: "stationary" });
      expect(result.gap!).toBeLessThanOrEqual(1e-9);
      // starting, measuring and the projections of stages take some more
      expect(products).toBeLessThanOrEqual(result.evaluations.f + others);
    }
  });

  test("B that is none is refused with its pivot, sizes with their values", async () => {
    const B = definite(6, "B");
    const f: UserObjective = { fg: () => 0 };
    B.data[0] = -1;
    await expect(minimize(f, { on: generalizedStiefel(B, 2) })).rejects.toThrow(
      "B is not positive definite: pivot 0 of its Cholesky factorization is -1.00.",
    );
    B.data[1]! += 1;
    await expect(minimize(f, { on: generalizedStiefel(B, 2) })).rejects.toThrow(/B is not symmetric: \(1, 0\) is /);
    const flat = { rows: 6, apply: (Y: Tall) => void Y.data.fill(0) };
    await expect(minimize(f, { on: generalizedStiefel(flat, 2), engine: jsEngine() })).rejects.toThrow(
      /B is not positive definite; ⟨X, BX⟩ is 0/,
    );
    expect(() => stiefel(2, 3)).toThrow("stiefel: p = 3 is above n = 2; 3 orthonormal columns need n ≥ p.");
    expect(() => oblique(0, 3)).toThrow("oblique: n is 0; it must be a whole number, 1 or more.");
    expect(() => product({})).toThrow("product: it has no parts");
  });
});
