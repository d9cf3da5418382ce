/** The check of the gradient before a run: five evaluations at one point, or nine. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { chosenOptions, digits, integer, random } from "@expen/linalg";
import type { Evaluated } from "../contracts/evaluator.js";
import type { Objective } from "../contracts/objective.js";
import { COARSEST, derivativeAlong } from "../objective/derivative-along.js";
import { checkedGradient, guardOf, requireNumber } from "./contract.js";
import { place } from "./contract-error.js";
import { alongSigns, meanSquare, smallestWeight, weights } from "./directions.js";
import { whyNotFinite } from "./not-finite.js";
import { type Suspect, worstEntryByBisection } from "./worst-entry.js";

/** The result of `quickCheck`: the slope of f by its gradient beside differences, and the suspected entry */
export interface QuickCheck {
  passed: boolean;
  /** ⟨G, D⟩ along a random direction */
  given: number;
  /** the same by differences of f */
  difference: number;
  text: string;
  /** the wrong entry, if a single one showed the mistake, and its place among the numbers of G */
  suspect?: Suspect;
  position?: number;
}

/** ‖G − ∇f‖/‖G‖ of a mistake: above the error of differences and of single precision */
const RELATIVE = 1e-3;
/** Least error of one wrong entry, relative to itself */
const OF_ENTRY = 1e-4;
/** Least error of one wrong entry, relative to the root mean square of all */
const OF_ALL = 1e-5;
/** Four values suffice if they agree with ⟨G, D⟩ to this part of the change by the smallest such mistake. */
const CLOSE = 0.1;
/** Relative change of f above any roundoff, however f is summed */
const FLAT = 1e-3;
/** Roundoff of ⟨G, D⟩ relative to ‖G‖‖D‖ */
const ROUNDING = 16 * 2 ** -52;

/**
 * Compares ⟨G, D⟩ for the given G ≈ ∇f(X), along a direction D with a weight on every entry, with differences of f and their estimated
 * error (`derivativeAlong`): one gradient and eight values, or four if these are closer to ⟨G, D⟩ than any mistake of the sizes below
 * permits. The check passes if they agree or the error is large. Otherwise two more directions and that of G must confirm the difference,
 * and the mistake must have a size: 10⁻³ of G as a whole, or in the entry found by bisection 10⁻⁴ of its value and 10⁻⁵ of the root mean
 * square of all. A false alarm is worse than a mistake that `checkDerivatives` finds later. Throws a `ContractError` on a violated
 * contract.
 */
export function quickCheck(E: Engine, f: Objective, X: Tall, options: { seed?: number } = {}): QuickCheck {
  const { seed = 1 } = chosenOptions("quickCheck", options, { seed: integer });
  const G = E.tall(f.n, f.p);
  return compareGradient(E, f, { X, G, f: checkedGradient(E, f, G, X) }, seed);
}

/** The same with f and ∇f at X from `checkedGradient` */
export function compareGradient(
  E: Engine,
  f: Objective,
  { X, G, f: value }: Pick<Evaluated, "X" | "G" | "f">,
  seed: number,
): QuickCheck {
  const { n, p } = f;
  const [D, Y] = [E.tall(n, p), E.tall(n, p)];
  const size = Math.sqrt(E.dot(G, G));
  if (!Number.isFinite(value + size)) return notFinite(E, f, X, value, G);
  const r = random(seed, "quick check");
  let noise = 0;
  const checked = withFirstValue(E, f);

  alongSigns(E, D, G, Y, r);
  const first = along(CLOSE * OF_ALL * (size / Math.sqrt(n * p)) * smallestWeight(n));
  const { slope: declared, difference } = first;
  const verdict = (passed: boolean, wrong?: { suspect: Suspect; position: number }): QuickCheck => ({
    passed,
    given: declared,
    difference,
    text: passed
      ? "the gradient agrees with differences of f"
      : `along a random direction the gradient gives ${digits(declared, 6)} but differences of f give ${digits(difference, 6)}`,
    ...wrong,
  });
  if (!first.differs) return verdict(true);
  // for the noise of f, which changes most along G
  if (size > 0) {
    E.combine(D, Math.sqrt(p) / size, G, 0, G);
    along();
  }
  const others = [1, 2].map(() => {
    E.write(D, weights(n, r));
    return along();
  });
  if (!others.every(({ differs }) => differs)) return verdict(true);
  // a constant f may be rounded in steps larger than the changes that G predicts
  const visible = value !== 0 && Math.abs(declared) * COARSEST > FLAT * Math.abs(value);
  if (!visible && [first, ...others].every(({ flat }) => flat)) return verdict(true);
  // E⟨G − ∇f, D⟩² = ‖G − ∇f‖²·E d² for independent signs
  const squares = others.map((other) => (other.slope - other.difference) ** 2);
  const wrong = Math.sqrt((squares[0]! + squares[1]!) / 2 / meanSquare(n));
  if (wrong > RELATIVE * size) return verdict(false);
  const { error, position, ...suspect } = worstEntryByBisection(E, f, X, G, seed, noise);
  const gap = Math.abs(suspect.given - suspect.expected);
  const large = Math.max(OF_ENTRY * Math.abs(suspect.expected), (OF_ALL * size) / Math.sqrt(n * p));
  return gap > error + large ? verdict(false, { suspect, position }) : verdict(true);

  function along(close?: number): { slope: number; difference: number; differs: boolean; flat: boolean } {
    const slope = E.dot(G, D);
    const quotient = derivativeAlong(
      E,
      checked,
      X,
      D,
      Y,
      noise,
      close === undefined ? undefined : { given: slope, close },
    );
    noise = quotient.noise;
    const rounding = ROUNDING * size * Math.sqrt(E.dot(D, D));
    const differs = Math.abs(slope - quotient.value) > quotient.error + rounding;
    return { slope, difference: quotient.value, differs, flat: quotient.flat };
  }
}

function notFinite(E: Engine, f: Objective, X: Tall, value: number, G: Tall): QuickCheck {
  const text = Number.isFinite(value) ? `${oddEntry(E.read(G), G)} at the start` : `f is ${value} at the start`;
  const what = "it must be finite there, and around every matrix with orthonormal columns";
  return { passed: false, given: Number.NaN, difference: Number.NaN, text: `${text}; ${what}${whyNotFinite(E, f, X)}` };
}

function oddEntry(g: Float64Array, G: Matrix): string {
  const odd = g.findIndex((v) => !Number.isFinite(v));
  // squares of finite entries may overflow
  if (odd < 0) return "the gradient's norm overflows";
  return `the gradient's entry ${place(G, odd)} is ${g[odd]}`;
}

/** The same objective; the first call of its f is checked. */
function withFirstValue(E: Engine, f: Objective): Objective {
  let isChecked = false;
  return {
    ...f,
    f(X) {
      if (isChecked) return f.f(X);
      isChecked = true;
      const requireSame = guardOf(E, X);
      const value = f.f(X);
      requireSame("f");
      requireNumber(value);
      return value;
    },
  };
}
