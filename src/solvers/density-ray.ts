import { euclidean } from "../geometry/euclidean.js";
import { noEvaluations } from "../objective.js";
import type { ExPen } from "../penalty/expen.js";
import { Cell } from "../scalar.js";
import type { DensityForm, Engine, Evaluations, Matrix } from "../types.js";
import { LineQuadratics, nearlyLevel } from "./line-quadratics.js";
import type { TrialRay } from "./ray.js";

/** With two trial points an iteration it takes 10np² + 6p³ flops, the plain ray 18np². */
export const densityRayPays = (n: number, p: number): boolean => n >= 2 * p;

/** A point with what follows from it; the letters are those of `densityRay`. */
interface Place {
  X: Matrix;
  /** ∇h */
  G: Matrix;
  K: Matrix;
  h: Cell;
}

/** How far the trial point is computed: its value, its slope, its gradient */
const [VALUE, SLOPE, GRADIENT] = [0, 1, 2];

/**
 * φ(t) = h(X + tD) for ExPen of f(X) = ½⟨X, LX⟩ + g(ρ), ρ_i = Σ_j X_ij². There ∇f(Y) = HY with H = L + 2·Diag(∇g(ρ)), which acts from the left, so that
 * products of tall matrices with T = I − K/2 from the right merge: with F = T², V = XF and W = XᵀHX, at Y = XT
 *
 *     ρ_i = Σ_j X_ij·V_ij,     f(Y) = ½⟨W, F⟩ + c(ρ),        ∇f(Y)·T = HV,
 *     ∇h  = HV + X·B,          B = βK − sym(WT),             φ' = ⟨HV, D⟩ + ½⟨B, K'⟩.
 *
 * K is quadratic in t (line-quadratics.ts). A trial point costs two products with H and 3np² + 3p³ flops instead of one and 9np², the accepted point
 * 2np² more, a new D np², and another np² where the search does not end at its first trial point. Holds 6 n×p matrices.
 */
export function densityRay(
  E: Engine,
  h: ExPen,
  form: DensityForm,
  X0: Matrix,
  evaluations: Evaluations = noEvaluations(),
): TrialRay {
  const { n, p } = h;
  const tall = (): Matrix => E.matrix(n, p);
  const small = (): Matrix => E.matrix(p, p);
  const place = (): Place => ({ X: tall(), G: tall(), K: small(), h: new Cell() });
  let [here, there] = [place(), place()];
  const [D, V] = [tall(), tall()];
  const [K1, K2, T, F, W, B, I] = [small(), small(), small(), small(), small(), small(), small()];
  E.addDiagonal(I, 1);
  const rho = E.matrix(n, 1);
  const line = new LineQuadratics(E);
  const { inner } = E;
  const [t, beta] = [new Cell(), new Cell()];
  /** the step at which X and K of the trial point stand */
  const stands = new Cell();
  let known = VALUE;
  /** K1 and K2 of the line are known */
  let drawn = false;

  const ray: TrialRay = {
    objective: h,
    geometry: euclidean(E),
    evaluations,
    X: here.X,
    G: here.G,
    Xt: there.X,
    Gt: there.G,
    euclideanG: here.G,
    euclideanGt: there.G,
    D,
    f: Number.NaN,
    ft: Number.NaN,
    t: Number.NaN,
    slopeT: Number.NaN,
    f0: Number.NaN,
    slope0: Number.NaN,
    max: Number.POSITIVE_INFINITY,
    sawNonFinite: false,
    begin() {
      ray.f0 = ray.f;
      ray.sawNonFinite = false;
      line.begin(ray, D, Math.sqrt(p * inner(B, B).value));
      E.combine(there.X, 1, here.X, line.c, D);
      gram(there);
      stands.value = line.c.value;
      drawn = false;
    },
    move() {
      if (ray.t !== stands.value) {
        draw();
        t.value = stands.value = ray.t;
        E.combine(there.X, 1, here.X, t, D);
        if (line.precise(ray.t, K2)) line.at(there.K, t, here.K, K1, K2);
        else gram(there);
      }
      value();
    },
    differentiate() {
      if (!drawn && nearlyLevel(ray)) settle();
      else draw();
      coefficient();
      ray.slopeT = inner(there.G, D).value;
      if (known === SLOPE) ray.slopeT += 0.5 * inner(B, K1).value + ray.t * inner(B, K2).value;
    },
    settle,
    evaluate() {
      gram(there);
      value();
      settle();
    },
    accept() {
      settle();
      line.accept();
      const old = here;
      here = there;
      there = old;
      ray.X = here.X;
      ray.G = ray.euclideanG = here.G;
      ray.Xt = there.X;
      ray.Gt = ray.euclideanGt = there.G;
      ray.f = here.h.value;
    },
  };
  E.copy(there.X, X0);
  ray.evaluate();
  ray.accept();
  return ray;

  function gram({ K, X }: Place): void {
    E.gram(K, X);
    E.addDiagonal(K, -1);
  }

  /** K1 and K2, when the search leaves c */
  function draw(): void {
    if (drawn) return;
    E.gram(K2, D);
    line.linear(K1, there.K, here.K, K2);
    drawn = true;
  }

  /** W and h of the trial point from its X and K; its G is scratch */
  function value(): void {
    const { X, G, K } = there;
    E.combine(T, 1, I, -0.5, K);
    E.tmulSymmetric(F, T, T);
    E.mul(V, X, F);
    E.rowDots(rho, X, V);
    there.h.value = form.hamiltonian(rho).value;
    form.apply(G, X);
    E.tmulSymmetric(W, X, G);
    there.h.value += 0.5 * inner(W, F).value + (h.beta / 4) * inner(K, K).value;
    known = VALUE;
    ray.ft = there.h.value;
    ray.sawNonFinite ||= !Number.isFinite(ray.ft);
  }

  /** HV in the place of G, and B */
  function coefficient(): void {
    if (known !== VALUE) return;
    form.apply(there.G, V);
    E.mul(B, W, T, -1);
    beta.value = h.beta;
    E.axpby(B, beta, there.K, 1);
    E.symmetrize(B);
    known = SLOPE;
  }

  /** ∇h in its place */
  function settle(): void {
    if (known === GRADIENT) return;
    coefficient();
    E.mul(there.G, there.X, B, 1, 1);
    known = GRADIENT;
  }
}
