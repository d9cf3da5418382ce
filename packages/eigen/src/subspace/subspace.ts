import type { Evaluations, Objective, Precondition, QuadraticForm, Solver } from "@expen/core";
import { noEvaluations, plainPoint, stiefelConstraint } from "@expen/core";
import { advance, newState, notFinite, roundingFloor } from "@expen/core/methods";
import type { Engine, Small, Tall } from "@expen/linalg";
import { random } from "@expen/linalg";
import { EPS } from "@expen/linalg/arrays";
import { orthonormalizer, rightDivider } from "@expen/linalg/dense";
import { subspaceProblem } from "./problem.js";

export interface SubspaceOptions {
  /** the inner problem is solved to this part of its first gradient; default 0.05 */
  drop?: number;
  /** most steps of the inner problem; default 30 */
  length?: number;
  /** Z ← P·G, P ≈ (∇²f)⁻¹, for the gradient at X */
  precondition?: Precondition;
  evaluations?: Evaluations;
}

/** Steps between two computations of BX by a product: linearity accumulates roundoff. */
const REFRESH = 25;
/** Consecutive steps without decrease of f or of the gradient that are taken as the rounding floor */
const STALLED = 10;
/** ‖XᵀQ‖² up to which two blocks are orthogonal to rounding, and up to which BP by linearity is accurate */
const [ORTHOGONAL, ACCURATE] = [1e-26, 1e-22];

/**
 * For f(X) = ½⟨X, BXC⟩ + ⟨L, X⟩ with an expensive B: one product with B a step. Let W = [X, Q, P] be an orthonormal basis of the current
 * point, the part of the gradient normal to X, and the last move. Over X = WZ, ZᵀZ = I, the problem is again of this form,
 *
 *     min ½⟨Z, (WᵀBW)·Z·C⟩ + ⟨WᵀL, Z⟩,   Z ∈ ℝ³ᵖˣᵖ,
 *
 * and is minimised in closed form or by ExPen itself from Z = [I, 0, 0], so that f never increases. BX, BP follow by
 * linearity; only BQ is a product. This is LOBPCG (Knyazev 2001) for any such f, efficient if 3p is well below n.
 * Memory: 10 n×p matrices and small ones.
 */
