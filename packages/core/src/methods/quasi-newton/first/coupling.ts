import { geometricMean } from "@expen/linalg/arrays";
import type { Tangent } from "../tangent.js";

/** Weight of a pair against the one after it */
const DECAY = 0.8;
/** κ against the mean of the moments. */
const PRIOR = 0.02;
/** Numbers that are coupled at once: with more, the few pairs that such moments remember say too little (rotations: six of them lose). */
const MOST = 4;

/** The Ω of a part in the eigenbasis U of its multiplier; numbers of complex matrices are those of Re and then those of Im */
export interface Rotation {
  readonly p: number;
  readonly complex: boolean;
  /** UᴴΩU of D and of y, of the pair that was learned from last */
  readonly D: Float64Array;
  readonly y: Float64Array;
  /** 1/h of the part by itself, p² numbers, and ⟨y, H₀y⟩ of its Ω */
  inverse(): Float64Array;
  quotients(): number;
  /** numbers ← UᴴOU, and back */
  toBasis(numbers: Float64Array, O: Tangent["O"]): void;
  fromBasis(O: Tangent["O"], numbers: Float64Array): void;
}

export interface Coupling {
  hasLearned(): boolean;
  /** From the pair that all parts have learned from, s = t·D; returns the change of ⟨y, H₀y⟩ with γ = 1. */
  learn(t: number, unit: number): number;
  scale(gamma: number): void;
  /** The Ω of R_i ← that of H₀·Q, all parts at once */
  apply(R: readonly Tangent[], Q: readonly Tangent[]): void;
  forget(): void;
}

/** The places of the parts of a product that are coupled: those with the same number of columns, up to MOST numbers an entry */
export function coupledParts(rotations: readonly (Rotation | undefined)[]): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  for (const [i, part] of rotations.entries()) {
    if (part && (part.p > 1 || part.complex)) groups.set(part.p, [...(groups.get(part.p) ?? []), i]);
  }
  const numbers = (group: readonly number[]): number =>
    group.reduce((sum, i) => sum + (rotations[i]!.complex ? 2 : 1), 0);
  return [...groups.values()].filter((group) => group.length > 1 && numbers(group) <= MOST);
}

/**
 * Parts of a product whose rotations are coupled: of f(U, V) = −tr UᵀAVN the entries ij of Ω_U and Ω_V have the Hessian
 *
 *     [α  −β; −β  α],   α ∓ β = (σ_i ∓ σ_j)(n_i ∓ n_j),
 *
 * nearly singular, and no diagonal matrix helps. Therefore entry ij of all parts, each in the eigenbasis of its multiplier, is one vector,
 * of complex numbers with their Re and Im, and its curvature a small matrix: with the moments S = Σ ssᵀ + Diag(κ) and
 * Y = Σ yyᵀ + Diag(κ·h²), h what the part itself has learned,
 *
 *     H = Y⁻¹ # S,   the geometric mean, HYH = S: for one number 1/√(y²/s²), as in curvatures.ts.
 *
 * It follows every linear change of the vector, so the unit of a part, a sign or a phase of an eigenvector does not matter.
 */
