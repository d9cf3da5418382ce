import { euclidean } from "../geometry/euclidean.js";
import { noEvaluations } from "../objective.js";
import type { ExPen } from "../penalty/expen.js";
import { multiplierShift } from "../penalty/shift.js";
import { Cell } from "../scalar.js";
import type { Engine, Evaluations, Matrix, QuadraticForm, Scalar } from "../types.js";
import { CANCELLATION, LineQuadratics, nearlyLevel } from "./line-quadratics.js";
import { operatorFlops } from "./operator-cost.js";
import type { TrialRay } from "./ray.js";

/** Trial points an iteration of SciPy's searches, about. */
const TRIALS = 4 / 3;

/**
 * Whether an iteration on this ray takes fewer flops than one on the plain ray: one product with B, b flops by the engine's count, instead
 * of one a trial point, but Gram matrices of the line where a search goes on (with an L always), and p×p products, which with their sums take the time of
 * 8p³ flops. Where p is near n the plain ray is cheaper: for a dense B with a C below n = 1.2p or so.
 */
export function quadraticRayPays(E: Engine, n: number, p: number, form: QuadraticForm): boolean {
  const { C, L } = form;
  const b = p * operatorFlops(E, n, form);
  const [tall, small] = [n * p * p, p ** 3];
  const plain = TRIALS * (b + (C ? 11 : 9) * tall);
  return b + (L ? 12 : 7) * tall + TRIALS * (C ? 8 : 6) * small < plain;
}

/** A point with what follows from it; the letters are those of `quadraticRay`. */
interface Place {
  X: Matrix;
  BX: Matrix;
  /** ∇h */
  G: Matrix;
  K: Matrix;
  W: Matrix;
  J: Matrix;
  T: Matrix;
  CT: Matrix;
  F: Matrix;
  A: Matrix;
  /** of the multiplier shift: its addition to A, and to h */
  Q: Matrix;
  shift: Cell;
  h: Cell;
}

/** A ray of h that needs one product with B, whatever the number of its trial points. */
export interface QuadraticRay extends TrialRay {
  /** points at which h and its slope were computed */
  trials: number;
}

/**
 * φ(t) = h(X + tD) for ExPen of f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ + constant. On the line three p×p matrices are polynomials,
 *
 *     K(t) = X(t)ᵀX(t) − I = K₀ + t·K₁ + t²·K₂,        K₁ = 2·sym(XᵀD),     K₂ = DᵀD,
 *     W(t) = X(t)ᵀBX(t)    = W₀ + t·W₁ + t²·W₂,        W₁ = 2·sym(XᵀBD),    W₂ = DᵀBD,
 *     J(t) = sym(X(t)ᵀL)   = J₀ + t·J₁,                J₁ = sym(DᵀL),
 *
 * and with T = I − K/2, N = CTW, F = TCT value and slope need no others:
 *
 *     φ(t)  = ½⟨T, N⟩ + ⟨T, J⟩ + constant + β/4·‖K‖²,
 *     φ'(t) = ½⟨W', F⟩ + ½⟨K', A⟩ + ⟨T, J₁⟩,           A = βK − sym(N) − J,
 *     ∇h    = BX(t)·F + X(t)·A + L·T,                  BX(t) = BX + t·BD,     BD = (BX(c) − BX)/c.
 *
 * A search compares values that agree in nearly all digits once the end is near. So it is given φ(t) − φ(0), there without cancellation,
 *
 *     φ(t) − φ(0) = ½⟨ΔW, TCT₀⟩ + ¼⟨ΔK, A₀ + A⟩ + t/2·⟨T₀ + T, J₁⟩,   ΔK = t·K₁ + t²·K₂,   ΔW = t·W₁ + t²·W₂,
 *
 * with f0 = 0: it does not fail before the gradient is at its own rounding. The multiplier shift adds its terms (penalty/shift.ts) to φ and A.
 *
 * K₁ and W₁ come from symmetric products too (line-quadratics.ts). A search begins with one product, BX(c), and 2np² flops; K₂ and W₂, 2np² more,
 * are needed only where it does not end at its first trial point. A trial point costs 5p³, the accepted one 4np². Holds 7 n×p matrices and p×p ones.
 */