export function* subspaceExpen(
  E: Engine,
  f: Objective & { quadratic: QuadraticForm },
  X0: Tall,
  { drop = 0.05, length = 30, precondition, evaluations = noEvaluations() }: SubspaceOptions = {},
): Solver {
  const { n, p, quadratic } = f;
  const { C, L, constant = 0 } = quadratic;
  const tall = (): Tall => E.tall(n, p);
  const small = (): Small => E.small(p, p);
  const orthonormalize = orthonormalizer(E, n, p);
  const divide = rightDivider(E, p);
  const on = stiefelConstraint(E, n, p);
  const { normal } = random(1, "subspace");
  let [X, BX, Xnew, BXnew] = [tall(), tall(), tall(), tall()];
  const [Q, BQ, P, BP, G, W] = [tall(), tall(), tall(), tall(), tall(), tall()];
  const [S, T, R] = [small(), small(), small()];
  const [r, s] = [new Float64Array(p * p), new Float64Array(p * p)];
  const [basis, images] = [
    [X, Q, P],
    [BX, BQ, BP],
  ];
  const inner = { 2: subspaceProblem(E, 2, p, C, L !== undefined), 3: subspaceProblem(E, 3, p, C, L !== undefined) };
  /** blocks of WᵀBW in the upper triangle, and of WᵀL, without j */
  const entries = [0, 1, 2].flatMap((i) => [
    ...[0, 1, 2].filter((j) => j >= i).map((j) => ({ i, j, S: small() })),
    ...(L ? [{ i, j: undefined, S: small() }] : []),
  ]);
  /** least gradient norm so far, and consecutive steps without decrease */
  let [best, stalled] = [Number.POSITIVE_INFINITY, 0];

  E.copy(X, X0);
  quadratic.apply(BX, X);
  let value = gradient();
  riemannian();
  const state = newState({ X, f: value, evaluations }, Math.sqrt(E.dot(W, W)));
  yield state;
  if (!Number.isFinite(state.f + state.gnorm)) return notFinite("f or its gradient is not finite at the start");

  for (;;) {
    if (stalled >= STALLED) return roundingFloor(state.gnorm);
    if (state.k % REFRESH === 0 && state.k > 0) refresh();
    basisOfGradient();
    const hasMove = state.k > 0;
    if (hasMove) basisOfMove();
    const blocks = hasMove ? 3 : 2;
    const problem = inner[blocks];
    // all products precede the first read: over several processes they are one message
    const currentEntries = entries.filter(({ i, j }) => i < blocks && (j ?? 0) < blocks);
    for (const { i, j, S } of currentEntries) E.tmul(S, basis[i]!, j === undefined ? L! : images[j]!);
    for (const { i, j, S } of currentEntries) {
      if (j === undefined) problem.setLinear(i, S);
      else problem.setBlock(i, j, S);
    }
    problem.minimise(drop, length);
    // X ← X·Z₁ + Q·Z₂ + P·Z₃, P ← Q·Z₂ + P·Z₃, and the same for the products with B
    move(Xnew, W, basis, problem.Z);
    move(BXnew, G, images, problem.Z);
    E.copy(P, W);
    E.copy(BP, G);
    accept();
    value = gradient();
    riemannian();
    const gnorm = Math.sqrt(E.dot(W, W));
    if (!Number.isFinite(value + gnorm)) return notFinite("f or its gradient is not finite");
    const stays = Math.abs(state.f - value) <= 4 * EPS * Math.abs(value);
    stalled = stays && gnorm > 0.5 * best ? stalled + 1 : 0;
    best = Math.min(best, gnorm);
    advance(state, { X, f: value }, gnorm, Math.sqrt(E.dot(P, P)));
    yield state;
  }

  /** Swaps the new X and BX with the old ones */
  function accept(): void {
    [X, Xnew] = [Xnew, X];
    [BX, BXnew] = [BXnew, BX];
    basis[0] = X;
    images[0] = BX;
  }

  /** G ← BX·C + L, returns f(X) */
  function gradient(): number {
    if (C) E.mul(G, BX, C);
    else E.copy(G, BX);
    const value = constant + 0.5 * E.dot(X, G);
    if (!L) return value;
    E.combine(G, 1, L, 1, G);
    return value + E.dot(L, X);
  }

  /** W ← G − X·sym(XᵀG) */
  function riemannian(): void {
    E.copy(W, G);
    on.dissolver.tangent(W, plainPoint(X));
  }

  /** A ← A − Y·(YᵀA), and the image with it; returns ‖YᵀA‖² */
  function projectOut(A: Tall, Y: Tall, image?: Tall, BY?: Tall): number {
    E.tmul(T, Y, A);
    E.mul(A, Y, T, -1, 1);
    if (image) E.mul(image, BY!, T, -1, 1);
    return E.dot(T, T);
  }

  /** Q ← orthonormal basis of the (preconditioned) gradient off X, BQ ← B·Q; W is the Riemannian gradient */
  function basisOfGradient(): void {
    if (precondition) precondition(Q, X, W);
    else E.copy(Q, G);
    projectOut(Q, X);
    for (let [overlap, pass] = [1, 0]; overlap > ORTHOGONAL; pass++) {
      orthonormalize(W, Q);
      overlap = projectOut(W, X);
      E.copy(Q, W);
      // two passes are usual; at the second, a column of roundoff lies mostly in the span of X
      if (pass > 0 && overlap > 0.5) replaceLost();
    }
    quadratic.apply(BQ, Q);
  }

  /** Replaces the columns of Q that are roundoff in the span of X, which orthonormalization would reproduce, by random ones */
  function replaceLost(): void {
    E.gram(S, W);
    const isLost = E.read(S, s).map((v, k) => (k % (p + 1) === 0 && v < 0.5 ? 1 : 0));
    E.write(T, isLost);
    E.mul(Q, W, T, -1, 1);
    E.write(W, normal);
    E.mul(Q, W, T, 1, 1);
    projectOut(Q, X);
  }

  /**
   * P ← orthonormal basis of the last move off [X, Q], and BP by linearity. If a column nearly vanishes, linearity would amplify
   * roundoff, the known weakness of LOBPCG: then BP is a product.
   */
  function basisOfMove(): void {
    E.gram(S, P);
    for (let pass = 0; pass < 2; pass++) {
      projectOut(P, X, BP, BX);
      projectOut(P, Q, BP, BQ);
    }
    let isAccurate = orthonormalize(W, P, R) === p && keepsLength(E.read(R, r), E.read(S, s), p, 1e-3);
    if (isAccurate) divide(G, BP, R);
    for (let pass = 0; pass < 3; pass++) {
      const overlap = projectOut(W, X) + projectOut(W, Q);
      if (overlap <= ORTHOGONAL) break;
      isAccurate &&= overlap <= ACCURATE;
      E.copy(P, W);
      orthonormalize(W, P);
    }
    E.copy(P, W);
    if (isAccurate) E.copy(BP, G);
    else quadratic.apply(BP, P);
  }

  /** Removes the accumulated roundoff of X and BX */
  function refresh(): void {
    on.project(plainPoint(W), X);
    E.copy(X, W);
    quadratic.apply(BX, X);
    gradient();
    riemannian();
  }

  /** rest ← Σ_{i>1} basis_i·Z_i, dest ← basis₁·Z₁ + rest */
  function move(dest: Tall, rest: Tall, basis: Tall[], Z: Small[]): void {
    E.mul(rest, basis[1]!, Z[1]!);
    if (Z.length > 2) E.mul(rest, basis[2]!, Z[2]!, 1, 1);
    E.copy(dest, rest);
    E.mul(dest, basis[0]!, Z[0]!, 1, 1);
  }
}

/** Whether R_jj/√S_jj > part for each column: its length after orthogonalization over that before, S the Gram matrix before */
function keepsLength(r: Float64Array, s: Float64Array, p: number, part: number): boolean {
  for (let at = 0; at < p * p; at += p + 1) {
    if (!(r[at]! / Math.sqrt(s[at]!) > part)) return false;
  }
  return true;
}
