/** Does the gradient belong to f? Answered by five evaluations at one point, or nine. */

import type { Engine, Matrix, Tall } from "@expen/linalg";
import { chosenOptions, digits, integer, random } from "@expen/linalg";
import type { Objective } from "../contracts/objective.js";
import { COARSEST, derivativeAlong } from "../objective/derivative-along.js";
import type { Start } from "../objective/evaluator.js";
import { checkedGradient, place, withFirstValue } from "./contract.js";
import { alongSigns, meanSquare, smallestWeight, weights } from "./directions.js";
import { whyNotFinite } from "./not-finite.js";
import { type Suspect, worstEntryByHalves } from "./worst-entry.js";

export interface QuickCheck {
  passed: boolean;
  /** ⟨G, D⟩ along a random direction */
  given: number;
  /** the same by differences of f */
  difference: number;
  text: string;
  /** an entry that is wrong, where it was one that gave the mistake away */
  suspect?: Suspect;
}

/** ‖G − ∇f‖/‖G‖ from which it is a mistake and not an inexact gradient: differences, single precision */
const RELATIVE = 1e-3;
/** The same for one entry, of itself and of the root mean square of all */
const OF_ENTRY = 1e-4;
const OF_ALL = 1e-5;
/** Four values do where they agree with ⟨G, D⟩ to this share of what the smallest such mistake adds to it. */
const CLOSE = 0.1;
/** A change of this share of f is more than rounding, however f is summed. */
const FLAT = 1e-3;
/** Rounding of ⟨G, D⟩ relative to ‖G‖‖D‖ */
const ROUNDING = 16 * 2 ** -52;

/**
 * ⟨G, D⟩ for G = ∇f(X) as given, along a direction D that sees every entry, against differences of f and the error that these tell of
 * themselves (`derivativeAlong`): one gradient and eight values, or four where these come closer to ⟨G, D⟩ than any mistake that counts
 * would let them. Where they agree, or the error is large, the check has passed.
 * Where not, two more directions and that of G itself must confirm it, and then the mistake must be of some size: 10⁻³ of G as a whole,
 * or in the entry that halving leads to 10⁻⁴ of its value and 10⁻⁵ of the root mean square of all. A false alarm is worse than a
 * mistake that `checkDerivatives` finds later. Throws a `ContractError` where the functions do not do what they should.
 */
export function quickCheck(E: Engine, f: Objective, X: Tall, options: { seed?: number } = {}): QuickCheck {
  const { seed = 1 } = chosenOptions("quickCheck", options, { seed: integer });
  const G = E.tall(f.n, f.p);
  return gradientAgrees(E, f, { X, G, f: checkedGradient(E, f, G, X) }, seed);
}

/** The same where f and ∇f at X are known, as `checkedGradient` gives them */
export function gradientAgrees(
  E: Engine,
  f: Objective,
  { X, G, f: value }: Pick<Start, "X" | "G" | "f">,
  seed: number,
): QuickCheck {
  const { n, p } = f;
  const [D, Y] = [E.tall(n, p), E.tall(n, p)];
  const size = Math.sqrt(E.dot(G, G));
  if (!Number.isFinite(value + size)) return notFinite(E, f, X, value, G);
  const r = random(seed, "quick check");
  let noise = 0;
  const watched = withFirstValue(E, f);

  alongSigns(E, D, G, Y, r);
  const first = along(CLOSE * OF_ALL * (size / Math.sqrt(n * p)) * smallestWeight(n));
  const { given, difference } = first;
  const ended = (passed: boolean, suspect?: Suspect): QuickCheck => ({
    passed,
    given,
    difference,
    text: passed
      ? "the gradient agrees with differences of f"
      : `along a random direction the gradient gives ${digits(given, 6)} but differences of f give ${digits(difference, 6)}`,
    ...(suspect && { suspect }),
  });
  if (!first.differs) return ended(true);
  // for its jitter: f changes most along G
  if (size > 0) {
    E.combine(D, Math.sqrt(p) / size, G, 0, G);
    along();
  }
  const others = [1, 2].map(() => {
    E.write(D, weights(n, r));
    return along();
  });
  if (!others.every(({ differs }) => differs)) return ended(true);
  // an f that never changes may hide steps of its rounding that are larger than what G tells of
  const visible = value !== 0 && Math.abs(given) * COARSEST > FLAT * Math.abs(value);
  if (!visible && [first, ...others].every(({ flat }) => flat)) return ended(true);
  // E⟨G − ∇f, D⟩² = ‖G − ∇f‖²·E d² for independent signs
  const squares = others.map((other) => (other.given - other.difference) ** 2);
  const wrong = Math.sqrt((squares[0]! + squares[1]!) / 2 / meanSquare(n));
  if (wrong > RELATIVE * size) return ended(false);
  const { error, ...suspect } = worstEntryByHalves(E, f, X, G, seed, noise);
  const off = Math.abs(suspect.given - suspect.expected);
  const large = Math.max(OF_ENTRY * Math.abs(suspect.expected), (OF_ALL * size) / Math.sqrt(n * p));
  return off > error + large ? ended(false, suspect) : ended(true);

  function along(close?: number): { given: number; difference: number; differs: boolean; flat: boolean } {
    const given = E.dot(G, D);
    const found = derivativeAlong(E, watched, X, D, Y, noise, close === undefined ? undefined : { given, close });
    noise = found.noise;
    const rounding = ROUNDING * size * Math.sqrt(E.dot(D, D));
    const differs = Math.abs(given - found.value) > found.error + rounding;
    return { given, difference: found.value, differs, flat: found.flat };
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