export function quadraticRay(
  E: Engine,
  h: ExPen,
  { apply, C, L, constant = 0 }: QuadraticForm,
  X0: Matrix,
  evaluations: Evaluations = noEvaluations(),
): QuadraticRay {
  const { n, p } = h;
  const tall = (): Matrix => E.matrix(n, p);
  const small = (): Matrix => E.matrix(p, p);
  const place = (): Place => ({
    ...{ X: tall(), BX: tall(), G: tall() },
    ...{ K: small(), W: small(), J: small(), T: small(), CT: small(), F: small(), A: small(), Q: small() },
    shift: new Cell(),
    h: new Cell(),
  });
  let [here, there] = [place(), place()];
  const D = tall();
  const [K1, K2, W1, W2, J1] = [small(), small(), small(), small(), small()];
  const [dK, dW, N, I] = [small(), small(), small(), small()];
  E.addDiagonal(I, 1);
  const shift = multiplierShift(E, p);
  const line = new LineQuadratics(E);
  const { inner } = E;
  // t, t² and β as Scalars
  const [t, t2, beta] = [new Cell(), new Cell(), new Cell()];
  // t/s and 1 − t/s, BX being known at the step s
  const [ratio, rest] = [new Cell(), new Cell()];
  // the steps at which X and BX of the trial point stand, and K and W
  const [formed, reduced] = [new Cell(), new Cell()];
  /** G of the trial point is not formed yet */
  let pending = false;
  /** K1, K2, W1 and W2 of the line are known */
  let drawn = false;

  const ray: QuadraticRay = {
    objective: h,
    geometry: euclidean(E),
    evaluations,
    trials: 0,
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
    f0: 0,
    slope0: Number.NaN,
    max: Number.POSITIVE_INFINITY,
    sawNonFinite: false,
    begin() {
      ray.sawNonFinite = false;
      line.begin(ray, D, L ? Number.POSITIVE_INFINITY : Math.sqrt(p * inner(here.A, here.A).value));
      compute(line.c);
      drawn = false;
      if (L) symmetric(J1, D, L);
    },
    move() {
      ray.trials++;
      pending = true;
      t.value = ray.t;
      if (ray.t !== reduced.value) {
        draw();
        if (line.precise(ray.t, K2)) {
          line.at(there.K, t, here.K, K1, K2);
          line.at(there.W, t, here.W, W1, W2);
          reduced.value = ray.t;
        } else compute(t);
      }
      if (L) E.combine(there.J, 1, here.J, t, J1);
      reduce(there);
      ray.ft = there.h.value - here.h.value;
      if (L || Math.abs(ray.ft) < CANCELLATION * Math.sqrt(p * inner(N, N).value)) ray.ft = change();
      ray.sawNonFinite ||= !Number.isFinite(ray.ft);
    },
    differentiate() {
      if (!drawn && nearlyLevel(ray)) {
        settle();
        ray.slopeT = inner(there.G, D).value;
        return;
      }
      draw();
      const { T, F, A, Q } = there;
      let slope = 0.5 * inner(W1, F).value + 0.5 * inner(K1, A).value;
      slope += ray.t * (inner(W2, F).value + inner(K2, A).value);
      if (L) slope += inner(T, J1).value;
      if (h.shifted) slope += 0.5 * inner(K1, Q).value + ray.t * inner(K2, Q).value;
      ray.slopeT = slope;
    },
    settle,
    evaluate() {
      ray.trials++;
      products();
      if (L) symmetric(there.J, there.X, L);
      reduce(there);
      gradient();
      ray.ft = there.h.value;
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

  /** T, CT, F, A, N and h of a place from its K, W and J */
  function reduce(at: Place): void {
    const { K, W, J, T, CT, F, A, Q } = at;
    beta.value = h.beta;
    E.combine(T, 1, I, -0.5, K);
    if (C) E.mul(CT, C, T);
    else E.copy(CT, T);
    E.tmulSymmetric(F, CT, T);
    E.mul(N, CT, W);
    E.combine(A, beta, K, -1, N);
    E.symmetrize(A);
    at.h.value = 0.5 * inner(T, N).value + (h.beta / 4) * inner(K, K).value + constant;
    if (L) {
      E.axpby(A, -1, J, 1);
      at.h.value += inner(T, J).value;
    }
    if (h.shifted) {
      at.shift.value = shift(Q, K, h.M).value;
      E.symmetrize(Q);
      at.h.value += at.shift.value;
    }
  }

  /** K1, K2, W1 and W2, when the search leaves c; BD in the place of the trial point's G */
  function draw(): void {
    if (drawn) return;
    const BD = there.G;
    line.secant(BD, there.BX, here.BX);
    E.gram(K2, D);
    E.tmulSymmetric(W2, D, BD);
    line.linear(K1, there.K, here.K, K2);
    line.linear(W1, there.W, here.W, W2);
    drawn = true;
  }

  /** φ(t) − φ(0) without cancellation */
  function change(): number {
    draw();
    t2.value = ray.t * ray.t;
    E.combine(dK, t, K1, t2, K2);
    E.combine(dW, t, W1, t2, W2);
    E.mul(N, there.T, here.CT);
    let sum = 0.5 * inner(dW, N).value + 0.25 * inner(dK, here.A).value + 0.25 * inner(dK, there.A).value;
    if (L) sum += 0.5 * ray.t * (inner(here.T, J1).value + inner(there.T, J1).value);
    if (h.shifted) sum += there.shift.value - here.shift.value;
    return sum;
  }

  /** X, BX, K and W of the trial point at the step s, by products */
  function compute(s: Scalar): void {
    E.combine(there.X, 1, here.X, s, D);
    products();
    formed.value = reduced.value = s.value;
  }

  /** BX, K and W of the trial point from its X */
  function products(): void {
    const { X, BX, K, W } = there;
    apply(BX, X);
    E.gram(K, X);
    E.addDiagonal(K, -1);
    E.tmulSymmetric(W, X, BX);
  }

  /** X, BX and G of the trial point */
  function settle(): void {
    if (!pending) return;
    if (t.value !== formed.value) {
      ratio.value = t.value / formed.value;
      rest.value = 1 - ratio.value;
      E.combine(there.X, 1, here.X, t, D);
      E.axpby(there.BX, rest, here.BX, ratio);
      formed.value = t.value;
    }
    gradient();
  }

  /** G ← BX·F + X·(A + Q) + L·T of the trial point */
  function gradient(): void {
    const { X, BX, G, T, F, A, Q } = there;
    pending = false;
    E.mul(G, BX, F);
    if (L) E.mul(G, L, T, 1, 1);
    if (h.shifted) E.combine(N, 1, A, 1, Q);
    E.mul(G, X, h.shifted ? N : A, 1, 1);
  }

  /** S ← a·sym(YᵀZ) */
  function symmetric(S: Matrix, Y: Matrix, Z: Matrix, a = 1): void {
    E.tmul(S, Y, Z, a);
    E.symmetrize(S);
  }
}