export function coupling(parts: readonly Rotation[]): Coupling {
  const { p } = parts[0]!;
  const square = p * p;
  /** the part of each component, and the shift of its numbers against the place of an entry */
  const places = parts.flatMap((part, i) => (part.complex ? [0, square] : [0]).map((shift) => ({ i, shift })));
  const K = places.length;
  const entries = entriesOf(
    p,
    parts.some(({ complex }) => complex),
  );
  const [S, Y, H] = Array.from({ length: 3 }, () => new Float64Array(entries.length * K * K)) as Three;
  const [h, Ye, Se] = Array.from({ length: 3 }, () => new Float64Array(K * K)) as Three;
  const [s, y] = [new Float64Array(K), new Float64Array(K)];
  /** of a part, Re and Im alike: so phases do not matter */
  const kappa = new Float64Array(parts.length);
  const mean = geometricMean(K);
  const numbers = parts.map((part) => new Float64Array(part.complex ? 2 * square : square));
  let [factor, isKnown] = [1, false];

  /** of the last pair, component a of the entry there */
  function numberOf(of: "D" | "y", a: number, at: number): number {
    const { i, shift } = places[a]!;
    return parts[i]![of][at + shift]!;
  }

  /** h ← the mean of entry e; the curvatures of the parts themselves, where it is not computable */
  function curvature(e: number, at: number): void {
    const from = e * K * K;
    Ye.set(Y.subarray(from, from + K * K));
    Se.set(S.subarray(from, from + K * K));
    for (let a = 0; a < K; a++) {
      const { i } = places[a]!;
      Se[a * (K + 1)]! += kappa[i]!;
      Ye[a * (K + 1)]! += kappa[i]! / parts[i]!.inverse()[at]! ** 2;
    }
    if (mean(h, Ye, Se)) return;
    h.fill(0);
    for (let a = 0; a < K; a++) h[a * (K + 1)] = parts[places[a]!.i]!.inverse()[at]!;
  }

  function remember(t: number, unit: number): void {
    kappa.fill(0);
    for (const [e, { at }] of entries.entries()) {
      for (let a = 0; a < K; a++) {
        s[a] = t * numberOf("D", a, at);
        y[a] = numberOf("y", a, at);
      }
      for (let a = 0, k = e * K * K; a < K; a++) {
        for (let b = 0; b < K; b++, k++) {
          S[k] = DECAY * S[k]! + (s[a]! * s[b]!) / unit;
          Y[k] = DECAY * Y[k]! + (y[a]! * y[b]!) / unit;
        }
        const { i } = places[a]!;
        kappa[i]! += ((PRIOR / entries.length) * S[e * K * K + a * (K + 1)]!) / (parts[i]!.complex ? 2 : 1);
      }
    }
  }

  return {
    hasLearned: () => isKnown,

    learn(t, unit) {
      remember(t, unit);
      let change = 0;
      for (const part of parts) change -= part.quotients();
      for (const [e, { at, weight }] of entries.entries()) {
        curvature(e, at);
        for (let a = 0, k = 0; a < K; a++) {
          for (let b = 0; b < K; b++, k++) change += weight * numberOf("y", a, at) * h[k]! * numberOf("y", b, at);
        }
        H.set(h, e * K * K);
      }
      isKnown = true;
      return change;
    },

    scale(gamma) {
      factor = gamma;
    },

    apply(R, Q) {
      for (const [i, part] of parts.entries()) part.toBasis(numbers[i]!, Q[i]!.O);
      for (const [e, { at, mirrored }] of entries.entries()) {
        for (let a = 0; a < K; a++) y[a] = factor * numbers[places[a]!.i]![at + places[a]!.shift]!;
        for (let a = 0, k = e * K * K; a < K; a++) {
          let sum = 0;
          for (let b = 0; b < K; b++, k++) sum += H[k]! * y[b]!;
          const { i, shift } = places[a]!;
          // Re is skew, Im symmetric
          numbers[i]![mirrored + shift] = shift === 0 ? -sum : sum;
          numbers[i]![at + shift] = at === mirrored && shift === 0 ? 0 : sum;
        }
      }
      for (const [i, part] of parts.entries()) part.fromBasis(R[i]!.O, numbers[i]!);
    },

    forget() {
      S.fill(0);
      Y.fill(0);
      isKnown = false;
    },
  };
}

/** Entries ij, i < j, and the diagonal too where numbers are complex, with their multiplicity in sums over all entries */
function entriesOf(p: number, diagonal: boolean): { at: number; mirrored: number; weight: number }[] {
  const list = [];
  for (let i = 0; i < p; i++) {
    for (let j = diagonal ? i : i + 1; j < p; j++) {
      list.push({ at: i * p + j, mirrored: j * p + i, weight: i === j ? 1 : 2 });
    }
  }
  return list;
}

type Three = [Float64Array, Float64Array, Float64Array];
